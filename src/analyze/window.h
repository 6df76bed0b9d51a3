#pragma once

/// Window functions: resolved where they stand in a select list, then computed below it. Thread rule: one
/// thread.

#include "analyze/scope.h"

namespace weir::analyze {

/// function OVER (..), as an expression over the same columns that holds a WindowCall. Errors: of the
/// function and the frame by Spark's conditions; UNSUPPORTED_EXPR_FOR_OPERATOR where `names` say that no
/// window function can stand.
Result<ExprPtr> ResolveWindow(const unresolved::Window& window, const Names& names, Context& context);

/// UNSUPPORTED_FEATURE.LATERAL_COLUMN_ALIAS_IN_WINDOW for a window function that reads a column of its own
/// select list.
Error AliasInWindow(const std::string& alias, const Expr& window);
/// UNSUPPORTED_EXPR_FOR_OPERATOR for an expression with window functions.
Error WindowNotAllowed(const Expr& expr);
/// Errors: Spark's nameless condition for window functions in the clause, "WHERE" or "HAVING".
Status CheckNoWindow(const Expr& expr, std::string_view clause);

/// Splits expressions into window functions and what is computed from their values.
class Windows {
 public:
  explicit Windows(Context& context) : context_(context) {}

  /// The expression over the output of Over(input): window functions are replaced by their columns.
  Result<ExprPtr> Replace(const ExprPtr& expr);

  /// The input under the windows that Replace has met. A function over values of another window comes above
  /// that. Call it last.
  plan::NodePtr Over(plan::NodePtr input) const;

 private:
  struct Level {
    std::vector<ExprPtr> calls;
    std::vector<plan::Column> columns;
  };
  Result<ExprPtr> Column(const ExprPtr& window);

  Context& context_;
  std::vector<Level> levels_;
};

}  // namespace weir::analyze
