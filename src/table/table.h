#pragma once

/// A table of any format: five calls over shared nouns. What differs between formats is data in Snapshot.
/// Thread rule: a Table is usable from any thread; snapshots are immutable.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/cancellation.h"
#include "expr/expr.h"
#include "ledger/ledger.h"
#include "table/data_file.h"
#include "table/key_set.h"
#include "type/batch.h"

namespace weir::table {

using SnapshotId = StrongId<struct SnapshotIdTag, int64_t>;
using Properties = std::map<std::string, std::string, std::less<>>;

/// Which state of a table to load.
struct At {
  enum class Kind : uint8_t { kLatest, kVersion, kTimestamp, kRef };
  Kind kind = Kind::kLatest;
  int64_t number = 0;  ///< kVersion: snapshot id. kTimestamp: microseconds UTC.
  std::string ref;     ///< kRef: branch or tag.
};

/// How a row may be deleted from a table as it stands.
enum class RowDeleteForm : uint8_t { kPositionFile, kRewrite, kDeletionVector };

/// Where and how new files are written: every choice that a format, a property or a user made, as data.
struct WriteLayout {
  std::string data_location;  ///< Folder without trailing slash.
  FileFormat format = FileFormat::kParquet;
  std::string compression = "zstd";
  std::optional<int> compression_level;
  uint64_t target_file_size_bytes = 512ull << 20;
  uint64_t target_delete_file_size_bytes = 64ull << 20;
  std::optional<uint64_t> row_group_size_bytes;  ///< Set by the user; else the writer chooses.
  bool one_delete_file_per_data_file = true;     ///< write.delete.granularity = file.
};

enum class Isolation : uint8_t { kSerializable, kSnapshot };

/// The rules of a snapshot that row-level operations read.
struct WriteRules {
  RowDeleteForm delete_form = RowDeleteForm::kRewrite;  ///< For DELETE.
  RowDeleteForm update_form = RowDeleteForm::kRewrite;
  RowDeleteForm merge_form = RowDeleteForm::kRewrite;
  Isolation delete_isolation = Isolation::kSerializable;
  Isolation update_isolation = Isolation::kSerializable;
  Isolation merge_isolation = Isolation::kSerializable;
};

/// One immutable state of a table.
struct Snapshot {
  std::optional<SnapshotId> id;  ///< Absent: the table has no rows yet.
  Schema schema;                 ///< The one to read with: current, or the snapshot's own under time travel.
  std::vector<PartitionSpec> specs;
  int32_t default_spec_id = 0;
  SortOrder sort_order;
  Properties properties;
  WriteLayout layout;
  WriteRules rules;
  std::optional<Error> rules_error;  ///< A property that says a rule wrongly: then `rules` are the defaults.
  std::string location;
  std::string format_name;  ///< "iceberg".
  int32_t format_version = 2;
  /// Latest definition of every field of every schema, dropped ones included.
  std::vector<Field> all_fields;
  std::shared_ptr<const FormatDetail> detail;

  const PartitionSpec* FindSpec(int32_t spec_id) const;
  const PartitionSpec& default_spec() const;
  const Field* FindField(FieldId id) const;  ///< In `all_fields`, at any depth.
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// What a scan asks for.
struct ScanRequest {
  ExprPtr predicate;  ///< Over ColumnOf(field id); null is TRUE. Rows that fail it need not be returned.
  std::optional<KeySet> keys;  ///< Rows that match no key need not be returned.
};

/// Why files were left out, for EXPLAIN and the ledger.
struct PruneReport {
  uint64_t manifests_total = 0, manifests_skipped = 0;
  /// Live files in the manifests that were read, plus counts of skipped manifests.
  uint64_t files_total = 0;
  uint64_t files_by_partition = 0, bytes_by_partition = 0;
  uint64_t files_by_bounds = 0, bytes_by_bounds = 0;
  uint64_t files_by_manifest = 0;
  uint64_t table_bytes = 0;  ///< Data files seen, skipped ones included.
};

struct ScanPlan {
  std::vector<ScanTask> tasks;  ///< In manifest order.
  PruneReport pruned;
};

/// A data file that was written and is not yet in any snapshot.
struct NewDataFile {
  DataFile file;
  /// Per leaf field id: compressed bytes, values, nulls, NaNs; for formats that keep them.
  struct LeafMetrics {
    FieldId field;
    std::optional<uint64_t> size_bytes, value_count, null_count, nan_count;
    std::optional<Scalar> lower, upper;  ///< Exact values of the data, not truncated.
  };
  std::vector<LeafMetrics> metrics;
};
struct NewDeleteFile {
  DeleteFile file;
  std::vector<NewDataFile::LeafMetrics> metrics;
};

enum class Intent : uint8_t { kAppend, kOverwrite, kDelete, kUpdate, kMerge };

/// What an operation read, so that a commit can tell whether a concurrent change matters.
struct ReadSet {
  ExprPtr predicate;  ///< Target rows that could matter, over ColumnOf(field id); null: any row.
  Isolation isolation = Isolation::kSerializable;
  /// Rows of other partitions do not matter either; absent: all partitions do.
  std::optional<std::vector<PartitionTuple>> partitions = {};
};

struct SchemaChange {
  std::optional<PartitionSpec> spec;  ///< Becomes the default spec; ids are assigned by the format.
  std::map<std::string, std::optional<std::string>> properties;  ///< Set, or removed when absent.
};

/// Everything one commit does.
struct Change {
  SnapshotPtr base;
  Intent intent = Intent::kAppend;
  std::vector<NewDataFile> added;
  std::vector<NewDeleteFile> added_deletes;
  std::vector<DataFilePtr> removed;           ///< Data files that leave the table.
  std::vector<std::string> referenced_files;  ///< Data files that `added_deletes` name.
  std::optional<ReadSet> read;                ///< Absent: blind append.
  std::optional<SchemaChange> metadata;
  std::map<std::string, std::string> summary;  ///< Extra snapshot summary entries.
};

struct Committed {
  SnapshotPtr snapshot;
};
/// A concurrent change makes this one wrong; nothing was changed, the change's files are garbage.
struct Conflicted {
  std::string reason;
};
/// The commit may or may not have happened, and checking failed too. Files must not be deleted.
struct OutcomeNotKnown {
  std::string reason;
};
using CommitOutcome = std::variant<Committed, Conflicted, OutcomeNotKnown>;

class Table {
 public:
  virtual ~Table() = default;
  /// Errors: kNotFound for a version that does not exist; kUnsupported naming a feature; kCorrupt naming file
  /// and place.
  virtual Result<SnapshotPtr> Load(const At& at, Account account, Cancellation cancellation) = 0;
  /// Live files that may hold wanted rows, with the deletes that may apply. Charges metadata reads and
  /// avoided bytes.
  virtual Result<ScanPlan> Plan(const Snapshot& snapshot, const ScanRequest& request, Account account,
                                Cancellation cancellation) = 0;
  /// A fresh path for a file of the partition; `suffix` such as ".parquet" or "-deletes.parquet".
  virtual std::string NewFilePath(const Snapshot& snapshot, const PartitionTuple& partition,
                                  std::string_view suffix) = 0;
  /// Retries lost races by itself while nothing conflicts. On an error, or on Conflicted, the files of the
  /// change that are not in the table are deleted.
  virtual Result<CommitOutcome> Commit(const Change& change, Account account, Cancellation cancellation) = 0;
  /// Rows of a metadata table ("snapshots", "files", ...). Errors: kNotFound; kUnsupported naming the table.
  struct MetadataRows {
    std::vector<Field> fields;
    std::vector<std::vector<Scalar>> rows;
  };
  virtual Result<MetadataRows> Metadata(const Snapshot& snapshot, std::string_view name, Account account,
                                        Cancellation cancellation) = 0;
};

}  // namespace weir::table
