#include "table/iceberg/file_rows.h"

#include <algorithm>

#include "base/ascii.h"
#include "table/iceberg/single_value.h"

namespace weir::iceberg {

namespace {

const std::vector<std::string_view> kMetricNames = {"column_size",     "value_count", "null_value_count",
                                                    "nan_value_count", "lower_bound", "upper_bound"};

void AppendLeaves(const Schema& schema, const std::vector<Field>& fields, std::vector<Field>& leaves) {
  for (const Field& field : fields) {
    if (field.type.is_nested()) {
      AppendLeaves(schema, field.type.fields(), leaves);
      continue;
    }
    Field leaf = field;
    leaf.name = schema.PathOf(field.id).value_or(field.name);
    leaves.push_back(std::move(leaf));
  }
}

Type MapType(Type value) {
  return Type::Map({FieldId{}, "key", Type::Int(), true, ""},
                   {FieldId{}, "value", std::move(value), true, ""});
}

Scalar CountsScalar(const std::optional<ContentFile::Counts>& counts) {
  Type type = MapType(Type::Long());
  if (!counts) return Scalar::Null(std::move(type));
  std::vector<Scalar> entries;
  for (const auto& [id, count] : *counts) {
    entries.push_back(Scalar::Int(id.value));
    entries.push_back(Scalar::Long(count));
  }
  return Scalar(std::move(type), std::move(entries));
}

Scalar BoundsScalar(const std::optional<ContentFile::RawBounds>& bounds) {
  Type type = MapType(Type::Binary());
  if (!bounds) return Scalar::Null(std::move(type));
  std::vector<Scalar> entries;
  for (const auto& [id, bytes] : *bounds) {
    entries.push_back(Scalar::Int(id.value));
    entries.push_back(Scalar::Binary(bytes));
  }
  return Scalar(std::move(type), std::move(entries));
}

template <typename T, typename ToScalar>
Scalar ListScalar(const std::optional<std::vector<T>>& list, Type element, ToScalar to_scalar) {
  Type type = Type::Array({FieldId{}, "element", std::move(element), true, ""});
  if (!list) return Scalar::Null(std::move(type));
  std::vector<Scalar> elements;
  for (const T& item : *list) elements.push_back(to_scalar(item));
  return Scalar(std::move(type), std::move(elements));
}

Scalar CountOf(const std::optional<ContentFile::Counts>& counts, FieldId id) {
  if (counts) {
    for (const auto& [field, count] : *counts) {
      if (field == id) return Scalar::Long(count);
    }
  }
  return Scalar::Null(Type::Long());
}

Scalar BoundOf(const std::optional<ContentFile::RawBounds>& bounds, const Field& leaf) {
  if (bounds) {
    for (const auto& [field, bytes] : *bounds) {
      if (field != leaf.id) continue;
      auto value = FromSingleValue(bytes, leaf.type);
      if (value) return ToSparkValue(*std::move(value));
    }
  }
  return Scalar::Null(SparkType(leaf.type));
}

}  // namespace

FileRows::FileRows(const TableMetadata& metadata)
    : metadata_(metadata),
      partition_type_(
          table::PartitionType(metadata.specs, [&](FieldId id) { return metadata.FindField(id); })) {
  AppendLeaves(metadata.current_schema(), metadata.current_schema().fields, leaves_);
  std::sort(leaves_.begin(), leaves_.end(), [](const Field& a, const Field& b) { return a.name < b.name; });
  FieldList ids;
  std::vector<Field> columns;
  for (const Field& leaf : leaves_) {
    std::vector<Field> metrics;
    for (size_t i = 0; i < kMetricNames.size(); ++i) {
      metrics.push_back(
          ids.Part(std::string(kMetricNames[i]), i < 4 ? Type::Long() : SparkType(leaf.type), false));
    }
    columns.push_back(ids.Part(leaf.name, Type::Struct(std::move(metrics)), false));
  }
  metrics_type_ = Type::Struct(std::move(columns));
}

void FileRows::AddFileFields(FieldList& list) const {
  list.Add("content", Type::Int(), false);
  list.Add("file_path", Type::String(), true);
  list.Add("file_format", Type::String(), true);
  list.Add("spec_id", Type::Int(), false);
  if (!partition_type_.fields().empty()) list.Add("partition", partition_type_, true);
  list.Add("record_count", Type::Long(), true);
  list.Add("file_size_in_bytes", Type::Long(), true);
  for (const char* name : {"column_sizes", "value_counts", "null_value_counts", "nan_value_counts"}) {
    list.Add(name, list.MapOf(Type::Int(), Type::Long()), false);
  }
  for (const char* name : {"lower_bounds", "upper_bounds"}) {
    list.Add(name, list.MapOf(Type::Int(), Type::Binary()), false);
  }
  list.Add("key_metadata", Type::Binary(), false);
  list.Add("split_offsets", list.ArrayOf(Type::Long()), false);
  list.Add("equality_ids", list.ArrayOf(Type::Int()), false);
  list.Add("sort_order_id", Type::Int(), false);
  list.Add("first_row_id", Type::Long(), false);
  list.Add("referenced_data_file", Type::String(), false);
  list.Add("content_offset", Type::Long(), false);
  list.Add("content_size_in_bytes", Type::Long(), false);
}

std::vector<Scalar> FileRows::FileValues(const ContentFile& file) const {
  std::vector<Scalar> row = {Scalar::Int(static_cast<int32_t>(file.kind)), Scalar::String(file.path),
                             Scalar::String(AsciiUpper(table::ToString(file.format))),
                             Scalar::Int(file.partition.spec_id)};
  if (!partition_type_.fields().empty()) row.push_back(PartitionValue(file.partition));
  row.push_back(Scalar::Long(file.row_count));
  row.push_back(Scalar::Long(file.size_bytes));
  for (const auto* counts : {&file.column_sizes, &file.value_counts, &file.null_counts, &file.nan_counts}) {
    row.push_back(CountsScalar(*counts));
  }
  row.push_back(BoundsScalar(file.lower_bounds));
  row.push_back(BoundsScalar(file.upper_bounds));
  row.push_back(file.key_metadata ? Scalar::Binary(*file.key_metadata) : Scalar::Null(Type::Binary()));
  row.push_back(
      ListScalar(file.split_offsets, Type::Long(), [](int64_t offset) { return Scalar::Long(offset); }));
  row.push_back(ListScalar(file.equality_ids, Type::Int(), [](FieldId id) { return Scalar::Int(id.value); }));
  row.push_back(file.sort_order_id ? Scalar::Int(*file.sort_order_id) : Scalar::Null(Type::Int()));
  row.push_back(Scalar::Null(Type::Long()));
  row.push_back(file.referenced_data_file ? Scalar::String(*file.referenced_data_file)
                                          : Scalar::Null(Type::String()));
  row.push_back(Scalar::Null(Type::Long()));
  row.push_back(Scalar::Null(Type::Long()));
  return row;
}

Scalar FileRows::PartitionValue(const PartitionTuple& partition) const {
  const PartitionSpec* spec = metadata_.FindSpec(partition.spec_id);
  std::vector<Scalar> values;
  for (size_t i = 0; i < partition_type_.fields().size(); ++i) {
    Scalar value = Scalar::Null(partition_type_.fields()[i].type);
    for (size_t j = 0; spec != nullptr && j < spec->fields.size() && j < partition.values.size(); ++j) {
      if (spec->fields[j].field_id == partition_type_.fields()[i].id)
        value = ToSparkValue(partition.values[j]);
    }
    values.push_back(std::move(value));
  }
  return Scalar(partition_type_, std::move(values));
}

Scalar FileRows::ReadableMetrics(const ContentFile& file) const {
  std::vector<Scalar> columns;
  for (size_t i = 0; i < leaves_.size(); ++i) {
    const Field& leaf = leaves_[i];
    columns.emplace_back(
        metrics_type_.fields()[i].type,
        std::vector<Scalar>{CountOf(file.column_sizes, leaf.id), CountOf(file.value_counts, leaf.id),
                            CountOf(file.null_counts, leaf.id), CountOf(file.nan_counts, leaf.id),
                            BoundOf(file.lower_bounds, leaf), BoundOf(file.upper_bounds, leaf)});
  }
  return Scalar(metrics_type_, std::move(columns));
}

}  // namespace weir::iceberg
