#pragma once

/// A scan's filters in the form that the reader of one file may apply. DuckDB tests no row again that its
/// reader has let through or dropped, and its reader prunes by casting constants to the file's type and by
/// probing the file's Bloom filters; both are inexact for some types.

#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "duckdb/planner/table_filter.hpp"

namespace weir::exec {

/// Columns of bare files are found by name, those of tables by id.
bool IsColumn(const duckdb::MultiFileColumnDefinition& held, const duckdb::MultiFileColumnDefinition& wanted);

/// Filters that let the same rows through as `filters`, keyed as they are, for a file that holds `columns`
/// with ids assigned. A filter is turned into an expression over the values as the scan returns them where a
/// constant of it cannot be compared exactly with what the file stores. Filters that only spare work are
/// dropped there.
duckdb::TableFilterSet FiltersForFile(const duckdb::TableFilterSet& filters,
                                      const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
                                      const duckdb::vector<duckdb::MultiFileColumnDefinition>& global_columns,
                                      const duckdb::vector<duckdb::ColumnIndex>& global_column_ids);

/// The filter as a condition on what `column` gives; nothing if it only spares work.
duckdb::unique_ptr<duckdb::TableFilter> FilterOver(const duckdb::TableFilter& filter,
                                                   const duckdb::Expression& column);

}  // namespace weir::exec
