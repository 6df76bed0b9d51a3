#pragma once

/// Keys that rows must equal, and whether rows within given bounds can equal one. Thread rule: immutable.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "codec/parquet/bounds.h"
#include "type/scalar.h"

namespace weir::pages {

/// A column of the table that is part of the key.
struct KeyColumn {
  FieldId id;
  std::string name;  ///< What synthesized files call it.
  Type type;         ///< The table's, not nested.
  /// Names under which a file without field ids may hold the column (Iceberg: name mapping). None: such a
  /// file is read plainly.
  std::vector<std::string> mapped_names;
};

/// Distinct key tuples of one or more columns, with equality as in SQL `=`: NULL equals nothing, NaN equals
/// NaN, -0.0 equals 0.0. Memory: the scalars, and one index per tuple and column.
class Keys {
 public:
  /// Takes tuples in any order, repeats allowed, one Scalar per column. A tuple with a NULL is dropped: it
  /// matches nothing. Errors: kInvalid for no column, a nested column, a tuple of another width, or a scalar
  /// of another type kind than its column.
  static Result<std::shared_ptr<const Keys>> Make(std::vector<KeyColumn> columns,
                                                  const std::vector<std::vector<Scalar>>& tuples);

  const std::vector<KeyColumn>& columns() const { return columns_; }
  size_t size() const { return count_; }
  /// Value of a column of the i-th tuple; tuples are sorted by Compare in column order.
  const Scalar& At(size_t tuple, size_t column) const { return values_[column][tuple]; }

  /// True if some key may lie within all bounds, one per column. False only if none does.
  /// Cost: a binary search per column; then, with several columns, a look at up to a few thousand tuples.
  bool MayMatch(std::span<const parquet::ValueBounds> bounds) const;

 private:
  Keys() = default;
  /// Tuples order_[column][first, last) are those whose value may lie within bounds.
  struct Slice {
    size_t column = 0, first = 0, last = 0;
    size_t size() const { return last - first; }
  };
  Slice Within(size_t column, const parquet::ValueBounds& bounds) const;
  bool AnyFits(const Slice& slice, std::span<const parquet::ValueBounds> bounds) const;
  bool Fits(size_t tuple, std::span<const parquet::ValueBounds> bounds) const;

  std::vector<KeyColumn> columns_;
  size_t count_ = 0;
  std::vector<std::vector<Scalar>> values_;   // By column, then tuple.
  std::vector<std::vector<uint32_t>> order_;  // By column: tuples sorted by that column's value.
  std::vector<bool> has_nan_;                 // By column: the last tuple in order has NaN.
};

}  // namespace weir::pages
