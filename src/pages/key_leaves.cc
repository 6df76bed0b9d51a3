#include "pages/key_leaves.h"

#include <algorithm>

#include "codec/parquet/file_stats.h"

namespace weir::pages {

namespace {

/// Top-level leaves that carry one of the names.
std::vector<size_t> FindByName(const parquet::Footer& footer, const std::vector<std::string>& names) {
  std::vector<size_t> found;
  for (size_t i = 0; i < footer.leaves.size(); ++i) {
    const parquet::Leaf& leaf = footer.leaves[i];
    const std::string& name = footer.element(leaf).name;
    if (footer.is_top_level(leaf) && std::find(names.begin(), names.end(), name) != names.end())
      found.push_back(i);
  }
  return found;
}

bool HasFieldId(const parquet::Footer& footer, FieldId id) {
  return std::any_of(footer.schema.begin(), footer.schema.end(),
                     [&](const parquet::SchemaElement& element) { return element.field_id == id; });
}

void Refuse(KeyLeaves& found, PlainReason reason, std::string detail) {
  if (found.reason != PlainReason::kNone) return;
  found.reason = reason;
  found.detail = std::move(detail);
}

void FindById(const parquet::Footer& footer, const KeyColumn& column, KeyLeaves& found) {
  const auto leaf = parquet::FindLeaf(footer, column.id);
  if (!leaf) {
    if (!HasFieldId(footer, column.id)) return found.missing.push_back(column.id);
    return Refuse(found, PlainReason::kNestedKey,
                  fmt::format("field id {} of key column {} is not one leaf", column.id.value, column.name));
  }
  const parquet::Leaf& place = footer.leaves[*leaf];
  if (!footer.is_top_level(place) || place.max_repetition_level > 0) {
    return Refuse(found, PlainReason::kNestedKey, fmt::format("key column {} is nested", column.name));
  }
  found.leaves.push_back(*leaf);
}

void FindByMappedName(const parquet::Footer& footer, const KeyColumn& column, KeyLeaves& found) {
  if (column.mapped_names.empty()) {
    return Refuse(found, PlainReason::kNoFieldIds,
                  fmt::format("no field ids in the file, no mapped name for key column {}", column.name));
  }
  const std::vector<size_t> leaves = FindByName(footer, column.mapped_names);
  if (leaves.empty()) return found.missing.push_back(column.id);
  if (leaves.size() > 1 || footer.leaves[leaves[0]].max_repetition_level > 0) {
    return Refuse(found, PlainReason::kNoFieldIds,
                  fmt::format("mapped names of key column {} fit {} columns", column.name, leaves.size()));
  }
  found.leaves.push_back(leaves[0]);
}

}  // namespace

KeyLeaves FindKeyLeaves(const parquet::Footer& footer, const std::vector<KeyColumn>& columns) {
  KeyLeaves found;
  const bool by_id = footer.has_field_ids();
  for (const KeyColumn& column : columns) {
    if (by_id) {
      FindById(footer, column, found);
    } else {
      FindByMappedName(footer, column, found);
    }
  }
  return found;
}

}  // namespace weir::pages
