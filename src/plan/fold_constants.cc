#include <algorithm>

#include "expr/evaluate.h"
#include "expr/rewrite.h"
#include "plan/rewrite.h"

namespace weir::plan {
namespace {

bool IsConstant(const Expr& expr) {
  return expr.As<Scalar>() == nullptr && ColumnsOf(expr).empty() && IsDeterministic(expr) &&
         !HasSubquery(expr) && !HasAggregate(expr) && !HasWindow(expr) && !HasGenerator(expr);
}

/// A cast of a literal that keeps its value.
std::optional<Scalar> Widened(const Expr& expr) {
  const Cast* cast = expr.As<Cast>();
  const Scalar* literal = cast == nullptr ? nullptr : cast->input->As<Scalar>();
  if (literal == nullptr) return std::nullopt;
  auto widened = CastInOrder(*literal, expr.type());
  return widened ? std::optional<Scalar>(*std::move(widened)) : std::nullopt;
}

/// Constant children of a call whose result is no literal are still worth it; so the node itself comes first.
Result<ExprPtr> Folded(const ExprPtr& expr, const EvaluateConstant& evaluate) {
  if (!IsConstant(*expr)) return ExprPtr();
  if (std::optional<Scalar> value = Widened(*expr)) return MakeLiteral(*std::move(value));
  if (!evaluate) return ExprPtr();
  auto value = evaluate(expr);
  return value ? MakeLiteral(*std::move(value)) : ExprPtr();
}

}  // namespace

Result<ExprPtr> FoldConstants(const ExprPtr& expr, const EvaluateConstant& evaluate) {
  return Rewrite(expr, [&](const ExprPtr& part) { return Folded(part, evaluate); });
}

Result<NodePtr> FoldConstants(const NodePtr& plan, const EvaluateConstant& evaluate) {
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : plan->inputs) {
    WEIR_TRY(NodePtr folded, FoldConstants(input, evaluate));
    inputs.push_back(std::move(folded));
  }
  NodePtr result = WithInputs(plan, std::move(inputs));
  // Rows of VALUES are computed once anyway.
  if (plan->As<Values>()) return result;
  std::vector<ExprPtr> exprs = ExprsOf(*plan);
  bool changed = false;
  for (ExprPtr& expr : exprs) {
    WEIR_TRY(ExprPtr folded, FoldConstants(expr, evaluate));
    changed = changed || folded != expr;
    expr = std::move(folded);
  }
  return changed ? WithExprs(*result, std::move(exprs)) : result;
}

}  // namespace weir::plan
