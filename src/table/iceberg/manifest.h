#pragma once

/// Manifests and manifest lists as plain structs. Thread rule: immutable once published.
/// Spec: Iceberg v2, "Manifests", "Manifest Lists", "Sequence Number Inheritance".

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "table/data_file.h"
#include "table/iceberg/table_metadata.h"

namespace weir::iceberg {

enum class Content : uint8_t { kData = 0, kDeletes = 1 };

/// What one partition field's values are like over the files of a manifest.
struct FieldSummary {
  bool contains_null = true;
  std::optional<bool> contains_nan;  ///< Absent: unknown.
  std::optional<std::string> lower;  ///< Single-value form.
  std::optional<std::string> upper;
};

/// A manifest as its list describes it. Counts are never negative, those of files have 32 bits; one that is
/// absent is unknown and may be anything.
struct ManifestFile {
  std::string path;
  int64_t size_bytes = 0;
  int32_t spec_id = 0;
  Content content = Content::kData;
  /// Absent in a manifest that this commit has written: it becomes the commit's.
  std::optional<SequenceNumber> sequence_number;
  std::optional<SequenceNumber> min_sequence_number;
  SnapshotId added_snapshot_id;
  std::optional<int64_t> added_files, existing_files, deleted_files;
  std::optional<int64_t> added_rows, existing_rows, deleted_rows;
  std::optional<std::vector<FieldSummary>> partitions;
  std::optional<std::string> key_metadata;

  bool has_live_files() const { return added_files.value_or(1) > 0 || existing_files.value_or(1) > 0; }
  bool has_added_files() const { return added_files.value_or(1) > 0; }
  bool has_deleted_files() const { return deleted_files.value_or(1) > 0; }
};

/// A file as a manifest describes it: a data file or a delete file, with its statistics in stored form.
struct ContentFile {
  enum class Kind : uint8_t { kData = 0, kPositionDeletes = 1, kEqualityDeletes = 2 };
  using Counts = std::vector<std::pair<FieldId, int64_t>>;
  using RawBounds = std::vector<std::pair<FieldId, std::string>>;

  Kind kind = Kind::kData;
  std::string path;
  table::FileFormat format = table::FileFormat::kParquet;
  PartitionTuple partition;
  int64_t row_count = 0;
  int64_t size_bytes = 0;
  std::optional<Counts> column_sizes, value_counts, null_counts, nan_counts;
  std::optional<RawBounds> lower_bounds, upper_bounds;
  std::optional<std::string> key_metadata;
  std::optional<std::vector<int64_t>> split_offsets;
  std::optional<std::vector<FieldId>> equality_ids;
  std::optional<int32_t> sort_order_id;
  std::optional<std::string> referenced_data_file;
};

struct ManifestEntry {
  enum class Status : uint8_t { kExisting = 0, kAdded = 1, kDeleted = 2 };
  Status status = Status::kAdded;
  std::optional<SnapshotId> snapshot_id;
  /// Absent in an entry that is being written by its commit: inherited from the manifest.
  std::optional<SequenceNumber> sequence_number;
  std::optional<SequenceNumber> file_sequence_number;
  ContentFile file;

  bool is_live() const { return status != Status::kDeleted; }
};

}  // namespace weir::iceberg
