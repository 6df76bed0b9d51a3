#include "exec/duckdb/file_columns.h"

#include <algorithm>

namespace weir::exec {

namespace {

using duckdb::Value;

/// For columns of a file that have no id: they match nothing. (An absent id would end DuckDB's search.)
constexpr int32_t kNoFieldId = -1;

bool HasGroup(const FileColumn& column) {
  return column.type.id() == duckdb::LogicalTypeId::MAP && column.children.size() == 1;
}
FileColumns& MutablePartsOf(FileColumn& column) {
  return HasGroup(column) ? column.children[0].children : column.children;
}

bool AnyFieldId(const FileColumns& columns) {
  for (const auto& column : columns) {
    if (!column.identifier.IsNull() || AnyFieldId(column.children)) return true;
  }
  return false;
}

void FillMissingIds(FileColumns& columns) {
  for (auto& column : columns) {
    if (column.identifier.IsNull()) column.identifier = Value::INTEGER(kNoFieldId);
    FillMissingIds(column.children);
  }
}

/// The parts of a map are found by place: writers name them as they like. Spec: Parquet, "Maps".
void NameMapParts(FileColumns& columns) {
  for (auto& column : columns) {
    NameMapParts(column.children);
    FileColumns& parts = MutablePartsOf(column);
    if (column.type.id() != duckdb::LogicalTypeId::MAP || parts.size() != 2) continue;
    parts[0].name = "key";
    parts[1].name = "value";
  }
}

/// Gives ids by name. In a mapping the element of a list is called so, whatever the file calls it, and the
/// group that repeats in a map has no name. Spec: Iceberg, "Column Projection", name mapping.
void MapNames(FileColumns& columns, const NameMapping& mapping, std::vector<std::string>& path,
              bool of_list = false) {
  for (auto& column : columns) {
    path.push_back(of_list ? "element" : column.name);
    if (const std::optional<FieldId> id = mapping(path)) column.identifier = Value::INTEGER(id->value);
    MapNames(MutablePartsOf(column), mapping, path, column.type.id() == duckdb::LogicalTypeId::LIST);
    path.pop_back();
  }
}

void LiftMapParts(FileColumn& column) {
  FileColumns parts = PartsOf(column);
  column.children = std::move(parts);
  for (FileColumn& child : column.children) LiftMapParts(child);
}

}  // namespace

void AssignIds(FileColumns& columns, const NameMapping& mapping) {
  NameMapParts(columns);
  if (!AnyFieldId(columns)) {
    if (mapping) {
      std::vector<std::string> path;
      MapNames(columns, mapping, path);
    } else {
      int32_t position = 0;
      for (auto& column : columns) column.identifier = Value::INTEGER(++position);
    }
  }
  FillMissingIds(columns);
}

const FileColumn* FindColumn(const FileColumns& columns, int32_t id) {
  const auto found = std::ranges::find_if(columns, [id](const FileColumn& column) {
    return !column.identifier.IsNull() && column.GetIdentifierFieldId() == id;
  });
  return found == columns.end() ? nullptr : &*found;
}

const FileColumns& PartsOf(const FileColumn& column) {
  return HasGroup(column) ? column.children[0].children : column.children;
}

FileColumn AsTableColumn(const FileColumn& column) {
  FileColumn lifted = column;
  LiftMapParts(lifted);
  return lifted;
}

}  // namespace weir::exec
