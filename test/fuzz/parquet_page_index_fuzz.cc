/// Any bytes as offset index, column index and page header. Pages that pass must be in order and within the
/// file.

#include <cstdlib>

#include "codec/parquet/bounds.h"
#include "codec/parquet/footer.h"
#include "codec/parquet/page_index.h"

namespace {

using namespace weir;
using namespace weir::parquet;

/// Decodes every page as every kind of column.
void DecodeAll(const ColumnIndex& index) {
  const std::pair<PhysicalType, Type> kinds[] = {{PhysicalType::kInt32, Type::Int()},
                                                 {PhysicalType::kInt64, Type::Long()},
                                                 {PhysicalType::kByteArray, Type::String()},
                                                 {PhysicalType::kDouble, Type::Double()},
                                                 {PhysicalType::kFixedLenByteArray, Type::Fixed(8)},
                                                 {PhysicalType::kByteArray, Type::Decimal(30, 2)}};
  for (const auto& [physical, type] : kinds) {
    Footer footer;
    footer.schema.resize(2);
    footer.schema[0].child_count = 1;
    footer.schema[1].physical = physical;
    footer.schema[1].type_length = 8;
    if (type.kind() == TypeKind::kDecimal) {
      footer.schema[1].logical.kind = LogicalType::Kind::kDecimal;
      footer.schema[1].logical.scale = 2;
    }
    if (!DeriveLeaves(footer)) std::abort();
    footer.column_orders = {ColumnOrder::kTypeDefined};
    const BoundsDecoder decoder(footer, 0, type);
    for (size_t page = 0; page < index.null_pages.size(); ++page) {
      const ValueBounds bounds = decoder.OfPage(index, page);
      if (bounds.lower && bounds.upper && Compare(*bounds.lower, *bounds.upper) > 0) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const Bytes bytes(data + 2, size - 2);
  constexpr uint64_t kFileSize = 1'000'000;
  switch (data[0] % 3) {
    case 0: {
      const auto index = ParseOffsetIndex(bytes, 0, kFileSize, 100'000);
      if (!index) return 0;
      uint64_t end = 0;
      for (const PageLocation& page : index->pages) {
        if (page.offset_bytes < end || page.offset_bytes + page.size_bytes > kFileSize) std::abort();
        end = page.offset_bytes + page.size_bytes;
      }
      return 0;
    }
    case 1: {
      const auto index = ParseColumnIndex(bytes, 0, data[1]);
      if (index) DecodeAll(*index);
      return 0;
    }
    default: {
      const auto header = ParsePageHeader(bytes, 0);
      if (header &&
          (header->compressed_size_bytes < 0 || header->value_count < 0 || header->header_size_bytes <= 0)) {
        std::abort();
      }
      return 0;
    }
  }
}
