#include "table/iceberg/manifest_avro.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "codec/avro/container.h"
#include "table/iceberg/json_view.h"
#include "table/iceberg/manifest_schema.h"
#include "table/iceberg/schema_json.h"
#include "table/iceberg/single_value.h"
#include "table/iceberg/table_metadata_json.h"

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
  manifest.spec_id = static_cast<int32_t>(record[kListSpecId].integer());
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
  manifest.added_files = OptionalInteger(record[kListAddedFiles]);
  manifest.existing_files = OptionalInteger(record[kListExistingFiles]);
  manifest.deleted_files = OptionalInteger(record[kListDeletedFiles]);
  manifest.added_rows = OptionalInteger(record[kListAddedRows]);
  manifest.existing_rows = OptionalInteger(record[kListExistingRows]);
  manifest.deleted_rows = OptionalInteger(record[kListDeletedRows]);
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

std::optional<ContentFile::Counts> ReadCounts(const Value& map) {
  if (map.is_null()) return std::nullopt;
  ContentFile::Counts counts;
  const auto entries = map.children();
  counts.reserve(entries.size() / 2);
  for (size_t i = 0; i + 1 < entries.size(); i += 2) {
    counts.emplace_back(FieldId{static_cast<int32_t>(entries[i].integer())}, entries[i + 1].integer());
  }
  return counts;
}

std::optional<ContentFile::RawBounds> ReadRawBounds(const Value& map) {
  if (map.is_null()) return std::nullopt;
  ContentFile::RawBounds bounds;
  const auto entries = map.children();
  bounds.reserve(entries.size() / 2);
  for (size_t i = 0; i + 1 < entries.size(); i += 2) {
    bounds.emplace_back(FieldId{static_cast<int32_t>(entries[i].integer())},
                        std::string(entries[i + 1].text()));
  }
  return bounds;
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
  file.column_sizes = ReadCounts(record[kFileColumnSizes]);
  file.value_counts = ReadCounts(record[kFileValueCounts]);
  file.null_counts = ReadCounts(record[kFileNullCounts]);
  file.nan_counts = ReadCounts(record[kFileNanCounts]);
  file.lower_bounds = ReadRawBounds(record[kFileLower]);
  file.upper_bounds = ReadRawBounds(record[kFileUpper]);
  if (const Value& splits = record[kFileSplits]; !splits.is_null()) {
    file.split_offsets.emplace();
    for (const Value& offset : splits.children()) file.split_offsets->push_back(offset.integer());
  }
  if (const Value& ids = record[kFileEqualityIds]; !ids.is_null()) {
    file.equality_ids.emplace();
    for (const Value& id : ids.children())
      file.equality_ids->push_back(FieldId{static_cast<int32_t>(id.integer())});
  }
  if (const auto order = OptionalInteger(record[kFileSortOrder]))
    file.sort_order_id = static_cast<int32_t>(*order);
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

// ----------------------------------------------------------------------------------------------------
// writing

namespace {

Value FromOptional(const std::optional<std::string>& bytes) {
  return bytes ? Value::Bytes(*bytes) : Value::Null();
}

Value CountsValue(const std::optional<ContentFile::Counts>& counts, avro::ValueArena& arena) {
  if (!counts) return Value::Null();
  const auto entries = arena.New(counts->size() * 2);
  for (size_t i = 0; i < counts->size(); ++i) {
    entries[2 * i] = Value::Int((*counts)[i].first.value);
    entries[2 * i + 1] = Value::Long((*counts)[i].second);
  }
  return Value::Map(entries);
}

Value RawBoundsValue(const std::optional<ContentFile::RawBounds>& bounds, avro::ValueArena& arena) {
  if (!bounds) return Value::Null();
  const auto entries = arena.New(bounds->size() * 2);
  for (size_t i = 0; i < bounds->size(); ++i) {
    entries[2 * i] = Value::Int((*bounds)[i].first.value);
    entries[2 * i + 1] = Value::Bytes((*bounds)[i].second);
  }
  return Value::Map(entries);
}

/// `size_bytes` of the fixed type that holds a decimal.
Value PartitionValue(const Scalar& value, uint32_t size_bytes, avro::ValueArena& arena) {
  if (value.is_null()) return Value::Null();
  switch (value.type().kind()) {
    case TypeKind::kBoolean:
      return Value::Boolean(value.boolean());
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInt:
    case TypeKind::kDate:
      return Value::Int(static_cast<int32_t>(value.integer()));
    case TypeKind::kFloat:
      return Value::Float(value.float32());
    case TypeKind::kDouble:
      return Value::Double(value.float64());
    case TypeKind::kString:
      return Value::String(value.text());
    case TypeKind::kBinary:
      return Value::Bytes(value.text());
    case TypeKind::kUuid:
    case TypeKind::kFixed:
      return Value::Fixed(value.text());
    case TypeKind::kDecimal: {
      std::string bytes = UnscaledBytes(value.unscaled());
      const char filler = value.unscaled() < 0 ? '\xff' : '\0';
      if (bytes.size() < size_bytes) bytes.insert(0, size_bytes - bytes.size(), filler);
      return Value::Fixed(arena.Keep(bytes));
    }
    default:
      return Value::Long(value.integer());
  }
}

/// Values of one partition field over a manifest.
struct FieldStatistics {
  bool contains_null = false;
  bool contains_nan = false;
  std::optional<Scalar> lower, upper;

  void Add(const Scalar& value) {
    if (value.is_null()) {
      contains_null = true;
    } else if (value.is_nan()) {
      contains_nan = true;
    } else {
      if (!lower || Compare(value, *lower) < 0) lower = value;
      if (!upper || Compare(value, *upper) > 0) upper = value;
    }
  }
};

/// Iceberg orders -0.0 below 0.0, and a bound must hold for both.
Scalar SignedZero(const Scalar& value, bool negative) {
  if (value.type().kind() == TypeKind::kFloat && value.float32() == 0) {
    return Scalar::Float(negative ? -0.0f : 0.0f);
  }
  if (value.type().kind() == TypeKind::kDouble && value.float64() == 0) {
    return Scalar::Double(negative ? -0.0 : 0.0);
  }
  return value;
}

Result<avro::WriterOptions> OptionsFor(std::string_view compression, int level) {
  avro::WriterOptions options;
  options.level = level;
  if (compression == "gzip") {
    options.codec = avro::Codec::kDeflate;
  } else if (compression == "zstd") {
    options.codec = avro::Codec::kZstandard;
  } else if (compression == "snappy") {
    options.codec = avro::Codec::kSnappy;
  } else if (compression == "uncompressed") {
    options.codec = avro::Codec::kNull;
  } else {
    return Invalid("table property write.manifest.compression-codec: unknown codec '{}'", compression);
  }
  return options;
}

Value ListedValue(const ManifestFile& manifest, SequenceNumber commit, avro::ValueArena& arena) {
  Value partitions;
  if (manifest.partitions) {
    const auto summaries = arena.New(manifest.partitions->size());
    for (size_t i = 0; i < summaries.size(); ++i) {
      const FieldSummary& summary = (*manifest.partitions)[i];
      summaries[i] =
          arena.Record({Value::Boolean(summary.contains_null),
                        summary.contains_nan ? Value::Boolean(*summary.contains_nan) : Value::Null(),
                        FromOptional(summary.lower), FromOptional(summary.upper)});
    }
    partitions = Value::Array(summaries);
  }
  const auto count = [](const std::optional<int64_t>& number) {
    return Value::Int(static_cast<int32_t>(*number));
  };
  const auto rows = [](const std::optional<int64_t>& number) { return Value::Long(number.value_or(0)); };
  return arena.Record({Value::String(manifest.path), Value::Long(manifest.size_bytes),
                       Value::Int(manifest.spec_id), Value::Int(static_cast<int32_t>(manifest.content)),
                       Value::Long(manifest.sequence_number.value_or(commit).value),
                       Value::Long(manifest.min_sequence_number.value_or(commit).value),
                       Value::Long(manifest.added_snapshot_id.value), count(manifest.added_files),
                       count(manifest.existing_files), count(manifest.deleted_files),
                       rows(manifest.added_rows), rows(manifest.existing_rows), rows(manifest.deleted_rows),
                       partitions, Value::Null()});
}

}  // namespace

Result<std::string> WriteManifestList(const std::vector<ManifestFile>& manifests,
                                      const ManifestListHeader& header, Random& random) {
  avro::WriterOptions options;
  options.metadata = {{"snapshot-id", fmt::to_string(header.snapshot_id.value)},
                      {"parent-snapshot-id", header.parent ? fmt::to_string(header.parent->value) : "null"},
                      {"sequence-number", fmt::to_string(header.sequence_number.value)},
                      {"format-version", "2"}};
  WEIR_TRY(avro::Writer writer, avro::Writer::Make(ManifestListSchema(false), std::move(options), random));
  avro::ValueArena arena;
  for (const ManifestFile& manifest : manifests) {
    if (!manifest.added_files || !manifest.existing_files || !manifest.deleted_files) {
      // Lists of version 1 may leave counts out; a made-up zero would hide live files.
      return Unsupported("manifest {}: its list has no file counts (Iceberg format version 1)",
                         manifest.path);
    }
    arena.Reset();
    WEIR_DO_CONTEXT(manifest.path, writer.Append(ListedValue(manifest, header.sequence_number, arena)));
  }
  return writer.Finish();
}

struct ManifestWriter::State {
  Options options;
  PartitionSpec spec;
  std::vector<uint32_t> fixed_sizes;  ///< Per partition field; 0 where it is not a fixed type.
  avro::Writer writer;
  avro::ValueArena arena;
  std::vector<FieldStatistics> statistics;
  ManifestFile file;
};

ManifestWriter::ManifestWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ManifestWriter::ManifestWriter(ManifestWriter&&) noexcept = default;
ManifestWriter& ManifestWriter::operator=(ManifestWriter&&) noexcept = default;
ManifestWriter::~ManifestWriter() = default;

Result<ManifestWriter> ManifestWriter::Make(const Schema& schema, const PartitionSpec& spec,
                                            std::vector<Type> types, Options options, Random& random) {
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i].kind() != TypeKind::kVoid || spec.fields[i].transform.kind == Transform::Kind::kVoid)
      continue;
    return Unsupported(
        "partition field {}: its transform '{}' or its column is not known, so it cannot be written",
        spec.fields[i].name, spec.fields[i].transform.ToString());
  }
  WEIR_TRY(avro::WriterOptions writer_options, OptionsFor(options.compression, options.compression_level));
  writer_options.metadata = {{"schema", SchemaToJson(schema)},
                             {"schema-id", fmt::to_string(schema.schema_id)},
                             {"partition-spec", PartitionFieldsToJson(spec)},
                             {"partition-spec-id", fmt::to_string(spec.spec_id)},
                             {"format-version", "2"},
                             {"content", options.content == Content::kData ? "data" : "deletes"}};
  const avro::Schema entry = ManifestEntrySchema(spec, types, false);
  std::vector<uint32_t> fixed_sizes;
  const avro::Schema& partition = entry.fields()[kEntryFile].schema.fields()[kFilePartition].schema;
  for (const avro::Field& field : partition.fields())
    fixed_sizes.push_back(field.schema.required().size_bytes());
  WEIR_TRY(avro::Writer writer, avro::Writer::Make(entry, std::move(writer_options), random));
  ManifestFile file;
  file.spec_id = spec.spec_id;
  file.content = options.content;
  file.added_snapshot_id = options.snapshot_id;
  file.added_files = file.existing_files = file.deleted_files = 0;
  file.added_rows = file.existing_rows = file.deleted_rows = 0;
  return ManifestWriter(std::unique_ptr<State>(new State{std::move(options),
                                                         spec,
                                                         std::move(fixed_sizes),
                                                         std::move(writer),
                                                         {},
                                                         std::vector<FieldStatistics>(spec.fields.size()),
                                                         std::move(file)}));
}

namespace {

Value FileValue(const ContentFile& file, const std::vector<uint32_t>& fixed_sizes, avro::ValueArena& arena) {
  const auto partition = arena.New(file.partition.values.size());
  for (size_t i = 0; i < partition.size(); ++i) {
    partition[i] = PartitionValue(file.partition.values[i], fixed_sizes[i], arena);
  }
  Value splits, ids;
  if (file.split_offsets) {
    const auto offsets = arena.New(file.split_offsets->size());
    for (size_t i = 0; i < offsets.size(); ++i) offsets[i] = Value::Long((*file.split_offsets)[i]);
    splits = Value::Array(offsets);
  }
  if (file.equality_ids) {
    const auto values = arena.New(file.equality_ids->size());
    for (size_t i = 0; i < values.size(); ++i) values[i] = Value::Int((*file.equality_ids)[i].value);
    ids = Value::Array(values);
  }
  const std::string format = AsciiUpper(table::ToString(file.format));
  return arena.Record(
      {Value::Int(static_cast<int32_t>(file.kind)), Value::String(file.path),
       Value::String(arena.Keep(format)), Value::Record(partition), Value::Long(file.row_count),
       Value::Long(file.size_bytes), CountsValue(file.column_sizes, arena),
       CountsValue(file.value_counts, arena), CountsValue(file.null_counts, arena),
       CountsValue(file.nan_counts, arena), RawBoundsValue(file.lower_bounds, arena),
       RawBoundsValue(file.upper_bounds, arena), Value::Null(), splits, ids,
       file.sort_order_id ? Value::Int(*file.sort_order_id) : Value::Null(),
       file.referenced_data_file ? Value::String(*file.referenced_data_file) : Value::Null()});
}

}  // namespace

Status ManifestWriter::Add(const ManifestEntry& entry) {
  const bool added = entry.status == ManifestEntry::Status::kAdded;
  if (!added && (!entry.sequence_number || !entry.file_sequence_number)) {
    return Internal("manifest entry of {} needs its sequence numbers", entry.file.path);
  }
  if (entry.file.partition.values.size() != state_->spec.fields.size()) {
    return Internal("file {}: {} partition values for spec {}", entry.file.path,
                    entry.file.partition.values.size(), state_->spec.spec_id);
  }
  avro::ValueArena& arena = state_->arena;
  arena.Reset();
  const auto number = [](const std::optional<SequenceNumber>& sequence) {
    return sequence ? Value::Long(sequence->value) : Value::Null();
  };
  const SnapshotId snapshot_id = entry.snapshot_id.value_or(state_->options.snapshot_id);
  const Value record =
      arena.Record({Value::Int(static_cast<int32_t>(entry.status)), Value::Long(snapshot_id.value),
                    number(entry.sequence_number), number(entry.file_sequence_number),
                    FileValue(entry.file, state_->fixed_sizes, arena)});
  WEIR_DO_CONTEXT(entry.file.path, state_->writer.Append(record));
  ManifestFile& file = state_->file;
  auto& files = added ? file.added_files : entry.is_live() ? file.existing_files : file.deleted_files;
  auto& rows = added ? file.added_rows : entry.is_live() ? file.existing_rows : file.deleted_rows;
  *files += 1;
  *rows += entry.file.row_count;
  if (entry.is_live() && entry.sequence_number &&
      (!file.min_sequence_number || *entry.sequence_number < *file.min_sequence_number)) {
    file.min_sequence_number = entry.sequence_number;
  }
  for (size_t i = 0; i < state_->statistics.size(); ++i)
    state_->statistics[i].Add(entry.file.partition.values[i]);
  return {};
}

uint64_t ManifestWriter::size_bytes() const { return state_->writer.size_bytes(); }

Result<ManifestWriter::Written> ManifestWriter::Finish() && {
  Written written;
  WEIR_TRY(written.bytes, state_->writer.Finish());
  written.file = std::move(state_->file);
  written.file.size_bytes = static_cast<int64_t>(written.bytes.size());
  written.file.partitions.emplace();
  for (const FieldStatistics& field : state_->statistics) {
    FieldSummary summary;
    summary.contains_null = field.contains_null;
    summary.contains_nan = field.contains_nan;
    if (field.lower) summary.lower = ToSingleValue(SignedZero(*field.lower, true));
    if (field.upper) summary.upper = ToSingleValue(SignedZero(*field.upper, false));
    written.file.partitions->push_back(std::move(summary));
  }
  return written;
}

}  // namespace weir::iceberg
