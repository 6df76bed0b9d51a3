#pragma once

/// Files and rows that a WHERE condition of UPDATE or DELETE selects. Thread rule: one thread.

#include "ops/operation.h"
#include "ops/target_scan.h"

namespace weir::ops {

struct TargetFiles {
  std::vector<table::ScanTask> tasks;
  ExprPtr predicate;  ///< What of the condition prunes, over fields; null: nothing.
  table::PruneReport pruned;
};
/// Live files that may hold a row for which the condition (null: every row) is true.
Result<TargetFiles> PlanTargetFiles(const plan::WriteTarget& target, const ExprPtr& condition,
                                    const OperationContext& context);

/// The rows of `tasks` for which the condition is true: the condition's columns and `columns`, then the
/// place.
plan::NodePtr MatchingRows(const plan::WriteTarget& target, Tasks tasks, const ExprPtr& condition,
                           const std::vector<size_t>& columns, const ExprPtr& predicate,
                           const RowPlace& place, const OperationContext& context);

/// What planning left out and why, one line each, for EXPLAIN.
std::vector<std::string> DescribePruning(std::string_view what, const table::PruneReport& report,
                                         size_t files_left);

}  // namespace weir::ops
