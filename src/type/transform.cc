#include "type/transform.h"

#include <algorithm>
#include <limits>

#include "base/bytes.h"
#include "type/calendar.h"
#include "type/identifier.h"
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

int64_t LowestOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kByte:
      return std::numeric_limits<int8_t>::min();
    case TypeKind::kShort:
      return std::numeric_limits<int16_t>::min();
    case TypeKind::kLong:
      return std::numeric_limits<int64_t>::min();
    default:
      return std::numeric_limits<int32_t>::min();
  }
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

/// The first microsecond of a partition of a time transform; 128 bits, since any int may come from a file.
Int128 StartMicros(Transform::Kind kind, int64_t part) {
  switch (kind) {
    case Transform::Kind::kHour:
      return Int128{part} * kMicrosPerHour;
    case Transform::Kind::kDay:
      return Int128{part} * kMicrosPerDay;
    case Transform::Kind::kMonth:
      return Int128{DaysFromCivil({.year = 1970 + FloorDiv(part, 12),
                                   .month = static_cast<int32_t>(1 + FloorMod(part, 12)),
                                   .day = 1})} *
             kMicrosPerDay;
    default:
      return Int128{DaysFromCivil({.year = 1970 + part, .month = 1, .day = 1})} * kMicrosPerDay;
  }
}

std::optional<Scalar> FromMicros(Int128 micros, const Type& source) {
  const bool is_date = source.kind() == TypeKind::kDate;
  if (is_date) micros = (micros - ((micros % kMicrosPerDay) + kMicrosPerDay) % kMicrosPerDay) / kMicrosPerDay;
  const Int128 lowest =
      is_date ? Int128{std::numeric_limits<int32_t>::min()} : Int128{std::numeric_limits<int64_t>::min()};
  if (micros < lowest || micros > -(lowest + 1)) return std::nullopt;
  return Scalar(source, static_cast<int64_t>(micros));
}

bool IsKnown(const std::optional<Scalar>& value) { return value && !value->is_null() && !value->is_nan(); }

std::optional<Scalar> Widened(const std::optional<Scalar>& value, const Type& source) {
  if (!IsKnown(value)) return std::nullopt;
  Result<Scalar> widened = WidenTo(*value, source);
  if (!widened) return std::nullopt;
  return *std::move(widened);
}

ValueRange TimePreimage(Transform::Kind kind, const ValueRange& parts, const Type& source) {
  ValueRange range;
  if (IsKnown(parts.lower)) range.lower = FromMicros(StartMicros(kind, parts.lower->integer()), source);
  if (IsKnown(parts.upper))
    range.upper = FromMicros(StartMicros(kind, parts.upper->integer() + 1) - 1, source);
  return range;
}

/// True if partition values of the range may have wrapped around below the lowest int or long.
bool MayHaveWrapped(const ValueRange& values, int32_t width) {
  // A file written when the column was an int keeps its partition value after promotion to long.
  for (TypeKind kind : {TypeKind::kInt, TypeKind::kLong}) {
    const int64_t highest = -(LowestOf(kind) + 1);
    const bool below = values.upper->integer() <= highest - width;
    const bool above = values.lower->integer() > highest;
    if (!below && !above) return true;
  }
  return width > (1 << 30);  // Implementations in 32-bit arithmetic overflow earlier.
}

ValueRange TruncatePreimage(const ValueRange& values, int32_t width, const Type& source) {
  ValueRange range{Widened(values.lower, source), Widened(values.upper, source)};
  if (source.is_integral()) {
    if (!range.lower || !range.upper || MayHaveWrapped(values, width)) return {};
    int64_t highest;
    if (__builtin_add_overflow(range.upper->integer(), width - 1, &highest)) return {};
    range.upper = Scalar(source, highest);
  } else if (source.kind() == TypeKind::kDecimal) {
    if (range.upper) range.upper = Scalar(source, range.upper->unscaled() + (width - 1));
  } else if (range.upper) {
    const std::string& prefix = range.upper->text();
    const bool is_text = source.kind() == TypeKind::kString;
    if ((is_text ? CodePointCount(prefix) : prefix.size()) >= static_cast<size_t>(width)) {
      const std::optional<std::string> above = is_text ? TextAbove(prefix) : BytesAbove(prefix);
      range.upper = above ? std::optional(Scalar(source, *above)) : std::nullopt;
    }
  }
  return range;
}

std::string Base64(std::string_view bytes) {
  static constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0);
    }
    for (size_t j = 0; j < 4; ++j) {
      text += i + j <= bytes.size() ? kAlphabet[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
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

bool Transform::preserves_order() const {
  return kind != Kind::kBucket && kind != Kind::kVoid && kind != Kind::kUnknown;
}

ValueRange Transform::Preimage(const ValueRange& partition_values, const Type& source) const {
  if (!preserves_order() || !Accepts(kind, source)) return {};
  switch (kind) {
    case Kind::kIdentity:
      return {Widened(partition_values.lower, source), Widened(partition_values.upper, source)};
    case Kind::kTruncate:
      return TruncatePreimage(partition_values, parameter, source);
    default:
      return TimePreimage(kind, partition_values, source);
  }
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
