#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/query.h"
#include "expr/coercion.h"
#include "expr/pretty.h"

namespace weir::analyze {

Result<Scalar> ConstantValue(const unresolved::Expr& expr, const Type& type, const Environment& environment,
                             Context& context) {
  Names names;
  names.environment = environment;
  WEIR_TRY(ExprPtr resolved, ResolveExpression(expr, names, context));
  return ConstantValue(resolved, type, context);
}

bool IsFoldable(const Expr& expr) {
  return ColumnsOf(expr).empty() && IsDeterministic(expr) && !HasSubquery(expr) && !HasAggregate(expr) &&
         !HasWindow(expr);
}

Result<Scalar> ConstantValue(const ExprPtr& expr, const Type& type, Context& context) {
  if (!IsFoldable(*expr)) {
    return Invalid("a constant is needed, found {}", PrettySql(*expr));
  }
  WEIR_TRY(ExprPtr cast, ExplicitCast(expr, type, false, context));
  WEIR_TRY(ExprPtr folded, plan::FoldConstants(cast));
  if (const Scalar* value = folded->As<Scalar>()) return *value;
  if (!context.settings.evaluate)
    return Unsupported("the constant {} cannot be computed here", PrettySql(*expr));
  return context.settings.evaluate(cast);
}

}  // namespace weir::analyze
