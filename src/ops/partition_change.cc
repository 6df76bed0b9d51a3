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

using FieldList = std::vector<table::PartitionField>;

/// A field without a name gets the one of an earlier field of its column and transform, else a new one, by
/// the format.
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
  field.name = name;
  for (const table::PartitionField& other : fields) {
    if (other.source_id == field.source_id && other.transform == field.transform) {
      return Invalid("partition field {} is there already, as {}", wanted.text, other.name);
    }
    if (!name.empty() && other.name == name) return Invalid("there is a partition field {} already", name);
  }
  const Field* same_name = base.schema.FindByName(field.name);
  const bool identity = field.transform.kind == Transform::Kind::kIdentity;
  if (same_name != nullptr && !(identity && same_name->id == field.source_id)) {
    return Invalid("a partition field cannot have the name of a column: {}", field.name);
  }
  fields.push_back(std::move(field));
  return {};
}

Result<size_t> PlaceOf(const table::Snapshot& base, const unresolved::PartitionTransform& old,
                       const FieldList& fields) {
  const Field* column = FindColumn(base.schema, old.column);
  const bool by_name = column == nullptr && old.column.size() == 1;
  const auto it = std::find_if(fields.begin(), fields.end(), [&](const table::PartitionField& field) {
    if (by_name) return field.name == old.column[0];
    return column != nullptr && field.source_id == column->id && field.transform == old.transform;
  });
  if (it == fields.end()) return Invalid("there is no partition field {} to remove", old.text);
  return static_cast<size_t>(it - fields.begin());
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
  WEIR_TRY(const size_t place, PlaceOf(base, drop.field, fields));
  fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(place));
  return SpecOf(std::move(fields));
}

Result<table::PartitionSpec> ReplaceField(const table::Snapshot& base,
                                          const unresolved::AlterTable::ReplacePartitionField& replace) {
  FieldList fields = base.default_spec().fields;
  WEIR_TRY(const size_t place, PlaceOf(base, replace.old_field, fields));
  const table::PartitionField old = fields[place];
  fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(place));
  WEIR_DO(Append(base, replace.new_field, replace.name, fields));
  table::PartitionField& field = fields.back();
  // The same values stay the same field, under another name if one is given.
  if (field.source_id == old.source_id && field.transform == old.transform) {
    field.field_id = old.field_id;
    if (field.name.empty()) field.name = old.name;
    std::rotate(fields.begin() + static_cast<std::ptrdiff_t>(place), fields.end() - 1, fields.end());
  }
  return SpecOf(std::move(fields));
}

}  // namespace weir::ops
