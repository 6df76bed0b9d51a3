#pragma once

/// EXPLAIN: what a statement would do, with the files that planning leaves out and why. Thread rule: one
/// thread.

#include <string>

#include "ops/operation.h"
#include "plan/command.h"

namespace weir::session {

/// The plan as text. Scans are planned against the table's metadata; for MERGE the source is evaluated too,
/// since its values decide what is read. No data file of a target is read and nothing is written.
Result<std::string> Explain(const plan::ExplainCommand& command, const ops::OperationContext& context);

}  // namespace weir::session
