#pragma once

/// Rebuilding expressions with other parts. Thread rule: pure functions.

#include <functional>

#include "expr/expr.h"

namespace weir {

/// Answers nullptr to leave a node as it is and go on with its children.
using Replace = std::function<Result<ExprPtr>(const ExprPtr&)>;
/// Replaces nodes from the root down; what `replace` returns is not entered again. A subquery's plan is not
/// entered.
Result<ExprPtr> Rewrite(const ExprPtr& expr, const Replace& replace);

}  // namespace weir
