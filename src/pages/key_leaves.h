#pragma once

/// Finds the key columns in one file. Thread rule: pure functions. Spec: Iceberg, "Column Projection".

#include <string>
#include <vector>

#include "codec/parquet/format.h"
#include "pages/select.h"

namespace weir::pages {

/// Where the key columns are, or why they cannot be read by pages.
struct KeyLeaves {
  std::vector<size_t> leaves;    ///< One per key column, if `reason` is kNone and `missing` empty.
  std::vector<FieldId> missing;  ///< Key columns that the file does not have.
  PlainReason reason = PlainReason::kNone;
  std::string detail;
};

/// By field id; in a file without any field id by the mapped names, exactly.
KeyLeaves FindKeyLeaves(const parquet::Footer& footer, const std::vector<KeyColumn>& columns);

}  // namespace weir::pages
