#include "exec/duckdb/functions/rounding.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

namespace weir::exec {

namespace {

bool RoundsUp(std::string_view digits, size_t kept, RoundMode mode) {
  if (kept >= digits.size() || digits[kept] < '5') return false;
  if (mode == RoundMode::kHalfUp || digits[kept] > '5') return true;
  if (digits.find_first_not_of('0', kept + 1) != std::string_view::npos) return true;
  return kept > 0 && (digits[kept - 1] - '0') % 2 == 1;
}

/// Adds one to a number given by its digits; may make it one digit longer.
void Increment(std::string& digits) {
  for (size_t i = digits.size(); i > 0; --i) {
    if (digits[i - 1] != '9') {
      ++digits[i - 1];
      return;
    }
    digits[i - 1] = '0';
  }
  digits.insert(digits.begin(), '1');
}

template <typename T>
T RoundFloating(T value, int64_t places, RoundMode mode) {
  if (!std::isfinite(value)) return value;
  if (value == 0) return T{0};  // A BigDecimal zero has no sign.
  char buffer[64];
  // The shortest text that reads back as the value: what Java's Double.toString gives.
  const auto end =
      std::to_chars(buffer, buffer + sizeof(buffer), std::fabs(value), std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<size_t>(end.ptr - buffer));
  const size_t e = text.find('e');
  std::string digits(1, text[0]);
  if (e > 1) digits += text.substr(2, e - 2);
  const int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());

  // digits stands for digits * 10^(exponent - size + 1); the first `kept` of them survive.
  const int64_t kept = exponent + 1 + places;
  if (kept >= static_cast<int64_t>(digits.size())) return value;
  if (kept < 0) return T{0};
  const bool up = RoundsUp(digits, static_cast<size_t>(kept), mode);
  digits.resize(static_cast<size_t>(kept));
  if (up) Increment(digits);
  if (digits.empty()) return T{0};
  const std::string rounded = digits + "e" + std::to_string(-places);
  T result = 0;
  std::from_chars(rounded.data(), rounded.data() + rounded.size(), result);
  return std::signbit(value) ? -result : result;
}

}  // namespace

double RoundDouble(double value, int64_t digits, RoundMode mode) {
  return RoundFloating(value, digits, mode);
}
float RoundFloat(float value, int64_t digits, RoundMode mode) {
  // Spark goes by the digits of the double: 2.675f is 2.674999952316284.
  return static_cast<float>(RoundFloating(static_cast<double>(value), digits, mode));
}

Int128 RoundIntegral(int64_t value, int64_t digits, RoundMode mode) {
  if (digits >= 0) return value;
  if (digits < -20) return 0;
  const Int128 unit = PowerOfTen(static_cast<int>(-digits));
  const Int128 magnitude = value < 0 ? -static_cast<Int128>(value) : static_cast<Int128>(value);
  const Int128 rest = magnitude % unit;
  Int128 rounded = magnitude - rest;
  const bool half = rest * 2 == unit;
  const bool odd = (magnitude / unit) % 2 != 0;
  if (rest * 2 > unit || (half && (mode == RoundMode::kHalfUp || odd))) rounded += unit;
  return value < 0 ? -rounded : rounded;
}

}  // namespace weir::exec
