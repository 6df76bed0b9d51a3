#include "table/iceberg/manifest_update.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "table/iceberg/delete_index.h"

namespace weir::iceberg {

namespace {

constexpr std::string_view kTargetSize = "commit.manifest.target-size-bytes";
constexpr int64_t kTargetSizeDefault = 8 << 20;
constexpr std::string_view kMinCount = "commit.manifest.min-count-to-merge";
constexpr int64_t kMinCountDefault = 100;
constexpr std::string_view kMergeEnabled = "commit.manifest-merge.enabled";

/// Packs from the end, in order, so that the bin that stays under-filled is the first one.
std::vector<std::vector<ManifestFile>> PackFromEnd(const std::vector<ManifestFile>& manifests,
                                                   int64_t target) {
  std::vector<std::vector<ManifestFile>> bins;
  int64_t weight = 0;
  for (auto it = manifests.rbegin(); it != manifests.rend(); ++it) {
    // Sizes are a foreign list's word.
    if (bins.empty() || __builtin_add_overflow(weight, it->size_bytes, &weight) || weight > target) {
      bins.emplace_back();
      weight = it->size_bytes;
    }
    bins.back().push_back(*it);
  }
  for (auto& bin : bins) std::reverse(bin.begin(), bin.end());
  std::reverse(bins.begin(), bins.end());
  return bins;
}

}  // namespace

ManifestUpdate::ManifestUpdate(const FileChanges& changes, SnapshotId snapshot_id, std::string commit_uuid,
                               std::string metadata_location, const TableFiles& files, ManifestCache& cache,
                               Random& random)
    : changes_(changes),
      snapshot_id_(snapshot_id),
      commit_uuid_(std::move(commit_uuid)),
      metadata_location_(std::move(metadata_location)),
      files_(files),
      cache_(cache),
      random_(random) {}

Result<ManifestWriter> ManifestUpdate::NewWriter(const TableMetadata& metadata, int32_t spec_id,
                                                 Content content) {
  const PartitionSpec* spec = metadata.FindSpec(spec_id);
  if (spec == nullptr) return Invalid("the table has no partition spec {}", spec_id);
  WEIR_TRY(std::vector<Type> types,
           PartitionTypes(*spec, [&](FieldId id) { return metadata.FindField(id); }));
  ManifestWriter::Options options;
  options.content = content;
  options.snapshot_id = snapshot_id_;
  options.compression =
      TextProperty(metadata.properties, "write.manifest.compression-codec", options.compression);
  return ManifestWriter::Make(metadata.current_schema(), *spec, std::move(types), std::move(options),
                              random_);
}

Result<ManifestFile> ManifestUpdate::Write(ManifestWriter&& writer) {
  WEIR_TRY(ManifestWriter::Written manifest, std::move(writer).Finish());
  manifest.file.path = fmt::format("{}/{}-m{}.avro", metadata_location_, commit_uuid_, written_.size());
  // Before the write, so that a write that fails halfway is cleaned up too.
  written_.push_back(manifest.file.path);
  WEIR_DO(files_.For(Purpose::kCommit).Write(manifest.file.path, manifest.bytes));
  return std::move(manifest.file);
}

Result<std::vector<ManifestFile>> ManifestUpdate::WriteNew(const TableMetadata& metadata,
                                                           const std::vector<ContentFile>& files,
                                                           Content content) {
  WEIR_TRY(const int64_t target, IntegerProperty(metadata.properties, kTargetSize, kTargetSizeDefault));
  std::map<int32_t, std::vector<const ContentFile*>, std::greater<>> by_spec;
  for (const ContentFile& file : files) by_spec[file.partition.spec_id].push_back(&file);
  std::vector<ManifestFile> manifests;
  for (const auto& [spec_id, of_spec] : by_spec) {
    std::optional<ManifestWriter> writer;
    for (const ContentFile* file : of_spec) {
      if (!writer) {
        WEIR_TRY(writer, NewWriter(metadata, spec_id, content));
      }
      ManifestEntry entry;
      entry.status = ManifestEntry::Status::kAdded;
      entry.file = *file;
      WEIR_DO(writer->Add(entry));
      if (static_cast<int64_t>(writer->size_bytes()) < target) continue;
      WEIR_TRY(ManifestFile manifest, Write(*std::move(writer)));
      manifests.push_back(std::move(manifest));
      writer.reset();
    }
    if (!writer) continue;
    WEIR_TRY(ManifestFile manifest, Write(*std::move(writer)));
    manifests.push_back(std::move(manifest));
  }
  return manifests;
}

Result<std::vector<ManifestEntry>> ManifestUpdate::ReadEntries(const TableMetadata& metadata,
                                                               const ManifestFile& manifest) {
  const PartitionSpec* spec = metadata.FindSpec(manifest.spec_id);
  if (spec == nullptr)
    return Corrupt("manifest {}: unknown partition spec {}", manifest.path, manifest.spec_id);
  const auto find = [&](FieldId id) { return metadata.FindField(id); };
  if (manifest.sequence_number) {
    WEIR_TRY(const ManifestEntries entries, cache_.Read(manifest, *spec, find, files_));
    return *entries;
  }
  // A manifest of this very commit: its entries must not inherit what is not decided yet.
  WEIR_TRY(const std::string bytes, files_.Read(manifest.path, static_cast<uint64_t>(manifest.size_bytes)));
  std::vector<ManifestEntry> entries;
  WEIR_DO(ParseManifest(bytes, manifest, *spec, find, [&](ManifestEntry&& entry) -> Status {
    entries.push_back(std::move(entry));
    return {};
  }));
  return entries;
}

/// Rewrites the manifests that list removed files.
Result<std::vector<ManifestFile>> ManifestUpdate::Remove(const TableMetadata& metadata,
                                                         std::vector<ManifestFile> manifests,
                                                         Updated& updated) {
  if (changes_.removed.empty()) return manifests;
  std::unordered_set<std::string> present;
  for (const ManifestFile& manifest : manifests) present.insert(manifest.path);
  std::unordered_set<std::string> wanted, listed_in;
  std::set<int32_t> moved_specs;  // Of files whose manifest was rewritten since they were listed.
  for (const auto& file : changes_.removed) {
    wanted.insert(file->path);
    const std::string& origin = OriginOf(file->detail).manifest_path;
    if (present.contains(origin)) {
      listed_in.insert(origin);
    } else {
      moved_specs.insert(file->partition.spec_id);
    }
  }
  std::unordered_set<std::string> found;
  for (ManifestFile& manifest : manifests) {
    if (!listed_in.contains(manifest.path) && !moved_specs.contains(manifest.spec_id)) continue;
    if (!manifest.has_live_files()) continue;
    WEIR_TRY(auto entries, ReadEntries(metadata, manifest));
    const auto is_removed = [&](const ManifestEntry& entry) {
      return entry.is_live() && wanted.contains(entry.file.path);
    };
    if (std::none_of(entries.begin(), entries.end(), is_removed)) continue;
    for (const ManifestEntry& entry : entries) {
      if (is_removed(entry)) found.insert(entry.file.path);
    }
    ++updated.replaced;
    const auto known = rewritten_.find(manifest.path);
    if (known != rewritten_.end()) {
      manifest = known->second;
      continue;
    }
    WEIR_TRY(ManifestWriter writer, NewWriter(metadata, manifest.spec_id, Content::kData));
    for (ManifestEntry& entry : entries) {
      if (!entry.is_live()) continue;
      const bool removed = is_removed(entry);
      entry.status = removed ? ManifestEntry::Status::kDeleted : ManifestEntry::Status::kExisting;
      if (removed) entry.snapshot_id = snapshot_id_;
      if (!entry.file_sequence_number) entry.file_sequence_number = entry.sequence_number;
      WEIR_DO(writer.Add(entry));
    }
    WEIR_TRY(ManifestFile replacement, Write(std::move(writer)));
    rewritten_[manifest.path] = replacement;
    manifest = std::move(replacement);
  }
  for (const std::string& path : wanted) {
    if (!found.contains(path)) updated.missing.push_back(path);
  }
  return manifests;
}

Result<ManifestFile> ManifestUpdate::MergeBin(const TableMetadata& metadata,
                                              const std::vector<ManifestFile>& bin) {
  std::vector<std::string> paths;
  for (const ManifestFile& manifest : bin) paths.push_back(manifest.path);
  if (const auto known = merged_.find(paths); known != merged_.end()) return known->second;
  WEIR_TRY(ManifestWriter writer, NewWriter(metadata, bin[0].spec_id, bin[0].content));
  for (const ManifestFile& manifest : bin) {
    WEIR_TRY(auto entries, ReadEntries(metadata, manifest));
    for (ManifestEntry& entry : entries) {
      const bool own = entry.snapshot_id == snapshot_id_;
      // Deletes of earlier snapshots are history; their own manifests tell it.
      if (!entry.is_live() && !own) continue;
      if (entry.status == ManifestEntry::Status::kAdded && !own)
        entry.status = ManifestEntry::Status::kExisting;
      if (!entry.file_sequence_number) entry.file_sequence_number = entry.sequence_number;
      WEIR_DO(writer.Add(entry));
    }
  }
  WEIR_TRY(ManifestFile manifest, Write(std::move(writer)));
  merged_[std::move(paths)] = manifest;
  return manifest;
}

Result<std::vector<ManifestFile>> ManifestUpdate::Merge(const TableMetadata& metadata,
                                                        std::vector<ManifestFile> manifests,
                                                        Updated& updated) {
  WEIR_TRY(const bool enabled, BooleanProperty(metadata.properties, kMergeEnabled, true));
  if (!enabled || manifests.empty()) return manifests;
  WEIR_TRY(const int64_t target, IntegerProperty(metadata.properties, kTargetSize, kTargetSizeDefault));
  WEIR_TRY(const int64_t min_count, IntegerProperty(metadata.properties, kMinCount, kMinCountDefault));
  const std::string first = manifests[0].path;
  std::map<int32_t, std::vector<ManifestFile>, std::greater<>> by_spec;
  for (ManifestFile& manifest : manifests) by_spec[manifest.spec_id].push_back(std::move(manifest));
  std::vector<ManifestFile> merged;
  for (const auto& [spec_id, of_spec] : by_spec) {
    for (const auto& bin : PackFromEnd(of_spec, target)) {
      const bool has_first = std::any_of(
          bin.begin(), bin.end(), [&](const ManifestFile& manifest) { return manifest.path == first; });
      // Only a bin that holds the newest manifest waits until it is worth merging.
      if (bin.size() == 1 || (has_first && static_cast<int64_t>(bin.size()) < min_count)) {
        merged.insert(merged.end(), bin.begin(), bin.end());
        continue;
      }
      WEIR_TRY(ManifestFile manifest, MergeBin(metadata, bin));
      merged.push_back(std::move(manifest));
      updated.replaced += std::count_if(bin.begin(), bin.end(), [&](const ManifestFile& before) {
        return before.added_snapshot_id != snapshot_id_;
      });
    }
  }
  return merged;
}

Result<ManifestUpdate::Updated> ManifestUpdate::Apply(const TableMetadata& metadata) {
  Updated updated;
  std::vector<ManifestFile> data, deletes;
  if (const SnapshotRecord* current = metadata.current_snapshot()) {
    WEIR_TRY(auto manifests, files_.ReadManifestList(*current));
    for (ManifestFile& manifest : manifests) {
      (manifest.content == Content::kData ? data : deletes).push_back(std::move(manifest));
    }
  }
  WEIR_TRY(data, Remove(metadata, std::move(data), updated));
  if (!updated.missing.empty()) return updated;
  if (!new_data_) {
    WEIR_TRY(new_data_, WriteNew(metadata, changes_.added, Content::kData));
  }
  if (!new_deletes_) {
    WEIR_TRY(new_deletes_, WriteNew(metadata, changes_.deletes, Content::kDeletes));
  }
  const auto is_dead = [&](const ManifestFile& manifest) {
    return !manifest.has_live_files() && manifest.added_snapshot_id != snapshot_id_;
  };
  std::erase_if(data, is_dead);
  std::erase_if(deletes, is_dead);
  data.insert(data.begin(), new_data_->begin(), new_data_->end());
  deletes.insert(deletes.begin(), new_deletes_->begin(), new_deletes_->end());
  WEIR_TRY(updated.manifests, Merge(metadata, std::move(data), updated));
  WEIR_TRY(auto merged_deletes, Merge(metadata, std::move(deletes), updated));
  updated.manifests.insert(updated.manifests.end(), merged_deletes.begin(), merged_deletes.end());
  for (const ManifestFile& manifest : updated.manifests) {
    (manifest.added_snapshot_id == snapshot_id_ ? updated.created : updated.kept) += 1;
  }
  return updated;
}

}  // namespace weir::iceberg
