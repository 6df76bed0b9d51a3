#pragma once

/// Aggregation in two steps: expressions over the input are split into group keys, aggregate calls and what
/// is computed from their values. Thread rule: one thread.

#include "analyze/scope.h"

namespace weir::analyze {

/// True if two expressions compute the same: names for showing and coercion marks do not matter.
bool SameExpr(const Expr& a, const Expr& b);

class Grouping {
 public:
  Grouping(std::vector<ExprPtr> keys, plan::NodePtr input, Context& context);

  /// The expression over the output of plan(): keys and aggregates are replaced by their columns.
  /// Errors: MISSING_AGGREGATION, MISSING_GROUP_BY when a column is neither.
  Result<ExprPtr> Over(const ExprPtr& expr);

  /// The aggregation of the input, with every key and all aggregates that Over has met. Call it last.
  plan::NodePtr Plan() const;

 private:
  ExprPtr AggregateColumn(const ExprPtr& call);
  Result<ExprPtr> Replacement(const ExprPtr& expr);

  bool IsInput(ColumnId id) const;

  Context& context_;
  plan::NodePtr input_;
  std::vector<ExprPtr> keys_;
  std::vector<plan::Column> key_columns_;
  std::vector<ExprPtr> aggregates_;
  std::vector<plan::Column> aggregate_columns_;
};

}  // namespace weir::analyze
