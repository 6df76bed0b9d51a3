#include "exec/duckdb/readable.h"

#include <algorithm>

namespace weir::exec {

namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::MultiFileColumnDefinition;

bool IsAny(LogicalTypeId id, std::initializer_list<LogicalTypeId> ids) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool IsSmallInteger(LogicalTypeId id) {
  return IsAny(id, {LogicalTypeId::TINYINT, LogicalTypeId::SMALLINT, LogicalTypeId::INTEGER,
                    LogicalTypeId::UTINYINT, LogicalTypeId::USMALLINT});
}

bool IsTimestamp(LogicalTypeId id) {
  return IsAny(id, {LogicalTypeId::TIMESTAMP, LogicalTypeId::TIMESTAMP_TZ, LogicalTypeId::TIMESTAMP_MS,
                    LogicalTypeId::TIMESTAMP_NS, LogicalTypeId::TIMESTAMP_SEC});
}

bool IsReadable(const LogicalType& held, const Type& wanted) {
  const LogicalTypeId id = held.id();
  if (id == LogicalTypeId::SQLNULL) return true;
  switch (wanted.kind()) {
    case TypeKind::kVoid:
      return true;
    case TypeKind::kBoolean:
      return id == LogicalTypeId::BOOLEAN;
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInt:
      return IsSmallInteger(id);
    case TypeKind::kLong:
      return IsSmallInteger(id) || IsAny(id, {LogicalTypeId::UINTEGER, LogicalTypeId::BIGINT});
    case TypeKind::kFloat:
      return id == LogicalTypeId::FLOAT;
    case TypeKind::kDouble:
      return IsAny(id, {LogicalTypeId::FLOAT, LogicalTypeId::DOUBLE});
    case TypeKind::kDecimal:
      return id == LogicalTypeId::DECIMAL && duckdb::DecimalType::GetScale(held) == wanted.scale() &&
             duckdb::DecimalType::GetWidth(held) <= wanted.precision();
    case TypeKind::kDate:
      return id == LogicalTypeId::DATE;
    case TypeKind::kTime:
      return IsAny(id, {LogicalTypeId::TIME, LogicalTypeId::TIME_TZ});
    case TypeKind::kTimestamp:
      return IsTimestamp(id);
    case TypeKind::kTimestampNtz:
      return IsTimestamp(id) || id == LogicalTypeId::DATE;
    // Bytes that are not said to be text would be escaped on the way.
    case TypeKind::kString:
      return id == LogicalTypeId::VARCHAR;
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return id == LogicalTypeId::BLOB;
    case TypeKind::kUuid:
      return id == LogicalTypeId::UUID;
    case TypeKind::kArray:
      return id == LogicalTypeId::LIST;
    case TypeKind::kMap:
      return id == LogicalTypeId::MAP;
    case TypeKind::kStruct:
      return id == LogicalTypeId::STRUCT;
    default:
      return false;
  }
}

/// Where a column lies in what the table calls one.
enum class Place : uint8_t { kTop, kStruct, kList };

Status Check(const MultiFileColumnDefinition& column, const Field& field, Place place, std::string_view top);

Error LacksMember(std::string_view top, const Field& member) {
  return Unsupported(
      "column {}: member {} of a struct inside it is newer than the file, which cannot be read yet", top,
      member.name);
}

Status CheckChildren(const duckdb::vector<MultiFileColumnDefinition>& held, const Type& wanted, Place place,
                     std::string_view top) {
  const bool is_struct = wanted.kind() == TypeKind::kStruct;
  const Field* missing = nullptr;
  size_t found = 0;
  for (const Field& field : wanted.fields()) {
    const auto child = std::ranges::find_if(held, [&](const MultiFileColumnDefinition& one) {
      return !one.identifier.IsNull() && one.GetIdentifierFieldId() == field.id.value;
    });
    if (child == held.end()) {
      missing = &field;
      continue;
    }
    ++found;
    Place below = is_struct ? Place::kStruct : Place::kList;
    if (place == Place::kList) below = Place::kList;
    WEIR_DO(Check(*child, field, below, top));
  }
  // DuckDB's mapping of such structs breaks its memory inside of lists, and loses NULLs where nothing is
  // left.
  const bool mapped = missing == nullptr || place == Place::kTop || (place == Place::kStruct && found > 0);
  return mapped || !is_struct ? Status() : Status(LacksMember(top, *missing));
}

Status Check(const MultiFileColumnDefinition& column, const Field& field, Place place, std::string_view top) {
  if (!IsReadable(column.type, field.type)) {
    return Corrupt("column {} holds {} where the table has {}", column.name, column.type.ToString(),
                   field.type.ToString());
  }
  // Keys and values are members of the repeated group.
  const bool is_map = field.type.kind() == TypeKind::kMap && column.children.size() == 1;
  return CheckChildren(is_map ? column.children[0].children : column.children, field.type, place, top);
}

}  // namespace

Status CheckReadable(const MultiFileColumnDefinition& column, const Field& field) {
  return Check(column, field, Place::kTop, field.name);
}

}  // namespace weir::exec
