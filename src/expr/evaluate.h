#pragma once

/// The meaning of the prunable predicates on single values, which judges the bounds rules in their tests, and
/// the casts that keep order. Thread rule: pure functions.

#include <functional>

#include "expr/expr.h"

namespace weir {

/// The value of a column in the row at hand.
using ColumnLookup = std::function<Result<Scalar>(const ColumnRef&)>;

/// Evaluates literals, columns, casts that keep order, and = < <= > >= <=> and or not in isnull isnotnull
/// isnan startswith like, by Spark's rules. Errors: kUnsupported for any other expression; kInvalid where a
/// cast does not fit or a LIKE pattern is wrong; what `columns` returns.
Result<Scalar> EvaluateRow(const Expr& expr, const ColumnLookup& columns);

/// CAST where it keeps the order of values and needs no time zone: WidenTo, integers to the nearest float and
/// double, timestamp_ntz to date. Errors: kInvalid for other pairs and for values that do not fit.
Result<Scalar> CastInOrder(const Scalar& value, const Type& type);
/// True if CastInOrder succeeds for every value of type `from`.
bool CastAlwaysFits(const Type& from, const Type& to);

}  // namespace weir
