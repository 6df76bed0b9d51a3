#include "table/iceberg/metadata_tables.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <unordered_map>

#include "table/iceberg/file_rows.h"
#include "table/iceberg/single_value.h"

namespace weir::iceberg {

namespace {

using Rows = table::Table::MetadataRows;

Scalar FromMillis(int64_t millis) { return Scalar::Timestamp(millis * 1000); }
Scalar OptionalLong(const std::optional<int64_t>& value) {
  return value ? Scalar::Long(*value) : Scalar::Null(Type::Long());
}
Scalar OptionalId(const std::optional<SnapshotId>& id) {
  return id ? Scalar::Long(id->value) : Scalar::Null(Type::Long());
}
Scalar OptionalText(const std::optional<std::string>& text) {
  return text ? Scalar::String(*text) : Scalar::Null(Type::String());
}

class Builder {
 public:
  Builder(const MetadataInput& input, const TableFiles& files, ManifestCache& cache)
      : input_(input), metadata_(*input.table.metadata), files_(files), cache_(cache) {}

  Result<Rows> Snapshots() {
    FieldList list;
    list.Add("committed_at", Type::Timestamp(), true);
    list.Add("snapshot_id", Type::Long(), true);
    list.Add("parent_id", Type::Long(), false);
    list.Add("operation", Type::String(), false);
    list.Add("manifest_list", Type::String(), false);
    const Type summary_type = list.MapOf(Type::String(), Type::String());
    list.Add("summary", summary_type, false);
    Rows rows{list.fields(), {}};
    for (const SnapshotRecord& snapshot : metadata_.snapshots) {
      std::vector<Scalar> summary;
      for (const auto& [name, value] : snapshot.summary) {
        summary.push_back(Scalar::String(name));
        summary.push_back(Scalar::String(value));
      }
      rows.rows.push_back(
          {FromMillis(snapshot.timestamp_ms), Scalar::Long(snapshot.id.value), OptionalId(snapshot.parent),
           snapshot.operation.empty() ? Scalar::Null(Type::String()) : Scalar::String(snapshot.operation),
           Scalar::String(snapshot.manifest_list), Scalar(summary_type, std::move(summary))});
    }
    return rows;
  }

  Result<Rows> History() {
    FieldList list;
    list.Add("made_current_at", Type::Timestamp(), true);
    list.Add("snapshot_id", Type::Long(), true);
    list.Add("parent_id", Type::Long(), false);
    list.Add("is_current_ancestor", Type::Boolean(), true);
    std::set<int64_t> ancestors;
    for (const SnapshotRecord* s = metadata_.current_snapshot();
         s != nullptr && ancestors.insert(s->id.value).second;) {
      s = s->parent ? metadata_.FindSnapshot(*s->parent) : nullptr;
    }
    Rows rows{list.fields(), {}};
    for (const SnapshotLogEntry& entry : metadata_.snapshot_log) {
      const SnapshotRecord* snapshot = metadata_.FindSnapshot(entry.snapshot_id);
      rows.rows.push_back({FromMillis(entry.timestamp_ms), Scalar::Long(entry.snapshot_id.value),
                           OptionalId(snapshot != nullptr ? snapshot->parent : std::nullopt),
                           Scalar::Boolean(ancestors.contains(entry.snapshot_id.value))});
    }
    return rows;
  }

  Result<Rows> Refs() {
    FieldList list;
    list.Add("name", Type::String(), true);
    list.Add("type", Type::String(), true);
    list.Add("snapshot_id", Type::Long(), true);
    list.Add("max_reference_age_in_ms", Type::Long(), false);
    list.Add("min_snapshots_to_keep", Type::Int(), false);
    list.Add("max_snapshot_age_in_ms", Type::Long(), false);
    Rows rows{list.fields(), {}};
    for (const auto& [name, ref] : metadata_.refs) {
      rows.rows.push_back(
          {Scalar::String(name), Scalar::String(ref.kind == SnapshotRef::Kind::kBranch ? "BRANCH" : "TAG"),
           Scalar::Long(ref.snapshot_id.value), OptionalLong(ref.max_ref_age_ms),
           ref.min_snapshots_to_keep ? Scalar::Int(*ref.min_snapshots_to_keep) : Scalar::Null(Type::Int()),
           OptionalLong(ref.max_snapshot_age_ms)});
    }
    return rows;
  }

  Result<Rows> MetadataLog() {
    FieldList list;
    list.Add("timestamp", Type::Timestamp(), true);
    list.Add("file", Type::String(), true);
    list.Add("latest_snapshot_id", Type::Long(), false);
    list.Add("latest_schema_id", Type::Int(), false);
    list.Add("latest_sequence_number", Type::Long(), false);
    auto log = metadata_.metadata_log;
    log.push_back({metadata_.last_updated_ms, input_.table.file});
    Rows rows{list.fields(), {}};
    for (const MetadataLogEntry& entry : log) {
      const SnapshotRecord* latest = nullptr;
      for (const SnapshotLogEntry& made : metadata_.snapshot_log) {
        if (made.timestamp_ms <= entry.timestamp_ms) latest = metadata_.FindSnapshot(made.snapshot_id);
      }
      rows.rows.push_back(
          {FromMillis(entry.timestamp_ms), Scalar::String(entry.file),
           latest != nullptr ? Scalar::Long(latest->id.value) : Scalar::Null(Type::Long()),
           latest != nullptr && latest->schema_id ? Scalar::Int(*latest->schema_id)
                                                  : Scalar::Null(Type::Int()),
           latest != nullptr ? Scalar::Long(latest->sequence_number.value) : Scalar::Null(Type::Long())});
    }
    return rows;
  }

  Result<Rows> Manifests() {
    FieldList list;
    list.Add("content", Type::Int(), true);
    list.Add("path", Type::String(), true);
    list.Add("length", Type::Long(), true);
    list.Add("partition_spec_id", Type::Int(), true);
    list.Add("added_snapshot_id", Type::Long(), true);
    for (const char* name :
         {"added_data_files_count", "existing_data_files_count", "deleted_data_files_count",
          "added_delete_files_count", "existing_delete_files_count", "deleted_delete_files_count"}) {
      list.Add(name, Type::Int(), true);
    }
    const Type summary_type = Type::Struct(
        {list.Part("contains_null", Type::Boolean(), true), list.Part("contains_nan", Type::Boolean(), false),
         list.Part("lower_bound", Type::String(), false), list.Part("upper_bound", Type::String(), false)});
    const Type summaries_type = list.ArrayOf(summary_type);
    list.Add("partition_summaries", summaries_type, true);
    Rows rows{list.fields(), {}};
    WEIR_TRY(const auto manifests, ListManifests());
    for (const ManifestFile& manifest : manifests) {
      const auto count = [&](Content content, const std::optional<int64_t>& number) {
        return Scalar::Int(manifest.content == content ? static_cast<int32_t>(number.value_or(0)) : 0);
      };
      rows.rows.push_back(
          {Scalar::Int(static_cast<int32_t>(manifest.content)), Scalar::String(manifest.path),
           Scalar::Long(manifest.size_bytes), Scalar::Int(manifest.spec_id),
           Scalar::Long(manifest.added_snapshot_id.value), count(Content::kData, manifest.added_files),
           count(Content::kData, manifest.existing_files), count(Content::kData, manifest.deleted_files),
           count(Content::kDeletes, manifest.added_files), count(Content::kDeletes, manifest.existing_files),
           count(Content::kDeletes, manifest.deleted_files),
           Summaries(manifest, summary_type, summaries_type)});
    }
    return rows;
  }

  /// `data` and `deletes`: which kinds of files.
  Result<Rows> Files(bool data, bool deletes) {
    const FileRows shape(metadata_);
    FieldList list;
    shape.AddFileFields(list);
    list.Add("readable_metrics", shape.metrics_type(), false);
    Rows rows{list.fields(), {}};
    WEIR_DO(ForEachEntry([&](const ManifestEntry& entry) {
      const bool is_data = entry.file.kind == ContentFile::Kind::kData;
      if (!entry.is_live() || !(is_data ? data : deletes)) return;
      rows.rows.push_back(shape.FileValues(entry.file));
      rows.rows.back().push_back(shape.ReadableMetrics(entry.file));
    }));
    return rows;
  }

  Result<Rows> Entries() {
    const FileRows shape(metadata_);
    FieldList list;
    list.Add("status", Type::Int(), true);
    list.Add("snapshot_id", Type::Long(), false);
    list.Add("sequence_number", Type::Long(), false);
    list.Add("file_sequence_number", Type::Long(), false);
    FieldList file_list;
    shape.AddFileFields(file_list);
    const Type file_type = Type::Struct(file_list.fields());
    list.Add("data_file", file_type, true);
    list.Add("readable_metrics", shape.metrics_type(), false);
    Rows rows{list.fields(), {}};
    const auto sequence = [](const std::optional<SequenceNumber>& number) {
      return number ? Scalar::Long(number->value) : Scalar::Null(Type::Long());
    };
    WEIR_DO(ForEachEntry([&](const ManifestEntry& entry) {
      rows.rows.push_back({Scalar::Int(static_cast<int32_t>(entry.status)), OptionalId(entry.snapshot_id),
                           sequence(entry.sequence_number), sequence(entry.file_sequence_number),
                           Scalar(file_type, shape.FileValues(entry.file)),
                           shape.ReadableMetrics(entry.file)});
    }));
    return rows;
  }

  Result<Rows> Partitions() {
    const FileRows shape(metadata_);
    const bool partitioned = !shape.partition_type().fields().empty();
    FieldList list;
    if (partitioned) {
      list.Add("partition", shape.partition_type(), true);
      list.Add("spec_id", Type::Int(), true);
    }
    list.Add("record_count", Type::Long(), true);
    list.Add("file_count", Type::Int(), true);
    list.Add("total_data_file_size_in_bytes", Type::Long(), true);
    list.Add("position_delete_record_count", Type::Long(), true);
    list.Add("position_delete_file_count", Type::Int(), true);
    list.Add("equality_delete_record_count", Type::Long(), true);
    list.Add("equality_delete_file_count", Type::Int(), true);
    list.Add("last_updated_at", Type::Timestamp(), false);
    list.Add("last_updated_snapshot_id", Type::Long(), false);
    std::vector<PartitionTotals> totals;
    std::unordered_map<Scalar, size_t, ScalarHash> position;
    WEIR_DO(ForEachEntry([&](const ManifestEntry& entry) {
      if (!entry.is_live()) return;
      const Scalar key = shape.PartitionValue(entry.file.partition);
      const auto [it, added] = position.try_emplace(key, totals.size());
      if (added) totals.emplace_back().partition = key;
      totals[it->second].Add(entry, metadata_);
    }));
    // The single partition of a table without any is there even when it is empty.
    if (!partitioned && totals.empty() && input_.snapshot != nullptr) totals.emplace_back();
    Rows rows{list.fields(), {}};
    for (const PartitionTotals& total : totals) {
      std::vector<Scalar> row;
      if (partitioned) row = {total.partition, Scalar::Int(total.spec_id)};
      for (const Scalar& value : total.Values()) row.push_back(value);
      rows.rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  struct PartitionTotals {
    Scalar partition;
    int32_t spec_id = 0;
    int64_t rows = 0, size_bytes = 0, position_rows = 0, equality_rows = 0;
    int32_t files = 0, position_files = 0, equality_files = 0;
    std::optional<int64_t> updated_ms;
    std::optional<SnapshotId> updated_by;

    void Add(const ManifestEntry& entry, const TableMetadata& metadata) {
      switch (entry.file.kind) {
        case ContentFile::Kind::kData:
          rows += entry.file.row_count;
          size_bytes += entry.file.size_bytes;
          ++files;
          break;
        case ContentFile::Kind::kPositionDeletes:
          position_rows += entry.file.row_count;
          ++position_files;
          break;
        case ContentFile::Kind::kEqualityDeletes:
          equality_rows += entry.file.row_count;
          ++equality_files;
          break;
      }
      spec_id = std::max(spec_id, entry.file.partition.spec_id);
      const SnapshotRecord* snapshot =
          entry.snapshot_id ? metadata.FindSnapshot(*entry.snapshot_id) : nullptr;
      if (snapshot == nullptr || (updated_ms && *updated_ms >= snapshot->timestamp_ms)) return;
      updated_ms = snapshot->timestamp_ms;
      updated_by = snapshot->id;
    }

    std::vector<Scalar> Values() const {
      return {
          Scalar::Long(rows),          Scalar::Int(files),
          Scalar::Long(size_bytes),    Scalar::Long(position_rows),
          Scalar::Int(position_files), Scalar::Long(equality_rows),
          Scalar::Int(equality_files), updated_ms ? FromMillis(*updated_ms) : Scalar::Null(Type::Timestamp()),
          OptionalId(updated_by)};
    }
  };

  Result<std::vector<ManifestFile>> ListManifests() {
    if (input_.snapshot == nullptr) return std::vector<ManifestFile>();
    return files_.ReadManifestList(*input_.snapshot);
  }

  Status ForEachEntry(const std::function<void(const ManifestEntry&)>& visit) {
    WEIR_TRY(const auto manifests, ListManifests());
    for (const ManifestFile& manifest : manifests) {
      const PartitionSpec* spec = metadata_.FindSpec(manifest.spec_id);
      if (spec == nullptr)
        return Corrupt("manifest {}: unknown partition spec {}", manifest.path, manifest.spec_id);
      WEIR_TRY(const ManifestEntries entries,
               cache_.Read(
                   manifest, *spec, [&](FieldId id) { return metadata_.FindField(id); }, files_));
      for (const ManifestEntry& entry : *entries) visit(entry);
    }
    return {};
  }

  Scalar Summaries(const ManifestFile& manifest, const Type& type, const Type& list_type) const {
    std::vector<Scalar> summaries;
    const PartitionSpec* spec = metadata_.FindSpec(manifest.spec_id);
    if (!manifest.partitions || spec == nullptr) return Scalar(list_type, std::move(summaries));
    const auto types = PartitionTypes(*spec, [&](FieldId id) { return metadata_.FindField(id); });
    for (size_t i = 0; i < manifest.partitions->size() && i < spec->fields.size(); ++i) {
      const FieldSummary& summary = (*manifest.partitions)[i];
      // A bound that is not there shows as the text that stands for NULL in paths.
      const auto text = [&](const std::optional<std::string>& bytes) -> std::optional<std::string> {
        if (!types) return std::nullopt;
        const Transform& transform = spec->fields[i].transform;
        if (!bytes) return transform.PathText(Scalar::Null((*types)[i]));
        const auto value = FromSingleValue(*bytes, (*types)[i]);
        if (!value) return std::nullopt;
        return transform.PathText(*value);
      };
      summaries.emplace_back(
          type, std::vector<Scalar>{Scalar::Boolean(summary.contains_null),
                                    summary.contains_nan ? Scalar::Boolean(*summary.contains_nan)
                                                         : Scalar::Null(Type::Boolean()),
                                    OptionalText(text(summary.lower)), OptionalText(text(summary.upper))});
    }
    return Scalar(list_type, std::move(summaries));
  }

  const MetadataInput& input_;
  const TableMetadata& metadata_;
  const TableFiles& files_;
  ManifestCache& cache_;
};

constexpr std::array<std::string_view, 8> kOtherTables = {
    "all_data_files", "all_delete_files", "all_files",    "all_manifests",
    "all_entries",    "position_deletes", "data_entries", "delete_entries"};

}  // namespace

Result<Rows> MetadataTable(const MetadataInput& input, std::string_view name, const TableFiles& files,
                           ManifestCache& cache) {
  Builder builder(input, files, cache);
  if (name == "snapshots") return builder.Snapshots();
  if (name == "history") return builder.History();
  if (name == "refs") return builder.Refs();
  if (name == "metadata_log_entries") return builder.MetadataLog();
  if (name == "manifests") return builder.Manifests();
  if (name == "files") return builder.Files(true, true);
  if (name == "data_files") return builder.Files(true, false);
  if (name == "delete_files") return builder.Files(false, true);
  if (name == "entries") return builder.Entries();
  if (name == "partitions") return builder.Partitions();
  if (std::find(kOtherTables.begin(), kOtherTables.end(), name) != kOtherTables.end()) {
    return Unsupported("metadata table '{}' is not supported", name);
  }
  return NotFound("there is no metadata table '{}'", name);
}

}  // namespace weir::iceberg
