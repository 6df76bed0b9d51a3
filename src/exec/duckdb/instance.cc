#include "exec/duckdb/instance.h"

#include <algorithm>
#include <thread>

#include "duckdb/common/virtual_file_system.hpp"
#include "duckdb/main/client_config.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/main/config.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/main/database.hpp"
#include "duckdb/main/query_result.hpp"
#include "duckdb/main/valid_checker.hpp"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/functions/registry.h"

namespace weir::exec {

namespace {

uint64_t MemoryLimitOf(const EngineOptions& options) {
  if (options.memory_limit_bytes > 0) return options.memory_limit_bytes;
  constexpr uint64_t kBytesPerThread = 512_MiB, kLeastBytes = 1024_MiB;
  const uint64_t wanted = std::max(options.threads * kBytesPerThread, kLeastBytes);
  const duckdb::optional_idx memory = duckdb::FileSystem::GetAvailableMemory();
  return memory.IsValid() ? std::min<uint64_t>(wanted, memory.GetIndex() / 5 * 4) : wanted;
}

}  // namespace

Instance::Instance()
    : tickets_(std::make_shared<Tickets>()),
      scans_(std::make_shared<Scans>()),
      spill_(std::make_shared<SpillMeter>()) {}
Instance::~Instance() = default;

Result<std::shared_ptr<Instance>> Instance::Open(const EngineOptions& options,
                                                 const std::string& spill_directory) {
  std::shared_ptr<Instance> instance(new Instance());
  WEIR_DO(Guard([&]() -> Status { return instance->Configure(options, spill_directory); }));
  return instance;
}

Status Instance::Configure(const EngineOptions& options, const std::string& spill_directory) {
  using duckdb::Value;
  duckdb::DBConfig config;
  config.SetOptionByName("autoinstall_known_extensions", Value::BOOLEAN(false));
  config.SetOptionByName("autoload_known_extensions", Value::BOOLEAN(false));
  config.SetOptionByName("enable_external_file_cache", Value::BOOLEAN(false));
  config.SetOptionByName("allow_persistent_secrets", Value::BOOLEAN(false));
  config.SetOptionByName("temp_directory", Value(SpillPathOf(spill_directory)));
  config.SetOptionByName("threads", Value::UBIGINT(options.threads));
  config.SetOptionByName("memory_limit", Value(std::to_string(MemoryLimitOf(options)) + "B"));
  database_ = std::make_unique<duckdb::DuckDB>(nullptr, &config);
  database_->GetFileSystem().RegisterSubSystem(MakeFileSystem(tickets_));
  database_->GetFileSystem().RegisterSubSystem(MakeSpillFileSystem(spill_));
  duckdb::Connection connection(*database_);
  RegisterScan(connection, scans_);
  RegisterFunctions(*database_->instance, scans_);
  return {};
}

Result<std::unique_ptr<duckdb::Connection>> Instance::Connect() {
  return Guard([&]() -> Result<std::unique_ptr<duckdb::Connection>> {
    auto connection = std::make_unique<duckdb::Connection>(*database_);
    duckdb::ClientConfig& config = connection->context->config;
    config.enable_progress_bar = true;
    config.print_progress_bar = false;
    config.wait_time = 0;
    config.use_replacement_scans = false;
    // Instants become wall clock readings only where a query names the zone (functions/time.cc).
    for (const char* setting : {"SET TimeZone = 'UTC'", "SET dynamic_or_filter_threshold = 10000"}) {
      auto result = connection->Query(setting);
      if (result->HasError()) return ToError(result->GetErrorObject());
    }
    return connection;
  });
}

bool Instance::invalidated() const { return duckdb::ValidChecker::IsInvalidated(*database_->instance); }
size_t Instance::threads() const { return database_->instance->NumberOfThreads(); }

}  // namespace weir::exec
