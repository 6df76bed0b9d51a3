#include "base/int128.h"

#include <algorithm>

namespace weir {

Int128 PowerOfTen(int exponent) {
  Int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

std::string ToString(Int128 value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  UInt128 rest = negative ? UInt128(0) - static_cast<UInt128>(value) : static_cast<UInt128>(value);
  std::string text;
  for (; rest != 0; rest /= 10) text.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  if (negative) text.push_back('-');
  std::reverse(text.begin(), text.end());
  return text;
}

std::optional<Int128> ParseInt128(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return std::nullopt;
  Int128 value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    if (__builtin_mul_overflow(value, Int128(10), &value)) return std::nullopt;
    if (__builtin_sub_overflow(value, Int128(c - '0'), &value)) return std::nullopt;
  }
  // Accumulated below zero, since the lowest value has no positive twin.
  if (!negative && __builtin_sub_overflow(Int128(0), value, &value)) return std::nullopt;
  return value;
}

}  // namespace weir
