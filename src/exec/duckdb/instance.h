#pragma once

/// A DuckDB database in memory, configured for Weir: no extensions from outside, no caches of files, our file
/// system and functions. DuckDB declares a database unusable after a failure inside itself; then the engine
/// opens another. Thread rule: any thread.

#include <memory>
#include <string>

#include "exec/duckdb/file_system.h"
#include "exec/duckdb/scan.h"
#include "exec/duckdb/spill.h"
#include "exec/engine.h"

namespace duckdb {
class Connection;
class DatabaseInstance;
class DuckDB;
}  // namespace duckdb

namespace weir::exec {

class Instance {
 public:
  /// `options.threads` is a number of threads. `spill_directory` is made when it is needed; its parent
  /// exists. Errors: kInvalid for options that DuckDB refuses.
  static Result<std::shared_ptr<Instance>> Open(const EngineOptions& options,
                                                const std::string& spill_directory);
  ~Instance();

  /// A connection in UTC with progress counted and not shown.
  Result<std::unique_ptr<duckdb::Connection>> Connect();
  /// True after an internal failure: running queries end, no new one will start.
  bool invalidated() const;
  size_t threads() const;
  Tickets& tickets() { return *tickets_; }
  Scans& scans() { return *scans_; }
  SpillMeter& spill() { return *spill_; }

 private:
  Instance();
  Status Configure(const EngineOptions& options, const std::string& spill_directory);
  std::shared_ptr<Tickets> tickets_;
  std::shared_ptr<Scans> scans_;
  std::shared_ptr<SpillMeter> spill_;
  std::unique_ptr<duckdb::DuckDB> database_;
};

/// The database that an engine runs on; null if it cannot open one.
std::shared_ptr<Instance> InstanceOf(Engine& engine);

}  // namespace weir::exec
