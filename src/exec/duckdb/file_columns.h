#pragma once

/// The columns of one Parquet file as DuckDB describes them: their field ids and their parts. Thread rule:
/// pure functions.

#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "exec/duckdb/scan.h"

namespace weir::exec {

using FileColumn = duckdb::MultiFileColumnDefinition;
using FileColumns = duckdb::vector<FileColumn>;

/// Gives every column an id, at every level. A file that has none gets them by the table's name mapping, else
/// by position from 1, as Iceberg does; what still has none gets one that matches nothing.
void AssignIds(FileColumns& columns, const NameMapping& mapping);

/// The column with the id among `columns`, not below; null if there is none.
const FileColumn* FindColumn(const FileColumns& columns, int32_t id);

/// What a column consists of by the table's count: members, the element, key and value. In a file keys and
/// values are members of the group that repeats.
const FileColumns& PartsOf(const FileColumn& column);

/// A copy in which maps have their keys and values themselves, as in tables, at every level.
FileColumn AsTableColumn(const FileColumn& column);

}  // namespace weir::exec
