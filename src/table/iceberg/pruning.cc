#include "table/iceberg/pruning.h"

#include <algorithm>

#include "table/iceberg/single_value.h"

namespace weir::iceberg {

namespace {

/// Beyond this many candidate keys a file is read without looking at each.
constexpr size_t kMaxKeysTried = 4096;

/// A column and the only values that it can have where a predicate is true.
struct ColumnValues {
  FieldId column;
  std::vector<Scalar> values;
};

const ColumnRef* PlainColumn(const Expr& expr) {
  if (const ColumnRef* column = expr.As<ColumnRef>()) return column;
  const Cast* cast = expr.As<Cast>();
  // Integers of every width hash alike, so that a widening cast does not matter.
  if (cast == nullptr || !expr.type().is_integral() || !cast->input->type().is_integral()) return nullptr;
  if (expr.type().kind() < cast->input->type().kind()) return nullptr;
  return cast->input->As<ColumnRef>();
}

std::optional<ColumnValues> ValuesOfEquality(const Expr& a, const Expr& b) {
  const ColumnRef* column = PlainColumn(a);
  const Scalar* literal = b.As<Scalar>();
  if (column == nullptr || literal == nullptr || literal->is_null()) return std::nullopt;
  return ColumnValues{FieldOf(column->id), {*literal}};
}

std::optional<ColumnValues> ValuesOfIn(const Call& call) {
  const ColumnRef* column = PlainColumn(*call.args[0]);
  if (column == nullptr) return std::nullopt;
  ColumnValues result{FieldOf(column->id), {}};
  for (size_t i = 1; i < call.args.size(); ++i) {
    const Scalar* literal = call.args[i]->As<Scalar>();
    if (literal == nullptr) return std::nullopt;
    if (!literal->is_null()) result.values.push_back(*literal);
  }
  return result;
}

std::optional<ColumnValues> ValuesOf(const Expr& conjunct) {
  const Call* call = conjunct.As<Call>();
  if (call == nullptr) return std::nullopt;
  if (call->function->name == "=" || call->function->name == "<=>") {
    if (auto values = ValuesOfEquality(*call->args[0], *call->args[1])) return values;
    return ValuesOfEquality(*call->args[1], *call->args[0]);
  }
  if (call->function->name == "in") return ValuesOfIn(*call);
  return std::nullopt;
}

/// The literal as the stored column would hold it; nothing if that is not sure.
std::optional<Scalar> AsStored(const Scalar& literal, const Type& stored) {
  if (stored.is_integral() && literal.type().is_integral()) return literal;
  if (stored.kind() == TypeKind::kUuid && literal.type().kind() == TypeKind::kString) {
    auto bytes = UuidBytes(literal.text());
    if (!bytes) return std::nullopt;
    return Scalar(stored, *std::move(bytes));
  }
  if (stored.kind() == TypeKind::kFixed && literal.type().kind() == TypeKind::kBinary) return literal;
  if (stored.kind() != literal.type().kind()) return std::nullopt;
  if (stored.kind() == TypeKind::kDecimal && stored.scale() != literal.type().scale()) return std::nullopt;
  return literal;
}

std::optional<std::set<int64_t>> BucketsOf(const ColumnValues& column, const Transform& transform,
                                           const Type& stored) {
  std::set<int64_t> buckets;
  for (const Scalar& literal : column.values) {
    const auto value = AsStored(literal, stored);
    if (!value) return std::nullopt;
    auto bucket = transform.Apply(*value);
    if (!bucket || bucket->is_null()) return std::nullopt;
    buckets.insert(bucket->integer());
  }
  return buckets;
}

/// Keys of a uuid column are texts, whose partition values are not those of the bytes.
bool TuplesAreComparable(const PartitionSpec& spec, const table::KeySet& keys, const FindFieldById& find) {
  return std::none_of(spec.fields.begin(), spec.fields.end(), [&](const PartitionField& field) {
    if (std::find(keys.fields.begin(), keys.fields.end(), field.source_id) == keys.fields.end()) return false;
    const Field* source = find(field.source_id);
    if (source == nullptr) return true;
    return source->type.kind() == TypeKind::kUuid && field.transform.kind != Transform::Kind::kIdentity;
  });
}

/// A file's range of one key column. Absent ends are unknown.
struct KeyRange {
  std::optional<Scalar> lower, upper;
  bool Holds(const Scalar& key) const {
    if (lower && Compare(key, *lower) < 0) return false;
    return !upper || Compare(key, *upper) <= 0;
  }
};

KeyRange RangeOf(const ColumnBounds& column, const Scalar& example) {
  KeyRange range;
  const auto same_type = [&](const std::optional<Scalar>& bound) {
    return bound && bound->type().kind() == example.type().kind() &&
           bound->type().scale() == example.type().scale();
  };
  if (same_type(column.lower)) range.lower = column.lower;
  // NaN lies above every bound, outside of what upper says.
  const bool nan = example.type().is_floating() && column.may_have_nan;
  if (!nan && same_type(column.upper)) range.upper = column.upper;
  return range;
}

bool IsAllNull(const ColumnBounds& column, const Bounds& bounds) {
  const auto count = column.value_count ? column.value_count : bounds.row_count;
  return column.null_count && count && *column.null_count == *count;
}

/// True if a key lies within all ranges, as far as that can be told cheaply.
bool AnyKeyWithin(const std::vector<std::vector<Scalar>>& keys, const std::vector<KeyRange>& ranges) {
  const KeyRange& first = ranges[0];
  auto from = keys.begin();
  if (first.lower) {
    from = std::partition_point(keys.begin(), keys.end(),
                                [&](const auto& key) { return Compare(key[0], *first.lower) < 0; });
  }
  size_t tried = 0;
  for (auto it = from; it != keys.end(); ++it) {
    if (first.upper && Compare((*it)[0], *first.upper) > 0) return false;
    if (++tried > kMaxKeysTried) return true;
    bool within = true;
    for (size_t i = 1; i < ranges.size() && within; ++i) within = ranges[i].Holds((*it)[i]);
    if (within) return true;
  }
  return false;
}

}  // namespace

Pruner::Pruner(const ExprPtr& predicate, const std::optional<table::KeySet>& keys,
               const std::vector<PartitionSpec>& specs, FindFieldById find)
    : predicate_(predicate), keys_(keys ? &*keys : nullptr), find_(std::move(find)) {
  // Keys of no columns say nothing: their bounds are empty whether there are keys or not.
  if (keys_ != nullptr && keys_->fields.empty()) keys_ = nullptr;
  if (predicate_ != nullptr) FindBuckets(specs);
  if (keys_ == nullptr) return;
  for (const auto& tuples : keys_->partitions) {
    const auto spec = std::find_if(specs.begin(), specs.end(),
                                   [&](const PartitionSpec& s) { return s.spec_id == tuples.spec_id; });
    if (spec != specs.end() && TuplesAreComparable(*spec, *keys_, find_))
      key_tuples_[spec->spec_id] = &tuples;
  }
}

void Pruner::FindBuckets(const std::vector<PartitionSpec>& specs) {
  for (const ExprPtr& conjunct : Conjuncts(predicate_)) {
    const auto column = ValuesOf(*conjunct);
    if (!column) continue;
    const Field* field = find_(column->column);
    if (field == nullptr) continue;
    for (const PartitionSpec& spec : specs) {
      for (size_t i = 0; i < spec.fields.size(); ++i) {
        if (spec.fields[i].source_id != column->column) continue;
        if (spec.fields[i].transform.kind != Transform::Kind::kBucket) continue;
        const auto buckets = BucketsOf(*column, spec.fields[i].transform, field->type);
        if (!buckets) continue;
        auto [it, added] = buckets_[spec.spec_id].try_emplace(i, *buckets);
        if (!added) std::erase_if(it->second, [&](int64_t bucket) { return !buckets->contains(bucket); });
      }
    }
  }
}

bool Pruner::MayMatch(const Bounds& bounds) const {
  if (predicate_ != nullptr && !Evaluate(*predicate_, bounds).CanBe(Outcomes::kTrue)) return false;
  return keys_ == nullptr || KeysMayMatch(bounds);
}

bool Pruner::KeysMayMatch(const Bounds& bounds) const {
  if (keys_->empty()) return false;
  std::vector<KeyRange> ranges(keys_->fields.size());
  for (size_t i = 0; i < keys_->fields.size(); ++i) {
    const ColumnBounds* column = bounds.Find(ColumnOf(keys_->fields[i]));
    if (column == nullptr) continue;
    if (IsAllNull(*column, bounds)) return false;
    ranges[i] = RangeOf(*column, keys_->lower[i]);
    if (ranges[i].lower && Compare(keys_->upper[i], *ranges[i].lower) < 0) return false;
    if (ranges[i].upper && Compare(keys_->lower[i], *ranges[i].upper) > 0) return false;
  }
  return !keys_->keys || AnyKeyWithin(*keys_->keys, ranges);
}

bool Pruner::MayMatchPartition(const PartitionSpec& spec, const std::vector<Scalar>& values) const {
  if (const auto it = buckets_.find(spec.spec_id); it != buckets_.end()) {
    for (const auto& [position, allowed] : it->second) {
      if (values[position].is_null() || !allowed.contains(values[position].integer())) return false;
    }
  }
  const auto it = key_tuples_.find(spec.spec_id);
  if (it == key_tuples_.end()) return true;
  PartitionTuple tuple{spec.spec_id, {}};
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    const PartitionField& field = spec.fields[i];
    const bool from_key =
        field.transform.kind != Transform::Kind::kUnknown && field.transform.kind != Transform::Kind::kVoid &&
        std::find(keys_->fields.begin(), keys_->fields.end(), field.source_id) != keys_->fields.end();
    tuple.values.push_back(from_key ? ToSparkValue(values[i]) : Scalar());
  }
  return it->second->tuples.contains(tuple);
}

bool Pruner::MayMatchManifest(const PartitionSpec& spec, const ManifestFile& manifest) const {
  if (wants_everything() || !manifest.partitions || manifest.partitions->size() != spec.fields.size())
    return true;
  auto types = PartitionTypes(spec, find_);
  if (!types) return true;
  if (!MayMatch(BoundsOfSummaries(spec, *manifest.partitions, *types, find_))) return false;
  const auto it = buckets_.find(spec.spec_id);
  if (it == buckets_.end()) return true;
  for (const auto& [position, allowed] : it->second) {
    const FieldSummary& summary = (*manifest.partitions)[position];
    if (!summary.lower || !summary.upper) continue;
    const auto lower = FromSingleValue(*summary.lower, Type::Int());
    const auto upper = FromSingleValue(*summary.upper, Type::Int());
    if (!lower || !upper) continue;
    const auto first = allowed.lower_bound(lower->integer());
    if (first == allowed.end() || *first > upper->integer()) return false;
  }
  return true;
}

}  // namespace weir::iceberg
