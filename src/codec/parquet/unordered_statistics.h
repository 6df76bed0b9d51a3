#pragma once

/// For readers that believe statistics which `bounds.h` does not. Pure functions. Thread rule: any thread.
/// Spec: Apache Parquet, parquet.thrift (Statistics, ColumnOrder).

#include "base/bytes.h"
#include "base/result.h"

namespace weir::parquet {

/// Changes a serialized footer in place so that a reader finds no bounds of the columns that their bytes may
/// order otherwise than the column: those of INT96, and of byte arrays and unsigned integers where only the
/// deprecated min and max are there or the file states no column order. The NULL counts beside such bounds
/// are lost with them. Every other byte stays, and so do all sizes. `file_offset` is where the footer lies.
/// Errors: kCorrupt if the bytes are not a footer; kUnsupported for statistics with ids out of order.
/// Cost: one pass over the footer.
Status HideUnorderedStatistics(MutableBytes footer, uint64_t file_offset);

}  // namespace weir::parquet
