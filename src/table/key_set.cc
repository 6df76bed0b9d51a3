#include "table/key_set.h"

#include <algorithm>

namespace weir::table {

namespace {

bool KeyLess(const std::vector<Scalar>& a, const std::vector<Scalar>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    const auto order = Compare(a[i], b[i]);
    if (order != 0) return order < 0;
  }
  return false;
}

std::optional<size_t> PositionOf(const std::vector<FieldId>& fields, FieldId id) {
  const auto it = std::find(fields.begin(), fields.end(), id);
  if (it == fields.end()) return std::nullopt;
  return static_cast<size_t>(it - fields.begin());
}

size_t TextBytes(const std::vector<Scalar>& key) {
  size_t bytes = 0;
  for (const Scalar& value : key) {
    const bool is_text = value.type().kind() == TypeKind::kString || value.type().kind() == TypeKind::kBinary;
    if (is_text) bytes += value.text().size();
  }
  return bytes;
}

bool IsKnown(const Transform& transform) {
  return transform.kind != Transform::Kind::kUnknown && transform.kind != Transform::Kind::kVoid;
}

/// Specs of which at least one field can be computed from a key; the others cannot prune.
bool ReadsKey(const PartitionSpec& spec, const std::vector<FieldId>& fields) {
  return std::any_of(spec.fields.begin(), spec.fields.end(), [&](const PartitionField& field) {
    return IsKnown(field.transform) && PositionOf(fields, field.source_id).has_value();
  });
}

}  // namespace

size_t KeySetBuilder::KeyHash::operator()(const std::vector<Scalar>& key) const {
  return HashOf(std::span(key));
}

KeySetBuilder::KeySetBuilder(std::vector<FieldId> fields, std::vector<PartitionSpec> specs, Limits limits)
    : fields_(std::move(fields)), limits_(limits) {
  set_.fields = fields_;
  for (PartitionSpec& spec : specs) {
    if (!ReadsKey(spec, fields_)) continue;
    set_.partitions.push_back({spec.spec_id, {}});
    specs_.push_back(std::move(spec));
  }
}

Status KeySetBuilder::Add(std::vector<Scalar> key) {
  if (key.size() != fields_.size()) {
    return Internal("a key of {} values for {} fields", key.size(), fields_.size());
  }
  if (std::any_of(key.begin(), key.end(), [](const Scalar& value) { return value.is_null(); })) return {};
  if (!overflowed_ && distinct_.contains(key)) return {};
  WidenBounds(key);
  WEIR_DO(AddPartitions(key));
  if (overflowed_) return {};
  key_bytes_ += TextBytes(key);
  distinct_.insert(std::move(key));
  if (distinct_.size() > limits_.max_keys || key_bytes_ > limits_.max_key_bytes) {
    overflowed_ = true;
    distinct_ = {};
  }
  return {};
}

void KeySetBuilder::WidenBounds(const std::vector<Scalar>& key) {
  if (set_.lower.empty()) {
    set_.lower = key;
    set_.upper = key;
    return;
  }
  for (size_t i = 0; i < key.size(); ++i) {
    if (Compare(key[i], set_.lower[i]) < 0) set_.lower[i] = key[i];
    if (Compare(key[i], set_.upper[i]) > 0) set_.upper[i] = key[i];
  }
}

Status KeySetBuilder::AddPartitions(const std::vector<Scalar>& key) {
  for (size_t s = 0; s < specs_.size();) {
    PartitionTuple tuple{specs_[s].spec_id, {}};
    bool known = true;
    for (const PartitionField& field : specs_[s].fields) {
      const auto position = PositionOf(fields_, field.source_id);
      if (!position || !IsKnown(field.transform)) {
        tuple.values.push_back(Scalar());
        continue;
      }
      known = known && !field.transform.MayDifferInOldFiles(key[*position]);
      WEIR_TRY(Scalar value, field.transform.Apply(key[*position]));
      tuple.values.push_back(std::move(value));
    }
    auto& tuples = set_.partitions[s].tuples;
    tuples.insert(std::move(tuple));
    if (!known || tuples.size() > limits_.max_partitions) {
      set_.partitions.erase(set_.partitions.begin() + static_cast<std::ptrdiff_t>(s));
      specs_.erase(specs_.begin() + static_cast<std::ptrdiff_t>(s));
    } else {
      ++s;
    }
  }
  return {};
}

KeySet KeySetBuilder::Finish() && {
  if (!overflowed_) {
    std::vector<std::vector<Scalar>> keys;
    keys.reserve(distinct_.size());
    while (!distinct_.empty()) keys.push_back(std::move(distinct_.extract(distinct_.begin()).value()));
    std::sort(keys.begin(), keys.end(), KeyLess);
    set_.keys = std::move(keys);
  }
  return std::move(set_);
}

}  // namespace weir::table
