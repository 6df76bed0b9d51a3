#pragma once

/// INSERT INTO and INSERT OVERWRITE.

#include "ops/operation.h"

namespace weir::ops {

/// kAppend adds rows without looking at the table. kOverwriteStatic replaces the files whose rows all match
/// the filter; kOverwriteDynamic the files of the partitions (of the current spec) that get rows, files of
/// older specs stay. Rows that another statement adds meanwhile to what is overwritten are a conflict (Spark
/// overwrites them too). As in Spark an empty INSERT INTO makes a snapshot, an empty dynamic overwrite does
/// not. Errors: kInvalid if the filter matches some but not all rows of a file; kUnavailable on a conflict;
/// errors in the data as the engine gives them.
Status Insert(const plan::InsertCommand& command, const OperationContext& context);

}  // namespace weir::ops
