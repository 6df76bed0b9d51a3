#pragma once

/// The second half of a MERGE: from matching pairs to rows that go and rows that come. Thread rule: one
/// thread.

#include <vector>

#include "ops/merge_match.h"
#include "ops/row_deletes.h"

namespace weir::ops {

/// Everything a MERGE does to the table.
struct MergeEffect {
  explicit MergeEffect(size_t task_count) : deletes(task_count) {}

  RowPlaces deletes;                    ///< Settled by the caller.
  std::vector<plan::NodePtr> new_rows;  ///< Each yields the target's columns, in order.
  ChangedRows rows;                     ///< `inserted` is known after writing: see `updated`.
  uint64_t updated() const { return rows.matched_updated + rows.by_source_updated; }
  /// Relations that `new_rows` scan.
  std::vector<exec::RelationPtr> kept;
};

/// What a MERGE has found out when clauses are applied.
struct MergeState {
  const plan::MergeCommand& command;
  const MergeShape& shape;
  const MergeSource& source;
  const MergeFiles& files;
  const MergeMatches& matches;
  plan::ColumnIds& ids;
  const OperationContext& context;
};

/// Applies WHEN MATCHED. Errors: MERGE_CARDINALITY_VIOLATION.
Status ApplyMatched(const MergeState& state, MergeEffect& effect);
/// Applies WHEN NOT MATCHED.
Status ApplyNotMatched(const MergeState& state, MergeEffect& effect);
/// Applies WHEN NOT MATCHED BY SOURCE.
Status ApplyBySource(const MergeState& state, MergeEffect& effect);

}  // namespace weir::ops
