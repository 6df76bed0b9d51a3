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

/// A data page whose body is not compressed, whatever the codec of its chunk.
struct PlainPageV2 {
  int32_t row_count = 0;  ///< Also the number of values: one or a NULL per row.
  int32_t null_count = 0;
  Encoding encoding = Encoding::kPlain;
  int32_t definition_levels_size_bytes = 0;
  int32_t values_size_bytes = 0;
};
/// Serializes the header that stands before definition levels and values.
std::string SerializePageHeader(const PlainPageV2& page);

}  // namespace weir::parquet
