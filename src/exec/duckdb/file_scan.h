#pragma once

/// Lowers scans of files to weir_scan: plain, by selected rows, or page by page for keys. Thread rule: one
/// thread.

#include "exec/duckdb/lower.h"
#include "exec/duckdb/scan.h"

namespace weir::exec {

/// True if the scan goes through its pages (see page_scan.h).
bool ReadsPages(const plan::Node& node, const plan::FileScan& scan);
/// Errors: kUnsupported naming a data file that is not Parquet; those of the stores and of damaged footers.
Result<QueryPtr> LowerFileScan(Lowering& lowering, const plan::Node& node, const plan::FileScan& scan);
Result<QueryPtr> LowerPathScan(Lowering& lowering, const plan::Node& node, const plan::PathScan& scan);

/// A source with the scan's columns, deletes and selection, and no file yet.
Result<std::shared_ptr<ScanSource>> SourceOf(Lowering& lowering, const plan::Node& node,
                                             const plan::FileScan& scan);
/// The filter of the scan's keys; null if they are not known one by one, or of a type that a file stores in
/// another way.
Result<std::shared_ptr<const KeyFilter>> KeyFilterOf(const plan::FileScan& scan);
/// Adds a task's file, unless no row of it is selected.
Status AddTaskFile(Query& query, ScanSource& source, size_t task);
/// A file by path, whose size is asked of the store. Errors: kNotFound.
Result<ScanFile> PathFile(Query& query, const std::string& path, const Account& account);

/// weir_scan of a registered source.
TablePtr ScanTable(uint64_t number, const std::string& alias);
/// SELECT of the node's columns from the source.
Result<QueryPtr> SelectScan(Query& query, const plan::Node& node, std::shared_ptr<ScanSource> source);

}  // namespace weir::exec
