#include "expr/rewrite.h"

namespace weir {
Result<ExprPtr> Rewrite(const ExprPtr& expr, const Replace& replace) {
  WEIR_TRY(ExprPtr replaced, replace(expr));
  if (replaced != nullptr) return replaced;
  std::vector<ExprPtr> children = Children(*expr);
  bool changed = false;
  for (ExprPtr& child : children) {
    WEIR_TRY(ExprPtr rewritten, Rewrite(child, replace));
    changed = changed || rewritten != child;
    child = std::move(rewritten);
  }
  if (!changed) return expr;
  return WithChildren(*expr, children);
}

}  // namespace weir
