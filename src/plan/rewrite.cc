#include "plan/rewrite.h"

#include "expr/rewrite.h"

namespace weir::plan {
namespace {

Result<ExprPtr> RewriteSubqueries(const ExprPtr& expr, const PlanRule& rule) {
  if (!HasSubquery(*expr)) return expr;
  return Rewrite(expr, [&](const ExprPtr& part) -> Result<ExprPtr> {
    const Subquery* subquery = part->As<Subquery>();
    if (subquery == nullptr) return ExprPtr();
    Subquery copy = *subquery;
    WEIR_TRY(copy.plan, ForEachPlan(copy.plan, rule));
    if (copy.value) {
      WEIR_TRY(copy.value, RewriteSubqueries(copy.value, rule));
    }
    return std::make_shared<const Expr>(std::move(copy), part->type(), part->nullable(), part->text());
  });
}

Result<NodePtr> InSubqueries(const NodePtr& node, const PlanRule& rule) {
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : node->inputs) {
    WEIR_TRY(NodePtr rewritten, InSubqueries(input, rule));
    inputs.push_back(std::move(rewritten));
  }
  std::vector<ExprPtr> exprs = ExprsOf(*node);
  bool changed = false;
  for (ExprPtr& expr : exprs) {
    WEIR_TRY(ExprPtr rewritten, RewriteSubqueries(expr, rule));
    changed = changed || rewritten != expr;
    expr = std::move(rewritten);
  }
  NodePtr result = WithInputs(node, std::move(inputs));
  return changed ? WithExprs(*result, std::move(exprs)) : result;
}

}  // namespace

Result<NodePtr> ForEachPlan(const NodePtr& plan, const PlanRule& rule) {
  WEIR_TRY(NodePtr inner, InSubqueries(plan, rule));
  return rule(inner);
}

Result<NodePtr> Optimize(const NodePtr& plan, const EvaluateConstant& evaluate) {
  WEIR_TRY(NodePtr folded,
           ForEachPlan(plan, [&](const NodePtr& node) { return FoldConstants(node, evaluate); }));
  WEIR_TRY(NodePtr pushed, ForEachPlan(folded, PushPredicates));
  return ForEachPlan(pushed, PruneColumns);
}

}  // namespace weir::plan
