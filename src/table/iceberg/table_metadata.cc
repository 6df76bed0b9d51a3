#include "table/iceberg/table_metadata.h"

#include <charconv>

#include "base/ascii.h"

namespace weir::iceberg {

const Schema* TableMetadata::FindSchema(int32_t schema_id) const {
  for (const Schema& schema : schemas) {
    if (schema.schema_id == schema_id) return &schema;
  }
  return nullptr;
}

const Schema& TableMetadata::current_schema() const {
  static const Schema empty;
  const Schema* schema = FindSchema(current_schema_id);
  return schema != nullptr ? *schema : empty;
}

const PartitionSpec* TableMetadata::FindSpec(int32_t spec_id) const {
  for (const PartitionSpec& spec : specs) {
    if (spec.spec_id == spec_id) return &spec;
  }
  return nullptr;
}

const PartitionSpec& TableMetadata::default_spec() const {
  static const PartitionSpec unpartitioned;
  const PartitionSpec* spec = FindSpec(default_spec_id);
  return spec != nullptr ? *spec : unpartitioned;
}

const SnapshotRecord* TableMetadata::FindSnapshot(SnapshotId id) const {
  // Callers ask for recent snapshots far more often than for old ones.
  for (auto it = snapshots.rbegin(); it != snapshots.rend(); ++it) {
    if (it->id == id) return &*it;
  }
  return nullptr;
}

const SnapshotRecord* TableMetadata::current_snapshot() const {
  return current_snapshot_id ? FindSnapshot(*current_snapshot_id) : nullptr;
}

const Field* TableMetadata::FindField(FieldId id) const {
  if (const Field* field = current_schema().Find(id)) return field;
  const Field* latest = nullptr;
  int32_t latest_id = -1;
  for (const Schema& schema : schemas) {
    if (schema.schema_id <= latest_id) continue;
    if (const Field* field = schema.Find(id)) {
      latest = field;
      latest_id = schema.schema_id;
    }
  }
  return latest;
}

Result<int64_t> IntegerProperty(const Properties& properties, std::string_view name, int64_t otherwise) {
  const auto it = properties.find(name);
  if (it == properties.end()) return otherwise;
  int64_t value = 0;
  const char* end = it->second.data() + it->second.size();
  const auto parsed = std::from_chars(it->second.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    return Invalid("table property {}: expected a whole number, found '{}'", name, it->second);
  }
  return value;
}

Result<bool> BooleanProperty(const Properties& properties, std::string_view name, bool otherwise) {
  const auto it = properties.find(name);
  if (it == properties.end()) return otherwise;
  const std::string lower = AsciiLower(it->second);
  if (lower == "true") return true;
  if (lower == "false") return false;
  return Invalid("table property {}: expected true or false, found '{}'", name, it->second);
}

Result<bool> DeletesOldMetadata(const Properties& properties) {
  return BooleanProperty(properties, "write.metadata.delete-after-commit.enabled", false);
}

std::string TextProperty(const Properties& properties, std::string_view name, std::string_view otherwise) {
  const auto it = properties.find(name);
  return it == properties.end() ? std::string(otherwise) : it->second;
}

}  // namespace weir::iceberg
