#include "table/data_file.h"

#include <algorithm>
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

bool IsUnpartitioned(const PartitionSpec& spec) {
  return std::ranges::all_of(spec.fields, [](const PartitionField& field) {
    return field.transform.kind == Transform::Kind::kVoid;
  });
}

size_t PartitionTupleHash::operator()(const PartitionTuple& tuple) const {
  return static_cast<size_t>(tuple.spec_id) + HashOf(std::span(tuple.values));
}

bool SamePartition::operator()(const PartitionTuple& a, const PartitionTuple& b) const {
  return a.spec_id == b.spec_id && std::ranges::equal(a.values, b.values, SameValue);
}

}  // namespace weir::table
