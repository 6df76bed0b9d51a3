/// Table metadata of unknown origin: it is refused, or what was understood is written and read again the
/// same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "table/iceberg/table_metadata_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto metadata = weir::iceberg::ParseTableMetadata(bytes, "fuzz");
  if (!metadata) return 0;
  const std::string json = weir::iceberg::TableMetadataToJson(*metadata);
  const auto again = weir::iceberg::ParseTableMetadata(json, "again");
  if (!again || weir::iceberg::TableMetadataToJson(*again) != json) std::abort();
  return 0;
}
