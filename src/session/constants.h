#pragma once

/// Constants of a statement, computed by the engine. Thread rule: one thread.

#include "exec/engine.h"
#include "plan/rewrite.h"

namespace weir::session {

/// Runs each expression as a query of one row, under the statement's semantics and cancellation; reads
/// nothing. Both outlive what is returned.
plan::EvaluateConstant ConstantsBy(exec::Engine& engine, const exec::RunContext& statement);

}  // namespace weir::session
