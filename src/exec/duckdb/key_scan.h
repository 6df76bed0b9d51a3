#pragma once

/// Scans for keys page by page: only pages whose bounds admit a key are read, and DuckDB sees them as files in memory.
/// Rows come back under their place in the data files. Thread rule: one thread.

#include "exec/duckdb/lower.h"

namespace weir::exec {

/// True if the scan has keys and asks for nothing but key columns and a row's place.
bool CanReadPages(const plan::Node& node, const plan::FileScan& scan);
Result<QueryPtr> LowerKeyScan(Lowering& lowering, const plan::Node& node, const plan::FileScan& scan);

}  // namespace weir::exec
