#pragma once

/// GROUP BY as a list of keys and the sets of them by which rows are grouped. Thread rule: one thread.

#include <functional>

#include "analyze/scope.h"

namespace weir::analyze {

struct GroupBy {
  std::vector<ExprPtr> keys;  ///< No two are the same; in the order of the bits of grouping_id().
  /// Positions of keys, one list per set; empty if the statement has no grouping sets.
  std::vector<std::vector<int32_t>> sets;
};

/// Resolves one key of GROUP BY.
using ResolveKey = std::function<Result<ExprPtr>(const unresolved::Expr&)>;

/// Plain keys and grouping sets side by side: every combination of theirs is a set.
/// Errors: those of `resolve`; GROUPING_SIZE_LIMIT_EXCEEDED beyond 64 keys, UNRESOLVED_COLUMN for sets over
/// keys that are not listed, kUnsupported for very many sets.
Result<GroupBy> ResolveGroupBy(const std::vector<unresolved::ExprPtr>& items, const ResolveKey& resolve);

}  // namespace weir::analyze
