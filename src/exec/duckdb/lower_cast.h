#pragma once

/// Lowers casts with Spark's meaning. Thread rule: one thread.

#include "exec/duckdb/lower.h"

namespace weir::exec {

/// `column`: of CastMode::kStore, the quoted column that errors name.
Result<ParsedPtr> LowerCast(Lowering& lowering, ParsedPtr input, const Type& from, const Type& to,
                            CastMode mode, const std::string& column = {});

}  // namespace weir::exec
