#include "expr/evaluate.h"
#include "expr/rewrite.h"
#include "plan/rewrite.h"

namespace weir::plan {
namespace {

/// A cast of a literal to a type that holds its value exactly; null if it is anything else.
Result<ExprPtr> Folded(const ExprPtr& expr) {
  const Cast* cast = expr->As<Cast>();
  if (cast == nullptr) return ExprPtr();
  WEIR_TRY(ExprPtr input, FoldConstants(cast->input));
  if (const Scalar* literal = input->As<Scalar>()) {
    if (literal->type() == expr->type()) return input;
    // A value that does not fit stays a cast: whether that is an error is decided when it runs.
    if (auto widened = CastInOrder(*literal, expr->type())) return MakeLiteral(*std::move(widened));
  }
  if (input == cast->input) return expr;
  return WithChildren(*expr, {std::move(input)});
}

}  // namespace

Result<ExprPtr> FoldConstants(const ExprPtr& expr) { return Rewrite(expr, Folded); }

Result<NodePtr> FoldConstants(const NodePtr& plan) {
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : plan->inputs) {
    WEIR_TRY(NodePtr folded, FoldConstants(input));
    inputs.push_back(std::move(folded));
  }
  std::vector<ExprPtr> exprs = ExprsOf(*plan);
  bool changed = false;
  for (ExprPtr& expr : exprs) {
    WEIR_TRY(ExprPtr folded, FoldConstants(expr));
    changed = changed || folded != expr;
    expr = std::move(folded);
  }
  NodePtr result = WithInputs(plan, std::move(inputs));
  return changed ? WithExprs(*result, std::move(exprs)) : result;
}

}  // namespace weir::plan
