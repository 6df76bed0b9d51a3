#pragma once

/// Which file types may be read as which table types: those that the table format lets a column be promoted
/// from. DuckDB would cast anything, and so hide that a file is not what the table says. Thread rule: pure
/// functions. Spec: Iceberg, "Schema Evolution".

#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "type/type.h"

namespace weir::exec {

/// `column` is what the file holds, with field ids on every level; members that the file lacks are fine.
/// Errors: kCorrupt naming the column and both types.
Status CheckReadable(const duckdb::MultiFileColumnDefinition& column, const Field& field);

}  // namespace weir::exec
