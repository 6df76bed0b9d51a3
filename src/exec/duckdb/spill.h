#pragma once

/// The folder into which DuckDB moves what does not fit its memory. Thread rule: any thread.

#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "duckdb/common/file_system.hpp"
#include "ledger/ledger.h"

namespace weir::exec {

/// Charges spilled bytes. DuckDB does not say whose rows it moves, so the statement that began last among
/// those that run pays; what moves while none runs is charged to the next.
class SpillMeter {
 public:
  using Handle = std::shared_ptr<void>;
  /// The ledger, if it is not null, pays until the handle is dropped.
  Handle Follow(std::shared_ptr<Ledger> ledger);
  void Charge(const Traffic& traffic);

 private:
  std::mutex mutex_;
  std::list<std::shared_ptr<Ledger>> running_;
  Traffic unclaimed_;
};

/// How DuckDB is told of a folder for spilling.
std::string SpillPathOf(const std::string& folder);
/// Serves paths of SpillPathOf from the machine's own files. Errors: kUnavailable naming the file, for a full
/// disk say.
duckdb::unique_ptr<duckdb::FileSystem> MakeSpillFileSystem(std::shared_ptr<SpillMeter> meter);

}  // namespace weir::exec
