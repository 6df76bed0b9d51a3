#pragma once

/// What columns Parquet files have. Thread rule: one thread.

#include "exec/duckdb/query.h"

namespace weir::exec {

/// Columns of the first file. Errors: kInvalid with UNABLE_TO_INFER_SCHEMA for no files; kCorrupt naming the
/// file.
Result<std::vector<Field>> DescribeFiles(Query& query, const std::vector<std::string>& paths);

}  // namespace weir::exec
