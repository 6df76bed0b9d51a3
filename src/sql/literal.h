#pragma once

/// Literal text to values. Errors carry Spark's condition but no place. Thread rule: pure functions.
/// Spec: Spark SQL, "Literals".

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sql/token.h"
#include "type/scalar.h"

namespace weir::sql {

/// The text that a string token stands for: quotes off, escapes replaced unless it is raw.
std::string StringValue(std::string_view token);
/// The name that a token in backquotes stands for.
std::string QuotedNameValue(std::string_view token);

/// The value of a number token, negated if `is_negative`. An integer is the first of int, long and decimal
/// that holds it; a number with a point is a decimal, with an exponent a double. Errors: kInvalid with
/// INVALID_NUMERIC_LITERAL_RANGE or DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION.
Result<Scalar> NumberValue(const Token& token, bool is_negative);

/// The bytes of X'..': hexadecimal digits, with a zero in front if their number is odd. Nullopt: not
/// hexadecimal.
std::optional<std::string> HexValue(std::string_view digits);

}  // namespace weir::sql
