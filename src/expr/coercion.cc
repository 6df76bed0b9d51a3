#include "expr/coercion.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace weir {
namespace {

constexpr int kMaxDigits = 38;
/// Fraction digits that arithmetic keeps when whole digits would push all of them out.
constexpr int kMinFraction = 6;

using Meet = std::optional<Type> (*)(const Type&, const Type&, TypeRules);

bool IsDatetime(const Type& type) {
  return type.kind() == TypeKind::kDate || type.kind() == TypeKind::kTimestamp ||
         type.kind() == TypeKind::kTimestampNtz;
}

bool IsInterval(const Type& type) {
  return type.kind() == TypeKind::kIntervalYearMonth || type.kind() == TypeKind::kIntervalDayTime;
}

bool IsFractional(const Type& type) { return type.is_floating() || type.kind() == TypeKind::kDecimal; }

bool IsAtomic(const Type& type) { return !type.is_nested() && type.kind() != TypeKind::kVoid; }

bool HoldsInteger(const Type& decimal, const Type& integral) {
  Type needed = DecimalOf(integral);
  return decimal.precision() - decimal.scale() >= needed.precision();
}

std::optional<Field> MeetFields(const Field& a, const Field& b, Meet meet, TypeRules rules) {
  std::optional<Type> type = meet(a.type, b.type, rules);
  if (!type) return std::nullopt;
  Field field = a;
  field.required =
      a.required && b.required && !CastForcesNullable(a.type, *type) && !CastForcesNullable(b.type, *type);
  field.type = *std::move(type);
  return field;
}

/// Arrays, maps and structs meet member by member.
std::optional<Type> MeetNested(const Type& a, const Type& b, Meet meet, TypeRules rules) {
  if (a.kind() != b.kind() || !a.is_nested() || a.fields().size() != b.fields().size()) return std::nullopt;
  std::vector<Field> fields;
  for (size_t i = 0; i < a.fields().size(); ++i) {
    if (a.kind() == TypeKind::kStruct && !EqualsIgnoringAsciiCase(a.fields()[i].name, b.fields()[i].name))
      return std::nullopt;
    std::optional<Field> field = MeetFields(a.fields()[i], b.fields()[i], meet, rules);
    if (!field) return std::nullopt;
    fields.push_back(*std::move(field));
  }
  switch (a.kind()) {
    case TypeKind::kArray:
      return Type::Array(std::move(fields[0]));
    case TypeKind::kMap:
      if (!fields[0].required) return std::nullopt;
      return Type::Map(std::move(fields[0]), std::move(fields[1]));
    default:
      return Type::Struct(std::move(fields));
  }
}

std::optional<Type> MeetDecimals(const Type& a, const Type& b) {
  bool a_decimal = a.kind() == TypeKind::kDecimal, b_decimal = b.kind() == TypeKind::kDecimal;
  if (a_decimal && b_decimal) return WiderDecimal(a, b);
  if (a_decimal && b.is_integral()) return WiderDecimal(a, DecimalOf(b));
  if (b_decimal && a.is_integral()) return WiderDecimal(DecimalOf(a), b);
  if ((a_decimal && b.is_floating()) || (b_decimal && a.is_floating())) return Type::Double();
  return std::nullopt;
}

std::optional<Type> WiderWithoutStrings(const Type& a, const Type& b, TypeRules rules) {
  if (auto type = TightestCommonType(a, b, rules)) return type;
  if (auto type = MeetDecimals(a, b)) return type;
  return MeetNested(a, b, WiderWithoutStrings, rules);
}

/// What a string and `other` become in a list of values.
std::optional<Type> StringBeside(const Type& other, TypeRules rules) {
  if (rules == TypeRules::kAnsi) return PromotedString(other, rules);
  const TypeKind kind = other.kind();
  if (other.is_nested() || kind == TypeKind::kBoolean || kind == TypeKind::kBinary) return std::nullopt;
  return Type::String();
}

bool HoldsString(const Type& type) {
  if (type.kind() == TypeKind::kArray) return HoldsString(type.fields()[0].type);
  return type.kind() == TypeKind::kString;
}

std::optional<Type> Fold(std::span<const Type> types, Meet meet, TypeRules rules) {
  std::vector<Type> ordered(types.begin(), types.end());
  if (rules == TypeRules::kLegacy) std::stable_partition(ordered.begin(), ordered.end(), HoldsString);
  std::optional<Type> common = Type::Void();
  for (const Type& type : ordered) {
    if (common) common = meet(*common, type, rules);
  }
  return common;
}

/// Decimal arithmetic keeps whole digits before fraction digits, down to kMinFraction.
Type Adjusted(int precision, int scale) {
  if (precision <= kMaxDigits) return Type::Decimal(precision, scale);
  int whole = precision - scale;
  return Type::Decimal(kMaxDigits, std::max(kMaxDigits - whole, std::min(scale, kMinFraction)));
}

using Rule = bool (*)(const Type&, const Type&);

/// A rule for members of nested types; `nulls_flow` says whether a nullable member may become a required one.
bool MembersAllow(const Type& from, const Type& to, Rule rule, bool check_forced) {
  if (from.kind() != to.kind() || from.fields().size() != to.fields().size()) return false;
  for (size_t i = 0; i < from.fields().size(); ++i) {
    const Field& source = from.fields()[i];
    const Field& target = to.fields()[i];
    if (!rule(source.type, target.type)) return false;
    bool may_be_null = !source.required || (check_forced && CastForcesNullable(source.type, target.type));
    if (target.required && may_be_null) return false;
  }
  return true;
}

}  // namespace

std::optional<Type> TightestCommonType(const Type& a, const Type& b, TypeRules rules) {
  if (a == b) return a;
  if (a.kind() == TypeKind::kVoid) return b;
  if (b.kind() == TypeKind::kVoid) return a;
  bool a_decimal = a.kind() == TypeKind::kDecimal, b_decimal = b.kind() == TypeKind::kDecimal;
  if (a.is_integral() && b_decimal && HoldsInteger(b, a)) return b;
  if (a_decimal && b.is_integral() && HoldsInteger(a, b)) return a;
  if (a.is_numeric() && b.is_numeric() && !a_decimal && !b_decimal) {
    const Type& wider = a.kind() > b.kind() ? a : b;
    // An integer beside a float loses digits in a float, which only the legacy rules accept.
    const bool loses_digits = wider.kind() == TypeKind::kFloat && rules == TypeRules::kAnsi;
    return loses_digits ? Type::Double() : wider;
  }
  if (IsDatetime(a) && IsDatetime(b)) {
    bool instant = a.kind() == TypeKind::kTimestamp || b.kind() == TypeKind::kTimestamp;
    return instant ? Type::Timestamp() : Type::TimestampNtz();
  }
  return MeetNested(a, b, TightestCommonType, rules);
}

std::optional<Type> PromotedString(const Type& other, TypeRules rules) {
  if (other.kind() == TypeKind::kDecimal) return Type::Double();
  if (rules == TypeRules::kAnsi && other.is_integral()) return Type::Long();
  if (rules == TypeRules::kAnsi && other.is_floating()) return Type::Double();
  if (other.kind() == TypeKind::kVoid) return Type::String();
  if (other.is_nested() || IsInterval(other)) return std::nullopt;
  return other;
}

std::optional<Type> WiderType(const Type& a, const Type& b, TypeRules rules) {
  if (auto type = TightestCommonType(a, b, rules)) return type;
  if (auto type = MeetDecimals(a, b)) return type;
  if (a.kind() == TypeKind::kString) return StringBeside(b, rules);
  if (b.kind() == TypeKind::kString) return StringBeside(a, rules);
  return MeetNested(a, b, WiderType, rules);
}

std::optional<Type> WiderTypeOf(std::span<const Type> types, TypeRules rules) {
  return Fold(types, WiderType, rules);
}

std::optional<Type> WiderTypeWithoutStrings(std::span<const Type> types, TypeRules rules) {
  return Fold(types, WiderWithoutStrings, rules);
}

Type DecimalOf(const Type& numeric) {
  switch (numeric.kind()) {
    case TypeKind::kByte:
      return Type::Decimal(3, 0);
    case TypeKind::kShort:
      return Type::Decimal(5, 0);
    case TypeKind::kInt:
      return Type::Decimal(10, 0);
    case TypeKind::kLong:
      return Type::Decimal(20, 0);
    case TypeKind::kFloat:
      return Type::Decimal(14, 7);
    case TypeKind::kDouble:
      return Type::Decimal(30, 15);
    default:
      return numeric;
  }
}

Type WiderDecimal(const Type& a, const Type& b) {
  int scale = std::max(a.scale(), b.scale());
  int whole = std::max(a.precision() - a.scale(), b.precision() - b.scale());
  if (whole + scale <= kMaxDigits) return Type::Decimal(whole + scale, scale);
  return Type::Decimal(kMaxDigits, std::max(0, kMaxDigits - whole));
}

Type DecimalSum(const Type& a, const Type& b) {
  int scale = std::max(a.scale(), b.scale());
  return Adjusted(std::max(a.precision() - a.scale(), b.precision() - b.scale()) + scale + 1, scale);
}

Type DecimalProduct(const Type& a, const Type& b) {
  return Adjusted(a.precision() + b.precision() + 1, a.scale() + b.scale());
}

Type DecimalQuotient(const Type& a, const Type& b) {
  int scale = std::max(kMinFraction, a.scale() + b.precision() + 1);
  return Adjusted(a.precision() - a.scale() + b.scale() + scale, scale);
}

Type DecimalRemainder(const Type& a, const Type& b) {
  int scale = std::max(a.scale(), b.scale());
  return Adjusted(std::min(a.precision() - a.scale(), b.precision() - b.scale()) + scale, scale);
}

Type BoundedDecimal(int precision, int scale) {
  return Type::Decimal(std::min(precision, kMaxDigits), std::min(scale, kMaxDigits));
}

bool CanCast(const Type& from, const Type& to) {
  TypeKind f = from.kind(), t = to.kind();
  if (from == to || f == TypeKind::kVoid) return true;
  if (t == TypeKind::kVoid) return false;
  if (t == TypeKind::kString) return true;
  if (from.is_nested() || to.is_nested()) return from.is_nested() && MembersAllow(from, to, CanCast, true);
  if (f == TypeKind::kString) return IsAtomic(to);
  if (from.is_numeric() || f == TypeKind::kBoolean) {
    if (to.is_numeric() || t == TypeKind::kBoolean) return true;
    if (t == TypeKind::kTimestamp) return from.is_numeric();
    return from.is_integral() && IsInterval(to);
  }
  if (f == TypeKind::kTimestamp && to.is_numeric()) return true;
  if (IsDatetime(from)) return IsDatetime(to);
  if (IsInterval(from)) return f == t || to.is_integral() || t == TypeKind::kDecimal;
  return f == t;
}

bool CanStoreAssign(const Type& from, const Type& to) {
  TypeKind f = from.kind(), t = to.kind();
  if (from == to || f == TypeKind::kVoid) return true;
  if (from.is_nested() || to.is_nested())
    return from.is_nested() && MembersAllow(from, to, CanStoreAssign, true);
  if (from.is_numeric() && to.is_numeric()) return true;
  if (t == TypeKind::kString) return IsAtomic(from);
  if (IsDatetime(from) && IsDatetime(to)) return true;
  return f == t;
}

bool CastForcesNullable(const Type& from, const Type& to) {
  TypeKind f = from.kind(), t = to.kind();
  if (f == TypeKind::kVoid || from == to) return false;
  if (f == TypeKind::kString) return t != TypeKind::kBinary;
  if (t == TypeKind::kString) return false;
  if (from.is_floating() && t == TypeKind::kTimestamp) return true;
  if (t == TypeKind::kDate) return f != TypeKind::kTimestamp && f != TypeKind::kTimestampNtz;
  if (t == TypeKind::kDecimal) {
    if (f == TypeKind::kBoolean) return to.precision() - to.scale() < 1;
    if (from.is_integral()) return !HoldsInteger(to, from);
    if (f == TypeKind::kDecimal) {
      int from_whole = from.precision() - from.scale(), to_whole = to.precision() - to.scale();
      return to_whole < from_whole || (to_whole == from_whole && to.scale() < from.scale());
    }
    return true;
  }
  return IsFractional(from) && to.is_integral();
}

bool IsOrderable(const Type& type) {
  if (type.kind() == TypeKind::kMap) return false;
  return std::ranges::all_of(type.fields(), [](const Field& field) { return IsOrderable(field.type); });
}

}  // namespace weir
