#pragma once

/// From stored bounds to sound ones: the one place that knows which bytes of statistics may be believed, and
/// for whom. Thread rule: immutable values. Spec: Apache Parquet, parquet.thrift (Statistics, ColumnOrder,
/// ColumnIndex).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codec/parquet/format.h"
#include "type/scalar.h"

namespace weir::parquet {

/// What is known of one column over some rows. Absent means unknown. Bounds may be wider than the data, never
/// narrower.
struct ValueBounds {
  std::optional<Scalar> lower;  ///< Typed as the table's column.
  std::optional<Scalar> upper;
  std::optional<uint64_t> null_count;
  std::optional<uint64_t> value_count;  ///< NULLs included.
  bool may_have_nan = false;  ///< NaN lies outside lower and upper. Never set for types without NaN.
  bool all_null = false;
  bool exact = false;  ///< The file says that both bounds are values of the data.
};

/// Decodes bounds of one leaf as values of a table's column type. Gives no bound, and so prunes nothing,
/// where the specification leaves doubt:
///   - a pair of file type and table type that is not the same set of values in the same order (a decimal
///     of another scale, an instant for a wall clock reading, an integer without the annotation of a date);
///   - no column order in the file, INT96, float16, interval, variant, geometry;
///   - the deprecated min and max of anything but booleans, signed integers and what is stored as them,
///     and floats;
///   - NaN as a bound, a value of the wrong length, lower above upper, a conversion that overflows.
/// Zeros widen to [-0.0, 0.0]; nanoseconds to whole microseconds outside; unsigned values above the signed
/// range to unknown. A truncated string is a bound like another, never a value.
class BoundsDecoder {
 public:
  /// `type` is the table's, to which the file's may have been promoted (int to long, float to double, more
  /// decimal digits).
  BoundsDecoder(const Footer& footer, size_t leaf, Type type);

  /// False if no bounds of this column can be used.
  bool usable() const { return rule_ != Rule::kNone; }
  ValueBounds OfChunk(const ColumnChunk& chunk) const;
  /// Bounds of one page; its value count is not in the index.
  ValueBounds OfPage(const ColumnIndex& index, size_t page) const;

 private:
  enum class Rule : uint8_t {
    kNone,
    kBoolean,
    kInt32,
    kInt64,
    kUint32,
    kUint64,
    kFloat,
    kDouble,
    kBigEndian,  // Decimal in bytes.
    kMillis32,   // To microseconds.
    kMillis64,
    kNanos64,
    kBytes,
  };
  enum class Side : uint8_t { kLower, kUpper };

  static Rule RuleFor(const SchemaElement& element, const Type& type);
  bool order_known() const;
  bool deprecated_order_fits() const;
  void Decode(const std::optional<std::string>& min, const std::optional<std::string>& max,
              ValueBounds& into) const;
  std::optional<Scalar> DecodeOne(std::string_view stored, Side side) const;
  std::optional<Scalar> OfInteger(int64_t value) const;
  std::optional<Scalar> OfFloating(double value, Side side) const;

  Type type_;
  ColumnOrder order_;
  Rule rule_;
};

}  // namespace weir::parquet
