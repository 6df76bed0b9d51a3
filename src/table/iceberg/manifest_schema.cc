#include "table/iceberg/manifest_schema.h"

#include <map>

namespace weir::iceberg {

namespace {

using avro::Schema;

/// Bytes that hold every unscaled value of a precision.
uint32_t DecimalBytes(int precision) {
  UInt128 largest = static_cast<UInt128>(PowerOfTen(precision) - 1);
  uint32_t bits = 1;  // The sign.
  for (; largest != 0; largest >>= 1) ++bits;
  return (bits + 7) / 8;
}

avro::LogicalType Meaning(avro::Logical kind) {
  avro::LogicalType logical;
  logical.kind = kind;
  return logical;
}

/// An int as the spec has it; what others wrote as long is read too.
Schema Int(bool reading) { return reading ? Schema::Long() : Schema::Int(); }

Schema Timestamp(bool adjust_to_utc) {
  avro::LogicalType logical = Meaning(avro::Logical::kTimestampMicros);
  logical.adjust_to_utc = adjust_to_utc;
  return Schema::Long().With(logical);
}

/// `unique` makes the names of fixed types differ, which Avro demands of types that are defined twice.
Schema PartitionValueSchema(const Type& type, bool reading, std::map<std::string, int>& unique) {
  const auto fixed = [&](const std::string& name, uint32_t size_bytes) {
    const int uses = unique[name]++;
    return Schema::Fixed(uses == 0 ? name : fmt::format("{}_{}", name, uses), size_bytes);
  };
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Schema::Boolean();
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInt:
      return Int(reading);
    case TypeKind::kDate:
      return reading ? Schema::Long() : Schema::Int().With(Meaning(avro::Logical::kDate));
    case TypeKind::kLong:
      return Schema::Long();
    case TypeKind::kTime:
      return Schema::Long().With(Meaning(avro::Logical::kTimeMicros));
    case TypeKind::kTimestamp:
      return Timestamp(true);
    case TypeKind::kTimestampNtz:
      return Timestamp(false);
    case TypeKind::kFloat:
      return Schema::Float();
    case TypeKind::kDouble:
      return Schema::Double();
    case TypeKind::kString:
      return Schema::String();
    case TypeKind::kDecimal: {
      avro::LogicalType decimal = Meaning(avro::Logical::kDecimal);
      decimal.precision = type.precision();
      decimal.scale = type.scale();
      // The width grows with the precision, so that a reader must take any.
      if (reading) return Schema::Bytes().With(decimal);
      return fixed(fmt::format("decimal_{}_{}", type.precision(), type.scale()),
                   DecimalBytes(type.precision()))
          .With(decimal);
    }
    case TypeKind::kUuid:
      if (reading) return Schema::Bytes();
      return fixed("uuid_fixed", 16).With(Meaning(avro::Logical::kUuid));
    case TypeKind::kFixed:
      if (reading) return Schema::Bytes();
      return fixed(fmt::format("fixed_{}", type.length_bytes()), static_cast<uint32_t>(type.length_bytes()));
    case TypeKind::kVoid:
      return reading ? Schema::Any() : Schema::Int();
    default:
      return Schema::Bytes();
  }
}

Schema PartitionSchema(const PartitionSpec& spec, const std::vector<Type>& types, bool reading) {
  std::vector<avro::Field> fields;
  std::map<std::string, int> unique;
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    const Schema value = PartitionValueSchema(types[i], reading, unique);
    const bool any = value.kind() == avro::Kind::kAny;
    fields.push_back(
        {spec.fields[i].name, spec.fields[i].field_id, any ? value : Schema::Optional(value), ""});
  }
  return Schema::Record("r102", std::move(fields));
}

avro::Field Required(std::string name, int32_t id, Schema schema, std::string doc) {
  return {std::move(name), FieldId{id}, std::move(schema), std::move(doc)};
}
avro::Field Optional(std::string name, int32_t id, Schema schema, std::string doc) {
  return {std::move(name), FieldId{id}, Schema::Optional(std::move(schema)), std::move(doc)};
}
avro::Field Counts(std::string name, int32_t id, int32_t key_id, bool reading, std::string doc) {
  return Optional(std::move(name), id,
                  Schema::ArrayMap(Int(reading), FieldId{key_id}, Schema::Long(), FieldId{key_id + 1}),
                  std::move(doc));
}
avro::Field RawBounds(std::string name, int32_t id, int32_t key_id, bool reading, std::string doc) {
  return Optional(std::move(name), id,
                  Schema::ArrayMap(Int(reading), FieldId{key_id}, Schema::Bytes(), FieldId{key_id + 1}),
                  std::move(doc));
}

}  // namespace

Schema ManifestListSchema(bool reading) {
  const auto later = [reading](std::string name, int32_t id, Schema schema, std::string doc) {
    return reading ? Optional(std::move(name), id, std::move(schema), std::move(doc))
                   : Required(std::move(name), id, std::move(schema), std::move(doc));
  };
  const Schema summary = Schema::Record(
      "r508",
      {Required("contains_null", 509, Schema::Boolean(), "True if any file has a null partition value"),
       Optional("contains_nan", 518, Schema::Boolean(), "True if any file has a nan partition value"),
       Optional("lower_bound", 510, Schema::Bytes(), "Partition lower bound for all files"),
       Optional("upper_bound", 511, Schema::Bytes(), "Partition upper bound for all files")});
  return Schema::Record(
      "manifest_file",
      {Required("manifest_path", 500, Schema::String(), "Location URI with FS scheme"),
       Required("manifest_length", 501, Schema::Long(), "Total file size in bytes"),
       Required("partition_spec_id", 502, Int(reading), "Spec ID used to write"),
       later("content", 517, Int(reading), "Contents of the manifest: 0=data, 1=deletes"),
       later("sequence_number", 515, Schema::Long(), "Sequence number when the manifest was added"),
       later("min_sequence_number", 516, Schema::Long(), "Lowest sequence number in the manifest"),
       Required("added_snapshot_id", 503, Schema::Long(), "Snapshot ID that added the manifest"),
       later("added_files_count", 504, Int(reading), "Added entry count"),
       later("existing_files_count", 505, Int(reading), "Existing entry count"),
       later("deleted_files_count", 506, Int(reading), "Deleted entry count"),
       later("added_rows_count", 512, Schema::Long(), "Added rows count"),
       later("existing_rows_count", 513, Schema::Long(), "Existing rows count"),
       later("deleted_rows_count", 514, Schema::Long(), "Deleted rows count"),
       Optional("partitions", 507, Schema::Array(summary, FieldId{508}), "Summary for each partition"),
       Optional("key_metadata", 519, Schema::Bytes(), "Encryption key metadata blob")});
}

Schema ManifestEntrySchema(const PartitionSpec& spec, const std::vector<Type>& types, bool reading) {
  const Schema content = reading ? Schema::Optional(Int(reading)) : Int(reading);
  std::vector<avro::Field> file = {
      Required("content", 134, content,
               "Contents of the file: 0=data, 1=position deletes, 2=equality deletes"),
      Required("file_path", 100, Schema::String(), "Location URI with FS scheme"),
      Required("file_format", 101, Schema::String(), "File format name: avro, orc, or parquet"),
      Required("partition", 102, PartitionSchema(spec, types, reading),
               "Partition data tuple, schema based on the partition spec"),
      Required("record_count", 103, Schema::Long(), "Number of records in the file"),
      Required("file_size_in_bytes", 104, Schema::Long(), "Total file size in bytes"),
      Counts("column_sizes", 108, 117, reading, "Map of column id to total size on disk"),
      Counts("value_counts", 109, 119, reading, "Map of column id to total count, including null and NaN"),
      Counts("null_value_counts", 110, 121, reading, "Map of column id to null value count"),
      Counts("nan_value_counts", 137, 138, reading, "Map of column id to number of NaN values in the column"),
      RawBounds("lower_bounds", 125, 126, reading, "Map of column id to lower bound"),
      RawBounds("upper_bounds", 128, 129, reading, "Map of column id to upper bound"),
      Optional("key_metadata", 131, Schema::Bytes(), "Encryption key metadata blob"),
      Optional("split_offsets", 132, Schema::Array(Schema::Long(), FieldId{133}), "Splittable offsets"),
      Optional("equality_ids", 135, Schema::Array(Int(reading), FieldId{136}),
               "Equality comparison field IDs"),
      Optional("sort_order_id", 140, Int(reading), "Sort order ID"),
      Optional("referenced_data_file", 143, Schema::String(),
               "Fully qualified location (URI with FS scheme) of a data file that all deletes reference")};
  if (reading) file.push_back(Optional("content_offset", 144, Schema::Long(), ""));
  return Schema::Record(
      "manifest_entry",
      {Required("status", 0, Int(reading), ""), Optional("snapshot_id", 1, Schema::Long(), ""),
       Optional("sequence_number", 3, Schema::Long(), ""),
       Optional("file_sequence_number", 4, Schema::Long(), ""),
       Required("data_file", 2, Schema::Record("r2", std::move(file)), "")});
}

}  // namespace weir::iceberg
