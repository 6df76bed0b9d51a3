#pragma once

/// The table function weir_scan: DuckDB's Parquet reader over planned files. Columns are found by field id;
/// files, deletes and wanted rows come from a ScanSource registered by number; what DuckDB pushes down skips
/// files by their bounds and row groups by their statistics. Thread rule: a registered source is used from
/// any thread.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "exec/duckdb/file_system.h"
#include "exec/duckdb/key_filter.h"
#include "plan/logical.h"
#include "table/deletes.h"

namespace duckdb {
class BaseFileReader;
class ClientContext;
class Connection;
}  // namespace duckdb

namespace weir::exec {

/// One output column of a scan.
struct ScanOutput {
  std::string name;  ///< As DuckDB sees it.
  Type type;
  /// A table's column by id, a metadata column, or (files read by path) a column by name.
  std::variant<Field, plan::MetadataColumn, std::string> source;
};

/// One file of a scan.
struct ScanFile {
  duckdb::OpenFileInfo info;
  uint64_t row_count = 0;
  /// Index of the task; for a synthesized file, of the first.
  int32_t task = -1;
  std::shared_ptr<const pages::SynthesizedFile> synthesized;
  std::vector<int32_t> tasks_of_synthesized;  ///< Task index by the file number in its RowMap.
};

/// Names that stand in for field ids in files that have none.
using NameMapping = std::function<std::optional<FieldId>(const std::vector<std::string>& path)>;

/// What one weir_scan call reads.
struct ScanSource {
  std::string name;                 ///< For errors and the ledger.
  std::vector<ScanOutput> outputs;  ///< No source twice: DuckDB's reader would read it twice.
  /// For each output column of the plan node, the output that gives it.
  std::vector<std::string> column_names;
  std::vector<ScanFile> files;
  table::SnapshotPtr snapshot;  ///< Null for files read by path.
  std::shared_ptr<const std::vector<table::ScanTask>> tasks;
  std::shared_ptr<const plan::RowSelection> selection;
  std::shared_ptr<const KeyFilter> key_filter;  ///< Or null. Used where all key columns are read.
  std::shared_ptr<table::DeleteLoader> deletes;
  NameMapping name_mapping;              ///< Empty: files without field ids are mapped by position.
  std::vector<FieldId> equality_fields;  ///< In the order in which weir_not_deleted gets their values.
  bool describe = false;                 ///< Columns are those of the first file; `outputs` is empty.
  Cancellation cancellation;
  std::optional<Account> account;

  /// Adds an output under a name, unless one with its source exists; returns the name that has it.
  std::string Add(ScanOutput output);
  /// Counts rows as they leave, and follows readers to learn how many rows they decoded.
  void CountReturned(uint64_t rows) { returned_ += rows; }
  void Follow(duckdb::ClientContext& context, const duckdb::shared_ptr<duckdb::BaseFileReader>& reader);
  /// Books the counts to the account and forgets them. Call when the query has ended.
  void BookCounts(duckdb::ClientContext& context);

 private:
  struct Followed {
    duckdb::shared_ptr<duckdb::BaseFileReader> reader;
    uint64_t row_count = 0;
  };
  void CountDecoded(duckdb::ClientContext& context, bool all);
  std::atomic<uint64_t> returned_{0};
  std::mutex mutex_;
  std::vector<Followed> followed_;
  std::unordered_set<const duckdb::BaseFileReader*> known_;
  uint64_t decoded_ = 0;
};

/// Deletes of a task's file; an empty set if it has none.
Result<std::shared_ptr<const table::RowDeletes>> LoadDeletes(const ScanSource& source, int32_t task);

/// Registered sources by number. They live until withdrawn.
class Scans {
 public:
  uint64_t Register(std::shared_ptr<ScanSource> source);
  void Withdraw(uint64_t number);
  std::shared_ptr<ScanSource> Find(uint64_t number) const;

 private:
  mutable std::mutex mutex_;
  uint64_t next_ = 1;
  std::unordered_map<uint64_t, std::shared_ptr<ScanSource>> sources_;
};

inline constexpr char kScanFunction[] = "weir_scan";

/// Registers weir_scan(number text). Call once per database.
void RegisterScan(duckdb::Connection& connection, std::shared_ptr<Scans> scans);

}  // namespace weir::exec
