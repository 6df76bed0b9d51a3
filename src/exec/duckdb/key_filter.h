#pragma once

/// The exact key filter of a scan: only rows whose key is among a few known ones leave it. Thread rule:
/// immutable.

#include <memory>
#include <vector>

#include "duckdb/common/types/data_chunk.hpp"
#include "duckdb/common/types/selection_vector.hpp"
#include "table/key_set.h"

namespace weir::exec {

/// Keys by the hash that DuckDB joins by, under which -0.0 is 0.0 and all NaNs are one. Two keys with the
/// same 64 bits let a row through that the join then drops; no row that has a key is lost.
class KeyFilter {
 public:
  /// Null if the keys are not known one by one. `types` are those of the key columns, per field of the set.
  /// Errors: kUnsupported for a type that the executor lacks. Memory: 24 to 48 bytes per key.
  static Result<std::shared_ptr<const KeyFilter>> Make(const table::KeySet& keys,
                                                       const std::vector<Type>& types);

  const std::vector<FieldId>& fields() const { return fields_; }
  /// Writes to `kept` the rows of the chunk whose key may be in the set; returns how many. `columns` holds
  /// the place of each field's column in the chunk.
  duckdb::idx_t Select(duckdb::DataChunk& chunk, const std::vector<duckdb::idx_t>& columns,
                       duckdb::SelectionVector& kept) const;

 private:
  KeyFilter() = default;
  void Insert(uint64_t hash);
  bool Contains(uint64_t hash) const;
  /// 1 if a key may have the hash, else 0.
  duckdb::idx_t BitOf(uint64_t hash) const {
    return bits_[(hash >> 38) & (bits_.size() - 1)] >> ((hash >> 32) & 63) & 1;
  }

  std::vector<FieldId> fields_;
  /// Open addressing over a power of two of slots; 0 is an empty one.
  std::vector<uint64_t> slots_;
  bool has_zero_ = false;
  /// One bit for each key among some 64, by other digits of the hash than those that choose a slot: nearly
  /// all rows end here, and the processor foresees it.
  std::vector<uint64_t> bits_;
};

}  // namespace weir::exec
