#pragma once

/// Parsed manifests, kept because manifests never change. Thread rule: any thread.

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "table/iceberg/partitioning.h"
#include "table/iceberg/table_files.h"

namespace weir::iceberg {

using ManifestEntries = std::shared_ptr<const std::vector<ManifestEntry>>;

class ManifestCache {
 public:
  /// Keeps up to about `budget_bytes` of parsed entries, the least recently used going first.
  explicit ManifestCache(uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// All entries of a manifest, DELETED ones included. Partition values are typed by `find`; a manifest read
  /// under another typing of its partition is not taken from the cache. A hit is booked as avoided bytes.
  Result<ManifestEntries> Read(const ManifestFile& manifest, const PartitionSpec& spec,
                               const FindFieldById& find, const TableFiles& files);

 private:
  struct Kept {
    std::string path;
    std::vector<Type> types;
    ManifestEntries entries;
    uint64_t size_bytes = 0;
  };
  ManifestEntries Lookup(const std::string& path, const std::vector<Type>& types);
  void Keep(Kept kept);

  const uint64_t budget_bytes_;
  std::mutex mutex_;
  uint64_t used_bytes_ = 0;
  std::list<Kept> recent_;  ///< Most recently used first.
  std::unordered_map<std::string, std::list<Kept>::iterator> by_path_;
};

}  // namespace weir::iceberg
