#pragma once

/// DuckDB's chunks as Weir's batches. Thread rule: one thread.

#include <span>
#include <vector>

#include "duckdb/common/types/data_chunk.hpp"
#include "type/batch.h"

namespace weir::exec {

/// Gathers chunks of known column types into one batch.
class BatchBuilder {
 public:
  explicit BatchBuilder(std::vector<Type> types);
  /// The chunk's first columns have the builder's types (see ToDuckType). Errors: kInvalid for a fixed value
  /// of another length.
  Status Append(duckdb::DataChunk& chunk);
  int64_t row_count() const { return row_count_; }
  /// Bytes of variable length so far.
  size_t text_bytes() const;
  /// Leaves the builder empty.
  Batch Finish();

 private:
  std::vector<Type> types_;
  std::vector<std::shared_ptr<ColumnVector>> columns_;
  int64_t row_count_ = 0;
  void Reset();
};

/// Fills a chunk of the types ToDuckType(column types) with rows [first, first + count) of a batch; count is
/// at most STANDARD_VECTOR_SIZE.
Status FillChunk(const Batch& batch, const std::vector<Type>& types, int64_t first, int64_t count,
                 duckdb::DataChunk& chunk);

}  // namespace weir::exec
