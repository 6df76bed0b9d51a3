#pragma once

/// One running statement: its connection, and what it has registered with the database, withdrawn at the end.
/// Thread rule: one thread, but for cancellation and progress.

#include <memory>
#include <string>
#include <vector>

#include "exec/duckdb/drive.h"
#include "exec/duckdb/instance.h"
#include "exec/duckdb/relation.h"
#include "exec/duckdb/watch.h"
#include "exec/engine.h"
#include "pages/footer_cache.h"
#include "table/row_files.h"

namespace weir::exec {

/// What statements of an engine share.
struct Shared {
  std::shared_ptr<Relations> relations;
  const Stores* stores = nullptr;
  std::shared_ptr<table::RowFiles> row_files;
  std::shared_ptr<pages::FooterCache> footers;
  std::shared_ptr<Watch> watch;
};

class Query {
 public:
  static Result<std::unique_ptr<Query>> Start(std::shared_ptr<Instance> instance, Shared shared,
                                              RunContext context);
  ~Query();

  duckdb::Connection& connection() { return *connection_; }
  Instance& instance() { return *instance_; }
  const Shared& shared() const { return shared_; }
  const RunContext& context() const { return context_; }

  /// A file for a scan; `uri` as the table spells it. Errors: those of Stores::Find.
  Result<duckdb::OpenFileInfo> AddFile(const std::string& uri, uint64_t size_bytes, const Account& account);
  duckdb::OpenFileInfo AddFile(std::shared_ptr<const pages::SynthesizedFile> file);
  /// The table of a kept relation, which stays while the statement runs. Errors: kInternal if it is gone, or
  /// was lost when the executor had to start anew.
  Result<std::string> RelationTable(int64_t id);
  /// The number to pass to weir_scan.
  uint64_t AddScan(std::shared_ptr<ScanSource> source);

  /// Runs a statement on the connection; see RunStatement.
  Result<duckdb::unique_ptr<duckdb::QueryResult>> Send(duckdb::unique_ptr<duckdb::SQLStatement> statement,
                                                       Delivery delivery);
  /// The next rows; null at the end.
  Result<duckdb::unique_ptr<duckdb::DataChunk>> Fetch(duckdb::QueryResult& result);

  /// Lets rows that are not sorted come in any order, which is faster. For this statement only.
  Status AllowAnyOrder();
  /// An error of DuckDB in this statement: cancelled if it was asked for.
  Error Translate(const duckdb::ErrorData& data) const;
  /// Books row counts. Call when the last row has been taken.
  void BookCounts();

 private:
  Query(std::shared_ptr<Instance> instance, Shared shared, RunContext context);

  std::shared_ptr<Instance> instance_;
  Shared shared_;
  RunContext context_;
  SpillMeter::Handle spill_;
  std::unique_ptr<duckdb::Connection> connection_;
  Watch::Handle watch_;
  std::vector<uint64_t> tickets_;
  std::vector<std::pair<uint64_t, std::shared_ptr<ScanSource>>> scans_;
  std::vector<std::shared_ptr<const KeptRelation>> used_relations_;
};

}  // namespace weir::exec
