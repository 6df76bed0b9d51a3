#include <algorithm>

#include "expr/bounds_rules.h"
#include "expr/expr.h"
#include "expr/operands.h"
#include "expr/signature.h"

namespace weir {
namespace {

template <bool kNullSafe>
Result<Signature> Comparison(std::string_view name, std::span<const Argument> args,
                             const Semantics& semantics) {
  WEIR_TRY(Operands types, CoerceOperands(OperandRule::kComparison, args[0], args[1], RulesOf(semantics)));
  if (!IsOrderable(types.left)) return NotOrderable(name, types.left);
  Signature signature = Coerced(args, {types.left, types.right}, Type::Boolean());
  if (kNullSafe) signature.nullable = false;
  return signature;
}

Result<Signature> Logical(std::string_view, std::span<const Argument> args, const Semantics& semantics) {
  WEIR_TRY(Operands types, CoerceOperands(OperandRule::kLogical, args[0], args[1], RulesOf(semantics)));
  return Coerced(args, {types.left, types.right}, Type::Boolean());
}

/// The same types at every depth, whatever members are called: (a, b) IN ((1, 2)).
bool SameStructure(const Type& a, const Type& b) {
  if (!a.is_nested() || a.kind() != b.kind()) return SameShape(a, b);
  return std::ranges::equal(a.fields(), b.fields(),
                            [](const Field& x, const Field& y) { return SameStructure(x.type, y.type); });
}

/// The value, then the list.
Result<Signature> In(std::string_view name, std::span<const Argument> args, const Semantics& semantics) {
  std::vector<Type> types = TypesOf(args);
  std::optional<Type> common = WiderTypeOf(types, RulesOf(semantics));
  if (!common) {
    auto same = [&](const Type& type) { return SameStructure(types[0], type); };
    if (!std::ranges::all_of(types, same)) return ArgumentsDiffer(name, QuotedList(args));
    return Coerced(args, types, Type::Boolean());
  }
  if (!IsOrderable(*common)) return NotOrderable(name, *common);
  return Coerced(args, std::vector<Type>(args.size(), *common), Type::Boolean());
}

constexpr SignatureRule kCompare = Comparison<false>;

}  // namespace

std::span<const Function> PredicateFunctions() {
  constexpr PrettyForm kInfix = PrettyForm::kInfix;
  static const Function kFunctions[] = {
      {.name = "=",
       .pretty = kInfix,
       .signature = kCompare,
       .bounds = EqualBounds,
       .aliases = "==",
       .min_args = 2,
       .max_args = 2},
      {.name = "<",
       .pretty = kInfix,
       .signature = kCompare,
       .bounds = LessBounds,
       .min_args = 2,
       .max_args = 2},
      {.name = "<=",
       .pretty = kInfix,
       .signature = kCompare,
       .bounds = LessOrEqualBounds,
       .min_args = 2,
       .max_args = 2},
      {.name = ">",
       .pretty = kInfix,
       .signature = kCompare,
       .bounds = GreaterBounds,
       .min_args = 2,
       .max_args = 2},
      {.name = ">=",
       .pretty = kInfix,
       .signature = kCompare,
       .bounds = GreaterOrEqualBounds,
       .min_args = 2,
       .max_args = 2},
      {.name = "<=>",
       .pretty = kInfix,
       .signature = Comparison<true>,
       .bounds = NullSafeEqualBounds,
       .min_args = 2,
       .max_args = 2},
      {.name = "and",
       .pretty = kInfix,
       .signature = Logical,
       .bounds = AndBounds,
       .min_args = 2,
       .max_args = 2,
       .display = "AND"},
      {.name = "or",
       .pretty = kInfix,
       .signature = Logical,
       .bounds = OrBounds,
       .min_args = 2,
       .max_args = 2,
       .display = "OR"},
      {.name = "not",
       .pretty = PrettyForm::kPrefix,
       .signature = Typed<"boolean -> boolean">,
       .bounds = NotBounds,
       .aliases = "!",
       .min_args = 1,
       .max_args = 1,
       .display = "NOT"},
      {.name = "in", .pretty = PrettyForm::kCustom, .signature = In, .bounds = InBounds, .min_args = 2},
      {.name = "isnull",
       .pretty = PrettyForm::kPostfix,
       .signature = Typed<"any -> boolean!">,
       .bounds = IsNullBounds,
       .min_args = 1,
       .max_args = 1,
       .display = "IS NULL"},
      {.name = "isnotnull",
       .pretty = PrettyForm::kPostfix,
       .signature = Typed<"any -> boolean!">,
       .bounds = IsNotNullBounds,
       .min_args = 1,
       .max_args = 1,
       .display = "IS NOT NULL"},
      {.name = "isnan",
       .signature = Typed<"double|float -> boolean!">,
       .bounds = IsNanBounds,
       .min_args = 1,
       .max_args = 1},
      // The third argument is the escape character, a literal.
      {.name = "like",
       .pretty = PrettyForm::kCustom,
       .signature = Typed<"string, string, string -> boolean">,
       .bounds = LikeBounds,
       .min_args = 2,
       .max_args = 3},
      {.name = "ilike",
       .signature = Typed<"string, string, string -> boolean">,
       .min_args = 2,
       .max_args = 3},
      {.name = "rlike",
       .signature = Typed<"string, string -> boolean">,
       .aliases = "regexp regexp_like",
       .min_args = 2,
       .max_args = 2,
       .display = "RLIKE"},
      {.name = "startswith",
       .signature = Typed<"string, string -> boolean">,
       .bounds = StartsWithBounds,
       .min_args = 2,
       .max_args = 2},
      {.name = "endswith", .signature = Typed<"string, string -> boolean">, .min_args = 2, .max_args = 2},
      {.name = "contains", .signature = Typed<"string, string -> boolean">, .min_args = 2, .max_args = 2},
  };
  return kFunctions;
}

}  // namespace weir
