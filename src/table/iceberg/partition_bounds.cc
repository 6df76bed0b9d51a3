// What partition values say about their source columns: the inclusive projection, done on bounds instead of
// on predicates. Every range here may be wider than the source values, never narrower.

#include <algorithm>
#include <limits>

#include "base/utf8.h"
#include "table/iceberg/partitioning.h"
#include "table/iceberg/single_value.h"
#include "type/calendar.h"
#include "type/text_bounds.h"

namespace weir::iceberg {

namespace {

/// Smallest and largest source value with a given partition value.
struct SourceRange {
  std::optional<Scalar> lower;
  std::optional<Scalar> upper;
};

int64_t LargestOf(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kByte:
      return std::numeric_limits<int8_t>::max();
    case TypeKind::kShort:
      return std::numeric_limits<int16_t>::max();
    case TypeKind::kInt:
      return std::numeric_limits<int32_t>::max();
    default:
      return std::numeric_limits<int64_t>::max();
  }
}

/// True if truncation to a width may have wrapped around to a value of lower..upper while the column had the
/// type.
bool MayHaveWrapped(const Type& type, int32_t width, const Scalar& lower, const Scalar& upper) {
  const int64_t largest = LargestOf(type);
  return upper.integer() > largest - (width - 1) && lower.integer() <= largest;
}

SourceRange TruncateRange(const Scalar& value, int32_t width, const Type& source) {
  const Type spark = SparkType(source);
  if (source.is_integral()) {
    // Truncation wraps around below the smallest value; the results then lie at the top of the range.
    if (value.integer() > LargestOf(source) - (width - 1)) return {};
    const Scalar upper(spark, value.integer() + width - 1);
    // So they do in files from before an int became a long.
    if (source.kind() == TypeKind::kLong && MayHaveWrapped(Type::Int(), width, value, value)) {
      return {Scalar(spark, int64_t{std::numeric_limits<int32_t>::min()}), upper};
    }
    return {Scalar(spark, value.integer()), upper};
  }
  switch (source.kind()) {
    case TypeKind::kDecimal: {
      Int128 above = 0;
      if (__builtin_add_overflow(value.unscaled(), Int128{width - 1}, &above))
        return {Scalar(spark, value.unscaled()), std::nullopt};
      return {Scalar(spark, value.unscaled()), Scalar(spark, above)};
    }
    case TypeKind::kString: {
      if (Utf8Length(value.text()) < static_cast<size_t>(width)) return {value, value};
      const auto above = TextAbove(value.text());
      return {value, above ? std::optional(Scalar(spark, *above)) : std::nullopt};
    }
    case TypeKind::kBinary: {
      if (value.text().size() < static_cast<size_t>(width)) return {value, value};
      const auto above = BytesAbove(value.text());
      return {value, above ? std::optional(Scalar(spark, *above)) : std::nullopt};
    }
    default:
      return {};
  }
}

/// First day of the n-th year or month since 1970.
int64_t FirstDayOf(Transform::Kind kind, int64_t n) {
  if (kind == Transform::Kind::kYear) return DaysFromCivil({1970 + n, 1, 1});
  return DaysFromCivil({1970 + FloorDiv(n, 12), static_cast<int32_t>(FloorMod(n, 12)) + 1, 1});
}

SourceRange TimeRange(const Scalar& value, Transform::Kind kind, const Type& source) {
  const int64_t n = value.integer();
  // Early Iceberg writers rounded towards zero, so times before 1970 may lie one step below their partition
  // value.
  const int64_t first_n = n <= 0 ? n - 1 : n;
  Int128 first = 0, behind = 0;  // In micros, half open.
  switch (kind) {
    case Transform::Kind::kHour:
      first = Int128{first_n} * kMicrosPerHour;
      behind = (Int128{n} + 1) * kMicrosPerHour;
      break;
    case Transform::Kind::kDay:
      first = Int128{first_n} * kMicrosPerDay;
      behind = (Int128{n} + 1) * kMicrosPerDay;
      break;
    default:
      first = Int128{FirstDayOf(kind, first_n)} * kMicrosPerDay;
      behind = Int128{FirstDayOf(kind, n + 1)} * kMicrosPerDay;
      break;
  }
  Int128 last = behind - 1;
  if (source.kind() == TypeKind::kDate) {
    if (kind == Transform::Kind::kHour) return {};
    first /= kMicrosPerDay;
    last = behind / kMicrosPerDay - 1;
  }
  const auto fits = [](Int128 number) {
    return number >= std::numeric_limits<int64_t>::min() && number <= std::numeric_limits<int64_t>::max();
  };
  SourceRange range;
  if (fits(first)) range.lower = Scalar(source, static_cast<int64_t>(first));
  if (fits(last)) range.upper = Scalar(source, static_cast<int64_t>(last));
  return range;
}

/// Precondition: value is not null and not NaN.
SourceRange RangeOf(const Transform& transform, const Scalar& value, const Type& source) {
  switch (transform.kind) {
    case Transform::Kind::kIdentity:
      return {ToSparkValue(value), ToSparkValue(value)};
    case Transform::Kind::kTruncate:
      return TruncateRange(value, transform.parameter, source);
    case Transform::Kind::kYear:
    case Transform::Kind::kMonth:
    case Transform::Kind::kDay:
    case Transform::Kind::kHour:
      return TimeRange(value, transform.kind, source);
    default:
      return {};
  }
}

bool SaysNothing(const Transform& transform) {
  return transform.kind == Transform::Kind::kVoid || transform.kind == Transform::Kind::kUnknown;
}

ColumnBounds FromValue(const PartitionField& field, const Scalar& value, uint64_t row_count,
                       const Type& source) {
  ColumnBounds bounds;
  bounds.value_count = row_count;
  if (value.is_null()) {
    // Every transform gives NULL for NULL only.
    bounds.null_count = row_count;
    bounds.may_have_nan = false;
    return bounds;
  }
  bounds.null_count = 0;
  if (value.is_nan()) return bounds;
  bounds.may_have_nan = field.transform.kind != Transform::Kind::kIdentity;
  SourceRange range = RangeOf(field.transform, value, source);
  bounds.lower = std::move(range.lower);
  bounds.upper = std::move(range.upper);
  return bounds;
}

std::optional<Scalar> DecodeBound(const std::optional<std::string>& bytes, const Type& type) {
  if (!bytes) return std::nullopt;
  auto value = FromSingleValue(*bytes, type);
  if (!value || value->is_nan()) return std::nullopt;
  return *std::move(value);
}

/// Below the bounds of integers truncated to lower..upper lie those whose truncation wrapped around.
void WidenForWrapped(int32_t width, const Scalar& lower, const std::optional<Scalar>& upper,
                     const Type& source, ColumnBounds& bounds) {
  if (!upper || MayHaveWrapped(source, width, lower, *upper)) {
    bounds.lower.reset();
  } else if (source.kind() == TypeKind::kLong && MayHaveWrapped(Type::Int(), width, lower, *upper)) {
    const Scalar lowest(Type::Long(), int64_t{std::numeric_limits<int32_t>::min()});
    if (Compare(lowest, *bounds.lower) < 0) bounds.lower = lowest;
  }
}

ColumnBounds FromSummary(const PartitionField& field, const FieldSummary& summary, const Type& type,
                         const Type& source) {
  ColumnBounds bounds;
  if (!summary.contains_null) bounds.null_count = 0;
  bounds.may_have_nan =
      field.transform.kind != Transform::Kind::kIdentity || summary.contains_nan.value_or(true);
  if (const auto lower = DecodeBound(summary.lower, type)) {
    bounds.lower = RangeOf(field.transform, *lower, source).lower;
  }
  if (const auto upper = DecodeBound(summary.upper, type)) {
    bounds.upper = RangeOf(field.transform, *upper, source).upper;
  }
  if (bounds.lower && field.transform.kind == Transform::Kind::kTruncate && source.is_integral()) {
    WidenForWrapped(field.transform.parameter, *DecodeBound(summary.lower, type),
                    DecodeBound(summary.upper, type), source, bounds);
  }
  return bounds;
}

void IntersectColumn(ColumnBounds& into, const ColumnBounds& other) {
  if (other.lower && (!into.lower || Compare(*other.lower, *into.lower) > 0)) into.lower = other.lower;
  if (other.upper && (!into.upper || Compare(*other.upper, *into.upper) < 0)) into.upper = other.upper;
  if (!into.null_count) into.null_count = other.null_count;
  if (!into.value_count) into.value_count = other.value_count;
  into.may_have_nan = into.may_have_nan && other.may_have_nan;
}

void Add(Bounds& bounds, FieldId id, ColumnBounds column) {
  auto [it, added] = bounds.columns.try_emplace(ColumnOf(id), column);
  if (!added) IntersectColumn(it->second, column);
}

}  // namespace

Bounds BoundsOfTuple(const PartitionSpec& spec, const std::vector<Scalar>& values, uint64_t row_count,
                     const FindFieldById& find) {
  Bounds bounds;
  bounds.row_count = row_count;
  for (size_t i = 0; i < spec.fields.size() && i < values.size(); ++i) {
    const Field* source = find(spec.fields[i].source_id);
    if (source == nullptr || SaysNothing(spec.fields[i].transform)) continue;
    Add(bounds, source->id, FromValue(spec.fields[i], values[i], row_count, source->type));
  }
  return bounds;
}

Bounds BoundsOfSummaries(const PartitionSpec& spec, const std::vector<FieldSummary>& summaries,
                         const std::vector<Type>& types, const FindFieldById& find) {
  Bounds bounds;
  for (size_t i = 0; i < spec.fields.size() && i < summaries.size(); ++i) {
    const Field* source = find(spec.fields[i].source_id);
    if (source == nullptr || SaysNothing(spec.fields[i].transform)) continue;
    Add(bounds, source->id, FromSummary(spec.fields[i], summaries[i], types[i], source->type));
  }
  return bounds;
}

void Intersect(Bounds& into, const Bounds& other) {
  if (!into.row_count) into.row_count = other.row_count;
  for (const auto& [id, column] : other.columns) {
    auto [it, added] = into.columns.try_emplace(id, column);
    if (!added) IntersectColumn(it->second, column);
  }
}

}  // namespace weir::iceberg
