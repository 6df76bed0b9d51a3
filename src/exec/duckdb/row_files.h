#pragma once

/// table::RowFiles over DuckDB's Parquet reader and writer. Thread rule: any thread.

#include <functional>
#include <memory>

#include "exec/duckdb/instance.h"
#include "table/row_files.h"

namespace weir::exec {

std::shared_ptr<table::RowFiles> MakeRowFiles(std::function<Result<std::shared_ptr<Instance>>()> current);

}  // namespace weir::exec
