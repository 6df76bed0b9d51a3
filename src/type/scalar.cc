#include "type/scalar.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "type/calendar.h"
#include "type/integral.h"
#include "type/scalar_text.h"

namespace weir {
namespace {

template <typename T>
std::strong_ordering CompareFloats(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) <=> std::isnan(b);
  if (a == b) return std::strong_ordering::equal;  // -0.0 and 0.0 too
  return a < b ? std::strong_ordering::less : std::strong_ordering::greater;
}

std::strong_ordering CompareDecimals(const Scalar& a, const Scalar& b) {
  Int128 x = a.unscaled();
  Int128 y = b.unscaled();
  const int shift = a.type().scale() - b.type().scale();
  // What overflows when scaled up is larger in magnitude than any other value.
  if (shift < 0 && __builtin_mul_overflow(x, PowerOfTen(-shift), &x)) return a.unscaled() <=> Int128{0};
  if (shift > 0 && __builtin_mul_overflow(y, PowerOfTen(shift), &y)) return Int128{0} <=> b.unscaled();
  return x <=> y;
}

size_t Mix(size_t seed, size_t hash) { return (seed ^ hash) * 0x9E3779B97F4A7C15ULL + (seed >> 29); }

size_t HashOfFloat(double value) {
  if (std::isnan(value)) return 0x7FF8;
  return std::hash<double>{}(value == 0 ? 0.0 : value);
}

size_t HashOfDecimal(Int128 unscaled, int scale) {
  // Trailing zeros are dropped, since 1.0 equals 1.
  for (; scale > 0 && unscaled % 10 == 0; --scale) unscaled /= 10;
  if (unscaled == 0) scale = 0;
  return Mix(Mix(static_cast<size_t>(static_cast<UInt128>(unscaled) >> 64), static_cast<size_t>(unscaled)),
             static_cast<size_t>(scale));
}

Result<Scalar> ToDecimal(const Scalar& value, Int128 unscaled, int scale, const Type& type) {
  const int shift = type.scale() - scale;
  bool fits = shift >= 0 && !__builtin_mul_overflow(unscaled, PowerOfTen(std::max(shift, 0)), &unscaled);
  if (shift < 0) {
    fits = unscaled % PowerOfTen(-shift) == 0;
    unscaled /= PowerOfTen(-shift);
  }
  const Int128 limit = PowerOfTen(type.precision());
  if (!fits || unscaled >= limit || unscaled <= -limit) {
    return Invalid("{} does not fit {}", value.ToString(), type.ToString());
  }
  return Scalar(type, unscaled);
}

}  // namespace

bool Scalar::is_nan() const {
  if (const float* value = std::get_if<float>(&payload_)) return std::isnan(*value);
  if (const double* value = std::get_if<double>(&payload_)) return std::isnan(*value);
  return false;
}

bool Scalar::operator==(const Scalar& other) const {
  return type_.kind() == other.type_.kind() && Compare(*this, other) == std::strong_ordering::equal;
}

std::strong_ordering Compare(const Scalar& a, const Scalar& b) {
  if (a.is_null() || b.is_null()) return b.is_null() <=> a.is_null();
  switch (a.type().kind()) {
    case TypeKind::kVoid:
      return std::strong_ordering::equal;
    case TypeKind::kBoolean:
      return a.boolean() <=> b.boolean();
    case TypeKind::kFloat:
      return CompareFloats(a.float32(), b.float32());
    case TypeKind::kDouble:
      return CompareFloats(a.float64(), b.float64());
    case TypeKind::kDecimal:
      return CompareDecimals(a, b);
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kFixed:
    case TypeKind::kUuid:
      return a.text().compare(b.text()) <=> 0;
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kStruct:
      return std::lexicographical_compare_three_way(a.children().begin(), a.children().end(),
                                                    b.children().begin(), b.children().end(), Compare);
    default:
      return a.integer() <=> b.integer();
  }
}

bool SameValue(const Scalar& a, const Scalar& b) {
  if (!(a == b)) return false;
  if (a.is_null() || a.is_nan()) return true;
  if (a.type().kind() == TypeKind::kFloat) return std::signbit(a.float32()) == std::signbit(b.float32());
  if (a.type().kind() == TypeKind::kDouble) return std::signbit(a.float64()) == std::signbit(b.float64());
  return !a.type().is_nested() || std::ranges::equal(a.children(), b.children(), SameValue);
}

size_t HashOf(const Scalar& value) {
  const size_t seed = static_cast<size_t>(value.type().kind()) + 1;
  return std::visit(
      [&](const auto& payload) -> size_t {
        using T = std::decay_t<decltype(payload)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return Mix(seed, 0x5EED);
        } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
          return Mix(seed, HashOfFloat(payload));
        } else if constexpr (std::is_same_v<T, Int128>) {
          return Mix(seed, HashOfDecimal(payload, value.type().scale()));
        } else if constexpr (std::is_same_v<T, std::vector<Scalar>>) {
          size_t hash = Mix(seed, payload.size());
          for (const Scalar& child : payload) hash = Mix(hash, HashOf(child));
          return hash;
        } else {
          return Mix(seed, std::hash<T>{}(payload));
        }
      },
      value.payload());
}

size_t HashOf(std::span<const Scalar> row) {
  size_t hash = row.size();
  for (const Scalar& value : row) hash = Mix(hash, HashOf(value));
  return hash;
}

Result<Scalar> WidenTo(const Scalar& value, const Type& type) {
  const Type& from = value.type();
  if (value.is_null()) return Scalar::Null(type);
  if (from.kind() == TypeKind::kDecimal && type.kind() == TypeKind::kDecimal) {
    return ToDecimal(value, value.unscaled(), from.scale(), type);
  }
  if (SameShape(from, type)) return Scalar(type, value.payload());
  if (from.is_integral()) {
    if (type.is_integral() && type.kind() > from.kind()) return Scalar(type, value.payload());
    if (type.kind() == TypeKind::kDecimal) return ToDecimal(value, value.integer(), 0, type);
    if (type.kind() == TypeKind::kDouble && from.kind() <= TypeKind::kInt) {
      return Scalar(type, static_cast<double>(value.integer()));
    }
    if (type.kind() == TypeKind::kFloat && from.kind() <= TypeKind::kShort) {
      return Scalar(type, static_cast<float>(value.integer()));
    }
  }
  if (from.kind() == TypeKind::kFloat && type.kind() == TypeKind::kDouble) {
    return Scalar(type, static_cast<double>(value.float32()));
  }
  if (from.kind() == TypeKind::kDate && type.kind() == TypeKind::kTimestampNtz) {
    int64_t micros;
    if (!__builtin_mul_overflow(value.integer(), kMicrosPerDay, &micros)) return Scalar(type, micros);
  }
  return Invalid("{} of type {} does not widen to {}", value.ToString(), from.ToString(), type.ToString());
}

bool AlwaysWidens(const Type& from, const Type& to) {
  if (to.kind() == TypeKind::kDecimal) {
    if (from.kind() == TypeKind::kDecimal) {
      return to.scale() >= from.scale() && to.precision() - to.scale() >= from.precision() - from.scale();
    }
    return from.is_integral() && to.precision() - to.scale() >= IntegralDigits(from.kind());
  }
  if (SameShape(from, to) || from.kind() == TypeKind::kVoid) return true;
  if (from.is_integral() && to.is_integral()) return to.kind() > from.kind();
  if (to.kind() == TypeKind::kDouble) {
    return from.kind() == TypeKind::kFloat || (from.is_integral() && from.kind() <= TypeKind::kInt);
  }
  return to.kind() == TypeKind::kFloat && from.is_integral() && from.kind() <= TypeKind::kShort;
}

std::string Scalar::ToString() const { return is_null() ? "NULL" : ScalarText(*this); }
std::string Scalar::ToSql() const { return ScalarSql(*this); }

}  // namespace weir
