#pragma once

/// Spark's casts, a column at a time. Thread rule: casts are called from any thread and hold no state.

#include <functional>
#include <memory>

#include "exec/duckdb/functions/kernel.h"
#include "type/scalar.h"
#include "type/time_zone.h"

namespace weir::exec {

/// Casts the first `count` rows of `input` into `result`, which becomes flat. The input may be flattened.
using ColumnCast = std::function<void(duckdb::Vector& input, duckdb::idx_t count, duckdb::Vector& result)>;

struct CastRule {
  enum class Mode : uint8_t { kAnsi, kLegacy, kTry, kStore };
  Type from;
  Type to;
  Mode mode = Mode::kAnsi;
  std::shared_ptr<const TimeZone> zone;  ///< Of the session.
  std::string column;                    ///< Of kStore: the column stored to, quoted.

  CastRule With(Type other_from, Type other_to) const {
    return {std::move(other_from), std::move(other_to), mode, zone, column};
  }
  bool throws() const { return mode == Mode::kAnsi || mode == Mode::kStore; }
  /// What becomes of a value that cannot be cast: an error, or NULL.
  std::nullopt_t Malformed(const Scalar& value) const;
  std::nullopt_t Malformed(std::string_view text) const {
    return Malformed(Scalar::String(std::string(text)));
  }
  std::nullopt_t Overflow(const Scalar& value) const;
  std::nullopt_t OutOfRange(std::string value) const;
};

/// Throws kUnsupported for a pair of types that is not implemented.
ColumnCast MakeColumnCast(const CastRule& rule);

// By the target.
ColumnCast CastToBoolean(const CastRule& rule);
ColumnCast CastToIntegral(const CastRule& rule);
ColumnCast CastToFloating(const CastRule& rule);
ColumnCast CastToDecimal(const CastRule& rule);
ColumnCast CastToBinary(const CastRule& rule);
ColumnCast CastToText(const CastRule& rule);
ColumnCast CastToInstant(const CastRule& rule);  ///< Dates and timestamps.

[[noreturn]] void RefuseCast(const CastRule& rule);

/// A cast that maps values of physical type T to R; text arrives as string_view. `map` returns R or an
/// optional of it.
template <typename R, typename T, typename F>
ColumnCast CastRows(F map) {
  return [map](duckdb::Vector& input, duckdb::idx_t count, duckdb::Vector& result) {
    const Rows<T> rows(input, count);
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    auto& validity = duckdb::FlatVector::Validity(result);
    for (duckdb::idx_t row = 0; row < count; ++row) {
      if (rows.IsNull(row)) {
        validity.SetInvalid(row);
        continue;
      }
      auto value = map(detail::Argument(rows, row));
      if constexpr (detail::IsOptional<decltype(value)>::value) {
        if (value) {
          detail::Store<R>(result, row, *value);
        } else {
          validity.SetInvalid(row);
        }
      } else {
        detail::Store<R>(result, row, value);
      }
    }
  };
}

/// Calls `make.operator()<T>()` with the C++ type of a whole or floating number.
template <typename F>
ColumnCast ForNumber(const Type& type, F&& make) {
  switch (type.kind()) {
    case TypeKind::kByte:
      return make.template operator()<int8_t>();
    case TypeKind::kShort:
      return make.template operator()<int16_t>();
    case TypeKind::kInt:
      return make.template operator()<int32_t>();
    case TypeKind::kLong:
      return make.template operator()<int64_t>();
    case TypeKind::kFloat:
      return make.template operator()<float>();
    default:
      return make.template operator()<double>();
  }
}

/// A number as a scalar of its own type, for errors.
template <typename T>
Scalar NumberScalar(T value) {
  if constexpr (std::is_same_v<T, float>) return Scalar::Float(value);
  if constexpr (std::is_same_v<T, double>) return Scalar::Double(value);
  if constexpr (std::is_integral_v<T>) {
    constexpr int kBytes = sizeof(T);
    const Type type = kBytes == 1   ? Type::Byte()
                      : kBytes == 2 ? Type::Short()
                      : kBytes == 4 ? Type::Int()
                                    : Type::Long();
    return Scalar(type, static_cast<int64_t>(value));
  }
}

}  // namespace weir::exec
