#pragma once

/// Predicates for tests of pruning. Tests only.

#include <array>
#include <string_view>
#include <vector>

#include "expr/bounds_rules.h"

namespace weir {

inline ExprPtr Predicate(std::string_view name, std::vector<ExprPtr> args) {
  static const std::array kFunctions = {
      Function{.name = "=", .pretty = PrettyForm::kInfix, .bounds = EqualBounds},
      Function{.name = "<=>", .pretty = PrettyForm::kInfix, .bounds = NullSafeEqualBounds},
      Function{.name = "<", .pretty = PrettyForm::kInfix, .bounds = LessBounds},
      Function{.name = "<=", .pretty = PrettyForm::kInfix, .bounds = LessOrEqualBounds},
      Function{.name = ">", .pretty = PrettyForm::kInfix, .bounds = GreaterBounds},
      Function{.name = ">=", .pretty = PrettyForm::kInfix, .bounds = GreaterOrEqualBounds},
      Function{.name = "and", .pretty = PrettyForm::kInfix, .bounds = AndBounds},
      Function{.name = "or", .pretty = PrettyForm::kInfix, .bounds = OrBounds},
      Function{.name = "not", .pretty = PrettyForm::kPrefix, .bounds = NotBounds},
      Function{.name = "in", .bounds = InBounds},
      Function{.name = "isnull", .bounds = IsNullBounds},
      Function{.name = "isnotnull", .bounds = IsNotNullBounds},
      Function{.name = "isnan", .bounds = IsNanBounds},
      Function{.name = "startswith", .bounds = StartsWithBounds},
      Function{.name = "like", .bounds = LikeBounds},
      Function{.name = "contains"},
  };
  for (const Function& function : kFunctions) {
    if (function.name == name) {
      return std::make_shared<const Expr>(Call{&function, std::move(args), false, {}}, Type::Boolean(), true);
    }
  }
  return nullptr;
}

}  // namespace weir
