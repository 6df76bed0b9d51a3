#pragma once

/// Which delete files apply to a data file. Thread rule: built by one thread, then immutable.
/// Spec: Iceberg v2, "Scan Planning" (application of delete files).

#include <string>
#include <unordered_map>
#include <vector>

#include "table/data_file.h"
#include "table/iceberg/manifest.h"
#include "table/iceberg/partitioning.h"

namespace weir::iceberg {

/// What this format remembers of a file that a scan has listed.
struct FileOrigin : table::FormatDetail {
  std::string manifest_path;
  SnapshotId snapshot_id;
  SequenceNumber sequence_number;
  SequenceNumber file_sequence_number;
};
/// Precondition: the file was listed by this format.
const FileOrigin& OriginOf(const std::shared_ptr<const table::FormatDetail>& detail);

/// The shared noun for an entry of a data manifest. `bounds` are the file's own, or tighter.
table::DataFilePtr ToDataFile(const ManifestEntry& entry, const std::string& manifest_path, Bounds bounds);
table::DeleteFilePtr ToDeleteFile(const ManifestEntry& entry, const std::string& manifest_path,
                                  Bounds bounds);

class DeleteIndex {
 public:
  /// `global` if the file's spec separates no rows: equality deletes then apply everywhere.
  void Add(table::DeleteFilePtr file, bool global);
  bool empty() const { return empty_; }

  /// Delete files that may delete rows of `file`. An equality column's nullability does not matter.
  std::vector<table::DeleteFilePtr> Find(const table::DataFile& file) const;

 private:
  using Files = std::vector<table::DeleteFilePtr>;
  bool empty_ = true;
  std::unordered_map<std::string, Files> positions_by_path_;
  using FilesByPartition =
      std::unordered_map<PartitionTuple, Files, table::PartitionTupleHash, table::SamePartition>;
  FilesByPartition positions_;
  FilesByPartition equality_;
  Files global_equality_;
};

}  // namespace weir::iceberg
