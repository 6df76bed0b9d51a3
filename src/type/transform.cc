#include "type/transform.h"

#include <algorithm>
#include <limits>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/bytes.h"
#include "type/calendar.h"
#include "type/murmur3.h"
#include "type/scalar_text.h"
#include "type/text_bounds.h"

namespace weir {
namespace {

struct NamedKind {
  Transform::Kind kind;
  std::string_view name;
  bool has_parameter = false;
};
constexpr NamedKind kKinds[] = {
    {Transform::Kind::kIdentity, "identity"},
    {Transform::Kind::kBucket, "bucket", true},
    {Transform::Kind::kTruncate, "truncate", true},
    {Transform::Kind::kYear, "year"},
    {Transform::Kind::kMonth, "month"},
    {Transform::Kind::kDay, "day"},
    {Transform::Kind::kHour, "hour"},
    {Transform::Kind::kVoid, "void"},
};

bool IsTimestamp(const Type& type) {
  return type.kind() == TypeKind::kTimestamp || type.kind() == TypeKind::kTimestampNtz;
}
bool HasDate(const Type& type) { return type.kind() == TypeKind::kDate || IsTimestamp(type); }

bool IsHashable(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kDecimal:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kFixed:
    case TypeKind::kUuid:
      return true;
    default:
      return type.is_integral();
  }
}

bool IsTruncatable(const Type& type) {
  return type.is_integral() || type.kind() == TypeKind::kDecimal || type.kind() == TypeKind::kString ||
         type.kind() == TypeKind::kBinary;
}

bool Accepts(Transform::Kind kind, const Type& source) {
  switch (kind) {
    case Transform::Kind::kIdentity:
      return !source.is_nested();
    case Transform::Kind::kBucket:
      return IsHashable(source);
    case Transform::Kind::kTruncate:
      return IsTruncatable(source);
    case Transform::Kind::kYear:
    case Transform::Kind::kMonth:
    case Transform::Kind::kDay:
      return HasDate(source);
    case Transform::Kind::kHour:
      return IsTimestamp(source);
    case Transform::Kind::kVoid:
    case Transform::Kind::kUnknown:
      return true;
  }
  return false;
}

int64_t WrapTo(TypeKind kind, uint64_t bits) {
  switch (kind) {
    case TypeKind::kByte:
      return static_cast<int8_t>(bits);
    case TypeKind::kShort:
      return static_cast<int16_t>(bits);
    case TypeKind::kInt:
      return static_cast<int32_t>(bits);
    default:
      return static_cast<int64_t>(bits);
  }
}

Scalar Truncated(const Scalar& value, int32_t width) {
  const Type& type = value.type();
  switch (type.kind()) {
    case TypeKind::kDecimal: {
      const Int128 rest = value.unscaled() % width;
      return {type, static_cast<Int128>(static_cast<UInt128>(value.unscaled()) -
                                        static_cast<UInt128>(rest < 0 ? rest + width : rest))};
    }
    case TypeKind::kString:
      return {type, std::string(TruncateText(value.text(), width))};
    case TypeKind::kBinary:
      return {type, value.text().substr(0, width)};
    default: {
      // Wraps around below the lowest value, as Iceberg's Java library does; the stored partition values say
      // so.
      const uint64_t rest = static_cast<uint64_t>(FloorMod(value.integer(), width));
      return {type, WrapTo(type.kind(), static_cast<uint64_t>(value.integer()) - rest)};
    }
  }
}

int64_t DaysOf(const Scalar& value) {
  return value.type().kind() == TypeKind::kDate ? value.integer() : FloorDiv(value.integer(), kMicrosPerDay);
}

int64_t TimePart(Transform::Kind kind, const Scalar& value) {
  if (kind == Transform::Kind::kHour) return FloorDiv(value.integer(), kMicrosPerHour);
  const int64_t days = DaysOf(value);
  if (kind == Transform::Kind::kDay) return days;
  const CivilDate date = CivilFromDays(days);
  const int64_t years = date.year - 1970;
  return kind == Transform::Kind::kYear ? years : years * 12 + date.month - 1;
}

std::string IdentityPathText(const Scalar& value) {
  switch (value.type().kind()) {
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return Base64(value.text());
    case TypeKind::kDecimal:
      return BigDecimalText(value.unscaled(), value.type().scale());
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz: {
      std::string text = ScalarText(value);
      text[text.find(' ')] = 'T';
      return value.type().kind() == TypeKind::kTimestamp ? text + "+00:00" : text;
    }
    default:
      return ScalarText(value);
  }
}

}  // namespace

std::string Transform::ToString() const {
  if (kind == Kind::kUnknown) return name;
  for (const NamedKind& known : kKinds) {
    if (known.kind != kind) continue;
    return known.has_parameter ? fmt::format("{}[{}]", known.name, parameter) : std::string(known.name);
  }
  return name;
}

Result<Transform> Transform::Parse(std::string_view text) {
  const size_t bracket = std::min(text.find('['), text.size());
  const std::string lower = AsciiLower(text.substr(0, bracket));
  for (const NamedKind& known : kKinds) {
    if (known.name != lower) continue;
    if (!known.has_parameter) {
      if (bracket == text.size()) return Transform{.kind = known.kind, .parameter = 0, .name = {}};
      break;
    }
    std::string_view digits = text.substr(bracket);
    if (digits.size() < 3 || digits.back() != ']') return Corrupt("transform '{}' lacks a parameter", text);
    digits = digits.substr(1, digits.size() - 2);
    const std::optional<Int128> number =
        digits.size() > 10 || digits[0] == '+' ? std::nullopt : ParseInt128(digits);
    if (!number || *number < 1 || *number > std::numeric_limits<int32_t>::max()) {
      return Corrupt("transform '{}': expected a parameter from 1 to 2147483647", text);
    }
    return Transform{.kind = known.kind, .parameter = static_cast<int32_t>(*number), .name = {}};
  }
  return Transform{.kind = Kind::kUnknown, .parameter = 0, .name = std::string(text)};
}

Result<Type> Transform::ResultType(const Type& source) const {
  if (!Accepts(kind, source)) return Invalid("transform {} does not take {}", ToString(), source.ToString());
  switch (kind) {
    case Kind::kBucket:
    case Kind::kYear:
    case Kind::kMonth:
    case Kind::kHour:
      return Type::Int();
    case Kind::kDay:
      return Type::Date();
    case Kind::kUnknown:
      return Type::String();
    default:
      return source;
  }
}

Result<Scalar> Transform::Apply(const Scalar& value) const {
  if (kind == Kind::kUnknown) return Unsupported("partition transform '{}'", name);
  WEIR_TRY(Type result, ResultType(value.type()));
  if (value.is_null() || kind == Kind::kVoid) return Scalar::Null(result);
  switch (kind) {
    case Kind::kIdentity:
      return value;
    case Kind::kBucket: {
      WEIR_TRY(const int32_t hash, BucketHash(value));
      return Scalar::Int((hash & std::numeric_limits<int32_t>::max()) % parameter);
    }
    case Kind::kTruncate:
      return Truncated(value, parameter);
    default:
      return Scalar(result, TimePart(kind, value));
  }
}

bool Transform::MayDifferInOldFiles(const Scalar& value) const {
  if (kind == Kind::kYear || kind == Kind::kMonth || kind == Kind::kDay || kind == Kind::kHour) {
    return !value.is_null() && TimePart(kind, value) < 0;
  }
  if (kind != Kind::kTruncate || value.type().kind() != TypeKind::kLong || value.is_null()) return false;
  const int64_t lowest = std::numeric_limits<int32_t>::min();
  return value.integer() >= lowest && Truncated(value, parameter).integer() < lowest;
}

bool Transform::preserves_order() const {
  return kind != Kind::kBucket && kind != Kind::kVoid && kind != Kind::kUnknown;
}

std::string Transform::PathText(const Scalar& partition_value) const {
  if (partition_value.is_null()) return "null";
  switch (kind) {
    case Kind::kYear:
      return fmt::format("{:04}", 1970 + partition_value.integer());
    case Kind::kMonth:
      return fmt::format("{:04}-{:02}", 1970 + FloorDiv(partition_value.integer(), 12),
                         1 + FloorMod(partition_value.integer(), 12));
    case Kind::kDay:
      return DateText(partition_value.integer());
    case Kind::kHour:
      return fmt::format("{}-{:02}", DateText(FloorDiv(partition_value.integer(), 24)),
                         FloorMod(partition_value.integer(), 24));
    default:
      return IdentityPathText(partition_value);
  }
}

Result<int32_t> BucketHash(const Scalar& value) {
  const Type& type = value.type();
  if (!IsHashable(type)) return Invalid("bucket does not take {}", type.ToString());
  std::string bytes;
  switch (type.kind()) {
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kFixed:
    case TypeKind::kUuid:
      return Murmur3(value.text());
    case TypeKind::kDecimal: {
      // The fewest bytes that still show the sign.
      Int128 rest = value.unscaled();
      do {
        bytes.insert(bytes.begin(), static_cast<char>(rest & 0xFF));
        rest >>= 8;
      } while (rest != (static_cast<signed char>(bytes[0]) < 0 ? -1 : 0));
      return Murmur3(bytes);
    }
    default:
      AppendLittleEndian(bytes, value.integer());
      return Murmur3(bytes);
  }
}

}  // namespace weir
