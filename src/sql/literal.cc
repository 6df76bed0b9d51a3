#include "sql/literal.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/int128.h"
#include "base/utf8.h"
#include "sql/characters.h"

namespace weir::sql {
namespace {

constexpr int kMaxPrecision = 38;

/// The value of exactly `digits` digits of a base at `at`; nullopt if there are fewer.
std::optional<uint32_t> FixedDigits(std::string_view text, size_t at, size_t digits, int base) {
  if (at + digits > text.size()) return std::nullopt;
  uint32_t value = 0;
  const char* end = text.data() + at + digits;
  const auto [stop, error] = std::from_chars(text.data() + at, end, value, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// Appends what the escape behind the backslash at `at` stands for; returns the offset behind it.
size_t AppendEscape(std::string_view text, size_t at, std::string& out) {
  const char c = text[at + 1];
  if (c == 'u') {
    if (const auto high = FixedDigits(text, at + 2, 4, 16)) {
      // Two escapes can be the halves of one character.
      if (*high >= 0xD800 && *high < 0xDC00 && text.substr(at + 6, 2) == "\\u") {
        const auto low = FixedDigits(text, at + 8, 4, 16);
        if (low && *low >= 0xDC00 && *low < 0xE000) {
          AppendUtf8(0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00), out);
          return at + 12;
        }
      }
      AppendUtf8(*high, out);
      return at + 6;
    }
  } else if (c == 'U') {
    if (const auto value = FixedDigits(text, at + 2, 8, 16)) {
      AppendUtf8(*value, out);
      return at + 10;
    }
  } else if (c == '0' || c == '1') {
    if (const auto value = FixedDigits(text, at + 1, 3, 8)) {
      AppendUtf8(*value, out);
      return at + 4;
    }
  }
  switch (c) {
    case '0':
      out += '\0';
      break;
    case 'b':
      out += '\b';
      break;
    case 'n':
      out += '\n';
      break;
    case 'r':
      out += '\r';
      break;
    case 't':
      out += '\t';
      break;
    case 'Z':
      out += '\x1A';
      break;
    case '%':
    case '_':
      out += '\\', out += c;
      break;  // LIKE sees the escape.
    default:
      out += c;
  }
  return at + 2;
}

std::string Unquoted(std::string_view inside, char quote) {
  std::string value;
  for (size_t i = 0; i < inside.size();) {
    value += inside[i];
    i += inside[i] == quote ? 2 : 1;
  }
  return value;
}

/// A decimal number in parts: digits * 10^-scale.
struct Parts {
  std::string digits;  ///< Without leading zeros; "0" for zero.
  int64_t scale = 0;
};

Parts Split(std::string_view number) {
  Parts parts;
  const size_t e = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, e);
  int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view text = number.substr(e + 1);
    if (text.front() == '+') text.remove_prefix(1);
    if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec != std::errc{}) {
      exponent = text.front() == '-' ? -1'000'000'000 : 1'000'000'000;
    }
    exponent = std::clamp<int64_t>(exponent, -1'000'000'000, 1'000'000'000);
  }
  const size_t point = mantissa.find('.');
  for (char c : mantissa) {
    if (c != '.' && (c != '0' || !parts.digits.empty())) parts.digits += c;
  }
  parts.scale =
      (point == std::string_view::npos ? 0 : static_cast<int64_t>(mantissa.size() - point - 1)) - exponent;
  if (parts.digits.empty()) parts.digits = "0";
  return parts;
}

bool IsGreater(const Parts& a, const Parts& b) {
  if (a.digits == "0") return false;
  const int64_t a_magnitude = static_cast<int64_t>(a.digits.size()) - a.scale;
  const int64_t b_magnitude = static_cast<int64_t>(b.digits.size()) - b.scale;
  if (a_magnitude != b_magnitude) return a_magnitude > b_magnitude;
  // Trailing zeros make no difference: compare as if both were filled with zeros.
  const size_t size = std::max(a.digits.size(), b.digits.size());
  std::string a_digits = a.digits, b_digits = b.digits;
  a_digits.resize(size, '0');
  b_digits.resize(size, '0');
  return a_digits > b_digits;
}

Error OutOfRange(std::string_view number, bool is_negative, std::string_view min, std::string_view max,
                 std::string_view type) {
  const std::string written = fmt::format("{}{}", is_negative ? "-" : "", number);
  return Invalid("The literal {} is not in the range of {}: {} to {}.", written, type, min, max)
      .WithCondition({"INVALID_NUMERIC_LITERAL_RANGE",
                      "22003",
                      {{"rawStrippedQualifier", written},
                       {"minValue", std::string(min)},
                       {"maxValue", std::string(max)},
                       {"typeName", std::string(type)}},
                      {},
                      ""});
}

Result<Scalar> DecimalValue(std::string_view number, bool is_negative) {
  Parts parts = Split(number);
  if (parts.scale < 0 && parts.digits != "0") {
    // Enough zeros to see that there are too many.
    parts.digits.append(static_cast<size_t>(std::min<int64_t>(-parts.scale, 1000)), '0');
  }
  parts.scale = std::max<int64_t>(parts.scale, 0);
  const int64_t precision = std::max(static_cast<int64_t>(parts.digits.size()), parts.scale);
  if (precision > kMaxPrecision) {
    return Invalid("A decimal has at most {} digits; {} has {}.", kMaxPrecision, number, precision)
        .WithCondition(
            {"DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION",
             "22003",
             {{"precision", std::to_string(precision)}, {"maxPrecision", std::to_string(kMaxPrecision)}},
             {},
             ""});
  }
  const Int128 unscaled = ParseInt128(parts.digits).value_or(0);
  return Scalar::Decimal(is_negative ? -unscaled : unscaled, static_cast<int>(precision),
                         static_cast<int>(parts.scale));
}

template <typename T>
Result<T> FloatingValue(std::string_view number, bool is_negative, std::string_view max,
                        std::string_view type) {
  const Parts parts = Split(number);
  if (IsGreater(parts, Split(max))) {
    return OutOfRange(number, is_negative, fmt::format("-{}", max), max, type);
  }
  T value = 0;
  const std::errc error = std::from_chars(number.data(), number.data() + number.size(), value).ec;
  if (error == std::errc::result_out_of_range) value = 0;  // Too small; too large was seen above.
  return is_negative ? -value : value;
}

/// The whole number if it lies in [min, max].
std::optional<int64_t> WholeValue(std::string_view digits, bool is_negative, int64_t min, int64_t max) {
  const std::string_view significant =
      digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (significant.size() > 19) return std::nullopt;
  const Int128 magnitude = ParseInt128(significant).value_or(0);
  const Int128 value = is_negative ? -magnitude : magnitude;
  if (value < min || value > max) return std::nullopt;
  return static_cast<int64_t>(value);
}

Result<Scalar> WholeLiteral(std::string_view digits, bool is_negative, const Type& type, int64_t min,
                            int64_t max, std::string_view type_name) {
  const std::optional<int64_t> value = WholeValue(digits, is_negative, min, max);
  if (!value) return OutOfRange(digits, is_negative, std::to_string(min), std::to_string(max), type_name);
  return Scalar(type, *value);
}

}  // namespace

std::string StringValue(std::string_view token) {
  if (token.front() != '\'' && token.front() != '"') return std::string(token.substr(2, token.size() - 3));
  const char quote = token.front();
  const std::string_view inside = token.substr(1, token.size() - 2);
  std::string value;
  for (size_t i = 0; i < inside.size();) {
    if (inside[i] == '\\' && i + 1 < inside.size()) {
      i = AppendEscape(inside, i, value);
    } else {
      value += inside[i];
      i += inside[i] == quote ? 2 : 1;
    }
  }
  return value;
}

std::string QuotedNameValue(std::string_view token) {
  return Unquoted(token.substr(1, token.size() - 2), '`');
}

Result<Scalar> NumberValue(const Token& token, bool is_negative) {
  using Long = std::numeric_limits<int64_t>;
  using Int = std::numeric_limits<int32_t>;
  constexpr std::string_view kMaxDouble = "1.7976931348623157E+308";
  constexpr std::string_view kMaxFloat = "3.4028234663852886E+38";
  const std::string_view text = token.text;
  const std::string_view number = text.substr(0, text.size() - 1);  // Without a suffix of one letter.
  switch (token.kind) {
    case TokenKind::kInteger:
      if (auto value = WholeValue(text, is_negative, Int::min(), Int::max()))
        return Scalar(Type::Int(), *value);
      if (auto value = WholeValue(text, is_negative, Long::min(), Long::max()))
        return Scalar(Type::Long(), *value);
      return DecimalValue(text, is_negative);
    case TokenKind::kDecimal:
      return DecimalValue(text, is_negative);
    case TokenKind::kBigDecimal:
      return DecimalValue(text.substr(0, text.size() - 2), is_negative);
    case TokenKind::kTinyint:
      return WholeLiteral(number, is_negative, Type::Byte(), -128, 127, "tinyint");
    case TokenKind::kSmallint:
      return WholeLiteral(number, is_negative, Type::Short(), -32768, 32767, "smallint");
    case TokenKind::kBigint:
      return WholeLiteral(number, is_negative, Type::Long(), Long::min(), Long::max(), "bigint");
    case TokenKind::kFloat: {
      WEIR_TRY(const float value, FloatingValue<float>(number, is_negative, kMaxFloat, "float"));
      return Scalar::Float(value);
    }
    case TokenKind::kDouble:
    case TokenKind::kExponent: {
      WEIR_TRY(const double value, FloatingValue<double>(token.kind == TokenKind::kDouble ? number : text,
                                                         is_negative, kMaxDouble, "double"));
      return Scalar::Double(value);
    }
    default:
      return Internal("token '{}' is not a number", text);
  }
}

std::optional<std::string> HexValue(std::string_view digits) {
  const std::string padded = (digits.size() % 2 == 0 ? "" : "0") + std::string(digits);
  std::string bytes;
  for (size_t i = 0; i < padded.size(); i += 2) {
    const auto byte = FixedDigits(padded, i, 2, 16);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

}  // namespace weir::sql
