#pragma once

/// From the manifests of one snapshot to those of the next: new files in, removed files out, small manifests
/// merged. What an attempt has written is kept for the next attempt. Thread rule: one thread. Spec: Iceberg
/// v2, "Manifests", "Snapshots"; merging as the Java library does it.

#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "table/iceberg/manifest_avro.h"
#include "table/iceberg/manifest_cache.h"
#include "table/iceberg/table_files.h"

namespace weir::iceberg {

/// Files that a commit adds and removes.
struct FileChanges {
  std::vector<ContentFile> added;    ///< Data files.
  std::vector<ContentFile> deletes;  ///< Position delete files.
  std::vector<table::DataFilePtr> removed;
};

class ManifestUpdate {
 public:
  /// `files` charges writes; all references must outlive the update. `commit_uuid` makes names of manifests
  /// unique.
  ManifestUpdate(const FileChanges& changes, SnapshotId snapshot_id, std::string commit_uuid,
                 std::string metadata_location, const TableFiles& files, ManifestCache& cache,
                 Random& random);

  struct Updated {
    std::vector<ManifestFile> manifests;  ///< Of the new snapshot, new ones first.
    int64_t created = 0, kept = 0, replaced = 0;
    std::vector<std::string> missing;  ///< Removed files that are not live: then nothing else is filled in.
  };
  /// Manifests of a snapshot that follows the current one of `metadata`.
  Result<Updated> Apply(const TableMetadata& metadata);

  /// Locations of all manifests written so far.
  const std::vector<std::string>& written() const { return written_; }

 private:
  Result<ManifestWriter> NewWriter(const TableMetadata& metadata, int32_t spec_id, Content content);
  Result<ManifestFile> Write(ManifestWriter&& writer);
  Result<std::vector<ManifestFile>> WriteNew(const TableMetadata& metadata,
                                             const std::vector<ContentFile>& files, Content content);
  Result<std::vector<ManifestFile>> Remove(const TableMetadata& metadata, std::vector<ManifestFile> manifests,
                                           Updated& updated);
  Result<std::vector<ManifestFile>> Merge(const TableMetadata& metadata, std::vector<ManifestFile> manifests,
                                          Updated& updated);
  Result<ManifestFile> MergeBin(const TableMetadata& metadata, const std::vector<ManifestFile>& bin);
  Result<std::vector<ManifestEntry>> ReadEntries(const TableMetadata& metadata, const ManifestFile& manifest);

  const FileChanges& changes_;
  const SnapshotId snapshot_id_;
  const std::string commit_uuid_;
  const std::string metadata_location_;
  const TableFiles& files_;
  ManifestCache& cache_;
  Random& random_;
  std::vector<std::string> written_;
  std::optional<std::vector<ManifestFile>> new_data_, new_deletes_;
  std::map<std::string, ManifestFile> rewritten_;            ///< By location of the manifest before.
  std::map<std::vector<std::string>, ManifestFile> merged_;  ///< By locations of the manifests before.
};

}  // namespace weir::iceberg
