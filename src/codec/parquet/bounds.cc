#include "codec/parquet/bounds.h"

#include <cmath>
#include <limits>

#include "base/bytes.h"

namespace weir::parquet {

namespace {

using Kind = LogicalType::Kind;

/// Reads a little-endian value of exactly its own size.
template <typename T>
std::optional<T> Load(std::string_view stored) {
  if (stored.size() != sizeof(T)) return {};
  return LoadLittleEndian<T>(reinterpret_cast<const uint8_t*>(stored.data()));
}

/// Two's complement, most significant byte first; nullopt if it needs more than 128 bits.
std::optional<Int128> LoadBigEndian(std::string_view stored) {
  if (stored.empty()) return {};
  const bool negative = (static_cast<uint8_t>(stored[0]) & 0x80) != 0;
  const char sign_byte = negative ? '\xff' : '\0';
  while (stored.size() > sizeof(Int128)) {
    if (stored[0] != sign_byte) return {};
    stored.remove_prefix(1);
    if (((static_cast<uint8_t>(stored[0]) & 0x80) != 0) != negative) return {};
  }
  auto value = static_cast<UInt128>(negative ? -1 : 0);
  for (char byte : stored) value = value << 8 | static_cast<uint8_t>(byte);
  return static_cast<Int128>(value);
}

bool IsPlainInteger(const SchemaElement& element, bool is_signed) {
  if (element.logical.kind == Kind::kNone) return is_signed;
  return element.logical.kind == Kind::kInteger && element.logical.is_signed == is_signed;
}

bool IsText(Kind kind) {
  return kind == Kind::kNone || kind == Kind::kString || kind == Kind::kEnum || kind == Kind::kJson;
}

}  // namespace

BoundsDecoder::BoundsDecoder(const Footer& footer, size_t leaf, Type type)
    : type_(std::move(type)),
      order_(footer.column_orders[leaf]),
      rule_(RuleFor(footer.element(footer.leaves[leaf]), type_)) {}

ValueBounds BoundsDecoder::OfChunk(const ColumnChunk& chunk) const {
  ValueBounds bounds;
  bounds.may_have_nan = type_.is_floating();
  // The metadata of an encrypted column is not there, and its counts are zeros that mean nothing.
  if (chunk.is_encrypted) return bounds;
  const Statistics& statistics = chunk.statistics;
  bounds.value_count = static_cast<uint64_t>(chunk.value_count);
  if (statistics.null_count && *statistics.null_count <= chunk.value_count) {
    bounds.null_count = static_cast<uint64_t>(*statistics.null_count);
    bounds.all_null = chunk.value_count > 0 && *statistics.null_count == chunk.value_count;
  }
  bounds.may_have_nan = type_.is_floating() && statistics.nan_count != 0;
  if (order_known() && (statistics.min_value || statistics.max_value)) {
    Decode(statistics.min_value, statistics.max_value, bounds);
    bounds.exact = bounds.lower && bounds.upper && statistics.min_is_exact && statistics.max_is_exact &&
                   rule_ != Rule::kNanos64;
  } else if (deprecated_order_fits()) {
    Decode(statistics.deprecated_min, statistics.deprecated_max, bounds);
  }
  return bounds;
}

ValueBounds BoundsDecoder::OfPage(const ColumnIndex& index, size_t page) const {
  ValueBounds bounds;
  bounds.all_null = index.null_pages[page] != 0;
  if (!index.null_counts.empty()) bounds.null_count = static_cast<uint64_t>(index.null_counts[page]);
  bounds.may_have_nan = type_.is_floating() && !bounds.all_null;
  if (bounds.all_null || !order_known()) return bounds;
  const std::string& min = index.min_values[page];
  const std::string& max = index.max_values[page];
  // Two empty bounds of a page with values are a writer's way of saying "unknown".
  if (min.empty() && max.empty()) return bounds;
  Decode(min, max, bounds);
  return bounds;
}

BoundsDecoder::Rule BoundsDecoder::RuleFor(const SchemaElement& element, const Type& type) {
  const PhysicalType physical = *element.physical;
  const LogicalType& logical = element.logical;
  const bool is_int32 = physical == PhysicalType::kInt32;
  const bool is_int64 = physical == PhysicalType::kInt64;
  const bool is_fixed = physical == PhysicalType::kFixedLenByteArray;
  const bool is_bytes = physical == PhysicalType::kByteArray;
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return physical == PhysicalType::kBoolean ? Rule::kBoolean : Rule::kNone;
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInt:
      if (!is_int32) return Rule::kNone;
      if (IsPlainInteger(element, true)) return Rule::kInt32;
      return IsPlainInteger(element, false) && logical.bit_width < 32 ? Rule::kUint32 : Rule::kNone;
    case TypeKind::kLong:
      if (!is_int32 && !is_int64) return Rule::kNone;
      if (IsPlainInteger(element, true)) return is_int32 ? Rule::kInt32 : Rule::kInt64;
      if (IsPlainInteger(element, false)) return is_int32 ? Rule::kUint32 : Rule::kUint64;
      return Rule::kNone;
    case TypeKind::kFloat:
      return physical == PhysicalType::kFloat ? Rule::kFloat : Rule::kNone;
    case TypeKind::kDouble:
      if (physical == PhysicalType::kFloat) return Rule::kFloat;
      return physical == PhysicalType::kDouble ? Rule::kDouble : Rule::kNone;
    case TypeKind::kDecimal:
      if (logical.kind != Kind::kDecimal || logical.scale != type.scale()) return Rule::kNone;
      if (is_int32) return Rule::kInt32;
      if (is_int64) return Rule::kInt64;
      return is_fixed || is_bytes ? Rule::kBigEndian : Rule::kNone;
    case TypeKind::kDate:
      return is_int32 && logical.kind == Kind::kDate ? Rule::kInt32 : Rule::kNone;
    case TypeKind::kTime:
      if (logical.kind != Kind::kTime) return Rule::kNone;
      if (logical.unit == LogicalType::Unit::kMillis) return is_int32 ? Rule::kMillis32 : Rule::kNone;
      if (!is_int64) return Rule::kNone;
      return logical.unit == LogicalType::Unit::kMicros ? Rule::kInt64 : Rule::kNanos64;
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      if (!is_int64 || logical.kind != Kind::kTimestamp) return Rule::kNone;
      // An instant read as a wall clock, or the reverse, moves by the session's time zone.
      if (logical.adjusted_to_utc != (type.kind() == TypeKind::kTimestamp)) return Rule::kNone;
      if (logical.unit == LogicalType::Unit::kMillis) return Rule::kMillis64;
      return logical.unit == LogicalType::Unit::kMicros ? Rule::kInt64 : Rule::kNanos64;
    case TypeKind::kString:
      return is_bytes && IsText(logical.kind) ? Rule::kBytes : Rule::kNone;
    case TypeKind::kBinary:
      if (is_bytes) return IsText(logical.kind) || logical.kind == Kind::kBson ? Rule::kBytes : Rule::kNone;
      return is_fixed && logical.kind == Kind::kNone ? Rule::kBytes : Rule::kNone;
    case TypeKind::kFixed:
      return is_fixed && logical.kind == Kind::kNone && element.type_length == type.length_bytes()
                 ? Rule::kBytes
                 : Rule::kNone;
    case TypeKind::kUuid:
      return is_fixed && element.type_length == 16 &&
                     (logical.kind == Kind::kUuid || logical.kind == Kind::kNone)
                 ? Rule::kBytes
                 : Rule::kNone;
    default:
      return Rule::kNone;
  }
}

bool BoundsDecoder::order_known() const {
  return order_ == ColumnOrder::kTypeDefined || (order_ == ColumnOrder::kIeee754 && type_.is_floating());
}

bool BoundsDecoder::deprecated_order_fits() const {
  switch (rule_) {
    case Rule::kBoolean:
    case Rule::kInt32:
    case Rule::kInt64:
    case Rule::kFloat:
    case Rule::kDouble:
    case Rule::kMillis32:
    case Rule::kMillis64:
    case Rule::kNanos64:
      return true;
    default:
      return false;
  }
}

void BoundsDecoder::Decode(const std::optional<std::string>& min, const std::optional<std::string>& max,
                           ValueBounds& into) const {
  if (min) into.lower = DecodeOne(*min, Side::kLower);
  if (max) into.upper = DecodeOne(*max, Side::kUpper);
  if (into.lower && into.upper && Compare(*into.lower, *into.upper) > 0) {
    into.lower.reset();
    into.upper.reset();
  }
}

std::optional<Scalar> BoundsDecoder::DecodeOne(std::string_view stored, Side side) const {
  constexpr int64_t kPerUnit = 1000;
  switch (rule_) {
    case Rule::kNone:
      return {};
    case Rule::kBoolean:
      if (stored.size() != 1 || static_cast<uint8_t>(stored[0]) > 1) return {};
      return Scalar::Boolean(stored[0] != 0);
    case Rule::kInt32: {
      const auto value = Load<int32_t>(stored);
      return value ? OfInteger(*value) : std::nullopt;
    }
    case Rule::kInt64: {
      const auto value = Load<int64_t>(stored);
      return value ? OfInteger(*value) : std::nullopt;
    }
    case Rule::kUint32: {
      const auto value = Load<uint32_t>(stored);
      return value ? OfInteger(*value) : std::nullopt;
    }
    case Rule::kUint64: {
      const auto value = Load<uint64_t>(stored);
      if (!value || *value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return {};
      return OfInteger(static_cast<int64_t>(*value));
    }
    case Rule::kFloat: {
      const auto value = Load<float>(stored);
      return value ? OfFloating(*value, side) : std::nullopt;
    }
    case Rule::kDouble: {
      const auto value = Load<double>(stored);
      return value ? OfFloating(*value, side) : std::nullopt;
    }
    case Rule::kBigEndian: {
      const auto value = LoadBigEndian(stored);
      if (!value) return {};
      return Scalar(type_, *value);
    }
    case Rule::kMillis32: {
      const auto value = Load<int32_t>(stored);
      return value ? OfInteger(*value * kPerUnit) : std::nullopt;
    }
    case Rule::kMillis64: {
      const auto value = Load<int64_t>(stored);
      int64_t micros = 0;
      if (!value || __builtin_mul_overflow(*value, kPerUnit, &micros)) return {};
      return OfInteger(micros);
    }
    case Rule::kNanos64: {
      const auto value = Load<int64_t>(stored);
      if (!value) return {};
      // Whoever rounds nanoseconds to microseconds, in whichever direction, stays within these.
      int64_t micros = *value / kPerUnit;
      if (side == Side::kLower && *value % kPerUnit < 0) --micros;
      if (side == Side::kUpper && *value % kPerUnit > 0) ++micros;
      return OfInteger(micros);
    }
    case Rule::kBytes:
      return Scalar(type_, std::string(stored));
  }
  return {};
}

std::optional<Scalar> BoundsDecoder::OfInteger(int64_t value) const {
  if (type_.kind() == TypeKind::kDecimal) return Scalar(type_, Int128{value});
  return Scalar(type_, value);
}

std::optional<Scalar> BoundsDecoder::OfFloating(double value, Side side) const {
  if (std::isnan(value)) return {};
  // Writers disagree about the sign of a zero bound.
  if (value == 0) value = side == Side::kLower ? -0.0 : 0.0;
  if (type_.kind() == TypeKind::kFloat) return Scalar(type_, static_cast<float>(value));
  return Scalar(type_, value);
}

}  // namespace weir::parquet
