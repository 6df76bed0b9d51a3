#include "table/iceberg/manifest_cache.h"

#include "table/iceberg/manifest_avro.h"

namespace weir::iceberg {

namespace {

uint64_t SizeOf(const std::string& text) { return text.capacity(); }
template <typename T>
uint64_t SizeOf(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}
template <typename T>
uint64_t SizeOf(const std::optional<T>& value) {
  return value ? SizeOf(*value) : 0;
}

/// What an entry owns, in memory.
uint64_t SizeOf(const ManifestEntry& entry) {
  const ContentFile& file = entry.file;
  uint64_t size = sizeof(ManifestEntry) + SizeOf(file.path) + SizeOf(file.partition.values) +
                  SizeOf(file.split_offsets) + SizeOf(file.equality_ids) + SizeOf(file.referenced_data_file);
  for (const Scalar& value : file.partition.values) {
    if (const auto* text = std::get_if<std::string>(&value.payload())) size += SizeOf(*text);
  }
  for (const auto* counts : {&file.column_sizes, &file.value_counts, &file.null_counts, &file.nan_counts}) {
    size += SizeOf(*counts);
  }
  for (const auto* bounds : {&file.lower_bounds, &file.upper_bounds}) {
    if (!*bounds) continue;
    size += SizeOf(*bounds);
    for (const auto& [column, text] : **bounds) size += SizeOf(text);
  }
  return size;
}

/// The manifest, and what its entries inherit: two tables may list one manifest.
std::string KeyOf(const ManifestFile& manifest) {
  return fmt::format("{} {} {} {}", manifest.path, manifest.spec_id, manifest.added_snapshot_id.value,
                     manifest.sequence_number.value_or(SequenceNumber{-1}).value);
}

}  // namespace

Result<ManifestEntries> ManifestCache::Read(const ManifestFile& manifest, const PartitionSpec& spec,
                                            const FindFieldById& find, const TableFiles& files) {
  WEIR_TRY_CONTEXT(std::vector<Type> types, manifest.path, PartitionTypes(spec, find));
  const std::string key = KeyOf(manifest);
  const std::optional<Kept> kept = by_manifest_.Find(key);
  if (kept && kept->types == types) {
    files.account().Avoid(AvoidReason::kCache, 1, static_cast<uint64_t>(manifest.size_bytes));
    return kept->entries;
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
  by_manifest_.Insert(key, {std::move(types), result}, size);
  return result;
}

}  // namespace weir::iceberg
