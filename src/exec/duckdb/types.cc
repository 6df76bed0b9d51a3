#include "exec/duckdb/types.h"

#include <unordered_set>

#include "duckdb/common/string_util.hpp"
#include "duckdb/common/types/uuid.hpp"

namespace weir::exec {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::Value;

namespace {

/// DuckDB compares member names without case; Spark's structs may hold "a" and "A".
std::string UniqueName(std::string name, std::unordered_set<std::string>& taken) {
  std::string candidate = name;
  for (int n = 1; !taken.insert(duckdb::StringUtil::Lower(candidate)).second; ++n) {
    candidate = name + "_" + std::to_string(n);
  }
  return candidate;
}

Result<LogicalType> Convert(const Type& type, bool stored) {
  switch (type.kind()) {
    case TypeKind::kVoid:
      return LogicalType(LogicalType::INTEGER);
    case TypeKind::kBoolean:
      return LogicalType(LogicalType::BOOLEAN);
    case TypeKind::kByte:
      return LogicalType(LogicalType::TINYINT);
    case TypeKind::kShort:
      return LogicalType(LogicalType::SMALLINT);
    case TypeKind::kInt:
      return LogicalType(LogicalType::INTEGER);
    case TypeKind::kLong:
      return LogicalType(LogicalType::BIGINT);
    case TypeKind::kFloat:
      return LogicalType(LogicalType::FLOAT);
    case TypeKind::kDouble:
      return LogicalType(LogicalType::DOUBLE);
    case TypeKind::kDecimal:
      return LogicalType::DECIMAL(static_cast<uint8_t>(type.precision()), static_cast<uint8_t>(type.scale()));
    case TypeKind::kDate:
      return LogicalType(LogicalType::DATE);
    case TypeKind::kTime:
      return LogicalType(LogicalType::TIME);
    case TypeKind::kTimestamp:
      return LogicalType(LogicalType::TIMESTAMP_TZ);
    case TypeKind::kTimestampNtz:
      return LogicalType(LogicalType::TIMESTAMP);
    case TypeKind::kString:
      return LogicalType(LogicalType::VARCHAR);
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return LogicalType(LogicalType::BLOB);
    case TypeKind::kUuid:
      return stored ? LogicalType(LogicalType::UUID) : LogicalType(LogicalType::VARCHAR);
    case TypeKind::kIntervalYearMonth:
      return LogicalType(LogicalType::INTEGER);
    case TypeKind::kIntervalDayTime:
      return LogicalType(LogicalType::BIGINT);
    case TypeKind::kArray: {
      WEIR_TRY(LogicalType element, Convert(type.fields()[0].type, stored));
      return LogicalType::LIST(std::move(element));
    }
    case TypeKind::kMap: {
      WEIR_TRY(LogicalType key, Convert(type.fields()[0].type, stored));
      WEIR_TRY(LogicalType value, Convert(type.fields()[1].type, stored));
      return LogicalType::MAP(std::move(key), std::move(value));
    }
    case TypeKind::kStruct: {
      if (type.fields().empty()) return Unsupported("a struct without fields cannot be computed with");
      duckdb::child_list_t<LogicalType> members;
      std::unordered_set<std::string> taken;
      for (const Field& field : type.fields()) {
        WEIR_TRY(LogicalType member, Convert(field.type, stored));
        members.emplace_back(UniqueName(field.name, taken), std::move(member));
      }
      return LogicalType::STRUCT(std::move(members));
    }
  }
  return Internal("type {} has no form in the executor", type.ToString());
}

Result<Value> NestedValue(const Scalar& value, const LogicalType& target) {
  const std::vector<Scalar>& children = value.children();
  duckdb::vector<Value> values;
  for (const Scalar& child : children) {
    WEIR_TRY(Value converted, ToDuckValue(child));
    values.push_back(std::move(converted));
  }
  switch (target.id()) {
    case LogicalTypeId::LIST:
      return Value::LIST(duckdb::ListType::GetChildType(target), std::move(values));
    case LogicalTypeId::STRUCT:
      return Value::STRUCT(target, std::move(values));
    default:
      break;
  }
  duckdb::vector<Value> keys, items;
  for (size_t i = 0; i + 1 < values.size(); i += 2) {
    keys.push_back(values[i]);
    items.push_back(values[i + 1]);
  }
  return Value::MAP(duckdb::MapType::KeyType(target), duckdb::MapType::ValueType(target), std::move(keys),
                    std::move(items));
}

Value DecimalValue(const Scalar& value) {
  const auto width = static_cast<uint8_t>(value.type().precision());
  const auto scale = static_cast<uint8_t>(value.type().scale());
  if (width <= 4) return Value::DECIMAL(static_cast<int16_t>(value.unscaled()), width, scale);
  if (width <= 9) return Value::DECIMAL(static_cast<int32_t>(value.unscaled()), width, scale);
  if (width <= 18) return Value::DECIMAL(static_cast<int64_t>(value.unscaled()), width, scale);
  return Value::DECIMAL(ToHugeint(value.unscaled()), width, scale);
}

Int128 UnscaledOf(const Value& value) {
  switch (value.type().InternalType()) {
    case duckdb::PhysicalType::INT16:
      return value.GetValueUnsafe<int16_t>();
    case duckdb::PhysicalType::INT32:
      return value.GetValueUnsafe<int32_t>();
    case duckdb::PhysicalType::INT64:
      return value.GetValueUnsafe<int64_t>();
    default:
      return FromHugeint(value.GetValueUnsafe<duckdb::hugeint_t>());
  }
}

Result<Scalar> FromNested(const Value& value, const Type& type) {
  std::vector<Scalar> children;
  if (type.kind() == TypeKind::kArray) {
    for (const Value& child : duckdb::ListValue::GetChildren(value)) {
      WEIR_TRY(Scalar element, FromDuckValue(child, type.fields()[0].type));
      children.push_back(std::move(element));
    }
  } else if (type.kind() == TypeKind::kStruct) {
    const auto& members = duckdb::StructValue::GetChildren(value);
    for (size_t i = 0; i < members.size(); ++i) {
      WEIR_TRY(Scalar member, FromDuckValue(members[i], type.fields()[i].type));
      children.push_back(std::move(member));
    }
  } else {
    for (const Value& entry : duckdb::MapValue::GetChildren(value)) {
      const auto& parts = duckdb::StructValue::GetChildren(entry);
      WEIR_TRY(Scalar key, FromDuckValue(parts[0], type.fields()[0].type));
      WEIR_TRY(Scalar item, FromDuckValue(parts[1], type.fields()[1].type));
      children.push_back(std::move(key));
      children.push_back(std::move(item));
    }
  }
  return Scalar(type, std::move(children));
}

Result<Type> StructFromDuck(const LogicalType& type) {
  std::vector<Field> fields;
  for (const auto& [name, member] : duckdb::StructType::GetChildTypes(type)) {
    WEIR_TRY(Type converted, FromDuckType(member));
    fields.push_back(Field{.name = name, .type = std::move(converted)});
  }
  return Type::Struct(std::move(fields));
}

}  // namespace

Result<LogicalType> ToDuckType(const Type& type) { return Convert(type, false); }
Result<LogicalType> ToStoredDuckType(const Type& type) { return Convert(type, true); }

Result<Value> ToDuckValue(const Scalar& value) {
  WEIR_TRY(LogicalType type, ToDuckType(value.type()));
  if (value.is_null()) return Value(type);
  switch (value.type().kind()) {
    case TypeKind::kVoid:
      return Value(type);
    case TypeKind::kBoolean:
      return Value::BOOLEAN(value.boolean());
    case TypeKind::kByte:
      return Value::TINYINT(static_cast<int8_t>(value.integer()));
    case TypeKind::kShort:
      return Value::SMALLINT(static_cast<int16_t>(value.integer()));
    case TypeKind::kInt:
    case TypeKind::kIntervalYearMonth:
      return Value::INTEGER(static_cast<int32_t>(value.integer()));
    case TypeKind::kLong:
    case TypeKind::kIntervalDayTime:
      return Value::BIGINT(value.integer());
    case TypeKind::kFloat:
      return Value::FLOAT(value.float32());
    case TypeKind::kDouble:
      return Value::DOUBLE(value.float64());
    case TypeKind::kDecimal:
      return DecimalValue(value);
    case TypeKind::kDate:
      return Value::DATE(duckdb::date_t(static_cast<int32_t>(value.integer())));
    case TypeKind::kTime:
      return Value::TIME(duckdb::dtime_t(value.integer()));
    case TypeKind::kTimestamp:
      return Value::TIMESTAMPTZ(duckdb::timestamp_tz_t(value.integer()));
    case TypeKind::kTimestampNtz:
      return Value::TIMESTAMP(duckdb::timestamp_t(value.integer()));
    case TypeKind::kString:
      if (!Value::StringIsValid(value.text())) return Invalid("a string literal is not valid UTF-8");
      return Value(value.text());
    case TypeKind::kBinary:
    case TypeKind::kFixed: {
      const std::string& bytes = value.text();
      return Value::BLOB(reinterpret_cast<duckdb::const_data_ptr_t>(bytes.data()), bytes.size());
    }
    case TypeKind::kUuid:
      return Value(value.ToString());
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kStruct:
      return NestedValue(value, type);
  }
  return Internal("no value of type {} in the executor", value.type().ToString());
}

Result<Scalar> FromDuckValue(const Value& value, const Type& type) {
  WEIR_TRY(LogicalType expected, ToDuckType(type));
  if (value.type().InternalType() != expected.InternalType()) {
    return Internal("the executor made {} where {} was expected", value.type().ToString(), type.ToString());
  }
  if (value.IsNull() || type.kind() == TypeKind::kVoid) return Scalar::Null(type);
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Scalar(type, value.GetValueUnsafe<bool>());
    case TypeKind::kByte:
      return Scalar(type, int64_t{value.GetValueUnsafe<int8_t>()});
    case TypeKind::kShort:
      return Scalar(type, int64_t{value.GetValueUnsafe<int16_t>()});
    case TypeKind::kInt:
    case TypeKind::kIntervalYearMonth:
      return Scalar(type, int64_t{value.GetValueUnsafe<int32_t>()});
    case TypeKind::kLong:
    case TypeKind::kIntervalDayTime:
      return Scalar(type, value.GetValueUnsafe<int64_t>());
    case TypeKind::kFloat:
      return Scalar(type, value.GetValueUnsafe<float>());
    case TypeKind::kDouble:
      return Scalar(type, value.GetValueUnsafe<double>());
    case TypeKind::kDecimal:
      return Scalar(type, UnscaledOf(value));
    case TypeKind::kDate:
      return Scalar(type, int64_t{value.GetValueUnsafe<duckdb::date_t>().days});
    case TypeKind::kTime:
      return Scalar(type, value.GetValueUnsafe<duckdb::dtime_t>().micros);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return Scalar(type, value.GetValueUnsafe<duckdb::timestamp_t>().value);
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kStruct:
      return FromNested(value, type);
    default:
      return Scalar(type, std::string(duckdb::StringValue::Get(value)));
  }
}

Result<Type> FromDuckType(const LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::SQLNULL:
      return Type::Void();
    case LogicalTypeId::BOOLEAN:
      return Type::Boolean();
    case LogicalTypeId::TINYINT:
      return Type::Byte();
    case LogicalTypeId::SMALLINT:
    case LogicalTypeId::UTINYINT:
      return Type::Short();
    case LogicalTypeId::INTEGER:
    case LogicalTypeId::USMALLINT:
      return Type::Int();
    case LogicalTypeId::BIGINT:
    case LogicalTypeId::UINTEGER:
      return Type::Long();
    case LogicalTypeId::UBIGINT:
      return Type::Decimal(20, 0);
    case LogicalTypeId::FLOAT:
      return Type::Float();
    case LogicalTypeId::DOUBLE:
      return Type::Double();
    case LogicalTypeId::DECIMAL:
      return Type::Decimal(duckdb::DecimalType::GetWidth(type), duckdb::DecimalType::GetScale(type));
    case LogicalTypeId::DATE:
      return Type::Date();
    case LogicalTypeId::TIMESTAMP_TZ:
      return Type::Timestamp();
    case LogicalTypeId::TIMESTAMP:
      return Type::TimestampNtz();
    case LogicalTypeId::VARCHAR:
      return Type::String();
    case LogicalTypeId::UUID:
      return Type::String();
    case LogicalTypeId::BLOB:
      return Type::Binary();
    case LogicalTypeId::LIST: {
      WEIR_TRY(Type element, FromDuckType(duckdb::ListType::GetChildType(type)));
      return Type::Array(Field{.name = "element", .type = std::move(element)});
    }
    case LogicalTypeId::MAP: {
      WEIR_TRY(Type key, FromDuckType(duckdb::MapType::KeyType(type)));
      WEIR_TRY(Type value, FromDuckType(duckdb::MapType::ValueType(type)));
      return Type::Map(Field{.name = "key", .type = std::move(key), .required = true},
                       Field{.name = "value", .type = std::move(value)});
    }
    case LogicalTypeId::STRUCT:
      return StructFromDuck(type);
    default:
      return Unsupported("a Parquet column of type {} cannot be read", type.ToString());
  }
}

std::string UuidBytes(duckdb::hugeint_t value) {
  std::string bytes;
  for (uint64_t half :
       {static_cast<uint64_t>(value.upper) ^ (uint64_t{1} << 63), static_cast<uint64_t>(value.lower)}) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(half >> shift));
  }
  return bytes;
}

duckdb::hugeint_t ToHugeint(Int128 value) {
  return duckdb::hugeint_t(static_cast<int64_t>(value >> 64), static_cast<uint64_t>(value));
}
Int128 FromHugeint(duckdb::hugeint_t value) {
  return static_cast<Int128>(value.upper) * (static_cast<Int128>(1) << 64) + static_cast<Int128>(value.lower);
}

}  // namespace weir::exec
