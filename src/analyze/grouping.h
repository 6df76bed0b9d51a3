#pragma once

/// Aggregation in two steps: expressions over the input are split into group keys, aggregate calls and what
/// is computed from their values. Thread rule: one thread.

#include "analyze/grouping_sets.h"

namespace weir::analyze {

/// True if two expressions compute the same: names for showing and coercion marks do not matter.
bool SameExpr(const Expr& a, const Expr& b);

/// True for grouping(..) and grouping_id(..).
bool IsGroupingNumber(const Expr& expr);

class Grouping {
 public:
  Grouping(GroupBy group_by, plan::NodePtr input, Context& context);

  /// The expression over the output of plan(): keys, aggregates and grouping() are replaced by what stands
  /// for them. Errors: MISSING_AGGREGATION, MISSING_GROUP_BY when a column is neither;
  /// UNSUPPORTED_GROUPING_EXPRESSION, GROUPING_COLUMN_MISMATCH and GROUPING_ID_COLUMN_MISMATCH.
  Result<ExprPtr> Over(const ExprPtr& expr);

  /// The aggregation of the input, with every key and all aggregates that Over has met. Call it last.
  plan::NodePtr Plan() const;

 private:
  ExprPtr AggregateColumn(const ExprPtr& call);
  Result<ExprPtr> GroupingNumber(const Expr& expr);
  ExprPtr LacksKey(size_t key) const;
  ExprPtr WithNulls(const ExprPtr& expr) const;
  Result<ExprPtr> Replacement(const ExprPtr& expr);

  bool IsInput(ColumnId id) const;
  bool grouped_by() const { return !keys_.empty() || !sets_.empty(); }

  Context& context_;
  plan::NodePtr input_;
  std::vector<ExprPtr> keys_;
  std::vector<plan::Column> key_columns_;
  std::vector<ExprPtr> aggregates_;
  std::vector<plan::Column> aggregate_columns_;
  std::vector<std::vector<int32_t>> sets_;
  plan::Column set_number_;  ///< With sets.
};

}  // namespace weir::analyze
