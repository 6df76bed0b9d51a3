#include "ops/partition_change.h"

#include <algorithm>

#include "base/ascii.h"

namespace weir::ops {
namespace {

std::string Dotted(const unresolved::Name& name) { return fmt::format("{}", fmt::join(name, ".")); }

const Field* FindColumn(const Schema& schema, const unresolved::Name& name) {
  const std::vector<Field>* fields = &schema.fields;
  const Field* found = nullptr;
  for (const std::string& part : name) {
    const auto it = std::find_if(fields->begin(), fields->end(), [&](const Field& field) {
      return EqualsIgnoringAsciiCase(field.name, part);
    });
    if (it == fields->end()) return nullptr;
    found = &*it;
    fields = &found->type.fields();
  }
  return found;
}

std::string DefaultName(const std::string& column, const Transform& transform) {
  switch (transform.kind) {
    case Transform::Kind::kIdentity:
      return column;
    case Transform::Kind::kBucket:
      return fmt::format("{}_bucket_{}", column, transform.parameter);
    case Transform::Kind::kTruncate:
      return fmt::format("{}_trunc_{}", column, transform.parameter);
    case Transform::Kind::kYear:
      return column + "_year";
    case Transform::Kind::kMonth:
      return column + "_month";
    case Transform::Kind::kDay:
      return column + "_day";
    case Transform::Kind::kHour:
      return column + "_hour";
    case Transform::Kind::kVoid:
      return column + "_null";
    case Transform::Kind::kUnknown:
      break;
  }
  return column + "_" + transform.name;
}

using FieldList = std::vector<table::PartitionField>;

Status Append(const table::Snapshot& base, const unresolved::PartitionTransform& wanted,
              const std::string& name, FieldList& fields) {
  const Field* column = FindColumn(base.schema, wanted.column);
  if (column == nullptr) {
    return Invalid("partition field {1}: there is no column '{0}'", Dotted(wanted.column), wanted.text);
  }
  WEIR_DO_CONTEXT("partition field " + wanted.text, [&]() -> Status {
    WEIR_TRY([[maybe_unused]] const Type type, wanted.transform.ResultType(column->type));
    return {};
  }());
  table::PartitionField field;
  field.source_id = column->id;
  field.transform = wanted.transform;
  field.name = name.empty() ? DefaultName(*base.schema.PathOf(column->id), wanted.transform) : name;
  for (const table::PartitionField& other : fields) {
    if (other.source_id == field.source_id && other.transform == field.transform) {
      return Invalid("partition field {} is there already, as {}", wanted.text, other.name);
    }
    if (other.name == field.name) return Invalid("there is a partition field {} already", field.name);
  }
  const Field* same_name = base.schema.FindByName(field.name);
  const bool identity = field.transform.kind == Transform::Kind::kIdentity;
  if (same_name != nullptr && !(identity && same_name->id == field.source_id)) {
    return Invalid("a partition field cannot have the name of a column: {}", field.name);
  }
  fields.push_back(std::move(field));
  return {};
}

Status Remove(const table::Snapshot& base, const unresolved::PartitionTransform& old, FieldList& fields) {
  const Field* column = FindColumn(base.schema, old.column);
  const bool by_name = column == nullptr && old.column.size() == 1;
  const auto it = std::find_if(fields.begin(), fields.end(), [&](const table::PartitionField& field) {
    if (by_name) return field.name == old.column[0];
    return column != nullptr && field.source_id == column->id && field.transform == old.transform;
  });
  if (it == fields.end()) return Invalid("there is no partition field {} to remove", old.text);
  fields.erase(it);
  return {};
}

table::PartitionSpec SpecOf(FieldList fields) {
  table::PartitionSpec spec;
  spec.fields = std::move(fields);
  return spec;
}

}  // namespace

Result<table::PartitionSpec> AddField(const table::Snapshot& base,
                                      const unresolved::AlterTable::AddPartitionField& add) {
  FieldList fields = base.default_spec().fields;
  WEIR_DO(Append(base, add.field, add.name, fields));
  return SpecOf(std::move(fields));
}

Result<table::PartitionSpec> DropField(const table::Snapshot& base,
                                       const unresolved::AlterTable::DropPartitionField& drop) {
  FieldList fields = base.default_spec().fields;
  WEIR_DO(Remove(base, drop.field, fields));
  return SpecOf(std::move(fields));
}

Result<table::PartitionSpec> ReplaceField(const table::Snapshot& base,
                                          const unresolved::AlterTable::ReplacePartitionField& replace) {
  FieldList fields = base.default_spec().fields;
  WEIR_DO(Remove(base, replace.old_field, fields));
  WEIR_DO(Append(base, replace.new_field, replace.name, fields));
  return SpecOf(std::move(fields));
}

}  // namespace weir::ops
