#include "table/data_file.h"

namespace weir::table {

std::string_view ToString(FileFormat format) {
  switch (format) {
    case FileFormat::kParquet:
      return "parquet";
    case FileFormat::kAvro:
      return "avro";
    case FileFormat::kOrc:
      return "orc";
  }
  return "unknown";
}

size_t PartitionTupleHash::operator()(const PartitionTuple& tuple) const {
  size_t hash = static_cast<size_t>(tuple.spec_id);
  for (const Scalar& value : tuple.values) hash = hash * 0x9E3779B97F4A7C15u + HashOf(value);
  return hash;
}

}  // namespace weir::table
