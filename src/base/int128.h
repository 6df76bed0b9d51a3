#pragma once

/// The 128-bit integer behind DECIMAL, and its decimal text. Thread rule: pure functions.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// 10^exponent for exponent in [0, 38].
Int128 PowerOfTen(int exponent);
std::string ToString(Int128 value);
/// Parses an optional sign and digits; nullopt if anything else is there or the value does not fit.
std::optional<Int128> ParseInt128(std::string_view text);

}  // namespace weir
