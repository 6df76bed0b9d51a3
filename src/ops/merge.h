#pragma once

/// MERGE INTO by merge-on-read: matching rows get position deletes, new versions are written beside them.
///
/// The source is evaluated once. Its values prune the target (merge_match.h); only key columns are read
/// before the join, other target columns by position for the rows that need them. The first clause whose
/// condition is true takes a row, as in Spark.

#include "ops/operation.h"

namespace weir::ops {

/// Errors: kInvalid MERGE_CARDINALITY_VIOLATION if several source rows match one target row (unless the only
/// matched clause is an unconditional DELETE); kUnsupported for copy-on-write tables; kUnavailable on a
/// conflict; errors in the data as the engine gives them. On any error the table is unchanged and no file is
/// left behind.
Result<ChangedRows> Merge(const plan::MergeCommand& command, const OperationContext& context);

/// What Merge would read, for EXPLAIN: evaluates the source and reads metadata, but no data file of the
/// target.
Result<std::vector<std::string>> ExplainMerge(const plan::MergeCommand& command,
                                              const OperationContext& context);

}  // namespace weir::ops
