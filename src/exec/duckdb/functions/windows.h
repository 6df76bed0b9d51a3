#pragma once

/// Functions over windows. Thread rule: pure functions.

#include "exec/duckdb/functions/lowering_table.h"

namespace weir::exec {

/// DuckDB's aggregate over the site's window, for rows that pass `condition` if there is one.
Result<ParsedPtr> AggregateOver(const CallSite& site, const char* function, ParsedList arguments,
                                ParsedPtr condition);
/// The first or last value of the site's window.
Result<ParsedPtr> PickOver(const CallSite& site, bool first, bool skip_nulls, ParsedList arguments);

}  // namespace weir::exec
