#pragma once

/// Batches of rows from the messages of a stream. Thread rule: pure functions. Spec: Apache Arrow,
/// "RecordBatch message".

#include "base/bytes.h"
#include "codec/arrow/budget.h"
#include "codec/arrow/flat_table.h"
#include "codec/arrow/wire_schema.h"
#include "type/batch.h"

namespace weir::arrow_ipc {

/// Copies the rows of a RecordBatch table and its body. Every length and offset is checked before it is
/// used; values are not looked at (values_check.h), but times are brought to microseconds.
/// Errors: kCorrupt; kInvalid if the budget does not suffice; kUnsupported for compression but zstandard, and
/// for times finer than microseconds.
Result<Batch> ReadBatch(const FlatTable& table, Bytes body, const WireColumn& root, Budget& budget);

}  // namespace weir::arrow_ipc
