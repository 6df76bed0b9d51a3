#include "table/iceberg/manifest_avro.h"

#include "base/ascii.h"
#include "codec/avro/container.h"
#include "table/iceberg/manifest_schema.h"
#include "table/iceberg/schema_json.h"
#include "table/iceberg/single_value.h"
#include "table/iceberg/table_metadata_json.h"

namespace weir::iceberg {

namespace {

using avro::Value;

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
  const std::string codec = AsciiLower(compression);
  if (codec == "gzip") {
    options.codec = avro::Codec::kDeflate;
  } else if (codec == "zstd") {
    options.codec = avro::Codec::kZstandard;
  } else if (codec == "snappy") {
    options.codec = avro::Codec::kSnappy;
  } else if (codec == "uncompressed") {
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
  ManifestFile& file = state_->file;
  auto& files = added ? file.added_files : entry.is_live() ? file.existing_files : file.deleted_files;
  auto& rows = added ? file.added_rows : entry.is_live() ? file.existing_rows : file.deleted_rows;
  int64_t rows_after = 0;
  if (__builtin_add_overflow(*rows, entry.file.row_count, &rows_after)) {
    return Corrupt("file {}: with its {} rows those of the manifest are beyond 64 bits", entry.file.path,
                   entry.file.row_count);
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
  *files += 1;
  *rows = rows_after;
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
