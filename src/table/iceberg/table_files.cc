#include "table/iceberg/table_files.h"

#include <map>

#include "table/iceberg/manifest_avro.h"

namespace weir::iceberg {

Result<std::pair<Store, std::string>> TableFiles::Open(std::string_view location) const {
  WEIR_TRY(Location found, stores_->Find(location));
  return std::pair(Store(std::move(found.storage), account_, cancellation_), std::move(found.path));
}

Result<std::string> TableFiles::Read(const std::string& location,
                                     std::optional<uint64_t> known_size_bytes) const {
  WEIR_TRY(const auto file, Open(location));
  return file.first.ReadAll(file.second, known_size_bytes);
}

Status TableFiles::Write(const std::string& location, std::string_view bytes) const {
  WEIR_TRY(const auto file, Open(location));
  WEIR_TRY([[maybe_unused]] const ObjectTag tag,
           file.first.Put(file.second, AsBytes(bytes), PutIf::Always()));
  return {};
}

Status TableFiles::Delete(const std::vector<std::string>& locations) const {
  std::map<Storage*, std::pair<std::shared_ptr<Storage>, std::vector<std::string>>> by_store;
  Status first_error;
  for (const std::string& location : locations) {
    auto found = stores_->Find(location);
    if (!found) {
      if (first_error) first_error = std::move(found).error();
      continue;
    }
    auto& group = by_store[found->storage.get()];
    group.first = found->storage;
    group.second.push_back(std::move(found->path));
  }
  for (auto& [key, group] : by_store) {
    const Store store(group.first, account_, cancellation_);
    Status deleted = store.Delete(group.second);
    if (!deleted && first_error) first_error = std::move(deleted);
  }
  return first_error;
}

Result<std::vector<ManifestFile>> TableFiles::ReadManifestList(const SnapshotRecord& snapshot) const {
  WEIR_TRY_CONTEXT(const std::string bytes, fmt::format("manifest list of snapshot {}", snapshot.id.value),
                   Read(snapshot.manifest_list));
  return ParseManifestList(bytes, snapshot.manifest_list);
}

}  // namespace weir::iceberg
