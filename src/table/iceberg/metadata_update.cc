#include "table/iceberg/metadata_update.h"

#include <algorithm>
#include <functional>
#include <set>

#include "table/iceberg/partitioning.h"
#include "table/iceberg/write_rules.h"

namespace weir::iceberg {

namespace {

constexpr std::string_view kPreviousVersionsMax = "write.metadata.previous-versions-max";
constexpr int64_t kPreviousVersionsDefault = 100;
constexpr std::string_view kFormatVersion = "format-version";

/// Gives ids to a level of fields before those of the levels below it, as every Iceberg writer does.
class IdAssigner {
 public:
  int32_t last() const { return last_; }

  Result<std::vector<Field>> Assign(const std::vector<Field>& fields) {
    std::vector<Field> assigned = fields;
    for (Field& field : assigned) field.id = FieldId{++last_};
    for (Field& field : assigned) {
      WEIR_TRY_CONTEXT(field.type, fmt::format("column {}", field.name), AssignType(field.type));
    }
    return assigned;
  }

 private:
  Result<Type> AssignType(const Type& type) {
    if (!type.is_nested()) return StoredType(type);
    WEIR_TRY(std::vector<Field> fields, Assign(type.fields()));
    if (type.kind() == TypeKind::kStruct) return Type::Struct(std::move(fields));
    if (type.kind() == TypeKind::kArray) return Type::Array(std::move(fields[0]));
    return Type::Map(std::move(fields[0]), std::move(fields[1]));
  }

  int32_t last_ = 0;
};

Status CheckNames(const std::vector<Field>& fields) {
  std::set<std::string> names;
  for (const Field& field : fields) {
    if (!names.insert(field.name).second) return Invalid("column name '{}' is used twice", field.name);
    WEIR_DO(CheckNames(field.type.fields()));
  }
  return {};
}

bool IsPromotion(const Type& from, const Type& to) {
  if (from.kind() == TypeKind::kInt) return to.kind() == TypeKind::kLong;
  if (from.kind() == TypeKind::kFloat) return to.kind() == TypeKind::kDouble;
  return from.kind() == TypeKind::kDecimal && to.kind() == TypeKind::kDecimal && from.scale() == to.scale() &&
         from.precision() <= to.precision();
}

/// Column `to` replaces column `from` of the same id. `path` is for messages.
Status CheckEvolution(const Field& from, const Field& to, const std::string& path);

Status CheckFieldsEvolution(const std::vector<Field>& from, const std::vector<Field>& to,
                            const std::string& path) {
  for (const Field& field : to) {
    const std::string field_path = path.empty() ? field.name : path + "." + field.name;
    const auto before =
        std::find_if(from.begin(), from.end(), [&](const Field& f) { return f.id == field.id; });
    if (before == from.end()) {
      if (field.required)
        return Invalid("column {} is required: the rows that are there have no value for it", field_path);
      continue;
    }
    WEIR_DO(CheckEvolution(*before, field, field_path));
  }
  return {};
}

Status CheckEvolution(const Field& from, const Field& to, const std::string& path) {
  if (to.required && !from.required) {
    return Invalid("column {} may hold NULLs and cannot become required", path);
  }
  if (from.type.is_nested() || to.type.is_nested()) {
    if (from.type.kind() != to.type.kind()) {
      return Invalid("column {}: type {} cannot become {}", path, from.type.ToString(), to.type.ToString());
    }
    return CheckFieldsEvolution(from.type.fields(), to.type.fields(), path);
  }
  if (from.type == to.type || IsPromotion(from.type, to.type)) return {};
  return Invalid("column {}: type {} cannot become {}", path, from.type.ToString(), to.type.ToString());
}

/// A field of any spec with this column and transform, and this name unless it is empty; the default spec's
/// first.
const PartitionField* FindKnownField(const TableMetadata& metadata, const PartitionField& wanted) {
  const auto matches = [&](const PartitionField& field) {
    return field.source_id == wanted.source_id && field.transform == wanted.transform &&
           (wanted.name.empty() || field.name == wanted.name);
  };
  for (const PartitionField& field : metadata.default_spec().fields) {
    if (matches(field)) return &field;
  }
  for (const PartitionSpec& spec : metadata.specs) {
    for (const PartitionField& field : spec.fields) {
      if (matches(field)) return &field;
    }
  }
  return nullptr;
}

/// Same columns, transforms and names in the same order; field ids do not count.
bool IsCompatible(const PartitionSpec& a, const PartitionSpec& b) {
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const PartitionField& x, const PartitionField& y) {
                      return x.source_id == y.source_id && x.transform == y.transform && x.name == y.name;
                    });
}

/// "last-partition-id" is some writer's word, so that ids in use count too.
int32_t LastPartitionId(const TableMetadata& metadata) {
  int32_t last = std::max(metadata.last_partition_id, kLastPartitionIdOfNone);
  for (const PartitionSpec& spec : metadata.specs) {
    for (const PartitionField& field : spec.fields) last = std::max(last, field.field_id.value);
  }
  return last;
}

Status ApplySpec(const PartitionSpec& wanted, TableMetadata& metadata) {
  const Schema& schema = metadata.current_schema();
  PartitionSpec spec = wanted;
  int32_t last_id = LastPartitionId(metadata);
  for (PartitionField& field : spec.fields) {
    if (field.field_id.value != 0 && !field.name.empty()) continue;
    if (const PartitionField* known = FindKnownField(metadata, field)) {
      field.field_id = known->field_id;
      field.name = known->name;
      continue;
    }
    if (field.name.empty()) {
      const auto path = schema.PathOf(field.source_id);
      if (!path)
        return Invalid("a partition field needs column {}, which is not in the schema",
                       field.source_id.value);
      field.name = DefaultPartitionName(*path, field.transform, true);
    }
    if (last_id == INT32_MAX) return Corrupt("{}: no partition field id is left", metadata.location);
    field.field_id = FieldId{++last_id};
  }
  WEIR_DO(CheckSpec(spec, schema, false));
  for (const PartitionField& field : spec.fields) last_id = std::max(last_id, field.field_id.value);
  metadata.last_partition_id = last_id;
  int32_t highest = -1;
  for (const PartitionSpec& existing : metadata.specs) {
    highest = std::max(highest, existing.spec_id);
    if (IsCompatible(existing, spec)) {
      metadata.default_spec_id = existing.spec_id;
      return {};
    }
  }
  if (highest == INT32_MAX) return Corrupt("{}: no partition spec id is left", metadata.location);
  spec.spec_id = highest + 1;
  metadata.default_spec_id = spec.spec_id;
  metadata.specs.push_back(std::move(spec));
  return {};
}

/// Names that the metadata has fields for; they are no properties.
bool IsReserved(std::string_view name) {
  static const std::set<std::string_view> names = {"uuid",
                                                   "snapshot-count",
                                                   "current-snapshot-summary",
                                                   "current-snapshot-id",
                                                   "current-snapshot-timestamp-ms",
                                                   "current-schema",
                                                   "default-partition-spec",
                                                   "default-sort-order"};
  return names.contains(name);
}

Status CheckFormatVersion(const std::string& value) {
  if (value == "2") return {};
  return Unsupported("table property format-version: Iceberg format version {} is not supported, only 2",
                     value);
}

Status ApplyProperties(const std::map<std::string, std::optional<std::string>>& changes,
                       TableMetadata& metadata) {
  for (const auto& [name, value] : changes) {
    if (name == kFormatVersion) {
      if (value) WEIR_DO(CheckFormatVersion(*value));
      continue;
    }
    if (IsReserved(name)) return Invalid("table property {} is reserved", name);
    if (value && name == kEncryptionKey) {
      return Unsupported("table property {}: encryption is not supported", name);
    }
    if (value) {
      metadata.properties[name] = *value;
    } else {
      metadata.properties.erase(name);
    }
  }
  return {};
}

Result<const Field*> FindColumn(const Schema& schema, const std::vector<std::string>& path) {
  const std::vector<Field>* fields = &schema.fields;
  const Field* found = nullptr;
  for (const std::string& name : path) {
    const auto it =
        std::find_if(fields->begin(), fields->end(), [&](const Field& f) { return f.name == name; });
    if (it == fields->end()) return Invalid("there is no column {}", fmt::join(path, "."));
    found = &*it;
    fields = &it->type.fields();
  }
  if (found == nullptr) return Invalid("a partition field without a column");
  return found;
}

Result<PartitionSpec> MakeSpec(const NewTable& table, const Schema& schema) {
  PartitionSpec spec;
  int32_t last_id = kLastPartitionIdOfNone;
  for (const NewTable::Partitioning& partitioning : table.partitioning) {
    WEIR_TRY(const Field* column, FindColumn(schema, partitioning.column));
    PartitionField field;
    field.source_id = column->id;
    field.field_id = FieldId{++last_id};
    field.transform = partitioning.transform;
    field.name = partitioning.name.empty()
                     ? DefaultPartitionName(fmt::to_string(fmt::join(partitioning.column, ".")),
                                            field.transform, false)
                     : partitioning.name;
    spec.fields.push_back(std::move(field));
  }
  WEIR_DO(CheckSpec(spec, schema, true));
  return spec;
}

}  // namespace

Result<Type> StoredType(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kByte:
    case TypeKind::kShort:
      return Type::Int();
    case TypeKind::kVoid:
    case TypeKind::kIntervalYearMonth:
    case TypeKind::kIntervalDayTime:
      return Unsupported("type {} cannot be stored in an Iceberg table", type.ToString());
    default:
      return type;
  }
}

Result<TableMetadata> MakeTableMetadata(const NewTable& table) {
  TableMetadata metadata;
  metadata.table_uuid = table.uuid;
  metadata.location = table.location;
  while (metadata.location.size() > 1 && metadata.location.ends_with('/')) metadata.location.pop_back();
  metadata.last_updated_ms = table.now_ms;
  Schema schema;
  IdAssigner ids;
  WEIR_TRY(schema.fields, ids.Assign(table.schema.fields));
  WEIR_DO(CheckNames(schema.fields));
  metadata.last_column_id = ids.last();
  WEIR_TRY(PartitionSpec spec, MakeSpec(table, schema));
  metadata.last_partition_id = kLastPartitionIdOfNone + static_cast<int32_t>(spec.fields.size());
  metadata.schemas.push_back(std::move(schema));
  metadata.specs.push_back(std::move(spec));
  metadata.sort_orders.push_back(SortOrder());
  metadata.properties["write.parquet.compression-codec"] = "zstd";
  std::map<std::string, std::optional<std::string>> properties(table.properties.begin(),
                                                               table.properties.end());
  WEIR_DO(ApplyProperties(properties, metadata));
  WEIR_DO(CheckWriteProperties(metadata));
  return metadata;
}

Status ApplySchemaChange(const table::SchemaChange& change, TableMetadata& metadata) {
  if (change.spec) WEIR_DO(ApplySpec(*change.spec, metadata));
  return ApplyProperties(change.properties, metadata);
}

Status CheckEvolution(const Schema& from, const Schema& to) {
  return CheckFieldsEvolution(from.fields, to.fields, "");
}

void AddSnapshot(SnapshotRecord snapshot, TableMetadata& metadata) {
  metadata.last_sequence_number = snapshot.sequence_number;
  metadata.last_updated_ms = snapshot.timestamp_ms;
  metadata.current_snapshot_id = snapshot.id;
  metadata.refs[std::string(kMainBranch)].snapshot_id = snapshot.id;
  metadata.snapshot_log.push_back({snapshot.timestamp_ms, snapshot.id});
  metadata.snapshots.push_back(std::move(snapshot));
}

Result<std::vector<std::string>> LogMetadataFile(const MetadataLogEntry& previous, TableMetadata& metadata) {
  WEIR_TRY(const int64_t wanted,
           IntegerProperty(metadata.properties, kPreviousVersionsMax, kPreviousVersionsDefault));
  const size_t max_size = static_cast<size_t>(std::max<int64_t>(1, wanted));
  auto& log = metadata.metadata_log;
  log.push_back(previous);
  std::vector<std::string> removed;
  if (log.size() > max_size) {
    const auto keep = log.end() - static_cast<std::ptrdiff_t>(max_size);
    for (auto it = log.begin(); it != keep; ++it) removed.push_back(it->file);
    log.erase(log.begin(), keep);
  }
  return removed;
}

}  // namespace weir::iceberg
