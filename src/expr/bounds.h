#pragma once

/// What is known about the values of some rows: a file, a row group, a page, a manifest's partitions.
/// Thread rule: immutable values.

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "type/scalar.h"

namespace weir {

/// Knowledge of one column. Absent means unknown. Bounds may be wider than the data, never narrower.
/// NaN and NULL lie outside lower and upper.
struct ColumnBounds {
  std::optional<Scalar> lower;
  std::optional<Scalar> upper;
  std::optional<uint64_t> null_count;
  std::optional<uint64_t> value_count;  ///< NULLs included.
  bool may_have_nan = true;             ///< Meaningful for float and double only.
  bool exact = false;  ///< lower and upper are values of the data; never needed for skipping.
};

/// Knowledge by column. A column that is not in the map is unknown.
struct Bounds {
  std::optional<uint64_t> row_count;
  std::unordered_map<ColumnId, ColumnBounds> columns;

  const ColumnBounds* Find(ColumnId id) const {
    auto it = columns.find(id);
    return it == columns.end() ? nullptr : &it->second;
  }
};

}  // namespace weir
