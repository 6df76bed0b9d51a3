#include "table/iceberg/manifest_cache.h"

#include "table/iceberg/manifest_avro.h"

namespace weir::iceberg {

namespace {

/// Rough size in memory: what an entry owns, statistics foremost.
uint64_t SizeOf(const ManifestEntry& entry) {
  uint64_t size =
      sizeof(ManifestEntry) + entry.file.path.size() + entry.file.partition.values.size() * sizeof(Scalar);
  for (const auto* counts : {&entry.file.column_sizes, &entry.file.value_counts, &entry.file.null_counts,
                             &entry.file.nan_counts}) {
    if (*counts) size += (*counts)->capacity() * sizeof((*counts)->front());
  }
  for (const auto* bounds : {&entry.file.lower_bounds, &entry.file.upper_bounds}) {
    if (*bounds) size += (*bounds)->capacity() * sizeof((*bounds)->front());
  }
  return size;
}

}  // namespace

Result<ManifestEntries> ManifestCache::Read(const ManifestFile& manifest, const PartitionSpec& spec,
                                            const FindFieldById& find, const TableFiles& files) {
  WEIR_TRY_CONTEXT(std::vector<Type> types, manifest.path, PartitionTypes(spec, find));
  if (ManifestEntries kept = Lookup(manifest.path, types)) {
    files.account().Avoid(AvoidReason::kCache, 1, static_cast<uint64_t>(manifest.size_bytes));
    return kept;
  }
  WEIR_TRY(const std::string bytes, files.Read(manifest.path, static_cast<uint64_t>(manifest.size_bytes)));
  auto entries = std::make_shared<std::vector<ManifestEntry>>();
  WEIR_DO(ParseManifest(bytes, manifest, spec, find, [&](ManifestEntry&& entry) -> Status {
    entries->push_back(std::move(entry));
    return {};
  }));
  uint64_t size = 0;
  for (const ManifestEntry& entry : *entries) size += SizeOf(entry);
  ManifestEntries result = std::move(entries);
  Keep({manifest.path, std::move(types), result, size});
  return result;
}

ManifestEntries ManifestCache::Lookup(const std::string& path, const std::vector<Type>& types) {
  const std::lock_guard lock(mutex_);
  const auto it = by_path_.find(path);
  if (it == by_path_.end() || it->second->types != types) return nullptr;
  recent_.splice(recent_.begin(), recent_, it->second);
  return it->second->entries;
}

void ManifestCache::Keep(Kept kept) {
  if (kept.size_bytes > budget_bytes_) return;
  const std::lock_guard lock(mutex_);
  if (const auto it = by_path_.find(kept.path); it != by_path_.end()) {
    used_bytes_ -= it->second->size_bytes;
    recent_.erase(it->second);
    by_path_.erase(it);
  }
  used_bytes_ += kept.size_bytes;
  recent_.push_front(std::move(kept));
  by_path_[recent_.front().path] = recent_.begin();
  while (used_bytes_ > budget_bytes_) {
    used_bytes_ -= recent_.back().size_bytes;
    by_path_.erase(recent_.back().path);
    recent_.pop_back();
  }
}

}  // namespace weir::iceberg
