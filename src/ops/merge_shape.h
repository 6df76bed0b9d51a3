#pragma once

/// What a MERGE needs, decided from the statement alone. Thread rule: immutable values.

#include <vector>

#include "ops/key_derivation.h"
#include "plan/command.h"

namespace weir::ops {

struct MergeShape {
  OnCondition on;
  /// Clauses that a row can reach: none behind an unconditional one.
  std::vector<plan::MergeAction> matched, not_matched, by_source;

  /// Target columns by position, sorted. The join reads its own; those below are read after it, for fewer
  /// rows.
  std::vector<size_t> join_columns;
  std::vector<size_t> clause_columns;     ///< Further ones that conditions of `matched` read.
  std::vector<size_t> update_columns;     ///< Further ones that new values of `matched` read.
  std::vector<size_t> by_source_columns;  ///< All that `by_source` reads.

  std::vector<plan::Column> source_columns;  ///< Columns of the source that anything reads.

  /// False as in Spark: no matched clause, or only an unconditional DELETE.
  bool check_cardinality = false;
  /// True if only rows are added.
  bool only_inserts() const { return matched.empty() && by_source.empty(); }
};
MergeShape ShapeOf(const plan::MergeCommand& command);

}  // namespace weir::ops
