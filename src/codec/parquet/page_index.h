#pragma once

/// Page index and page headers to structs. Pure functions; no I/O. Thread rule: any thread.
/// Spec: Apache Parquet, "Page Index" and parquet.thrift.

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "codec/parquet/format.h"

namespace weir::parquet {

/// Parses the offset index of a chunk. Errors: kCorrupt if a page lies outside the file or overlaps its
/// predecessor, if first rows do not start at 0 and increase, or reach `row_count` (rows of the row group).
Result<OffsetIndex> ParseOffsetIndex(Bytes bytes, uint64_t file_offset, uint64_t file_size_bytes,
                                     int64_t row_count);

/// Parses the column index of a chunk that has `page_count` pages.
/// Errors: kCorrupt if a list has another length, or a null count is negative.
Result<ColumnIndex> ParseColumnIndex(Bytes bytes, uint64_t file_offset, size_t page_count);

/// Parses the page header at the start of `bytes`, which may be longer.
/// Errors: kCorrupt for negative sizes or a header that does not fit its type.
Result<PageHeader> ParsePageHeader(Bytes bytes, uint64_t file_offset);

}  // namespace weir::parquet
