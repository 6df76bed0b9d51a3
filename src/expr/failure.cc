#include "expr/failure.h"

#include <algorithm>
#include <unordered_set>

#include "expr/like_pattern.h"

namespace weir {
namespace {

/// Functions that have a value for all arguments of the right type. One that is not named here may fail.
bool NeverFails(std::string_view function) {
  static const std::unordered_set<std::string_view> kNames = {
      "=",     "<",      "<=",        ">",     ">=",       "<=>",        "and",      "or",   "not",
      "in",    "isnull", "isnotnull", "isnan", "coalesce", "startswith", "endswith", "year", "contains",
      "upper", "lower",  "length",    "trim",  "month",    "day",        "greatest", "least"};
  return kNames.contains(function);
}

/// LIKE fails where an escape stands before plain text.
bool IsLikeOfGoodPattern(const Call& call) {
  if (call.function->name != "like") return false;
  const Scalar* pattern = call.args[1]->As<Scalar>();
  if (pattern == nullptr || pattern->is_null()) return false;
  if (call.args.size() == 2) return LikePattern::Parse(pattern->text()).has_value();
  const Scalar* escape = call.args[2]->As<Scalar>();
  if (escape == nullptr || escape->is_null() || escape->text().size() != 1) return false;
  return LikePattern::Parse(pattern->text(), escape->text()[0]).has_value();
}

bool CastNeverFails(const Type& from, const Type& to) {
  if (to.kind() == TypeKind::kString) return true;
  if (from.is_integral() && to.is_numeric() && to.kind() != TypeKind::kDecimal)
    return from.kind() <= to.kind();
  if (from.kind() == TypeKind::kFloat && to.kind() == TypeKind::kDouble) return true;
  if (from.kind() == TypeKind::kDecimal && to.kind() == TypeKind::kDouble) return true;
  if (from.kind() == TypeKind::kDecimal && to.kind() == TypeKind::kDecimal) {
    return to.scale() >= from.scale() && to.precision() - to.scale() >= from.precision() - from.scale();
  }
  return from.kind() == TypeKind::kTimestamp && to.kind() == TypeKind::kDate;
}

}  // namespace

bool MayFail(const Expr& expr) {
  if (const Call* call = expr.As<Call>();
      call != nullptr && !NeverFails(call->function->name) && !IsLikeOfGoodPattern(*call)) {
    return true;
  }
  if (const Cast* cast = expr.As<Cast>();
      cast != nullptr && cast->mode != CastMode::kTry && !CastNeverFails(cast->input->type(), expr.type())) {
    return true;
  }
  if (expr.As<Subquery>()) return true;
  return std::ranges::any_of(Children(expr), [](const ExprPtr& child) { return MayFail(*child); });
}

}  // namespace weir
