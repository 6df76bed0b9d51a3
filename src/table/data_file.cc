#include "table/data_file.h"

#include <algorithm>
#include <cmath>
#include <map>

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

Type PartitionType(std::span<const PartitionSpec> specs, const std::function<const Field*(FieldId)>& find) {
  std::vector<const PartitionSpec*> newest_first;
  for (const PartitionSpec& spec : specs) newest_first.push_back(&spec);
  std::ranges::sort(newest_first, std::greater(), &PartitionSpec::spec_id);
  std::map<FieldId, Field> by_id;
  for (const PartitionSpec* spec : newest_first) {
    for (const PartitionField& field : spec->fields) {
      const Field* source = find(field.source_id);
      if (source == nullptr) continue;
      const auto type = field.transform.ResultType(source->type);
      if (type)
        by_id.try_emplace(field.field_id, Field{field.field_id, field.name, SparkType(*type), false, {}});
    }
  }
  std::vector<Field> fields;
  for (auto& [id, field] : by_id) fields.push_back(std::move(field));
  return Type::Struct(std::move(fields));
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
