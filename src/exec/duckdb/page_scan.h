#pragma once

/// Scans page by page: of all pages only those are read whose bounds admit a key, or which hold a selected
/// row. DuckDB sees them as files in memory; rows come back under their place in the data files. Thread rule:
/// one thread.

#include "exec/duckdb/lower.h"
#include "exec/engine.h"

namespace weir::exec {

/// True if the scan has keys and asks for nothing but key columns and a row's place, or selects rows and asks
/// for columns that are not nested.
bool CanReadPages(const plan::Node& node, const plan::FileScan& scan);
/// Precondition: CanReadPages, and no equality deletes.
Result<QueryPtr> LowerPageScan(Lowering& lowering, const plan::Node& node, const plan::FileScan& scan);

/// What LowerPageScan would pick for a scan by keys, without reading a page. Precondition: as LowerPageScan.
Result<PageReport> DescribePageScan(Query& query, const plan::Node& node, const plan::FileScan& scan);

}  // namespace weir::exec
