#include "exec/duckdb/functions/decimal_math.h"

#include <algorithm>

namespace weir::exec {

namespace {

/// An unsigned number of 256 bits, most significant half first.
struct Wide {
  UInt128 high = 0;
  UInt128 low = 0;
};

UInt128 Magnitude(Int128 value) {
  return value < 0 ? -static_cast<UInt128>(value) : static_cast<UInt128>(value);
}

Wide Multiply(UInt128 a, UInt128 b) {
  constexpr UInt128 kMask = ~uint64_t{0};
  const UInt128 a0 = a & kMask, a1 = a >> 64, b0 = b & kMask, b1 = b >> 64;
  const UInt128 p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
  const UInt128 middle = (p00 >> 64) + (p01 & kMask) + (p10 & kMask);
  return {p11 + (p01 >> 64) + (p10 >> 64) + (middle >> 64), (middle << 64) | (p00 & kMask)};
}

Wide Add(Wide a, Wide b) {
  Wide sum{a.high + b.high, a.low + b.low};
  if (sum.low < a.low) ++sum.high;
  return sum;
}

Wide Subtract(Wide a, Wide b) {
  Wide difference{a.high - b.high, a.low - b.low};
  if (a.low < b.low) --difference.high;
  return difference;
}

bool Less(const Wide& a, const Wide& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }

struct Division {
  Wide quotient;
  Wide remainder;
};

Division Divide(Wide a, Wide b) {
  if (a.high == 0 && b.high == 0) return {{0, a.low / b.low}, {0, a.low % b.low}};
  Division result;
  for (int bit = 255; bit >= 0; --bit) {
    result.remainder = {(result.remainder.high << 1) | (result.remainder.low >> 127),
                        result.remainder.low << 1};
    const UInt128 half = bit >= 128 ? a.high : a.low;
    result.remainder.low |= (half >> (bit & 127)) & 1;
    if (!Less(result.remainder, b)) {
      result.remainder = Subtract(result.remainder, b);
      (bit >= 128 ? result.quotient.high : result.quotient.low) |= static_cast<UInt128>(1) << (bit & 127);
    }
  }
  return result;
}

/// 10^exponent for exponent in [0, 76].
Wide Power(int exponent) {
  const int first = std::min(exponent, 38);
  return Multiply(static_cast<UInt128>(PowerOfTen(first)),
                  static_cast<UInt128>(PowerOfTen(exponent - first)));
}

enum class Rounding : uint8_t { kHalfUp, kHalfEven };

/// value / divisor, rounded.
Wide DivideRounded(Wide value, Wide divisor, Rounding rounding) {
  Division division = Divide(value, divisor);
  const Wide twice = Add(division.remainder, division.remainder);
  bool up = !Less(twice, divisor);
  if (up && rounding == Rounding::kHalfEven && !Less(divisor, twice)) up = (division.quotient.low & 1) != 0;
  if (up) division.quotient = Add(division.quotient, {0, 1});
  return division.quotient;
}

std::optional<Int128> Signed(Wide magnitude, bool negative, int precision) {
  if (magnitude.high != 0 || magnitude.low >= static_cast<UInt128>(PowerOfTen(precision)))
    return std::nullopt;
  const auto value = static_cast<Int128>(magnitude.low);
  return negative ? -value : value;
}

/// Brings a magnitude from one scale to another.
std::optional<Int128> Rescale(Wide magnitude, bool negative, int from, int to, int precision,
                              Rounding rounding) {
  if (to > from) {
    // Beyond 38 digits nothing but zero fits anyway.
    if (magnitude.high == 0 && magnitude.low == 0) return 0;
    if (magnitude.high != 0 || to - from > 38) return std::nullopt;
    return Signed(Multiply(magnitude.low, static_cast<UInt128>(PowerOfTen(to - from))), negative, precision);
  }
  if (to < from) magnitude = DivideRounded(magnitude, Power(std::min(from - to, 76)), rounding);
  return Signed(magnitude, negative, precision);
}

/// Both operands at one scale, as magnitudes. Two scales differ by at most 38, so 256 bits hold the result.
Wide ScaledUp(Decimal value, int scale) {
  return Multiply(Magnitude(value.unscaled), static_cast<UInt128>(PowerOfTen(scale - value.scale)));
}

}  // namespace

std::optional<Int128> AddDecimals(Decimal a, Decimal b, int precision, int scale) {
  const int common = std::max(a.scale, b.scale);
  const Wide left = ScaledUp(a, common), right = ScaledUp(b, common);
  const bool left_negative = a.unscaled < 0, right_negative = b.unscaled < 0;
  if (left_negative == right_negative) {
    return Rescale(Add(left, right), left_negative, common, scale, precision, Rounding::kHalfUp);
  }
  if (Less(left, right)) {
    return Rescale(Subtract(right, left), right_negative, common, scale, precision, Rounding::kHalfUp);
  }
  return Rescale(Subtract(left, right), left_negative, common, scale, precision, Rounding::kHalfUp);
}

std::optional<Int128> SubtractDecimals(Decimal a, Decimal b, int precision, int scale) {
  b.unscaled = -b.unscaled;
  return AddDecimals(a, b, precision, scale);
}

std::optional<Int128> MultiplyDecimals(Decimal a, Decimal b, int precision, int scale) {
  return Rescale(Multiply(Magnitude(a.unscaled), Magnitude(b.unscaled)), (a.unscaled < 0) != (b.unscaled < 0),
                 a.scale + b.scale, scale, precision, Rounding::kHalfUp);
}

std::optional<Int128> DivideDecimals(Decimal a, Decimal b, int precision, int scale) {
  // a / b at `scale` is a * 10^(scale - a.scale + b.scale) / b.
  const int shift = scale - a.scale + b.scale;
  Wide dividend{0, Magnitude(a.unscaled)};
  Wide divisor{0, Magnitude(b.unscaled)};
  if (shift >= 0) {
    if (shift > 38) {
      // Within 76 digits: 10^38 first, then the rest as far as it fits.
      dividend = Multiply(dividend.low, static_cast<UInt128>(PowerOfTen(38)));
      for (int i = 38; i < shift; ++i) {
        const Wide next = Multiply(dividend.low, 10);
        if (dividend.high > (~static_cast<UInt128>(0)) / 10) return std::nullopt;
        dividend = {dividend.high * 10 + next.high, next.low};
      }
    } else {
      dividend = Multiply(dividend.low, static_cast<UInt128>(PowerOfTen(shift)));
    }
  } else {
    divisor = Multiply(divisor.low, static_cast<UInt128>(PowerOfTen(-shift)));
  }
  return Signed(DivideRounded(dividend, divisor, Rounding::kHalfUp), (a.unscaled < 0) != (b.unscaled < 0),
                precision);
}

std::optional<Int128> RemainderOfDecimals(Decimal a, Decimal b, int precision, int scale) {
  const int common = std::max(a.scale, b.scale);
  const Wide rest = Divide(ScaledUp(a, common), ScaledUp(b, common)).remainder;
  return Rescale(rest, a.unscaled < 0, common, scale, precision, Rounding::kHalfUp);
}

std::optional<Int128> RescaleDecimal(Decimal a, int precision, int scale) {
  return Rescale({0, Magnitude(a.unscaled)}, a.unscaled < 0, a.scale, scale, precision, Rounding::kHalfUp);
}

std::optional<Int128> RescaleHalfEven(Decimal a, int precision, int scale) {
  return Rescale({0, Magnitude(a.unscaled)}, a.unscaled < 0, a.scale, scale, precision, Rounding::kHalfEven);
}

std::optional<Int128> QuotientOfDecimals(Decimal a, Decimal b) {
  const int common = std::max(a.scale, b.scale);
  const Wide quotient = Divide(ScaledUp(a, common), ScaledUp(b, common)).quotient;
  if (quotient.high != 0 || quotient.low > static_cast<UInt128>(~static_cast<UInt128>(0) >> 1))
    return std::nullopt;
  const auto value = static_cast<Int128>(quotient.low);
  return (a.unscaled < 0) != (b.unscaled < 0) ? -value : value;
}

bool FitsPrecision(Int128 value, int precision) {
  return Magnitude(value) < static_cast<UInt128>(PowerOfTen(precision));
}

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Digits and the place of the point, without sign.
struct Digits {
  std::string_view whole, fraction;
  int64_t exponent = 0;
  bool ok = false;
};

Digits SplitDigits(std::string_view text) {
  Digits digits;
  size_t at = 0;
  while (at < text.size() && IsDigit(text[at])) ++at;
  digits.whole = text.substr(0, at);
  if (at < text.size() && text[at] == '.') {
    const size_t from = ++at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    digits.fraction = text.substr(from, at - from);
  }
  if (digits.whole.empty() && digits.fraction.empty()) return digits;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool negative = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const size_t from = at;
    while (at < text.size() && IsDigit(text[at])) {
      digits.exponent = std::min<int64_t>(digits.exponent * 10 + (text[at++] - '0'), 1'000'000);
    }
    if (at == from) return digits;
    if (negative) digits.exponent = -digits.exponent;
  }
  digits.ok = at == text.size();
  return digits;
}

}  // namespace

DecimalParse ParseDecimal(std::string_view text, int precision, int scale, Int128& unscaled) {
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  const Digits digits = SplitDigits(text);
  if (!digits.ok) return DecimalParse::kMalformed;
  // Position of a digit counted from the point: the digit at `place` is worth 10^place.
  int64_t place = static_cast<int64_t>(digits.whole.size()) - 1 + digits.exponent;
  // Ten times this has more digits than any decimal.
  const auto kFull = static_cast<UInt128>(PowerOfTen(37));
  UInt128 value = 0;
  bool round_up = false;
  for (std::string_view part : {digits.whole, digits.fraction}) {
    for (char c : part) {
      const int digit = c - '0';
      if (place >= -scale) {
        if (value >= kFull) return DecimalParse::kOutOfRange;
        value = value * 10 + static_cast<UInt128>(digit);
      } else if (place == -scale - 1) {
        round_up = digit >= 5;
      }
      --place;
    }
  }
  // Zeros that the text leaves out, down to the last digit kept.
  for (int64_t missing = place + scale + 1; missing > 0 && value != 0; --missing) {
    if (value >= kFull) return DecimalParse::kOutOfRange;
    value *= 10;
  }
  if (round_up) ++value;
  if (value >= static_cast<UInt128>(PowerOfTen(precision))) return DecimalParse::kOutOfRange;
  unscaled = negative ? -static_cast<Int128>(value) : static_cast<Int128>(value);
  return DecimalParse::kOk;
}

}  // namespace weir::exec
