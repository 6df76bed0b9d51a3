#pragma once

/// One value of any type, and Spark's total order over values. Thread rule: immutable values.

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/int128.h"
#include "type/type.h"

namespace weir {

/// A typed value or a typed NULL.
class Scalar {
 public:
  /// Payload by type kind:
  ///   boolean: bool. byte..long, date, time, timestamps, intervals: int64_t. float: float. double: double.
  ///   decimal: Int128 unscaled. string (UTF-8), binary, fixed, uuid (16 bytes): std::string.
  ///   array, struct: one Scalar per element or member. map: key, value, key, value, ...
  using Payload =
      std::variant<std::monostate, bool, int64_t, float, double, Int128, std::string, std::vector<Scalar>>;

  Scalar() = default;  ///< NULL of type void.
  Scalar(Type type, Payload payload) : type_(std::move(type)), payload_(std::move(payload)) {}

  static Scalar Null(Type type) { return {std::move(type), std::monostate{}}; }
  static Scalar Boolean(bool value) { return {Type::Boolean(), value}; }
  static Scalar Int(int32_t value) { return {Type::Int(), int64_t{value}}; }
  static Scalar Long(int64_t value) { return {Type::Long(), value}; }
  static Scalar Float(float value) { return {Type::Float(), value}; }
  static Scalar Double(double value) { return {Type::Double(), value}; }
  static Scalar String(std::string value) { return {Type::String(), std::move(value)}; }
  static Scalar Binary(std::string value) { return {Type::Binary(), std::move(value)}; }
  static Scalar Date(int32_t days) { return {Type::Date(), int64_t{days}}; }
  static Scalar Timestamp(int64_t micros) { return {Type::Timestamp(), micros}; }
  static Scalar TimestampNtz(int64_t micros) { return {Type::TimestampNtz(), micros}; }
  static Scalar Decimal(Int128 unscaled, int precision, int scale) {
    return {Type::Decimal(precision, scale), unscaled};
  }

  const Type& type() const { return type_; }
  bool is_null() const { return std::holds_alternative<std::monostate>(payload_); }
  /// The caller has checked the type; see Payload.
  bool boolean() const { return std::get<bool>(payload_); }
  int64_t integer() const { return std::get<int64_t>(payload_); }
  float float32() const { return std::get<float>(payload_); }
  double float64() const { return std::get<double>(payload_); }
  Int128 unscaled() const { return std::get<Int128>(payload_); }
  const std::string& text() const { return std::get<std::string>(payload_); }
  const std::vector<Scalar>& children() const { return std::get<std::vector<Scalar>>(payload_); }
  const Payload& payload() const { return payload_; }

  bool is_nan() const;

  /// As Spark's CAST(.. AS STRING) prints it in UTC; NULL prints as "NULL". Timestamps: "2025-01-01
  /// 10:00:00".
  std::string ToString() const;
  /// As a Spark SQL literal, such as "'a'", "1L", "DATE '2025-01-01'"; for EXPLAIN.
  std::string ToSql() const;

  /// Same type kind and equal by Compare; two NULLs are equal.
  bool operator==(const Scalar& other) const;

 private:
  Type type_;
  Payload payload_;
};

/// Spark's order of two values of one type: NULL before all, NaN above all numbers and equal to itself,
/// -0.0 equal to 0.0, strings by bytes, binary by unsigned bytes, nested by element.
/// Types must have the same kind; the caller has coerced them. Decimals of unlike scale compare by value.
std::strong_ordering Compare(const Scalar& a, const Scalar& b);

/// Finer than operator==: 0.0 and -0.0 are two values, at any depth; NaN is one.
bool SameValue(const Scalar& a, const Scalar& b);

/// Consistent with operator==: NaNs hash alike, -0.0 as 0.0.
size_t HashOf(const Scalar& value);
size_t HashOf(std::span<const Scalar> row);
struct ScalarHash {
  size_t operator()(const Scalar& value) const { return HashOf(value); }
};

/// Changes the type of a value where nothing is lost: integer widening, int to decimal with room, float to
/// double, decimal to a decimal that can hold it, date to timestamp_ntz, NULL to anything, and the identity.
/// Errors: kInvalid if the value or the pair of types does not allow it.
Result<Scalar> WidenTo(const Scalar& value, const Type& type);

/// True if WidenTo succeeds for every value of type `from`.
bool AlwaysWidens(const Type& from, const Type& to);

}  // namespace weir
