#pragma once

/// Structs of a file as the table has them now: members by field id, those that the file lacks NULL. Only
/// where DuckDB's own mapping must not be used: inside of lists and maps it writes beyond its memory when a
/// member is missing, and where a struct keeps no member it loses which structs are NULL. Thread rule:
/// immutable.

#include <memory>

#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "duckdb/planner/expression.hpp"
#include "type/type.h"

namespace weir::exec {

/// True if the file's column must be read as it is and mapped by RemapExpression. `held` has field ids on
/// every level.
bool NeedsRemap(const duckdb::MultiFileColumnDefinition& held, const Field& field);

/// Maps what `column` gives, a value of the file's type, to `wanted`, the table's. NULL stays NULL at every
/// level.
duckdb::unique_ptr<duckdb::Expression> RemapExpression(duckdb::unique_ptr<duckdb::Expression> column,
                                                       const duckdb::MultiFileColumnDefinition& held,
                                                       const duckdb::MultiFileColumnDefinition& wanted);

}  // namespace weir::exec
