#include "type/scalar_text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "type/calendar.h"
#include "type/identifier.h"

namespace weir {
namespace {

struct Digits {
  std::string digits;  ///< The first is not zero; a point follows it.
  int exponent = 0;
};

/// Splits "d.ddde-XX", the scientific form of a positive number.
Digits SplitScientific(std::string_view text) {
  const size_t e = text.find('e');
  Digits result;
  for (char c : text.substr(0, e)) {
    if (c != '.') result.digits += c;
  }
  result.exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  return result;
}

template <typename T>
T ParseNumber(const std::string& text) {
  T value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Shortest digits that read back as `value`. Java wants at least two digits, and of those the nearest.
template <typename T>
Digits ShortestDigits(T value) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific).ptr;
  Digits shortest = SplitScientific({buffer, static_cast<size_t>(end - buffer)});
  if (shortest.digits.size() > 1) return shortest;
  end = std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific, 1).ptr;
  const std::string two(buffer, end);
  return ParseNumber<T>(two) == value ? SplitScientific(two) : shortest;
}

template <typename T>
std::string JavaText(T value) {
  if (std::isnan(value)) return "NaN";
  std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "Infinity";
  if (value == 0) return sign + "0.0";
  auto [digits, exponent] = ShortestDigits(std::abs(value));
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  if (exponent >= 7 || exponent < -3) {
    return fmt::format("{}{}.{}E{}", sign, digits[0], digits.size() > 1 ? digits.substr(1) : "0", exponent);
  }
  if (exponent < 0) return sign + "0." + std::string(-exponent - 1, '0') + digits;
  const size_t whole = exponent + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.substr(0, whole) + '.' + digits.substr(whole);
}

std::string YearMonthText(int64_t months) {
  return fmt::format("INTERVAL '{}{}-{}' YEAR TO MONTH", months < 0 ? "-" : "", std::abs(months) / 12,
                     std::abs(months) % 12);
}

std::string DayTimeText(int64_t micros) {
  // Unsigned, since the lowest value has no positive twin.
  const uint64_t magnitude = micros < 0 ? 0 - static_cast<uint64_t>(micros) : static_cast<uint64_t>(micros);
  const auto rest = static_cast<int64_t>(magnitude % kMicrosPerDay);
  return fmt::format("INTERVAL '{}{} {}' DAY TO SECOND", micros < 0 ? "-" : "", magnitude / kMicrosPerDay,
                     TimeText(rest));
}

std::string ElementText(const Scalar& value) { return value.is_null() ? "null" : ScalarText(value); }

std::string ListText(const Scalar& value, char open, char close) {
  std::string text(1, open);
  const std::vector<Scalar>& children = value.children();
  for (size_t i = 0; i < children.size(); ++i) {
    if (i > 0) text += ", ";
    text += ElementText(children[i]);
  }
  return text + close;
}

std::string MapText(const Scalar& value) {
  std::string text = "{";
  const std::vector<Scalar>& entries = value.children();
  for (size_t i = 0; i + 1 < entries.size(); i += 2) {
    if (i > 0) text += ", ";
    text += ElementText(entries[i]) + " -> " + ElementText(entries[i + 1]);
  }
  return text + '}';
}

std::string HexText(std::string_view bytes) {
  std::string text;
  for (char c : bytes) text += fmt::format("{:02X}", static_cast<unsigned char>(c));
  return text;
}

std::string CallText(std::string_view function, const Scalar& value) {
  std::string text = fmt::format("{}(", function);
  const std::vector<Scalar>& children = value.children();
  for (size_t i = 0; i < children.size(); ++i) {
    if (i > 0) text += ", ";
    if (value.type().kind() == TypeKind::kStruct) text += QuoteString(value.type().fields()[i].name) + ", ";
    text += ScalarSql(children[i]);
  }
  return text + ')';
}

std::string DigitsOf(Int128 value) {
  std::string digits = ToString(value);
  if (digits[0] == '-') digits.erase(0, 1);
  return digits;
}

}  // namespace

std::string FloatText(float value) { return JavaText(value); }
std::string DoubleText(double value) { return JavaText(value); }

std::string DecimalText(Int128 unscaled, int scale) {
  std::string digits = DigitsOf(unscaled);
  if (scale > 0) {
    if (digits.size() <= static_cast<size_t>(scale)) digits.insert(0, scale + 1 - digits.size(), '0');
    digits.insert(digits.size() - scale, ".");
  }
  return unscaled < 0 ? "-" + digits : digits;
}

std::string BigDecimalText(Int128 unscaled, int scale) {
  const std::string digits = DigitsOf(unscaled);
  const int exponent = static_cast<int>(digits.size()) - 1 - scale;
  if (exponent >= -6) return DecimalText(unscaled, scale);
  const std::string fraction = digits.size() > 1 ? "." + digits.substr(1) : "";
  return fmt::format("{}{}{}E{}", unscaled < 0 ? "-" : "", digits[0], fraction, exponent);
}

std::string UuidText(std::string_view bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
  }
  return text;
}

std::string ScalarText(const Scalar& value) {
  switch (value.type().kind()) {
    case TypeKind::kVoid:
      return "null";
    case TypeKind::kBoolean:
      return value.boolean() ? "true" : "false";
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInt:
    case TypeKind::kLong:
      return std::to_string(value.integer());
    case TypeKind::kFloat:
      return FloatText(value.float32());
    case TypeKind::kDouble:
      return DoubleText(value.float64());
    case TypeKind::kDecimal:
      return DecimalText(value.unscaled(), value.type().scale());
    case TypeKind::kDate:
      return DateText(value.integer());
    case TypeKind::kTime:
      return TimeText(value.integer());
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return TimestampText(value.integer());
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return value.text();
    case TypeKind::kUuid:
      return UuidText(value.text());
    case TypeKind::kIntervalYearMonth:
      return YearMonthText(value.integer());
    case TypeKind::kIntervalDayTime:
      return DayTimeText(value.integer());
    case TypeKind::kArray:
      return ListText(value, '[', ']');
    case TypeKind::kStruct:
      return ListText(value, '{', '}');
    case TypeKind::kMap:
      return MapText(value);
  }
  return {};
}

std::string ScalarSql(const Scalar& value) {
  const Type& type = value.type();
  if (value.is_null()) {
    const bool untyped = type.kind() == TypeKind::kVoid || type.is_nested();
    return untyped ? "NULL" : fmt::format("CAST(NULL AS {})", type.ToSql());
  }
  switch (type.kind()) {
    case TypeKind::kByte:
      return ScalarText(value) + "Y";
    case TypeKind::kShort:
      return ScalarText(value) + "S";
    case TypeKind::kLong:
      return ScalarText(value) + "L";
    case TypeKind::kFloat:
      return fmt::format("CAST('{}' AS FLOAT)", ScalarText(value));
    case TypeKind::kDouble:
      if (std::isfinite(value.float64())) return ScalarText(value) + "D";
      return fmt::format("CAST('{}' AS DOUBLE)", ScalarText(value));
    case TypeKind::kDecimal:
      return BigDecimalText(value.unscaled(), type.scale()) + "BD";
    case TypeKind::kDate:
      return fmt::format("DATE '{}'", ScalarText(value));
    case TypeKind::kTime:
      return fmt::format("TIME '{}'", ScalarText(value));
    case TypeKind::kTimestamp:
      return fmt::format("TIMESTAMP '{}'", ScalarText(value));
    case TypeKind::kTimestampNtz:
      return fmt::format("TIMESTAMP_NTZ '{}'", ScalarText(value));
    case TypeKind::kString:
      return QuoteString(value.text());
    case TypeKind::kUuid:
      return QuoteString(ScalarText(value));
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return fmt::format("X'{}'", HexText(value.text()));
    case TypeKind::kArray:
      return CallText("ARRAY", value);
    case TypeKind::kMap:
      return CallText("MAP", value);
    case TypeKind::kStruct:
      return CallText("NAMED_STRUCT", value);
    default:
      return ScalarText(value);
  }
}

}  // namespace weir
