#pragma once

/// Weir's own functions inside DuckDB, for everything where DuckDB's namesake means something else than
/// Spark's.

#include <memory>

namespace duckdb {
class DatabaseInstance;
}

namespace weir::exec {

class Scans;

/// Registers all of them. Call once per database.
void RegisterFunctions(duckdb::DatabaseInstance& database, std::shared_ptr<Scans> scans);

}  // namespace weir::exec
