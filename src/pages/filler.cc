#include "pages/filler.h"

#include <algorithm>
#include <array>

#include "codec/parquet/page_index.h"

namespace weir::pages {

namespace {

using parquet::PhysicalType;

/// Rows of one page of NULLs; any number fits, this one keeps readers' buffers small.
constexpr int64_t kMaxNullRows = 1 << 20;

/// Backs the bodies of all filler pages.
constexpr size_t kZeroBytes = 64_KiB;
const std::array<uint8_t, kZeroBytes> kZeros{};

/// Bits of one value in plain encoding; a text is its length of zero.
int64_t BitsPerValue(const parquet::SchemaElement& element) {
  switch (*element.physical) {
    case PhysicalType::kBoolean:
      return 1;
    case PhysicalType::kInt32:
    case PhysicalType::kFloat:
    case PhysicalType::kByteArray:
      return 32;
    case PhysicalType::kInt64:
    case PhysicalType::kDouble:
      return 64;
    case PhysicalType::kInt96:
      return 96;
    case PhysicalType::kFixedLenByteArray:
      return int64_t{8} * element.type_length;
  }
  return 64;
}

/// Definition levels of `row_count` NULLs: one run of level 0 in the RLE/bit-packing hybrid.
std::string NullLevels(int64_t row_count) {
  std::string levels;
  for (auto header = static_cast<uint64_t>(row_count) << 1;; header >>= 7) {
    if (header < 128) {
      levels.push_back(static_cast<char>(header));
      break;
    }
    levels.push_back(static_cast<char>(header | 128));
  }
  levels.push_back(0);
  return levels;
}

}  // namespace

Result<std::vector<FillerPage>> MakeFiller(const parquet::SchemaElement& element,
                                           int32_t max_definition_level, int64_t row_count) {
  const bool nullable = max_definition_level > 0;
  const int64_t bits = BitsPerValue(element);
  if (!nullable && (bits <= 0 || bits > int64_t{kZeroBytes} * 8)) {
    return Unsupported("filler for column {} of {} bits a value", element.name, bits);
  }
  const int64_t max_rows = nullable ? kMaxNullRows : int64_t{kZeroBytes} * 8 / bits;
  std::vector<FillerPage> pages;
  while (row_count > 0) {
    const int64_t rows = std::min(row_count, max_rows);
    parquet::PlainPageV2 page;
    page.row_count = static_cast<int32_t>(rows);
    std::string levels;
    if (nullable) {
      levels = NullLevels(rows);
      page.null_count = page.row_count;
      page.definition_levels_size_bytes = static_cast<int32_t>(levels.size());
    } else {
      page.values_size_bytes = static_cast<int32_t>((rows * bits + 7) / 8);
    }
    pages.push_back({std::make_shared<const std::string>(parquet::SerializePageHeader(page) + levels),
                     Bytes(kZeros).first(static_cast<size_t>(page.values_size_bytes))});
    row_count -= rows;
  }
  return pages;
}

}  // namespace weir::pages
