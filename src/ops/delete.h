#pragma once

/// DELETE FROM: files whose every row matches leave the table, rows of others get position deletes.

#include "ops/operation.h"

namespace weir::ops {

/// Deletes the rows for which the condition is true; rows for which it is NULL stay. Reads only the columns
/// of the condition, and only files that may hold a match. As in Spark a snapshot is made even if no row
/// matches, but not for a condition that is the literal FALSE. Errors: as Merge, without cardinality.
Status Delete(const plan::DeleteCommand& command, const OperationContext& context);

}  // namespace weir::ops
