#include "table/iceberg/snapshot_noun.h"

#include <algorithm>
#include <functional>

#include "table/iceberg/write_rules.h"

namespace weir::iceberg {

namespace {

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
      if (record == nullptr) return NotFound("the table has no snapshot {}", at.number);
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
        return NotFound("the table had no snapshot yet at {}", Scalar::Timestamp(at.number).ToString());
      }
      return WithOwnSchema(metadata, record);
    }
    case table::At::Kind::kRef: {
      const auto ref = metadata.refs.find(at.ref);
      if (ref == metadata.refs.end()) {
        return NotFound("the table has no snapshot, branch or tag {}", at.ref);
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
  // Properties that another engine has set wrongly must not keep anybody from reading; a commit refuses them.
  snapshot->layout = LayoutOrDefault(metadata);
  auto rules = WriteRulesOf(metadata.properties);
  if (rules) {
    snapshot->rules = *rules;
  } else {
    snapshot->rules_error = std::move(rules).error();
  }
  return table::SnapshotPtr(std::move(snapshot));
}

}  // namespace weir::iceberg
