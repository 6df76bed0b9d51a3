#pragma once

/// + and - between dates, timestamps, days and intervals. Thread rule: pure functions.

#include "analyze/expression.h"

namespace weir::analyze {

/// Nullptr unless an operand is a date, a timestamp or an interval beside one of them.
/// Errors: kUnsupported for intervals that are not literals and for differences of instants.
Result<ExprPtr> AddTime(std::string_view name, const std::vector<ExprPtr>& args, const Context& context);
Result<ExprPtr> SubtractTime(std::string_view name, const std::vector<ExprPtr>& args, const Context& context);

}  // namespace weir::analyze
