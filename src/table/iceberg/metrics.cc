#include "table/iceberg/metrics.h"

#include <charconv>
#include <functional>
#include <set>

#include "base/ascii.h"
#include "table/iceberg/single_value.h"
#include "type/text_bounds.h"

namespace weir::iceberg {

namespace {

using Kind = MetricsMode::Kind;
using LeafMetrics = table::NewDataFile::LeafMetrics;

constexpr std::string_view kDefaultProperty = "write.metadata.metrics.default";
constexpr std::string_view kColumnPrefix = "write.metadata.metrics.column.";
constexpr std::string_view kMaxInferredProperty = "write.metadata.metrics.max-inferred-column-defaults";
constexpr int64_t kMaxInferredDefault = 100;

/// Nothing for a text that is not a mode: writers then fall back to the default, as every implementation
/// does.
std::optional<MetricsMode> ParseMode(std::string_view text) {
  const std::string lower = AsciiLower(text);
  if (lower == "none") return MetricsMode{Kind::kNone, 0};
  if (lower == "counts") return MetricsMode{Kind::kCounts, 0};
  if (lower == "full") return MetricsMode{Kind::kFull, 0};
  const std::string_view view = lower;
  if (!view.starts_with("truncate(") || !view.ends_with(")")) return std::nullopt;
  const std::string_view digits = view.substr(9, view.size() - 10);
  int32_t length = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() || length <= 0)
    return std::nullopt;
  return MetricsMode{Kind::kTruncate, length};
}

size_t CountFields(const std::vector<Field>& fields) {
  size_t count = 0;
  for (const Field& field : fields) count += 1 + CountFields(field.type.fields());
  return count;
}

/// The first `limit` columns that are not nested: a level's own before those of the levels below it.
void FirstLeaves(const std::vector<Field>& fields, size_t limit, std::set<FieldId>& leaves) {
  for (const Field& field : fields) {
    if (leaves.size() >= limit) return;
    if (!field.type.is_nested()) leaves.insert(field.id);
  }
  for (const Field& field : fields) {
    if (leaves.size() >= limit) return;
    FirstLeaves(field.type.fields(), limit, leaves);
  }
}

void ForEachField(const std::vector<Field>& fields, const std::function<void(const Field&)>& visit) {
  for (const Field& field : fields) {
    visit(field);
    ForEachField(field.type.fields(), visit);
  }
}

/// Columns reached through structs only; counts and bounds of others would not be per row.
void PlainLeaves(const std::vector<Field>& fields, std::map<FieldId, Type>& leaves) {
  for (const Field& field : fields) {
    if (field.type.kind() == TypeKind::kStruct) {
      PlainLeaves(field.type.fields(), leaves);
    } else if (!field.type.is_nested()) {
      leaves.emplace(field.id, field.type);
    }
  }
}

bool IsBytes(const Type& type) { return type.kind() == TypeKind::kBinary || type.kind() == TypeKind::kFixed; }

/// A value in the column's stored type; nothing if it cannot be one.
std::optional<Scalar> Stored(const Scalar& value, const Type& type) {
  if (value.is_null() || value.is_nan()) return std::nullopt;
  if (type.kind() == TypeKind::kUuid && value.type().kind() == TypeKind::kString) {
    auto bytes = UuidBytes(value.text());
    if (!bytes) return std::nullopt;
    return Scalar(type, *std::move(bytes));
  }
  if (IsBytes(type) && (IsBytes(value.type()))) return Scalar(type, value.text());
  if (value.type().kind() == type.kind()) return value;
  auto widened = WidenTo(value, type);
  if (!widened) return std::nullopt;
  return *std::move(widened);
}

std::optional<std::string> LowerBound(const Scalar& value, const MetricsMode& mode) {
  const TypeKind kind = value.type().kind();
  if (kind == TypeKind::kFloat && value.float32() == 0) return ToSingleValue(Scalar::Float(-0.0f));
  if (kind == TypeKind::kDouble && value.float64() == 0) return ToSingleValue(Scalar::Double(-0.0));
  if (mode.kind == Kind::kTruncate) {
    const auto length = static_cast<size_t>(mode.length);
    if (kind == TypeKind::kString) return std::string(TruncateText(value.text(), length));
    if (kind == TypeKind::kBinary) return value.text().substr(0, length);
  }
  return ToSingleValue(value);
}

/// Nothing if no bound of the wanted length lies above the value.
std::optional<std::string> UpperBound(const Scalar& value, const MetricsMode& mode) {
  const TypeKind kind = value.type().kind();
  if (kind == TypeKind::kFloat && value.float32() == 0) return ToSingleValue(Scalar::Float(0.0f));
  if (kind == TypeKind::kDouble && value.float64() == 0) return ToSingleValue(Scalar::Double(0.0));
  if (mode.kind == Kind::kTruncate) {
    const auto length = static_cast<size_t>(mode.length);
    if (kind == TypeKind::kString) {
      const std::string_view prefix = TruncateText(value.text(), length);
      if (prefix.size() == value.text().size()) return value.text();
      return TextAbove(prefix);
    }
    if (kind == TypeKind::kBinary && value.text().size() > length)
      return BytesAbove(value.text().substr(0, length));
  }
  return ToSingleValue(value);
}

void AddCount(std::optional<ContentFile::Counts>& counts, FieldId id, const std::optional<uint64_t>& count) {
  if (!count) return;
  if (!counts) counts.emplace();
  counts->emplace_back(id, static_cast<int64_t>(*count));
}
void AddBound(std::optional<ContentFile::RawBounds>& bounds, FieldId id,
              const std::optional<std::string>& bound) {
  if (!bound) return;
  if (!bounds) bounds.emplace();
  bounds->emplace_back(id, *bound);
}

}  // namespace

MetricsConfig MetricsConfig::For(const TableMetadata& metadata) {
  MetricsConfig config;
  const Schema& schema = metadata.current_schema();
  const auto given = metadata.properties.find(kDefaultProperty);
  if (given != metadata.properties.end()) {
    config.default_ = ParseMode(given->second).value_or(MetricsMode());
  } else {
    auto limit = IntegerProperty(metadata.properties, kMaxInferredProperty, kMaxInferredDefault);
    const size_t max_inferred = limit && *limit >= 0 ? static_cast<size_t>(*limit) : kMaxInferredDefault;
    if (CountFields(schema.fields) > max_inferred) {
      std::set<FieldId> leaves;
      FirstLeaves(schema.fields, max_inferred, leaves);
      for (const FieldId id : leaves) config.by_id_[id] = MetricsMode();
      config.default_ = {Kind::kNone, 0};
    }
  }
  for (const SortOrder& order : metadata.sort_orders) {
    if (order.order_id != metadata.default_sort_order_id) continue;
    for (const table::SortField& field : order.fields) {
      if (!field.transform.preserves_order()) continue;
      const bool poor = config.default_.kind == Kind::kNone || config.default_.kind == Kind::kCounts;
      config.by_id_[field.source_id] = poor ? MetricsMode() : config.default_;
    }
  }
  ForEachField(schema.fields, [&](const Field& field) {
    const auto path = schema.PathOf(field.id);
    if (!path) return;
    const auto it = metadata.properties.find(std::string(kColumnPrefix) + *path);
    if (it != metadata.properties.end())
      config.by_id_[field.id] = ParseMode(it->second).value_or(config.default_);
  });
  return config;
}

MetricsMode MetricsConfig::ModeOf(FieldId id) const {
  const auto it = by_id_.find(id);
  return it == by_id_.end() ? default_ : it->second;
}

void SetDataMetrics(const std::vector<LeafMetrics>& metrics, const MetricsConfig& config,
                    const Schema& schema, ContentFile& file) {
  std::map<FieldId, Type> plain;
  PlainLeaves(schema.fields, plain);
  for (const LeafMetrics& leaf : metrics) {
    AddCount(file.column_sizes, leaf.field, leaf.size_bytes);
    const auto type = plain.find(leaf.field);
    const MetricsMode mode = config.ModeOf(leaf.field);
    if (type == plain.end() || mode.kind == Kind::kNone) continue;
    AddCount(file.value_counts, leaf.field, leaf.value_count);
    AddCount(file.null_counts, leaf.field, leaf.null_count);
    if (type->second.is_floating()) AddCount(file.nan_counts, leaf.field, leaf.nan_count);
    if (mode.kind == Kind::kCounts) continue;
    if (const auto lower = leaf.lower ? Stored(*leaf.lower, type->second) : std::nullopt) {
      AddBound(file.lower_bounds, leaf.field, LowerBound(*lower, mode));
    }
    if (const auto upper = leaf.upper ? Stored(*leaf.upper, type->second) : std::nullopt) {
      AddBound(file.upper_bounds, leaf.field, UpperBound(*upper, mode));
    }
  }
}

void SetDeleteMetrics(const std::vector<LeafMetrics>& metrics, ContentFile& file) {
  for (const LeafMetrics& leaf : metrics) {
    AddCount(file.column_sizes, leaf.field, leaf.size_bytes);
    if (leaf.lower && !leaf.lower->is_null())
      AddBound(file.lower_bounds, leaf.field, ToSingleValue(*leaf.lower));
    if (leaf.upper && !leaf.upper->is_null())
      AddBound(file.upper_bounds, leaf.field, ToSingleValue(*leaf.upper));
  }
}

Bounds BoundsOf(const ContentFile& file, const std::function<const Field*(FieldId)>& find) {
  Bounds bounds;
  bounds.row_count = static_cast<uint64_t>(file.row_count);
  const auto column = [&](FieldId id) -> ColumnBounds& { return bounds.columns[ColumnOf(id)]; };
  if (file.value_counts) {
    for (const auto& [id, count] : *file.value_counts) {
      if (count >= 0) column(id).value_count = static_cast<uint64_t>(count);
    }
  }
  if (file.null_counts) {
    for (const auto& [id, count] : *file.null_counts) {
      if (count >= 0) column(id).null_count = static_cast<uint64_t>(count);
    }
  }
  if (file.nan_counts) {
    for (const auto& [id, count] : *file.nan_counts) column(id).may_have_nan = count != 0;
  }
  const auto decode = [&](FieldId id, const std::string& bytes) -> std::optional<Scalar> {
    const Field* field = find(id);
    if (field == nullptr) return std::nullopt;
    // A bound that is wider than its column (the column's type under time travel) cannot be used, and costs
    // bytes only.
    auto value = FromSingleValue(bytes, field->type);
    if (!value || value->is_nan()) return std::nullopt;
    return ToSparkValue(*std::move(value));
  };
  if (file.lower_bounds) {
    for (const auto& [id, bytes] : *file.lower_bounds) {
      if (auto value = decode(id, bytes)) column(id).lower = *std::move(value);
    }
  }
  if (file.upper_bounds) {
    for (const auto& [id, bytes] : *file.upper_bounds) {
      if (auto value = decode(id, bytes)) column(id).upper = *std::move(value);
    }
  }
  return bounds;
}

}  // namespace weir::iceberg
