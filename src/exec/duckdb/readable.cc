#include "exec/duckdb/readable.h"

#include <algorithm>

#include "exec/duckdb/file_columns.h"

namespace weir::exec {

namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

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

Status CheckChildren(const FileColumns& held, const Type& wanted) {
  for (const Field& field : wanted.fields()) {
    if (const FileColumn* column = FindColumn(held, field.id.value)) WEIR_DO(CheckReadable(*column, field));
  }
  return {};
}

}  // namespace

Status CheckReadable(const FileColumn& column, const Field& field) {
  if (!IsReadable(column.type, field.type)) {
    return Corrupt("column {} holds {} where the table has {}", column.name, column.type.ToString(),
                   field.type.ToString());
  }
  return CheckChildren(PartsOf(column), field.type);
}

}  // namespace weir::exec
