#pragma once

/// Weir's own aggregate functions, where DuckDB's would give another type, order or treatment of NULL.

namespace duckdb {
class ExtensionLoader;
}

namespace weir::exec {

void RegisterAggregates(duckdb::ExtensionLoader& loader);

}  // namespace weir::exec
