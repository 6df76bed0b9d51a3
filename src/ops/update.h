#pragma once

/// UPDATE: matching rows get position deletes, their new versions are written beside them.

#include "ops/operation.h"

namespace weir::ops {

/// Updates the rows for which the condition is true. Reads the condition's columns first and the others by
/// position, for matching rows only. As in Spark a snapshot is made even if no row matches. Errors: as Merge,
/// without cardinality.
Status Update(const plan::UpdateCommand& command, const OperationContext& context);

}  // namespace weir::ops
