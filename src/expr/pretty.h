#pragma once

/// Spark's short text of an expression: names columns that have no alias, and shows expressions in errors.
/// Coercions are left out, strings stand without quotes. Thread rule: pure function.

#include <string>

#include "expr/expr.h"

namespace weir {

/// Such as "(a + 1)", "count(DISTINCT x)", "CAST(x AS INT)", "upper(name)".
std::string PrettySql(const Expr& expr);
/// As a call of the function over the arguments would read; for calls that cannot be made.
std::string PrettyCall(const Function& function, std::span<const ExprPtr> args, bool distinct = false);

}  // namespace weir
