#include "table/data_file.h"

#include <cmath>

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

namespace {

/// Precondition: a floating value, not null.
bool HasSign(const Scalar& value) {
  return value.type().kind() == TypeKind::kFloat ? std::signbit(value.float32())
                                                 : std::signbit(value.float64());
}

}  // namespace

bool SamePartition::operator()(const PartitionTuple& a, const PartitionTuple& b) const {
  if (!(a == b)) return false;
  for (size_t i = 0; i < a.values.size(); ++i) {
    const Scalar& value = a.values[i];
    if (value.is_null() || value.is_nan() || !value.type().is_floating()) continue;
    if (HasSign(value) != HasSign(b.values[i])) return false;
  }
  return true;
}

}  // namespace weir::table
