#include "exec/duckdb/write_query.h"
#include "exec/duckdb/query.h"

#include "duckdb/parser/result_modifier.hpp"
#include "exec/duckdb/lower.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

namespace {

std::string ColumnName(size_t i) { return "p" + std::to_string(i); }
std::string PartitionName(size_t i) { return "part" + std::to_string(i); }

/// Finds a field inside structs; false if it is not there or inside a list or map.
bool PathTo(const std::vector<Field>& fields, FieldId id, std::vector<size_t>& path, const Field*& found) {
  for (size_t i = 0; i < fields.size(); ++i) {
    path.push_back(i);
    if (fields[i].id == id) {
      found = &fields[i];
      return true;
    }
    if (fields[i].type.kind() == TypeKind::kStruct && PathTo(fields[i].type.fields(), id, path, found))
      return true;
    path.pop_back();
  }
  return false;
}

/// The value of a field, and its definition.
struct Source {
  ParsedPtr value;
  const Field* field = nullptr;
};

Result<Source> SourceOf(const Schema& schema, FieldId id) {
  std::vector<size_t> path;
  Source source;
  if (!PathTo(schema.fields, id, path, source.field)) {
    return Invalid("field {} is partitioned or sorted by but not in the schema", id.value);
  }
  source.value = ColumnNamed(ColumnName(path[0]));
  for (size_t i = 1; i < path.size(); ++i) {
    source.value = CallOf(
        "struct_extract_at",
        ListOf(std::move(source.value), Constant(duckdb::Value::BIGINT(static_cast<int64_t>(path[i]) + 1))));
  }
  return source;
}

/// The transformed value; null for void.
Result<ParsedPtr> Transformed(const Schema& schema, FieldId id, const Transform& transform) {
  if (transform.kind == Transform::Kind::kVoid) return ParsedPtr();
  if (transform.kind == Transform::Kind::kUnknown) {
    return Unsupported("writing by the partition transform {}", transform.ToString());
  }
  WEIR_TRY(Source source, SourceOf(schema, id));
  if (transform.kind == Transform::Kind::kIdentity) return std::move(source.value);
  return CallOf("weir_partition",
                ListOf(std::move(source.value), Constant(duckdb::Value(transform.ToString())),
                       Constant(duckdb::Value(source.field->type.ToString()))));
}

/// -0.0 must survive a sort; see Lowering of Sort.
Result<ParsedPtr> SortValue(const Schema& schema, FieldId id, const Transform& transform) {
  WEIR_TRY(ParsedPtr value, Transformed(schema, id, transform));
  if (!value || transform.kind != Transform::Kind::kIdentity) return value;
  WEIR_TRY(Source source, SourceOf(schema, id));
  if (source.field->type.is_floating()) return CallOf("weir_plus_zero", ListOf(std::move(value)));
  return value;
}

/// Columns that sort a file whose table states no order: what its bucket partition hides, else what
/// identifies a row.
std::vector<FieldId> DefaultSort(const table::Snapshot& snapshot) {
  std::vector<FieldId> ids;
  for (const table::PartitionField& field : snapshot.default_spec().fields) {
    if (field.transform.kind == Transform::Kind::kBucket) ids.push_back(field.source_id);
  }
  return ids.empty() ? snapshot.schema.identifier_field_ids : ids;
}

Status AddSort(const table::Snapshot& snapshot, duckdb::OrderModifier& order,
               std::optional<int32_t>& sort_order_id) {
  auto add = [&](ParsedPtr value, bool ascending, bool nulls_first) {
    if (!value) return;
    order.orders.emplace_back(
        ascending ? duckdb::OrderType::ASCENDING : duckdb::OrderType::DESCENDING,
        nulls_first ? duckdb::OrderByNullType::NULLS_FIRST : duckdb::OrderByNullType::NULLS_LAST,
        std::move(value));
  };
  for (const table::SortField& field : snapshot.sort_order.fields) {
    WEIR_TRY(ParsedPtr value, SortValue(snapshot.schema, field.source_id, field.transform));
    add(std::move(value), field.ascending, field.nulls_first);
  }
  if (!snapshot.sort_order.fields.empty()) {
    sort_order_id = snapshot.sort_order.order_id;
    return {};
  }
  for (FieldId id : DefaultSort(snapshot)) {
    WEIR_TRY(ParsedPtr value, SortValue(snapshot.schema, id, Transform{}));
    add(std::move(value), true, true);
  }
  return {};
}

/// The plan's rows with columns named p0, p1, ... of the types that files hold.
Result<TablePtr> StoredRows(Query& query, const plan::NodePtr& plan, const Schema& schema) {
  if (plan->output.size() != schema.fields.size()) {
    return Internal("a write of {} columns into a table of {}", plan->output.size(), schema.fields.size());
  }
  Lowering lowering(query);
  WEIR_TRY(auto statement, lowering.Statement(plan));
  SelectPtr select = SelectFrom(TableOf(std::move(statement->node), "rows"));
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    WEIR_TRY(duckdb::LogicalType computed, ToDuckType(plan->output[i].type));
    WEIR_TRY(duckdb::LogicalType stored, ToStoredDuckType(schema.fields[i].type));
    ParsedPtr column = ColumnNamed(ColumnName(i));
    if (computed != stored) column = CastTo(stored, std::move(column));
    select->select_list.push_back(Named(std::move(column), ColumnName(i)));
  }
  return TableOf(std::move(select), "stored");
}

}  // namespace

Result<table::PartitionTuple> WriteQuery::PartitionOf(const std::vector<duckdb::Value>& columns) const {
  table::PartitionTuple tuple{.spec_id = spec->spec_id, .values = {}};
  size_t column = 0;
  for (size_t i = 0; i < spec->fields.size(); ++i) {
    if (spec->fields[i].transform.kind == Transform::Kind::kVoid) {
      tuple.values.push_back(Scalar::Null(partition_types[i]));
      continue;
    }
    const duckdb::Value& value = columns[column++];
    const Type& type = partition_types[i];
    if (type.kind() == TypeKind::kUuid && !value.IsNull()) {
      tuple.values.push_back(Scalar(type, UuidBytes(value.GetValueUnsafe<duckdb::hugeint_t>())));
      continue;
    }
    WEIR_TRY(Scalar scalar, FromDuckValue(value, type));
    tuple.values.push_back(std::move(scalar));
  }
  return tuple;
}

Result<WriteQuery> PrepareWrite(Query& query, const plan::NodePtr& plan, const table::Snapshot& snapshot) {
  WriteQuery result;
  result.spec = &snapshot.default_spec();
  WEIR_TRY(TablePtr rows, StoredRows(query, plan, snapshot.schema));
  // Partition values become columns first, so that sorting and splitting use the same ones.
  SelectPtr select = SelectFrom(std::move(rows));
  for (size_t i = 0; i < snapshot.schema.fields.size(); ++i)
    select->select_list.push_back(ColumnNamed(ColumnName(i)));
  auto order = duckdb::make_uniq<duckdb::OrderModifier>();
  size_t parts = 0;
  for (const table::PartitionField& field : result.spec->fields) {
    const Field* source = snapshot.schema.Find(field.source_id);
    const bool dropped = field.transform.kind == Transform::Kind::kVoid && !source;
    if (!source && !dropped) return Invalid("the partition field {} has no source column", field.name);
    WEIR_TRY(Type type, dropped ? Result<Type>(Type::Void()) : field.transform.ResultType(source->type));
    result.partition_types.push_back(std::move(type));
    WEIR_TRY(ParsedPtr value, Transformed(snapshot.schema, field.source_id, field.transform));
    if (!value) continue;
    ParsedPtr key = ColumnNamed(PartitionName(parts));
    const bool floating = result.partition_types.back().is_floating();
    if (floating) key = CallOf("weir_plus_zero", ListOf(std::move(key)));
    order->orders.emplace_back(duckdb::OrderType::ASCENDING, duckdb::OrderByNullType::NULLS_FIRST,
                               std::move(key));
    if (floating) {
      // 0.0 and -0.0 are two partitions.
      order->orders.emplace_back(duckdb::OrderType::ASCENDING, duckdb::OrderByNullType::NULLS_FIRST,
                                 CallOf("signbit", ListOf(ColumnNamed(PartitionName(parts)))));
    }
    select->select_list.push_back(Named(std::move(value), PartitionName(parts++)));
  }
  WEIR_DO(AddSort(snapshot, *order, result.sort_order_id));
  SelectPtr sorted = SelectFrom(TableOf(std::move(select), "partitioned"));
  for (size_t i = 0; i < snapshot.schema.fields.size(); ++i)
    sorted->select_list.push_back(ColumnNamed(ColumnName(i)));
  for (size_t i = 0; i < parts; ++i) sorted->select_list.push_back(ColumnNamed(PartitionName(i)));
  if (!order->orders.empty()) sorted->modifiers.push_back(std::move(order));
  result.statement = StatementOf(std::move(sorted));
  return result;
}

}  // namespace weir::exec
