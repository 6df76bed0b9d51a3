#include "table/iceberg/manifest_avro.h"

#include "base/ascii.h"
#include "codec/avro/container.h"
#include "table/iceberg/json_view.h"
#include "table/iceberg/manifest_schema.h"
#include "table/iceberg/schema_json.h"
#include "table/iceberg/single_value.h"

namespace weir::iceberg {

namespace {

using avro::Value;

std::optional<int64_t> OptionalInteger(const Value& value) {
  if (value.is_null()) return std::nullopt;
  return value.integer();
}
std::optional<std::string> OptionalText(const Value& value) {
  if (value.is_null()) return std::nullopt;
  return std::string(value.text());
}

/// Ids, and counts of files, have 32 bits; writers differ in whether they say so.
Result<int32_t> Int32Of(const Value& value, std::string_view what) {
  const int64_t number = value.integer();
  if (number < INT32_MIN || number > INT32_MAX) {
    return Corrupt("expected {} of 32 bits, found {}", what, number);
  }
  return static_cast<int32_t>(number);
}

/// A count that is negative would make live files look dead.
Result<std::optional<int64_t>> ReadCount(const Value& record, ListField field, std::string_view name,
                                         int64_t largest) {
  const auto count = OptionalInteger(record[field]);
  if (count && (*count < 0 || *count > largest)) {
    return Corrupt("expected {} from 0 to {}, found {}", name, largest, *count);
  }
  return count;
}

Status ReadListedCounts(const Value& record, ManifestFile& manifest) {
  WEIR_TRY(manifest.added_files, ReadCount(record, kListAddedFiles, "added_files_count", INT32_MAX));
  WEIR_TRY(manifest.existing_files, ReadCount(record, kListExistingFiles, "existing_files_count", INT32_MAX));
  WEIR_TRY(manifest.deleted_files, ReadCount(record, kListDeletedFiles, "deleted_files_count", INT32_MAX));
  WEIR_TRY(manifest.added_rows, ReadCount(record, kListAddedRows, "added_rows_count", INT64_MAX));
  WEIR_TRY(manifest.existing_rows, ReadCount(record, kListExistingRows, "existing_rows_count", INT64_MAX));
  WEIR_TRY(manifest.deleted_rows, ReadCount(record, kListDeletedRows, "deleted_rows_count", INT64_MAX));
  return {};
}

FieldSummary ReadSummary(const Value& value) {
  FieldSummary summary;
  summary.contains_null = value[0].boolean();
  if (!value[1].is_null()) summary.contains_nan = value[1].boolean();
  summary.lower = OptionalText(value[2]);
  summary.upper = OptionalText(value[3]);
  return summary;
}

Result<ManifestFile> ReadListed(const Value& record, std::string_view file) {
  ManifestFile manifest;
  manifest.path = record[kListPath].text();
  manifest.size_bytes = record[kListLength].integer();
  const auto where = [&] { return fmt::format("{}: manifest {}", file, manifest.path); };
  WEIR_TRY_CONTEXT(manifest.spec_id, where(), Int32Of(record[kListSpecId], "partition_spec_id"));
  const int64_t content = record[kListContent].integer();
  if (content != 0 && content != 1) {
    return Corrupt("{}: manifest {}: expected content 0 or 1, found {}", file, manifest.path, content);
  }
  if (manifest.size_bytes < 0) {
    return Corrupt("{}: manifest {}: negative length {}", file, manifest.path, manifest.size_bytes);
  }
  manifest.content = static_cast<Content>(content);
  // A list of version 1 has no sequence numbers: its files are older than all that have.
  manifest.sequence_number = SequenceNumber{record[kListSequence].integer()};
  manifest.min_sequence_number = SequenceNumber{record[kListMinSequence].integer()};
  manifest.added_snapshot_id = SnapshotId{record[kListSnapshot].integer()};
  WEIR_DO_CONTEXT(where(), ReadListedCounts(record, manifest));
  if (!record[kListKeyMetadata].is_null()) {
    return Unsupported("{}: manifest {} is encrypted, which is not supported", file, manifest.path);
  }
  if (!record[kListPartitions].is_null()) {
    manifest.partitions.emplace();
    for (const Value& summary : record[kListPartitions].children()) {
      manifest.partitions->push_back(ReadSummary(summary));
    }
  }
  return manifest;
}

/// A value whose type nobody knows any more: good enough to be compared with others of its field.
Scalar UntypedValue(const Value& value) {
  switch (value.kind()) {
    case avro::Kind::kBoolean:
      return Scalar::Boolean(value.boolean());
    case avro::Kind::kInt:
    case avro::Kind::kLong:
    case avro::Kind::kEnum:
      return Scalar::Long(value.integer());
    case avro::Kind::kFloat:
    case avro::Kind::kDouble:
      return Scalar::Double(value.number());
    case avro::Kind::kString:
      return Scalar::String(std::string(value.text()));
    default:
      return Scalar::Binary(std::string(value.text()));
  }
}

Result<Scalar> ReadPartitionValue(const Value& value, const Type& type) {
  if (value.is_null()) return Scalar::Null(type);
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Scalar(type, value.boolean());
    case TypeKind::kFloat:
      return Scalar(type, static_cast<float>(value.number()));
    case TypeKind::kDouble:
      return Scalar(type, value.number());
    case TypeKind::kDecimal: {
      WEIR_TRY(const Int128 unscaled, UnscaledFromBytes(value.text()));
      return Scalar(type, unscaled);
    }
    case TypeKind::kVoid:
      return UntypedValue(value);
    case TypeKind::kUuid:
      if (value.text().size() != 16) return Corrupt("a uuid of {} bytes", value.text().size());
      return Scalar(type, std::string(value.text()));
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return Scalar(type, std::string(value.text()));
    case TypeKind::kInt:
    case TypeKind::kDate:
      if (value.integer() < INT32_MIN || value.integer() > INT32_MAX) {
        return Corrupt("{} is no {}", value.integer(), type.ToString());
      }
      return Scalar(type, value.integer());
    default:
      return Scalar(type, value.integer());
  }
}

Result<table::FileFormat> ReadFormat(std::string_view text) {
  const std::string lower = AsciiLower(text);
  if (lower == "parquet") return table::FileFormat::kParquet;
  if (lower == "avro") return table::FileFormat::kAvro;
  if (lower == "orc") return table::FileFormat::kOrc;
  if (lower == "puffin") return Unsupported("deletion vectors (Iceberg format version 3) are not supported");
  return Corrupt("expected file_format parquet, avro or orc, found '{}'", text);
}

/// A map by column id, null or not.
template <typename T, typename Read>
Result<std::optional<std::vector<std::pair<FieldId, T>>>> ReadByColumn(const Value& map, Read read) {
  using ByColumn = std::optional<std::vector<std::pair<FieldId, T>>>;
  if (map.is_null()) return ByColumn();
  ByColumn values(std::in_place);
  const auto entries = map.children();
  values->reserve(entries.size() / 2);
  for (size_t i = 0; i + 1 < entries.size(); i += 2) {
    WEIR_TRY(const int32_t id, Int32Of(entries[i], "a column id"));
    values->emplace_back(FieldId{id}, read(entries[i + 1]));
  }
  return values;
}

Status ReadStatistics(const Value& record, ContentFile& file) {
  const auto count = [](const Value& value) { return value.integer(); };
  const auto bound = [](const Value& value) { return std::string(value.text()); };
  WEIR_TRY(file.column_sizes, ReadByColumn<int64_t>(record[kFileColumnSizes], count));
  WEIR_TRY(file.value_counts, ReadByColumn<int64_t>(record[kFileValueCounts], count));
  WEIR_TRY(file.null_counts, ReadByColumn<int64_t>(record[kFileNullCounts], count));
  WEIR_TRY(file.nan_counts, ReadByColumn<int64_t>(record[kFileNanCounts], count));
  WEIR_TRY(file.lower_bounds, ReadByColumn<std::string>(record[kFileLower], bound));
  WEIR_TRY(file.upper_bounds, ReadByColumn<std::string>(record[kFileUpper], bound));
  return {};
}

Status ReadFileIds(const Value& record, ContentFile& file) {
  if (const Value& ids = record[kFileEqualityIds]; !ids.is_null()) {
    file.equality_ids.emplace();
    for (const Value& id : ids.children()) {
      WEIR_TRY(const int32_t column, Int32Of(id, "equality_ids"));
      file.equality_ids->push_back(FieldId{column});
    }
  }
  if (const Value& order = record[kFileSortOrder]; !order.is_null()) {
    WEIR_TRY(file.sort_order_id, Int32Of(order, "sort_order_id"));
  }
  return {};
}

Result<ContentFile> ReadFile(const Value& record, const PartitionSpec& spec, const std::vector<Type>& types) {
  ContentFile file;
  file.path = record[kFilePath].text();
  const int64_t content = record[kFileContent].integer();
  if (content < 0 || content > 2)
    return Corrupt("file {}: expected content 0, 1 or 2, found {}", file.path, content);
  file.kind = static_cast<ContentFile::Kind>(content);
  if (!record[kFileContentOffset].is_null()) {
    return Unsupported("file {}: deletion vectors (Iceberg format version 3) are not supported", file.path);
  }
  if (!record[kFileKeyMetadata].is_null()) {
    return Unsupported("file {} is encrypted, which is not supported", file.path);
  }
  WEIR_TRY_CONTEXT(file.format, fmt::format("file {}", file.path), ReadFormat(record[kFileFormat].text()));
  file.partition.spec_id = spec.spec_id;
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    WEIR_TRY_CONTEXT(Scalar value, fmt::format("file {}: partition field {}", file.path, spec.fields[i].name),
                     ReadPartitionValue(record[kFilePartition][i], types[i]));
    file.partition.values.push_back(std::move(value));
  }
  file.row_count = record[kFileRows].integer();
  file.size_bytes = record[kFileSize].integer();
  if (file.row_count < 0 || file.size_bytes < 0) {
    return Corrupt("file {}: negative record_count {} or file_size_in_bytes {}", file.path, file.row_count,
                   file.size_bytes);
  }
  WEIR_DO_CONTEXT(fmt::format("file {}", file.path), ReadStatistics(record, file));
  if (const Value& splits = record[kFileSplits]; !splits.is_null()) {
    file.split_offsets.emplace();
    for (const Value& offset : splits.children()) file.split_offsets->push_back(offset.integer());
  }
  WEIR_DO_CONTEXT(fmt::format("file {}", file.path), ReadFileIds(record, file));
  file.referenced_data_file = OptionalText(record[kFileReferenced]);
  return file;
}

Result<ManifestEntry> ReadEntry(const Value& record, const ManifestFile& listed, const PartitionSpec& spec,
                                const std::vector<Type>& types) {
  ManifestEntry entry;
  const int64_t status = record[kEntryStatus].integer();
  if (status < 0 || status > 2) return Corrupt("expected status 0, 1 or 2, found {}", status);
  entry.status = static_cast<ManifestEntry::Status>(status);
  WEIR_TRY(entry.file, ReadFile(record[kEntryFile], spec, types));
  if ((entry.file.kind == ContentFile::Kind::kData) != (listed.content == Content::kData)) {
    return Corrupt("file {}: a {} in a manifest of {}", entry.file.path,
                   entry.file.kind == ContentFile::Kind::kData ? "data file" : "delete file",
                   listed.content == Content::kData ? "data" : "deletes");
  }
  entry.snapshot_id =
      SnapshotId{OptionalInteger(record[kEntrySnapshot]).value_or(listed.added_snapshot_id.value)};
  const bool inherits = entry.status == ManifestEntry::Status::kAdded ||
                        (listed.sequence_number && listed.sequence_number->value == 0);
  const auto sequence = [&](const Value& value) -> std::optional<SequenceNumber> {
    if (const auto number = OptionalInteger(value)) return SequenceNumber{*number};
    return inherits ? listed.sequence_number : std::nullopt;
  };
  entry.sequence_number = sequence(record[kEntrySequence]);
  entry.file_sequence_number = sequence(record[kEntryFileSequence]);
  if (entry.status == ManifestEntry::Status::kExisting && !entry.sequence_number) {
    return Corrupt("file {}: an EXISTING entry without sequence_number", entry.file.path);
  }
  return entry;
}

/// Types of partition values whose columns are gone from every schema, from the schema in the manifest's own
/// header.
Status TypesFromHeader(const avro::Reader& reader, const PartitionSpec& spec, std::string_view file,
                       std::vector<Type>& types) {
  if (std::none_of(types.begin(), types.end(),
                   [](const Type& type) { return type.kind() == TypeKind::kVoid; })) {
    return {};
  }
  const auto it = reader.metadata().find("schema");
  if (it == reader.metadata().end()) return {};
  WEIR_TRY(const nlohmann::json json, ParseJson(it->second, file));
  WEIR_TRY(const Schema schema, ReadSchema(JsonView(json, file)));
  WEIR_TRY(const auto own, PartitionTypes(spec, [&](FieldId id) { return schema.Find(id); }));
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i].kind() == TypeKind::kVoid) types[i] = own[i];
  }
  return {};
}

}  // namespace

Result<std::vector<ManifestFile>> ParseManifestList(std::string_view bytes, std::string_view file) {
  WEIR_TRY(const avro::Reader reader, avro::Reader::Open(AsBytes(bytes), std::string(file)));
  std::vector<ManifestFile> manifests;
  WEIR_DO(reader.ForEach(ManifestListSchema(true), [&](const Value& record) -> Status {
    WEIR_TRY(ManifestFile manifest, ReadListed(record, file));
    manifests.push_back(std::move(manifest));
    return {};
  }));
  return manifests;
}

Status ParseManifest(std::string_view bytes, const ManifestFile& listed, const PartitionSpec& spec,
                     const FindFieldById& find, const std::function<Status(ManifestEntry&&)>& sink) {
  WEIR_TRY(const avro::Reader reader, avro::Reader::Open(AsBytes(bytes), listed.path));
  WEIR_TRY_CONTEXT(std::vector<Type> types, listed.path, PartitionTypes(spec, find));
  WEIR_DO(TypesFromHeader(reader, spec, listed.path, types));
  return reader.ForEach(ManifestEntrySchema(spec, types, true), [&](const Value& record) -> Status {
    WEIR_TRY_CONTEXT(ManifestEntry entry, listed.path, ReadEntry(record, listed, spec, types));
    return sink(std::move(entry));
  });
}

}  // namespace weir::iceberg
