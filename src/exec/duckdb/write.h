#pragma once

/// Writes a plan's rows as data files of a table. Thread rule: one thread; it starts encoders of its own.

#include "exec/duckdb/query.h"

namespace weir::exec {

/// As Engine::Write.
Result<std::vector<table::NewDataFile>> WriteFiles(Query& query, const plan::NodePtr& plan,
                                                   const WriteRequest& request);

}  // namespace weir::exec
