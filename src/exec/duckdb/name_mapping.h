#pragma once

/// The table property that gives field ids to files written without them. Thread rule: pure functions.
/// Spec: Iceberg, "Column Projection", name mapping.

#include "exec/duckdb/scan.h"

namespace weir::exec {

/// Empty if the table has none. Errors: kCorrupt if the property is not valid.
Result<NameMapping> NameMappingOf(const table::Snapshot& snapshot);
/// Names under which a file without ids may hold a top-level field; empty without a mapping.
Result<std::vector<std::string>> MappedNames(const table::Snapshot& snapshot, FieldId id);

}  // namespace weir::exec
