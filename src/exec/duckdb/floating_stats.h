#pragma once

/// Bounds and NaN counts of top-level float and double columns, which DuckDB's writer does not give where
/// there are NaNs. Thread rule: one thread.

#include <optional>
#include <vector>

#include "duckdb/common/types/data_chunk.hpp"
#include "table/table.h"
#include "type/type.h"

namespace weir::exec {

class FloatingStats {
 public:
  FloatingStats() = default;
  explicit FloatingStats(const std::vector<Field>& fields);
  void Add(duckdb::DataChunk& chunk);
  /// Replaces bounds and NaN count of a column that it followed; zero bounds widen to -0.0 and 0.0. A
  /// floating leaf it did not follow keeps what is there.
  void Fill(FieldId field, table::NewDataFile::LeafMetrics& metrics) const;

 private:
  struct Column {
    size_t position = 0;
    FieldId id;
    bool is_float = false;
    uint64_t nans = 0;
    bool any = false;
    double lower = 0, upper = 0;
  };
  std::vector<Column> columns_;
};

}  // namespace weir::exec
