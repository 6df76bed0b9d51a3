#pragma once

/// Which expressions may raise an error. Thread rule: pure functions.

#include "expr/expr.h"

namespace weir {

/// False if `expr` has a value, NULL perhaps, whatever its columns hold; true if it may raise an error, or if
/// that is not known. What may fail must not run on rows that Spark does not evaluate it for.
bool MayFail(const Expr& expr);

}  // namespace weir
