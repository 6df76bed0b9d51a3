#pragma once

/// Decimal arithmetic with intermediate results as wide as needed, rounded half up. Thread rule: pure
/// functions.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/int128.h"

namespace weir::exec {

/// An unscaled decimal with its scale.
struct Decimal {
  Int128 unscaled = 0;
  int scale = 0;
};

/// Each gives the unscaled value at `scale`, rounded half up; nullopt if it does not fit `precision` digits.
std::optional<Int128> AddDecimals(Decimal a, Decimal b, int precision, int scale);
std::optional<Int128> SubtractDecimals(Decimal a, Decimal b, int precision, int scale);
std::optional<Int128> MultiplyDecimals(Decimal a, Decimal b, int precision, int scale);
/// Precondition: b is not zero.
std::optional<Int128> DivideDecimals(Decimal a, Decimal b, int precision, int scale);
/// The remainder with the dividend's sign. Precondition: b is not zero.
std::optional<Int128> RemainderOfDecimals(Decimal a, Decimal b, int precision, int scale);
std::optional<Int128> RescaleDecimal(Decimal a, int precision, int scale);
/// Rounds half to even.
std::optional<Int128> RescaleHalfEven(Decimal a, int precision, int scale);
/// The whole quotient, truncated towards zero; nullopt beyond 128 bits. Precondition: b is not zero.
std::optional<Int128> QuotientOfDecimals(Decimal a, Decimal b);

enum class DecimalParse : uint8_t { kOk, kMalformed, kOutOfRange };
/// Reads "[+-]digits[.digits][e[+-]digits]" and rounds to `scale`. kMalformed if it is no number.
DecimalParse ParseDecimal(std::string_view text, int precision, int scale, Int128& unscaled);

/// True if |value| has at most `precision` digits.
bool FitsPrecision(Int128 value, int precision);

}  // namespace weir::exec
