#pragma once

/// Lowers casts with Spark's meaning. Thread rule: one thread.

#include "exec/duckdb/lower.h"

namespace weir::exec {

Result<ParsedPtr> LowerCast(Lowering& lowering, ParsedPtr input, const Type& from, const Type& to,
                            CastMode mode);

}  // namespace weir::exec
