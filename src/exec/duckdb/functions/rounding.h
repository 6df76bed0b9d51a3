#pragma once

/// Rounding as Spark's round and bround do it: on the decimal text of the value, not on its binary form.
/// Thread rule: pure functions.

#include <cstdint>
#include <optional>

#include "base/int128.h"

namespace weir::exec {

enum class RoundMode : uint8_t { kHalfUp, kHalfEven };

/// `value` rounded to `digits` digits behind the point (in front of it when negative). NaN and infinities
/// stay.
double RoundDouble(double value, int64_t digits, RoundMode mode);
float RoundFloat(float value, int64_t digits, RoundMode mode);
/// `value` rounded to a multiple of 10^-digits, digits <= 0; wide enough for every integral type.
Int128 RoundIntegral(int64_t value, int64_t digits, RoundMode mode);

}  // namespace weir::exec
