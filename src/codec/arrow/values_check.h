#pragma once

/// What columns promise that the layout of their bytes does not say. Thread rule: pure functions.

#include "type/batch.h"

namespace weir::arrow_ipc {

/// Checks the values that count, those below a NULL do not: no NULL where the field is required, UTF-8, no
/// more digits than the decimal's precision. Errors: kInvalid, of the last with Spark's condition; kCorrupt
/// for text that is not UTF-8.
Status CheckValues(const Field& field, const ColumnVector& column);

}  // namespace weir::arrow_ipc
