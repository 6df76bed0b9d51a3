#include "table/iceberg/table_metadata_json.h"

#include <algorithm>
#include <set>

#include "codec/gzip/gzip.h"
#include "table/iceberg/schema_json.h"

namespace weir::iceberg {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxMetadataBytes = size_t{1} << 30;

/// Members that have a place in TableMetadata; the rest is kept as text.
const std::set<std::string, std::less<>>& NamedMembers() {
  static const std::set<std::string, std::less<>> names = {
      "format-version",    "table-uuid",  "location",          "last-sequence-number",  "last-updated-ms",
      "last-column-id",    "schemas",     "current-schema-id", "partition-specs",       "default-spec-id",
      "last-partition-id", "sort-orders", "properties",        "default-sort-order-id", "current-snapshot-id",
      "snapshots",         "refs",        "snapshot-log",      "metadata-log",          "schema",
      "partition-spec"};
  return names;
}

Result<SnapshotRecord> ReadSnapshot(const JsonView& json) {
  SnapshotRecord snapshot;
  WEIR_TRY(snapshot.id.value, json.GetInteger("snapshot-id"));
  WEIR_TRY(const auto parent, json.FindInteger("parent-snapshot-id"));
  if (parent) snapshot.parent = SnapshotId{*parent};
  WEIR_TRY(const auto sequence, json.FindInteger("sequence-number"));
  snapshot.sequence_number.value = sequence.value_or(0);
  WEIR_TRY(snapshot.timestamp_ms, json.GetInteger("timestamp-ms"));
  WEIR_TRY(const auto list, json.FindString("manifest-list"));
  // A table upgraded from version 1 may still name its manifests one by one.
  if (!list) return json.NotSupported("a snapshot without manifest-list (Iceberg format version 1)");
  snapshot.manifest_list = *list;
  WEIR_TRY(snapshot.schema_id, json.FindInt32("schema-id"));
  WEIR_TRY(const auto key, json.Find("key-id"));
  if (key) return json.NotSupported("encryption (key-id)");
  WEIR_TRY(const auto summary, json.Find("summary"));
  if (summary) {
    WEIR_TRY(snapshot.summary, summary->StringMap());
    if (const auto it = snapshot.summary.find("operation"); it != snapshot.summary.end()) {
      snapshot.operation = it->second;
      snapshot.summary.erase(it);
    }
  }
  return snapshot;
}

Result<SnapshotRef> ReadRef(const JsonView& json) {
  SnapshotRef ref;
  WEIR_TRY(ref.snapshot_id.value, json.GetInteger("snapshot-id"));
  WEIR_TRY(const std::string kind, json.GetString("type"));
  if (kind != "branch" && kind != "tag") return json.Expected("type branch or tag");
  ref.kind = kind == "branch" ? SnapshotRef::Kind::kBranch : SnapshotRef::Kind::kTag;
  WEIR_TRY(ref.min_snapshots_to_keep, json.FindInt32("min-snapshots-to-keep"));
  WEIR_TRY(ref.max_snapshot_age_ms, json.FindInteger("max-snapshot-age-ms"));
  WEIR_TRY(ref.max_ref_age_ms, json.FindInteger("max-ref-age-ms"));
  return ref;
}

/// Reads `name` as a list; an absent list is empty unless it is required.
template <typename T, typename Read>
Result<std::vector<T>> ReadList(const JsonView& json, std::string_view name, bool required, Read read) {
  WEIR_TRY(const auto found, json.Find(name));
  std::vector<T> list;
  if (!found) {
    if (required) return json.Expected(fmt::format("member '{}'", name));
    return list;
  }
  WEIR_TRY(const auto items, found->Items());
  list.reserve(items.size());
  for (const JsonView& item : items) {
    WEIR_TRY(T element, read(item));
    list.push_back(std::move(element));
  }
  return list;
}

Status CheckFormatVersion(const JsonView& json) {
  WEIR_TRY(const int32_t version, json.GetInt32("format-version"));
  if (version == 2) return {};
  if (version < 1) return json.Expected("a format-version of 1 or more");
  return json.NotSupported(fmt::format("Iceberg format version {}", version));
}

Status ReadSchemasAndSpecs(const JsonView& json, TableMetadata& metadata) {
  WEIR_TRY(metadata.schemas, ReadList<Schema>(json, "schemas", true, ReadSchema));
  WEIR_TRY(metadata.current_schema_id, json.GetInt32("current-schema-id"));
  WEIR_TRY(metadata.specs, ReadList<PartitionSpec>(json, "partition-specs", true, ReadPartitionSpec));
  WEIR_TRY(metadata.default_spec_id, json.GetInt32("default-spec-id"));
  WEIR_TRY(metadata.last_partition_id, json.GetInt32("last-partition-id"));
  WEIR_TRY(metadata.sort_orders, ReadList<SortOrder>(json, "sort-orders", true, ReadSortOrder));
  WEIR_TRY(metadata.default_sort_order_id, json.GetInt32("default-sort-order-id"));
  return {};
}

Status ReadSnapshots(const JsonView& json, TableMetadata& metadata) {
  WEIR_TRY(metadata.snapshots, ReadList<SnapshotRecord>(json, "snapshots", false, ReadSnapshot));
  WEIR_TRY(const auto current, json.FindInteger("current-snapshot-id"));
  if (current && *current != -1) metadata.current_snapshot_id = SnapshotId{*current};
  WEIR_TRY(const auto refs, json.Find("refs"));
  if (refs) {
    if (!refs->is_object()) return refs->Expected("an object of references");
    for (const auto& [name, value] : refs->value().items()) {
      WEIR_TRY(const JsonView member, refs->Get(name));
      WEIR_TRY(const SnapshotRef ref, ReadRef(member));
      metadata.refs.emplace(name, ref);
    }
  } else if (metadata.current_snapshot_id) {
    metadata.refs.emplace(kMainBranch, SnapshotRef{*metadata.current_snapshot_id, {}, {}, {}, {}});
  }
  return {};
}

Status ReadLogs(const JsonView& json, TableMetadata& metadata) {
  const auto read_snapshot_log = [](const JsonView& item) -> Result<SnapshotLogEntry> {
    SnapshotLogEntry entry;
    WEIR_TRY(entry.timestamp_ms, item.GetInteger("timestamp-ms"));
    WEIR_TRY(entry.snapshot_id.value, item.GetInteger("snapshot-id"));
    return entry;
  };
  const auto read_metadata_log = [](const JsonView& item) -> Result<MetadataLogEntry> {
    MetadataLogEntry entry;
    WEIR_TRY(entry.timestamp_ms, item.GetInteger("timestamp-ms"));
    WEIR_TRY(entry.file, item.GetString("metadata-file"));
    return entry;
  };
  WEIR_TRY(metadata.snapshot_log, ReadList<SnapshotLogEntry>(json, "snapshot-log", false, read_snapshot_log));
  WEIR_TRY(metadata.metadata_log, ReadList<MetadataLogEntry>(json, "metadata-log", false, read_metadata_log));
  return {};
}

/// Times are shown in microseconds.
Status CheckTimes(const TableMetadata& metadata, std::string_view file) {
  constexpr int64_t kMax = INT64_MAX / 1000;
  std::vector<int64_t> times = {metadata.last_updated_ms};
  for (const SnapshotRecord& snapshot : metadata.snapshots) times.push_back(snapshot.timestamp_ms);
  for (const SnapshotLogEntry& entry : metadata.snapshot_log) times.push_back(entry.timestamp_ms);
  for (const MetadataLogEntry& entry : metadata.metadata_log) times.push_back(entry.timestamp_ms);
  for (const int64_t time : times) {
    if (time < -kMax || time > kMax) return Corrupt("{}: {} ms is not a time", file, time);
  }
  return {};
}

Status CheckReferences(const TableMetadata& metadata, std::string_view file) {
  if (metadata.FindSchema(metadata.current_schema_id) == nullptr) {
    return Corrupt("{}: at /current-schema-id: schema {} is not in /schemas", file,
                   metadata.current_schema_id);
  }
  if (metadata.FindSpec(metadata.default_spec_id) == nullptr) {
    return Corrupt("{}: at /default-spec-id: spec {} is not in /partition-specs", file,
                   metadata.default_spec_id);
  }
  if (metadata.last_sequence_number.value < 0) {
    return Corrupt("{}: at /last-sequence-number: expected 0 or more, found {}", file,
                   metadata.last_sequence_number.value);
  }
  std::set<int64_t> ids;
  for (const SnapshotRecord& snapshot : metadata.snapshots) {
    // Spec: "last-sequence-number" is the highest assigned; deletes apply by it.
    if (snapshot.sequence_number.value < 0 || snapshot.sequence_number > metadata.last_sequence_number) {
      return Corrupt("{}: at /snapshots: snapshot {} has sequence number {}, expected 0 to {}", file,
                     snapshot.id.value, snapshot.sequence_number.value, metadata.last_sequence_number.value);
    }
    if (!ids.insert(snapshot.id.value).second) {
      return Corrupt("{}: at /snapshots: snapshot {} is listed twice", file, snapshot.id.value);
    }
  }
  if (metadata.current_snapshot_id && !ids.contains(metadata.current_snapshot_id->value)) {
    return Corrupt("{}: at /current-snapshot-id: snapshot {} is not in /snapshots", file,
                   metadata.current_snapshot_id->value);
  }
  for (const auto& [name, ref] : metadata.refs) {
    if (!ids.contains(ref.snapshot_id.value)) {
      return Corrupt("{}: at /refs/{}: snapshot {} is not in /snapshots", file, name, ref.snapshot_id.value);
    }
  }
  const auto main = metadata.refs.find(kMainBranch);
  const bool main_agrees = main == metadata.refs.end()
                               ? !metadata.current_snapshot_id
                               : metadata.current_snapshot_id == main->second.snapshot_id;
  if (!main_agrees) return Corrupt("{}: at /refs/main: differs from /current-snapshot-id", file);
  return {};
}

Json SnapshotJson(const SnapshotRecord& snapshot) {
  Json json;
  json["sequence-number"] = snapshot.sequence_number.value;
  json["snapshot-id"] = snapshot.id.value;
  if (snapshot.parent) json["parent-snapshot-id"] = snapshot.parent->value;
  json["timestamp-ms"] = snapshot.timestamp_ms;
  if (!snapshot.operation.empty()) {
    Json summary;
    summary["operation"] = snapshot.operation;
    for (const auto& [name, value] : snapshot.summary) summary[name] = value;
    json["summary"] = std::move(summary);
  }
  json["manifest-list"] = snapshot.manifest_list;
  if (snapshot.schema_id) json["schema-id"] = *snapshot.schema_id;
  return json;
}

Json RefsJson(const TableMetadata& metadata) {
  Json refs = Json::object();
  for (const auto& [name, ref] : metadata.refs) {
    Json json;
    json["snapshot-id"] = ref.snapshot_id.value;
    json["type"] = ref.kind == SnapshotRef::Kind::kBranch ? "branch" : "tag";
    if (ref.min_snapshots_to_keep) json["min-snapshots-to-keep"] = *ref.min_snapshots_to_keep;
    if (ref.max_snapshot_age_ms) json["max-snapshot-age-ms"] = *ref.max_snapshot_age_ms;
    if (ref.max_ref_age_ms) json["max-ref-age-ms"] = *ref.max_ref_age_ms;
    refs[name] = std::move(json);
  }
  return refs;
}

template <typename T, typename ToJson>
Json ListJson(const std::vector<T>& list, ToJson to_json) {
  Json json = Json::array();
  for (const T& element : list) json.push_back(to_json(element));
  return json;
}

}  // namespace

Result<TableMetadata> ParseTableMetadata(std::string_view bytes, std::string_view file) {
  std::string uncompressed;
  if (IsGzip(bytes)) {
    WEIR_TRY_CONTEXT(uncompressed, file, Gunzip(bytes, kMaxMetadataBytes));
    bytes = uncompressed;
  }
  WEIR_TRY(const nlohmann::json root, ParseJson(bytes, file));
  const JsonView json(root, file);
  WEIR_DO(CheckFormatVersion(json));
  TableMetadata metadata;
  WEIR_TRY(metadata.table_uuid, json.GetString("table-uuid"));
  WEIR_TRY(metadata.location, json.GetString("location"));
  while (metadata.location.size() > 1 && metadata.location.ends_with('/')) metadata.location.pop_back();
  WEIR_TRY(metadata.last_sequence_number.value, json.GetInteger("last-sequence-number"));
  WEIR_TRY(metadata.last_updated_ms, json.GetInteger("last-updated-ms"));
  WEIR_TRY(metadata.last_column_id, json.GetInt32("last-column-id"));
  WEIR_DO(ReadSchemasAndSpecs(json, metadata));
  WEIR_TRY(const auto properties, json.Find("properties"));
  if (properties) {
    WEIR_TRY(auto map, properties->StringMap());
    metadata.properties.insert(map.begin(), map.end());
  }
  WEIR_DO(ReadSnapshots(json, metadata));
  WEIR_DO(ReadLogs(json, metadata));
  for (const auto& [name, value] : root.items()) {
    if (!NamedMembers().contains(name)) metadata.kept_members.emplace(name, DumpJson(value));
  }
  WEIR_DO(CheckReferences(metadata, file));
  WEIR_DO(CheckTimes(metadata, file));
  return metadata;
}

std::string TableMetadataToJson(const TableMetadata& metadata) {
  Json json;
  json["format-version"] = metadata.format_version;
  json["table-uuid"] = metadata.table_uuid;
  json["location"] = metadata.location;
  json["last-sequence-number"] = metadata.last_sequence_number.value;
  json["last-updated-ms"] = metadata.last_updated_ms;
  json["last-column-id"] = metadata.last_column_id;
  json["current-schema-id"] = metadata.current_schema_id;
  json["schemas"] = ListJson(metadata.schemas, SchemaJson);
  json["default-spec-id"] = metadata.default_spec_id;
  json["partition-specs"] = ListJson(metadata.specs, PartitionSpecJson);
  json["last-partition-id"] = metadata.last_partition_id;
  json["default-sort-order-id"] = metadata.default_sort_order_id;
  json["sort-orders"] = ListJson(metadata.sort_orders, SortOrderJson);
  json["properties"] = Json::object();
  for (const auto& [name, value] : metadata.properties) json["properties"][name] = value;
  json["current-snapshot-id"] = metadata.current_snapshot_id ? metadata.current_snapshot_id->value : -1;
  json["refs"] = RefsJson(metadata);
  json["snapshots"] = ListJson(metadata.snapshots, SnapshotJson);
  for (const auto& [name, text] : metadata.kept_members) json[name] = Json::parse(text);
  json["snapshot-log"] = ListJson(metadata.snapshot_log, [](const SnapshotLogEntry& entry) {
    return Json{{"timestamp-ms", entry.timestamp_ms}, {"snapshot-id", entry.snapshot_id.value}};
  });
  json["metadata-log"] = ListJson(metadata.metadata_log, [](const MetadataLogEntry& entry) {
    return Json{{"timestamp-ms", entry.timestamp_ms}, {"metadata-file", entry.file}};
  });
  return DumpJson(json);
}

std::string SchemaToJson(const Schema& schema) { return DumpJson(SchemaJson(schema)); }
std::string PartitionFieldsToJson(const PartitionSpec& spec) { return DumpJson(PartitionFieldsJson(spec)); }

}  // namespace weir::iceberg
