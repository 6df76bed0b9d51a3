#pragma once

/// Parsed manifests, kept because manifests never change. Thread rule: any thread.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/lru_cache.h"
#include "table/iceberg/partitioning.h"
#include "table/iceberg/table_files.h"

namespace weir::iceberg {

using ManifestEntries = std::shared_ptr<const std::vector<ManifestEntry>>;

/// Enough for the statistics of some ten thousands of files.
inline constexpr uint64_t kManifestCacheBytes = uint64_t{128} << 20;

class ManifestCache {
 public:
  /// Keeps up to about `budget_bytes` of parsed entries, the least recently used going first.
  explicit ManifestCache(uint64_t budget_bytes) : by_manifest_(budget_bytes) {}

  /// All entries of a manifest, DELETED ones included. Partition values are typed by `find`, and what entries
  /// inherit is the list's; a manifest read under another typing or another list's word is not taken from the
  /// cache. A hit is booked as avoided bytes.
  Result<ManifestEntries> Read(const ManifestFile& manifest, const PartitionSpec& spec,
                               const FindFieldById& find, const TableFiles& files);

 private:
  struct Kept {
    std::vector<Type> types;
    ManifestEntries entries;
  };
  LruCache<Kept> by_manifest_;
};

}  // namespace weir::iceberg
