#include "exec/duckdb/required.h"

#include "duckdb/common/types/vector.hpp"
#include "exec/duckdb/conditions.h"

namespace weir::exec {

namespace {

using duckdb::idx_t;
using duckdb::Vector;

bool AnyRequired(const Field& field) {
  if (field.required) return true;
  for (const Field& child : field.type.fields()) {
    if (AnyRequired(child)) return true;
  }
  return false;
}

Status Check(const Field& field, const std::string& path, Vector& vector, idx_t size,
             const std::vector<idx_t>& rows);

Status CheckChildren(const Field& field, const std::string& path, Vector& vector, idx_t size,
                     const std::vector<idx_t>& rows) {
  duckdb::UnifiedVectorFormat format;
  vector.ToUnifiedFormat(size, format);
  std::vector<idx_t> children;
  const std::vector<Field>& fields = field.type.fields();
  if (field.type.kind() == TypeKind::kStruct) {
    Vector* structs = &vector;
    while (structs->GetVectorType() == duckdb::VectorType::DICTIONARY_VECTOR) {
      structs = &duckdb::DictionaryVector::Child(*structs);
    }
    idx_t end = 0;
    for (idx_t row : rows) {
      const idx_t at = format.sel->get_index(row);
      if (!format.validity.RowIsValid(at)) continue;
      children.push_back(at);
      end = std::max(end, at + 1);
    }
    auto& entries = duckdb::StructVector::GetEntries(*structs);
    for (size_t i = 0; i < fields.size(); ++i) {
      WEIR_DO(Check(fields[i], path + "." + fields[i].name, *entries[i], end, children));
    }
    return {};
  }
  const auto* lists = reinterpret_cast<const duckdb::list_entry_t*>(format.data);
  for (idx_t row : rows) {
    const idx_t at = format.sel->get_index(row);
    if (!format.validity.RowIsValid(at)) continue;
    for (idx_t i = 0; i < lists[at].length; ++i) children.push_back(lists[at].offset + i);
  }
  Vector& elements = duckdb::ListVector::GetEntry(vector);
  const idx_t end = duckdb::ListVector::GetListSize(vector);
  if (field.type.kind() == TypeKind::kArray)
    return Check(fields[0], path + ".element", elements, end, children);
  auto& entries = duckdb::StructVector::GetEntries(elements);
  for (size_t i = 0; i < 2; ++i) {
    WEIR_DO(Check(fields[i], path + "." + fields[i].name, *entries[i], end, children));
  }
  return {};
}

Status Check(const Field& field, const std::string& path, Vector& vector, idx_t size,
             const std::vector<idx_t>& rows) {
  if (rows.empty() || !AnyRequired(field)) return {};
  if (field.required) {
    duckdb::UnifiedVectorFormat format;
    vector.ToUnifiedFormat(size, format);
    if (!format.validity.AllValid()) {
      for (idx_t row : rows) {
        if (!format.validity.RowIsValid(format.sel->get_index(row))) return NotNullViolation(path);
      }
    }
  }
  if (!field.type.is_nested()) return {};
  return CheckChildren(field, path, vector, size, rows);
}

}  // namespace

Status CheckRequired(const std::vector<Field>& fields, duckdb::DataChunk& chunk) {
  std::vector<idx_t> rows;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!AnyRequired(fields[i])) continue;
    if (rows.empty()) {
      for (idx_t row = 0; row < chunk.size(); ++row) rows.push_back(row);
    }
    WEIR_DO(Check(fields[i], fields[i].name, chunk.data[i], chunk.size(), rows));
  }
  return {};
}

}  // namespace weir::exec
