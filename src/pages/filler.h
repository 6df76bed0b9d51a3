#pragma once

/// Pages that stand for rows which nobody will look at, so that columns stay aligned. Thread rule: pure
/// functions. Spec: Apache Parquet, DATA_PAGE_V2 (a page may be uncompressed whatever its chunk's codec).

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "codec/parquet/format.h"

namespace weir::pages {

/// A page: its header, then its body.
struct FillerPage {
  std::shared_ptr<const std::string> header;  ///< With definition levels.
  Bytes body;                                 ///< Zeros that live as long as the process.
};

/// Pages of `row_count` rows for a column with one value per row: NULLs if it may hold NULL, else zeros or
/// empty texts in plain encoding. Errors: kUnsupported for required fixed values of no or enormous length.
Result<std::vector<FillerPage>> MakeFiller(const parquet::SchemaElement& element,
                                           int32_t max_definition_level, int64_t row_count);

}  // namespace weir::pages
