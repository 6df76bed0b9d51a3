#pragma once

/// INTERVAL literals of the two ANSI families. Errors carry Spark's condition but no place.
/// Thread rule: pure functions. Spec: Spark SQL, "Interval literals".

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "type/scalar.h"

namespace weir::sql {

struct IntervalLiteral {
  Scalar value;      ///< Of an interval type.
  std::string text;  ///< As Spark prints it: "INTERVAL '1-2' YEAR TO MONTH".
};

/// One part of INTERVAL 1 DAY '2' HOURS; `number` has its sign and no quotes, `unit` is lower case and
/// singular.
struct IntervalPart {
  std::string number;
  std::string unit;
};

/// Errors: kInvalid with INVALID_INTERVAL_FORMAT.*, INTERVAL_ARITHMETIC_OVERFLOW.*, or, for units of both
/// families, _LEGACY_ERROR_TEMP_0029 whose parameter is `source`.
Result<IntervalLiteral> IntervalOfParts(const std::vector<IntervalPart>& parts, std::string_view source);

/// The typed literal INTERVAL '1 day 2 hours'. Errors: as IntervalOfParts, and kInvalid without a condition
/// if the text is no interval.
Result<IntervalLiteral> IntervalOfText(std::string_view text, std::string_view source);

/// INTERVAL '1 02' DAY TO HOUR; the units are lower case. Errors: kInvalid with INVALID_INTERVAL_FORMAT.*.
Result<IntervalLiteral> IntervalFromTo(std::string_view text, std::string_view from, std::string_view to);

/// "INTERVAL '1-2' YEAR TO MONTH" or "INTERVAL '1 02:03:04.5' DAY TO SECOND". Precondition: of an interval
/// type.
std::string IntervalSql(const Scalar& value);

}  // namespace weir::sql
