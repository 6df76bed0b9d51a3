#pragma once

/// Statistics of a footer by field id: for pruning row groups and for the metrics that table formats keep.
/// Thread rule: pure functions.

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/parquet/bounds.h"
#include "codec/parquet/format.h"
#include "type/type.h"

namespace weir::parquet {

/// One leaf column over a row group or a file.
struct LeafStats {
  FieldId field;
  size_t leaf = 0;  ///< Index in Footer::leaves.
  ValueBounds bounds;
  uint64_t size_bytes = 0;  ///< Compressed.
};

/// The leaf of a top-level column, or of a struct member at any depth, by field id; nullopt if the file has
/// none. If several leaves carry the id (broken files), also nullopt.
std::optional<size_t> FindLeaf(const Footer& footer, FieldId id);

/// One entry per leaf whose field id the schema knows, in file order. Leaves without a field id are left out.
std::vector<LeafStats> RowGroupStats(const Footer& footer, size_t row_group, const Schema& schema);

/// As above over all row groups. A bound that one row group with values lacks is absent; so is a count.
std::vector<LeafStats> FileStats(const Footer& footer, const Schema& schema);

}  // namespace weir::parquet
