#include "pages/keys.h"

#include <algorithm>
#include <numeric>

namespace weir::pages {

namespace {

using Tuple = std::vector<Scalar>;

Status CheckTuple(const std::vector<KeyColumn>& columns, const Tuple& tuple) {
  if (tuple.size() != columns.size()) {
    return Invalid("a key of {} values for {} key columns", tuple.size(), columns.size());
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const Type& expected = columns[i].type;
    const Type& found = tuple[i].type();
    const bool same_scale = expected.kind() != TypeKind::kDecimal || expected.scale() == found.scale();
    if (!tuple[i].is_null() && (expected.kind() != found.kind() || !same_scale)) {
      return Invalid("key column {}: expected {}, found {}", columns[i].name, expected.ToString(),
                     found.ToString());
    }
  }
  return {};
}

bool HasNull(const Tuple& tuple) {
  return std::any_of(tuple.begin(), tuple.end(), [](const Scalar& value) { return value.is_null(); });
}

std::strong_ordering CompareTuples(const Tuple& a, const Tuple& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (const auto order = Compare(a[i], b[i]); order != 0) return order;
  }
  return std::strong_ordering::equal;
}

}  // namespace

Result<std::shared_ptr<const Keys>> Keys::Make(std::vector<KeyColumn> columns,
                                               const std::vector<Tuple>& tuples) {
  if (columns.empty()) return Invalid("a key needs at least one column");
  for (const KeyColumn& column : columns) {
    if (column.type.is_nested())
      return Invalid("key column {} is nested: {}", column.name, column.type.ToString());
  }
  std::vector<const Tuple*> kept;
  for (const Tuple& tuple : tuples) {
    WEIR_DO(CheckTuple(columns, tuple));
    if (!HasNull(tuple)) kept.push_back(&tuple);
  }
  std::sort(kept.begin(), kept.end(), [](auto* a, auto* b) { return CompareTuples(*a, *b) < 0; });
  kept.erase(
      std::unique(kept.begin(), kept.end(), [](auto* a, auto* b) { return CompareTuples(*a, *b) == 0; }),
      kept.end());

  std::shared_ptr<Keys> keys(new Keys());
  keys->columns_ = std::move(columns);
  keys->count_ = kept.size();
  for (size_t c = 0; c < keys->columns_.size(); ++c) {
    std::vector<Scalar>& values = keys->values_.emplace_back();
    values.reserve(kept.size());
    for (const Tuple* tuple : kept) values.push_back((*tuple)[c]);
    std::vector<uint32_t>& order = keys->order_.emplace_back(kept.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return Compare(values[a], values[b]) < 0; });
    keys->has_nan_.push_back(!order.empty() && values[order.back()].is_nan());
  }
  return std::shared_ptr<const Keys>(std::move(keys));
}

bool Keys::MayMatch(std::span<const parquet::ValueBounds> bounds) const {
  Slice shortest;
  for (size_t c = 0; c < columns_.size(); ++c) {
    const Slice slice = Within(c, bounds[c]);
    if (slice.size() == 0) return false;
    if (c == 0 || slice.size() < shortest.size()) shortest = slice;
  }
  return AnyFits(shortest, bounds);
}

Keys::Slice Keys::Within(size_t column, const parquet::ValueBounds& bounds) const {
  const std::vector<uint32_t>& order = order_[column];
  const std::vector<Scalar>& values = values_[column];
  Slice slice{column, 0, order.size()};
  if (bounds.all_null) return {column, 0, 0};
  if (bounds.lower) {
    const auto at = std::partition_point(order.begin(), order.end(),
                                         [&](uint32_t t) { return Compare(values[t], *bounds.lower) < 0; });
    slice.first = static_cast<size_t>(at - order.begin());
  }
  // NaN sorts last, above every upper bound; the slice reaches to it if rows may hold it.
  if (bounds.upper && !(has_nan_[column] && bounds.may_have_nan)) {
    const auto at = std::partition_point(order.begin() + static_cast<int64_t>(slice.first), order.end(),
                                         [&](uint32_t t) { return Compare(values[t], *bounds.upper) <= 0; });
    slice.last = static_cast<size_t>(at - order.begin());
  }
  return slice;
}

bool Keys::AnyFits(const Slice& slice, std::span<const parquet::ValueBounds> bounds) const {
  // Looking on costs more than reading a page that may not match.
  constexpr size_t kMaxLooks = 4096;
  if (slice.size() > kMaxLooks) return true;
  for (size_t i = slice.first; i < slice.last; ++i) {
    if (Fits(order_[slice.column][i], bounds)) return true;
  }
  return false;
}

bool Keys::Fits(size_t tuple, std::span<const parquet::ValueBounds> bounds) const {
  for (size_t c = 0; c < columns_.size(); ++c) {
    const Scalar& value = values_[c][tuple];
    if (value.is_nan()) {
      if (!bounds[c].may_have_nan) return false;
      continue;
    }
    if (bounds[c].lower && Compare(value, *bounds[c].lower) < 0) return false;
    if (bounds[c].upper && Compare(value, *bounds[c].upper) > 0) return false;
  }
  return true;
}

}  // namespace weir::pages
