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
  explicit IdAssigner(int32_t last) : last_(last) {}
  int32_t last() const { return last_; }

  /// `keep` keeps ids that are not 0.
  Result<std::vector<Field>> Assign(const std::vector<Field>& fields, bool keep) {
    std::vector<Field> assigned = fields;
    for (Field& field : assigned) {
      if (!keep || field.id.value == 0) field.id = FieldId{++last_};
    }
    for (size_t i = 0; i < fields.size(); ++i) {
      // The parts of a new column are new, whatever they say.
      const bool keep_parts = keep && fields[i].id.value != 0;
      WEIR_TRY_CONTEXT(assigned[i].type, fmt::format("column {}", fields[i].name),
                       AssignType(fields[i].type, keep_parts));
    }
    return assigned;
  }

 private:
  Result<Type> AssignType(const Type& type, bool keep) {
    if (!type.is_nested()) return StoredType(type);
    WEIR_TRY(std::vector<Field> fields, Assign(type.fields(), keep));
    if (type.kind() == TypeKind::kStruct) return Type::Struct(std::move(fields));
    if (type.kind() == TypeKind::kArray) return Type::Array(std::move(fields[0]));
    return Type::Map(std::move(fields[0]), std::move(fields[1]));
  }

  int32_t last_;
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

/// Ids that are given must be those of the current schema, each at its own place.
Status CheckKnownIds(const std::vector<Field>& fields, const Schema& current, std::set<int32_t>& seen) {
  for (const Field& field : fields) {
    if (field.id.value != 0) {
      if (!seen.insert(field.id.value).second) return Invalid("column id {} is used twice", field.id.value);
      if (current.Find(field.id) == nullptr) {
        return Invalid("column {}: id {} is not in the table's schema", field.name, field.id.value);
      }
      WEIR_DO(CheckKnownIds(field.type.fields(), current, seen));
    }
  }
  return {};
}

Status CheckStillUsed(const Schema& schema, const TableMetadata& metadata) {
  for (const PartitionField& field : metadata.default_spec().fields) {
    if (field.transform.kind == Transform::Kind::kVoid || schema.Find(field.source_id) != nullptr) continue;
    return Invalid("partition field {}: its source column is not in the schema", field.name);
  }
  for (const SortOrder& order : metadata.sort_orders) {
    if (order.order_id != metadata.default_sort_order_id) continue;
    for (const table::SortField& field : order.fields) {
      if (schema.Find(field.source_id) == nullptr) {
        return Invalid("the sort order needs column {}, which is not in the schema", field.source_id.value);
      }
    }
  }
  for (const FieldId id : schema.identifier_field_ids) {
    if (schema.Find(id) == nullptr)
      return Invalid("column {} is an identifier field and cannot be dropped", id.value);
  }
  return {};
}

Status ApplySchema(const Schema& wanted, TableMetadata& metadata) {
  const Schema& current = metadata.current_schema();
  std::set<int32_t> seen;
  WEIR_DO(CheckKnownIds(wanted.fields, current, seen));
  IdAssigner ids(metadata.last_column_id);
  Schema schema = wanted;
  if (schema.identifier_field_ids.empty()) schema.identifier_field_ids = current.identifier_field_ids;
  WEIR_TRY(schema.fields, ids.Assign(wanted.fields, true));
  WEIR_DO(CheckNames(schema.fields));
  WEIR_DO(CheckFieldsEvolution(current.fields, schema.fields, ""));
  WEIR_DO(CheckStillUsed(schema, metadata));
  metadata.last_column_id = ids.last();
  int32_t highest = -1;
  for (const Schema& existing : metadata.schemas) {
    highest = std::max(highest, existing.schema_id);
    if (existing.fields == schema.fields && existing.identifier_field_ids == schema.identifier_field_ids) {
      metadata.current_schema_id = existing.schema_id;
      return {};
    }
  }
  schema.schema_id = highest + 1;
  metadata.current_schema_id = schema.schema_id;
  metadata.schemas.push_back(std::move(schema));
  return {};
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

Status ApplySpec(const PartitionSpec& wanted, TableMetadata& metadata) {
  const Schema& schema = metadata.current_schema();
  PartitionSpec spec = wanted;
  int32_t last_id = metadata.last_partition_id;
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
  IdAssigner ids(0);
  WEIR_TRY(schema.fields, ids.Assign(table.schema.fields, false));
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
  if (change.schema) WEIR_DO(ApplySchema(*change.schema, metadata));
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
