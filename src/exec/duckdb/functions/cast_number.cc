#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/ascii.h"
#include "exec/duckdb/functions/cast.h"
#include "exec/duckdb/functions/decimal_rows.h"
#include "type/calendar.h"
#include "type/datetime_text.h"
#include "type/scalar_text.h"

namespace weir::exec {

namespace {

using duckdb::idx_t;
using duckdb::string_t;
using duckdb::Vector;
using Mode = CastRule::Mode;

// ---- what text says -------------------------------------------------------------------------------------

std::optional<bool> ReadBoolean(std::string_view text) {
  const std::string word = AsciiLower(TrimForCast(text));
  for (std::string_view yes : {"true", "t", "yes", "y", "1"}) {
    if (word == yes) return true;
  }
  for (std::string_view no : {"false", "f", "no", "n", "0"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

/// "[+-]digits"; with ANSI off a point and digits may follow, which are cut, and then the first digits may be
/// missing.
template <typename T>
std::optional<T> ReadIntegral(std::string_view text, bool fraction) {
  text = TrimForCast(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const size_t point = fraction ? std::min(text.find('.'), text.size()) : text.size();
  if (text.empty()) return std::nullopt;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  T value = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == point) continue;
    if (!is_digit(text[i])) return std::nullopt;
    if (i > point) continue;
    // Counts below zero, where there is one number more.
    if (__builtin_mul_overflow(value, T{10}, &value) ||
        __builtin_sub_overflow(value, static_cast<T>(text[i] - '0'), &value)) {
      return std::nullopt;
    }
  }
  if (negative) return value;
  if (value == std::numeric_limits<T>::min()) return std::nullopt;
  return static_cast<T>(-value);
}

/// Infinity or zero: which of them a number beyond the range is.
template <typename T>
T BeyondRange(std::string_view text) {
  int64_t place = 0, exponent = 0;
  bool point = false, leading = true;
  const size_t e = std::min(text.find_first_of("eE"), text.size());
  for (const char c : text.substr(0, e)) {
    if (c == '.') {
      point = true;
      continue;
    }
    leading &= c == '0';
    if (!point && !leading) ++place;
    if (point && leading) --place;
  }
  if (e < text.size()) {
    const std::string_view digits = text.substr(e + (text[e + 1] == '+' ? 2 : 1));
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (end.ec != std::errc()) exponent = digits.starts_with('-') ? -1'000'000'000 : 1'000'000'000;
  }
  return place + exponent > 0 ? std::numeric_limits<T>::infinity() : T{0};
}

/// As Java's parseDouble and Spark's names of what is no number.
template <typename T>
std::optional<T> ReadFloating(std::string_view text) {
  while (!text.empty() && static_cast<uint8_t>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<uint8_t>(text.back()) <= ' ') text.remove_suffix(1);
  const std::string_view whole = text;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const T sign = negative ? T{-1} : T{1};
  const std::string word = AsciiLower(text);
  if (word == "inf" || word == "infinity") return sign * std::numeric_limits<T>::infinity();
  if (word == "nan" && whole.size() == 3) return std::numeric_limits<T>::quiet_NaN();
  if (text == "NaN")
    return std::numeric_limits<T>::quiet_NaN();  // Java takes a sign in front of this spelling.
  auto format = std::chars_format::general;
  if (word.starts_with("0x")) {
    if (word.find('p') == std::string::npos) return std::nullopt;
    text.remove_prefix(2);
    format = std::chars_format::hex;
  } else if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) {
    return std::nullopt;
  }
  if (!text.empty() && std::string_view("dDfF").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  T value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, format);
  if (end.ptr != text.data() + text.size() || end.ec == std::errc::invalid_argument) return std::nullopt;
  if (end.ec == std::errc::result_out_of_range) value = BeyondRange<T>(text);
  return sign * value;
}

// ---- whole numbers --------------------------------------------------------------------------------------

/// As Java narrows a floating number: NaN is 0, beyond the range the nearest end.
template <typename T>
T Saturate(double x) {
  if (std::isnan(x)) return 0;
  constexpr auto kMax = std::numeric_limits<T>::max(), kMin = std::numeric_limits<T>::min();
  if (x >= static_cast<double>(kMax)) return kMax;
  if (x <= static_cast<double>(kMin)) return kMin;
  return static_cast<T>(x);
}

template <typename To, typename From>
std::optional<To> FromFloating(From x, const CastRule& rule) {
  using Wide = std::conditional_t<sizeof(To) == 8, int64_t, int32_t>;
  if (rule.mode == Mode::kLegacy) return static_cast<To>(Saturate<Wide>(x));
  constexpr auto kMax = static_cast<double>(std::numeric_limits<To>::max());
  constexpr auto kMin = static_cast<double>(std::numeric_limits<To>::min());
  if (!(std::floor(x) <= kMax && std::ceil(x) >= kMin)) return rule.Overflow(NumberScalar(x));
  return Saturate<To>(x);
}

template <typename To>
std::optional<To> Narrow(Int128 whole, const CastRule& rule, const std::function<Scalar()>& original) {
  if (rule.mode == Mode::kLegacy) return static_cast<To>(static_cast<uint64_t>(whole));
  if (whole < std::numeric_limits<To>::min() || whole > std::numeric_limits<To>::max())
    return rule.Overflow(original());
  return static_cast<To>(whole);
}

template <typename F>
ColumnCast FromDecimals(const Type& from, F body) {
  return [from, body](Vector& input, idx_t count, Vector& result) {
    const DecimalRows rows(input, count);
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    for (idx_t row = 0; row < count; ++row) {
      if (rows.IsNull(row)) {
        duckdb::FlatVector::SetNull(result, row, true);
      } else {
        body(rows[row], row, result);
      }
    }
  };
}

/// A cast from decimal to a plain type.
template <typename R, typename F>
ColumnCast MapDecimals(const Type& from, F map) {
  return FromDecimals(from, [map](const Decimal& value, idx_t row, Vector& result) {
    const std::optional<R> mapped = map(value);
    if (!mapped) return duckdb::FlatVector::SetNull(result, row, true);
    duckdb::FlatVector::GetData<R>(result)[row] = *mapped;
  });
}

Scalar DecimalScalar(const Decimal& value, const Type& type) { return Scalar(type, value.unscaled); }

template <typename To>
ColumnCast IntegralOf(const CastRule& rule) {
  switch (rule.from.kind()) {
    case TypeKind::kBoolean:
      return CastRows<To, bool>([](bool value) { return value ? 1 : 0; });
    case TypeKind::kString:
      return CastRows<To, string_t>([rule](std::string_view text) -> std::optional<To> {
        if (const auto value = ReadIntegral<To>(text, rule.mode == Mode::kLegacy)) return *value;
        return rule.Malformed(text);
      });
    case TypeKind::kDecimal:
      return MapDecimals<To>(rule.from, [rule](const Decimal& value) {
        return Narrow<To>(value.unscaled / PowerOfTen(value.scale), rule,
                          [&] { return DecimalScalar(value, rule.from); });
      });
    case TypeKind::kTimestamp:
      return CastRows<To, int64_t>([rule](int64_t micros) -> std::optional<To> {
        const int64_t seconds = FloorDiv(micros, kMicrosPerSecond);
        if (seconds == static_cast<To>(seconds)) return static_cast<To>(seconds);
        return rule.Overflow(Scalar::Timestamp(micros));
      });
    case TypeKind::kDate:
      return CastRows<To, int32_t>([](int32_t) { return std::optional<To>(); });
    default:
      break;
  }
  if (!rule.from.is_numeric()) RefuseCast(rule);
  return ForNumber(rule.from, [&]<typename From>() {
    return CastRows<To, From>([rule](From value) {
      if constexpr (std::is_floating_point_v<From>) {
        return FromFloating<To>(value, rule);
      } else {
        return Narrow<To>(value, rule, [&] { return NumberScalar(value); });
      }
    });
  });
}

template <typename To>
ColumnCast FloatingOf(const CastRule& rule) {
  switch (rule.from.kind()) {
    case TypeKind::kBoolean:
      return CastRows<To, bool>([](bool value) { return value ? 1 : 0; });
    case TypeKind::kString:
      return CastRows<To, string_t>([rule](std::string_view text) -> std::optional<To> {
        if (const auto value = ReadFloating<To>(text)) return *value;
        return rule.Malformed(text);
      });
    case TypeKind::kDecimal:
      return MapDecimals<To>(rule.from, [](const Decimal& value) {
        return ReadFloating<To>(DecimalText(value.unscaled, value.scale));
      });
    case TypeKind::kTimestamp:
      return CastRows<To, int64_t>([](int64_t micros) { return static_cast<double>(micros) / 1e6; });
    case TypeKind::kDate:
      return CastRows<To, int32_t>([](int32_t) { return std::optional<To>(); });
    default:
      break;
  }
  if (!rule.from.is_numeric()) RefuseCast(rule);
  return ForNumber(rule.from, []<typename From>() {
    return CastRows<To, From>([](From value) { return static_cast<To>(value); });
  });
}

// ---- decimals -------------------------------------------------------------------------------------------

/// A cast to decimal; `map` gives the unscaled value or nullopt.
template <typename T, typename F>
ColumnCast ToDecimals(F map) {
  return [map](Vector& input, idx_t count, Vector& result) {
    const Rows<T> rows(input, count);
    DecimalWriter writer(result);
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    for (idx_t row = 0; row < count; ++row) {
      std::optional<Int128> value;
      if (!rows.IsNull(row)) value = map(detail::Argument(rows, row));
      if (value) {
        writer.Set(row, *value);
      } else {
        writer.SetNull(row);
      }
    }
  };
}

std::optional<Int128> Rescaled(const Decimal& value, const CastRule& rule) {
  const auto rescaled = RescaleDecimal(value, rule.to.precision(), rule.to.scale());
  if (!rescaled) return rule.OutOfRange(DecimalText(value.unscaled, value.scale));
  return rescaled;
}

std::optional<Int128> ReadDecimal(std::string_view text, const CastRule& rule) {
  Int128 value = 0;
  switch (ParseDecimal(TrimForCast(text), rule.to.precision(), rule.to.scale(), value)) {
    case DecimalParse::kOk:
      return value;
    case DecimalParse::kMalformed:
      return rule.Malformed(text);
    default:
      return rule.OutOfRange(std::string(TrimForCast(text)));
  }
}

}  // namespace

ColumnCast CastToBoolean(const CastRule& rule) {
  switch (rule.from.kind()) {
    case TypeKind::kString:
      return CastRows<bool, string_t>([rule](std::string_view text) -> std::optional<bool> {
        if (const auto value = ReadBoolean(text)) return *value;
        return rule.Malformed(text);
      });
    case TypeKind::kDecimal:
      return MapDecimals<bool>(rule.from, [](const Decimal& value) { return value.unscaled != 0; });
    case TypeKind::kTimestamp:
      return CastRows<bool, int64_t>([](int64_t micros) { return micros != 0; });
    case TypeKind::kDate:
      return CastRows<bool, int32_t>([](int32_t) { return std::optional<bool>(); });
    default:
      break;
  }
  if (!rule.from.is_numeric()) RefuseCast(rule);
  return ForNumber(
      rule.from, []<typename From>() { return CastRows<bool, From>([](From value) { return value != 0; }); });
}

ColumnCast CastToIntegral(const CastRule& rule) {
  switch (rule.to.kind()) {
    case TypeKind::kByte:
      return IntegralOf<int8_t>(rule);
    case TypeKind::kShort:
      return IntegralOf<int16_t>(rule);
    case TypeKind::kInt:
      return IntegralOf<int32_t>(rule);
    default:
      return IntegralOf<int64_t>(rule);
  }
}

ColumnCast CastToFloating(const CastRule& rule) {
  return rule.to.kind() == TypeKind::kFloat ? FloatingOf<float>(rule) : FloatingOf<double>(rule);
}

ColumnCast CastToDecimal(const CastRule& rule) {
  switch (rule.from.kind()) {
    case TypeKind::kBoolean:
      return ToDecimals<bool>([rule](bool value) { return Rescaled({value ? 1 : 0, 0}, rule); });
    case TypeKind::kString:
      return ToDecimals<string_t>([rule](std::string_view text) { return ReadDecimal(text, rule); });
    case TypeKind::kDecimal:
      return FromDecimals(rule.from, [rule](const Decimal& value, idx_t row, Vector& result) {
        DecimalWriter writer(result);
        if (const auto rescaled = Rescaled(value, rule)) return writer.Set(row, *rescaled);
        writer.SetNull(row);
      });
    case TypeKind::kTimestamp:
      return ToDecimals<int64_t>([rule](int64_t micros) { return Rescaled({micros, 6}, rule); });
    case TypeKind::kDate:
      return ToDecimals<int32_t>([](int32_t) { return std::optional<Int128>(); });
    default:
      break;
  }
  if (!rule.from.is_numeric()) RefuseCast(rule);
  return ForNumber(rule.from, [&]<typename From>() {
    return ToDecimals<From>([rule](From value) -> std::optional<Int128> {
      if constexpr (std::is_floating_point_v<From>) {
        // Spark goes by the text of the double, and has no error for what is no number.
        if (!std::isfinite(value)) return std::nullopt;
        return ReadDecimal(DoubleText(value), rule);
      } else {
        return Rescaled({value, 0}, rule);
      }
    });
  });
}

}  // namespace weir::exec
