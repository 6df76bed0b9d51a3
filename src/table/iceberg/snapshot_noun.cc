#include "table/iceberg/snapshot_noun.h"

#include <algorithm>
#include <functional>

namespace weir::iceberg {

namespace {

Result<table::RowDeleteForm> DeleteForm(const Properties& properties, std::string_view name) {
  const std::string mode = TextProperty(properties, name, "copy-on-write");
  if (mode == "merge-on-read") return table::RowDeleteForm::kPositionFile;
  if (mode == "copy-on-write") return table::RowDeleteForm::kRewrite;
  return Invalid("table property {}: expected copy-on-write or merge-on-read, found '{}'", name, mode);
}

Result<table::Isolation> IsolationOf(const Properties& properties, std::string_view name) {
  std::string level = TextProperty(properties, name, "serializable");
  for (char& c : level) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (level == "serializable") return table::Isolation::kSerializable;
  if (level == "snapshot") return table::Isolation::kSnapshot;
  return Invalid("table property {}: expected serializable or snapshot, found '{}'", name, level);
}

Result<table::WriteRules> RulesOf(const Properties& properties) {
  table::WriteRules rules;
  WEIR_TRY(rules.delete_form, DeleteForm(properties, "write.delete.mode"));
  WEIR_TRY(rules.update_form, DeleteForm(properties, "write.update.mode"));
  WEIR_TRY(rules.merge_form, DeleteForm(properties, "write.merge.mode"));
  WEIR_TRY(rules.delete_isolation, IsolationOf(properties, "write.delete.isolation-level"));
  WEIR_TRY(rules.update_isolation, IsolationOf(properties, "write.update.isolation-level"));
  WEIR_TRY(rules.merge_isolation, IsolationOf(properties, "write.merge.isolation-level"));
  return rules;
}

Result<table::FileFormat> FormatOf(const Properties& properties) {
  std::string format = TextProperty(properties, "write.format.default", "parquet");
  for (char& c : format) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (format == "parquet") return table::FileFormat::kParquet;
  if (format == "avro") return table::FileFormat::kAvro;
  if (format == "orc") return table::FileFormat::kOrc;
  return Invalid("table property write.format.default: unknown format '{}'", format);
}

Result<uint64_t> SizeProperty(const Properties& properties, std::string_view name, uint64_t otherwise) {
  WEIR_TRY(const int64_t value, IntegerProperty(properties, name, static_cast<int64_t>(otherwise)));
  if (value <= 0) return Invalid("table property {}: expected more than 0, found {}", name, value);
  return static_cast<uint64_t>(value);
}

Result<table::WriteLayout> LayoutOf(const TableMetadata& metadata) {
  const Properties& properties = metadata.properties;
  table::WriteLayout layout;
  layout.data_location = TextProperty(properties, "write.data.path", metadata.location + "/data");
  while (layout.data_location.size() > 1 && layout.data_location.ends_with('/'))
    layout.data_location.pop_back();
  WEIR_TRY(layout.format, FormatOf(properties));
  // Tables that never chose a codec were written when Parquet's own default was gzip.
  layout.compression = TextProperty(properties, "write.parquet.compression-codec", "gzip");
  if (properties.contains("write.parquet.compression-level")) {
    WEIR_TRY(const int64_t level, IntegerProperty(properties, "write.parquet.compression-level", 0));
    layout.compression_level = static_cast<int>(level);
  }
  WEIR_TRY(layout.target_file_size_bytes,
           SizeProperty(properties, "write.target-file-size-bytes", layout.target_file_size_bytes));
  WEIR_TRY(
      layout.target_delete_file_size_bytes,
      SizeProperty(properties, "write.delete.target-file-size-bytes", layout.target_delete_file_size_bytes));
  if (properties.contains("write.parquet.row-group-size-bytes")) {
    WEIR_TRY(layout.row_group_size_bytes, SizeProperty(properties, "write.parquet.row-group-size-bytes", 1));
  }
  layout.one_delete_file_per_data_file =
      TextProperty(properties, "write.delete.granularity", "file") != "partition";
  return layout;
}

/// Fields of all schemas, each at the top level once, in its latest definition; the current schema's first.
std::vector<Field> AllFields(const TableMetadata& metadata) {
  std::vector<Field> all = metadata.current_schema().fields;
  std::vector<const Schema*> newest_first;
  for (const Schema& schema : metadata.schemas) newest_first.push_back(&schema);
  std::sort(newest_first.begin(), newest_first.end(),
            [](const Schema* a, const Schema* b) { return a->schema_id > b->schema_id; });
  table::Snapshot lookup;
  lookup.all_fields = all;
  const std::function<void(const std::vector<Field>&)> add_missing = [&](const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      if (lookup.FindField(field.id) == nullptr) {
        lookup.all_fields.push_back(field);
      } else {
        add_missing(field.type.fields());
      }
    }
  };
  for (const Schema* schema : newest_first) add_missing(schema->fields);
  return std::move(lookup.all_fields);
}

/// What a reader asked for, found in the metadata.
struct Chosen {
  const SnapshotRecord* record = nullptr;
  const Schema* schema = nullptr;
};

Result<Chosen> WithOwnSchema(const TableMetadata& metadata, const SnapshotRecord* record) {
  Chosen chosen{record, &metadata.current_schema()};
  if (record->schema_id) {
    chosen.schema = metadata.FindSchema(*record->schema_id);
    if (chosen.schema == nullptr) {
      return Corrupt("{}: snapshot {} has schema {}, which is not in the table", metadata.location,
                     record->id.value, *record->schema_id);
    }
  }
  return chosen;
}

Result<Chosen> Choose(const TableMetadata& metadata, const table::At& at) {
  switch (at.kind) {
    case table::At::Kind::kLatest:
      break;
    case table::At::Kind::kVersion: {
      const SnapshotRecord* record = metadata.FindSnapshot(SnapshotId{at.number});
      if (record == nullptr) return NotFound("Cannot find snapshot with ID {}", at.number);
      return WithOwnSchema(metadata, record);
    }
    case table::At::Kind::kTimestamp: {
      // Rollbacks make the log, not the snapshots' parents, tell what was current.
      const SnapshotLogEntry* last = nullptr;
      for (const SnapshotLogEntry& entry : metadata.snapshot_log) {
        if (entry.timestamp_ms * 1000 <= at.number) last = &entry;
      }
      const SnapshotRecord* record = last != nullptr ? metadata.FindSnapshot(last->snapshot_id) : nullptr;
      if (record == nullptr) {
        return NotFound("Cannot find a snapshot older than {}", Scalar::Timestamp(at.number).ToString());
      }
      return WithOwnSchema(metadata, record);
    }
    case table::At::Kind::kRef: {
      const auto ref = metadata.refs.find(at.ref);
      if (ref == metadata.refs.end()) {
        return NotFound("Cannot find matching snapshot ID or reference name for version {}", at.ref);
      }
      const SnapshotRecord* record = metadata.FindSnapshot(ref->second.snapshot_id);
      if (ref->second.kind == SnapshotRef::Kind::kTag) return WithOwnSchema(metadata, record);
      return Chosen{record, &metadata.current_schema()};
    }
  }
  return Chosen{metadata.current_snapshot(), &metadata.current_schema()};
}

}  // namespace

const SnapshotDetail& DetailOf(const table::Snapshot& snapshot) {
  return static_cast<const SnapshotDetail&>(*snapshot.detail);
}

Result<table::SnapshotPtr> MakeSnapshot(const VersionedMetadata& table, bool exists, const table::At& at) {
  const TableMetadata& metadata = *table.metadata;
  if (metadata.properties.contains("encryption.key-id")) {
    return Unsupported("table {} is encrypted (encryption.key-id), which is not supported",
                       metadata.location);
  }
  WEIR_TRY(const Chosen chosen, Choose(metadata, at));
  auto snapshot = std::make_shared<table::Snapshot>();
  auto detail = std::make_shared<SnapshotDetail>();
  detail->table = table;
  detail->exists = exists;
  if (chosen.record != nullptr) {
    detail->record = *chosen.record;
    snapshot->id = chosen.record->id;
  }
  snapshot->detail = std::move(detail);
  snapshot->schema = *chosen.schema;
  snapshot->specs = metadata.specs;
  snapshot->default_spec_id = metadata.default_spec_id;
  for (const SortOrder& order : metadata.sort_orders) {
    if (order.order_id == metadata.default_sort_order_id) snapshot->sort_order = order;
  }
  snapshot->properties = metadata.properties;
  snapshot->location = metadata.location;
  snapshot->format_name = "iceberg";
  snapshot->format_version = metadata.format_version;
  snapshot->all_fields = AllFields(metadata);
  WEIR_TRY_CONTEXT(snapshot->layout, metadata.location, LayoutOf(metadata));
  WEIR_TRY_CONTEXT(snapshot->rules, metadata.location, RulesOf(metadata.properties));
  return table::SnapshotPtr(std::move(snapshot));
}

}  // namespace weir::iceberg
