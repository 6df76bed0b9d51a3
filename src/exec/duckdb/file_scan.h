#pragma once

/// Lowers scans of files to weir_scan: plain, by selected rows, or page by page for keys. Thread rule: one
/// thread.

#include "exec/duckdb/lower.h"

namespace weir::exec {

/// Errors: kUnsupported naming a data file that is not Parquet; those of the stores and of damaged footers.
Result<QueryPtr> LowerFileScan(Lowering& lowering, const plan::Node& node, const plan::FileScan& scan);
Result<QueryPtr> LowerPathScan(Lowering& lowering, const plan::Node& node, const plan::PathScan& scan);
/// weir_scan over the source, offering its outputs by name.
TablePtr ScanTable(Query& query, std::shared_ptr<ScanSource> source, const std::string& alias);

}  // namespace weir::exec
