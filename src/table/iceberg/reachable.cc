#include "table/iceberg/reachable.h"

#include <set>

#include "table/iceberg/json_view.h"
#include "table/iceberg/manifest_avro.h"

namespace weir::iceberg {

namespace {

/// Locations of statistics files, from members of the metadata that are kept as text.
Status AddStatistics(const TableMetadata& metadata, std::string_view file, std::set<std::string>& found) {
  for (const char* name : {"statistics", "partition-statistics"}) {
    const auto it = metadata.kept_members.find(name);
    if (it == metadata.kept_members.end()) continue;
    WEIR_TRY(const nlohmann::json json, ParseJson(it->second, file));
    WEIR_TRY(const auto items, JsonView(json, file).Items());
    for (const JsonView& item : items) {
      WEIR_TRY(const std::string path, item.GetString("statistics-path"));
      found.insert(path);
    }
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> ReachableFiles(const VersionedMetadata& table, const TableFiles& files) {
  const TableMetadata& metadata = *table.metadata;
  std::set<std::string> contents, manifests, lists;
  for (const SnapshotRecord& snapshot : metadata.snapshots) {
    lists.insert(snapshot.manifest_list);
    WEIR_TRY(const auto listed, files.ReadManifestList(snapshot));
    for (const ManifestFile& manifest : listed) {
      if (!manifests.insert(manifest.path).second) continue;
      const PartitionSpec* spec = metadata.FindSpec(manifest.spec_id);
      if (spec == nullptr)
        return Corrupt("manifest {}: unknown partition spec {}", manifest.path, manifest.spec_id);
      WEIR_TRY(const std::string bytes,
               files.Read(manifest.path, static_cast<uint64_t>(manifest.size_bytes)));
      WEIR_DO(ParseManifest(
          bytes, manifest, *spec, [&](FieldId id) { return metadata.FindField(id); },
          [&](ManifestEntry&& entry) -> Status {
            if (entry.is_live()) contents.insert(std::move(entry.file.path));
            return {};
          }));
    }
  }
  std::vector<std::string> all(contents.begin(), contents.end());
  all.insert(all.end(), manifests.begin(), manifests.end());
  all.insert(all.end(), lists.begin(), lists.end());
  std::set<std::string> others;
  WEIR_DO(AddStatistics(metadata, table.file, others));
  for (const MetadataLogEntry& entry : metadata.metadata_log) others.insert(entry.file);
  others.insert(table.file);
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace weir::iceberg
