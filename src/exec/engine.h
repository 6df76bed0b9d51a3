#pragma once

/// Runs resolved plans. The only implementation is in exec/duckdb; nothing of DuckDB shows here.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancellation.h"
#include "ledger/ledger.h"
#include "plan/logical.h"
#include "storage/stores.h"
#include "table/row_files.h"
#include "type/batch.h"

namespace weir::exec {

/// Keys of a session's configuration that set the options below; errors name them.
inline constexpr std::string_view kMemoryKey = "spark.driver.memory";
inline constexpr std::string_view kSpillKey = "spark.local.dir";

struct EngineOptions {
  size_t threads = 0;  ///< 0: one per core.
  /// What statements may hold in memory together; beyond it they spill. The process needs some 250 MB more.
  /// 0: 512 MiB per thread, since each may hold a row group of what it reads; at least 1 GiB, at most 80 % of
  /// the machine's memory.
  uint64_t memory_limit_bytes = 0;
  /// Where the engine makes a folder of its own for spilling, which goes with it. Empty: the system's folder
  /// for temporary files.
  std::string spill_directory;
  uint64_t footer_cache_bytes = 64ull << 20;
};

/// What one statement runs under.
struct RunContext {
  std::shared_ptr<Ledger> ledger;
  Cancellation cancellation;
  Semantics semantics;
  /// Called now and then from any thread with a share in [0, 1], or -1 when unknown. May be empty.
  std::function<void(double)> progress;
};

/// Result rows as they are made. Thread rule: one thread. Dropping it stops the query.
class BatchStream {
 public:
  virtual ~BatchStream() = default;
  virtual const std::vector<plan::Column>& columns() const = 0;
  /// Nullopt at the end. Errors: Spark's conditions for errors in the data (DIVIDE_BY_ZERO,
  /// CAST_INVALID_INPUT, ...); kCancelled; kInternal for a failure of the executor.
  virtual Result<std::optional<Batch>> Next() = 0;
};

/// Rows kept by the engine (spilled when large) until the last copy is dropped.
class Relation {
 public:
  virtual ~Relation() = default;
  virtual int64_t id() const = 0;
  virtual const std::vector<plan::Column>& columns() const = 0;
  virtual int64_t row_count() const = 0;
};
using RelationPtr = std::shared_ptr<const Relation>;
/// A scan of the relation's columns under fresh ids.
plan::NodePtr ScanOf(const Relation& relation, plan::ColumnIds& ids);

/// How rows become data files.
struct WriteRequest {
  std::shared_ptr<table::Table> table;  ///< Names the files.
  table::SnapshotPtr snapshot;          ///< Schema, default spec, sort order, layout.
  std::string operator_name = "write";  ///< For the ledger.
};

/// How a scan by keys would read its files.
struct PageReport {
  size_t skipped_files = 0;                           ///< No row group or page can hold a key.
  size_t page_files = 0;                              ///< Read by pages.
  std::vector<std::pair<std::string, size_t>> plain;  ///< Files read plainly, by reason.
  uint64_t row_count = 0;                             ///< Rows of the selected pages.
  uint64_t selected_bytes = 0;                        ///< Their bytes, dictionaries included.
};

class Instance;

/// Thread rule: any thread; statements run side by side.
class Engine {
 public:
  /// `stores` must outlive the engine.
  static Result<std::unique_ptr<Engine>> Open(const EngineOptions& options, const Stores& stores);
  ~Engine();

  Result<std::unique_ptr<BatchStream>> Run(const plan::NodePtr& plan, const RunContext& context);
  Result<RelationPtr> Materialize(const plan::NodePtr& plan, const RunContext& context);
  /// Writes the plan's rows (exactly the table's columns, in order) clustered by partition and sorted inside
  /// each file; returns the files with metrics. On an error every file it wrote is deleted. NOT NULL columns
  /// are checked: NOT_NULL_ASSERT_VIOLATION.
  Result<std::vector<table::NewDataFile>> Write(const plan::NodePtr& plan, const WriteRequest& request,
                                                const RunContext& context);
  /// Columns of Parquet files for parquet.`path`. Errors: kInvalid (UNABLE_TO_INFER_SCHEMA), kCorrupt.
  Result<std::vector<Field>> DescribeParquet(const std::vector<std::string>& paths,
                                             const RunContext& context);
  /// What the executor would pick for a file scan, from footers and page indexes alone; nullopt for a scan
  /// that it does not read by keys. Errors: those of damaged footers and of the stores.
  Result<std::optional<PageReport>> DescribePages(const plan::NodePtr& scan, const RunContext& context);
  std::shared_ptr<table::RowFiles> row_files();
  /// How many threads a statement may keep busy; at least 1.
  size_t threads() const;

 private:
  /// The database of the moment, for tests of failures in it.
  friend std::shared_ptr<Instance> InstanceOf(Engine& engine);
  struct State;
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::exec
