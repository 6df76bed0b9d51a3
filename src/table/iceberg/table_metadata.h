#pragma once

/// Table metadata as plain structs. Nothing here does I/O. Thread rule: immutable once published.
/// Spec: Iceberg v2, "Table Metadata", "Snapshots", "Snapshot References".

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/table.h"

namespace weir::iceberg {

using table::PartitionField;
using table::PartitionSpec;
using table::PartitionTuple;
using table::Properties;
using table::SnapshotId;
using table::SortOrder;

/// Order of commits within a table; 0 is before the first one.
using SequenceNumber = StrongId<struct SequenceNumberTag, int64_t>;

inline constexpr std::string_view kMainBranch = "main";
/// The property by which a table asks that its files be encrypted.
inline constexpr std::string_view kEncryptionKey = "encryption.key-id";
/// Partition field ids start behind this one.
inline constexpr int32_t kLastPartitionIdOfNone = 999;

/// One snapshot as the metadata lists it. The word Snapshot is taken by table::Snapshot.
struct SnapshotRecord {
  SnapshotId id;
  std::optional<SnapshotId> parent;
  SequenceNumber sequence_number;
  int64_t timestamp_ms = 0;
  std::string manifest_list;  ///< Location.
  std::string operation;  ///< "append", "replace", "overwrite", "delete"; empty if the summary is missing.
  std::map<std::string, std::string> summary;  ///< Without the operation.
  std::optional<int32_t> schema_id;
};

struct SnapshotRef {
  enum class Kind : uint8_t { kBranch, kTag };
  SnapshotId snapshot_id;
  Kind kind = Kind::kBranch;
  std::optional<int32_t> min_snapshots_to_keep;
  std::optional<int64_t> max_snapshot_age_ms;
  std::optional<int64_t> max_ref_age_ms;
};

/// A change of the current snapshot.
struct SnapshotLogEntry {
  int64_t timestamp_ms = 0;
  SnapshotId snapshot_id;
};

/// An earlier metadata file.
struct MetadataLogEntry {
  int64_t timestamp_ms = 0;
  std::string file;
};

struct TableMetadata {
  int32_t format_version = 2;
  std::string table_uuid;
  std::string location;
  SequenceNumber last_sequence_number;
  int64_t last_updated_ms = 0;
  int32_t last_column_id = 0;
  std::vector<Schema> schemas;
  int32_t current_schema_id = 0;
  std::vector<PartitionSpec> specs;
  int32_t default_spec_id = 0;
  int32_t last_partition_id = kLastPartitionIdOfNone;
  std::vector<SortOrder> sort_orders;
  int32_t default_sort_order_id = 0;
  Properties properties;
  std::optional<SnapshotId> current_snapshot_id;
  std::vector<SnapshotRecord> snapshots;
  std::map<std::string, SnapshotRef, std::less<>> refs;
  std::vector<SnapshotLogEntry> snapshot_log;
  std::vector<MetadataLogEntry> metadata_log;
  /// JSON texts of members that are kept as they are: statistics, and what the spec does not name.
  std::map<std::string, std::string> kept_members;

  const Schema* FindSchema(int32_t schema_id) const;
  const Schema& current_schema() const;
  const PartitionSpec* FindSpec(int32_t spec_id) const;
  const PartitionSpec& default_spec() const;
  const SnapshotRecord* FindSnapshot(SnapshotId id) const;
  const SnapshotRecord* current_snapshot() const;  ///< Null: the table has no rows yet.
  /// A field at any depth: of the current schema, else of the latest schema that has it; null if none has.
  const Field* FindField(FieldId id) const;
};
using TableMetadataPtr = std::shared_ptr<const TableMetadata>;

/// Reads a property as a number, boolean or text with a default. Errors: kInvalid naming the property.
Result<int64_t> IntegerProperty(const Properties& properties, std::string_view name, int64_t otherwise);
Result<bool> BooleanProperty(const Properties& properties, std::string_view name, bool otherwise);
std::string TextProperty(const Properties& properties, std::string_view name, std::string_view otherwise);
/// write.metadata.delete-after-commit.enabled: writers delete the metadata files that leave the log.
Result<bool> DeletesOldMetadata(const Properties& properties);

}  // namespace weir::iceberg
