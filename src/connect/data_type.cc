#include <nlohmann/json.hpp>

#include "connect/decode.h"
#include "sql/parser.h"

namespace weir::connect {
namespace {

constexpr int kMaxNesting = 250;

Field Member(std::string name, Type type, bool nullable) {
  return {{}, std::move(name), std::move(type), !nullable, {}};
}

Result<Type> Decode(const proto::DataType& type, int depth);

Result<Type> DecodeStruct(const proto::DataType::Struct& type, int depth) {
  std::vector<Field> fields;
  for (const proto::DataType::StructField& field : type.fields()) {
    WEIR_TRY(Type member, Decode(field.data_type(), depth + 1));
    fields.push_back(Member(field.name(), std::move(member), field.nullable()));
  }
  return Type::Struct(std::move(fields));
}

Result<Type> DecodeDecimal(const proto::DataType::Decimal& type) {
  const int precision = type.has_precision() ? type.precision() : 10;
  const int scale = type.has_scale() ? type.scale() : 0;
  if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
    return Invalid("decimal({}, {}) is no type: precision is 1 to 38, scale 0 to precision", precision, scale)
        .WithCondition({"DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION",
                        "22003",
                        {{"precision", std::to_string(precision)}, {"maxPrecision", "38"}},
                        std::nullopt,
                        ""});
  }
  return Type::Decimal(precision, scale);
}

Result<Type> Decode(const proto::DataType& type, int depth) {
  using Kind = proto::DataType::KindCase;
  if (depth > kMaxNesting)
    return InvalidPlan(fmt::format("a type is nested deeper than {} levels", kMaxNesting));
  switch (type.kind_case()) {
    case Kind::kNull:
      return Type::Void();
    case Kind::kBinary:
      return Type::Binary();
    case Kind::kBoolean:
      return Type::Boolean();
    case Kind::kByte:
      return Type::Byte();
    case Kind::kShort:
      return Type::Short();
    case Kind::kInteger:
      return Type::Int();
    case Kind::kLong:
      return Type::Long();
    case Kind::kFloat:
      return Type::Float();
    case Kind::kDouble:
      return Type::Double();
    case Kind::kDecimal:
      return DecodeDecimal(type.decimal());
    case Kind::kString:
      if (!type.string().collation().empty() && type.string().collation() != "UTF8_BINARY") {
        return NotImplemented("collation " + type.string().collation());
      }
      return Type::String();
    case Kind::kDate:
      return Type::Date();
    case Kind::kTimestamp:
      return Type::Timestamp();
    case Kind::kTimestampNtz:
      return Type::TimestampNtz();
    case Kind::kYearMonthInterval:
      return Type::IntervalYearMonth();
    case Kind::kDayTimeInterval:
      return Type::IntervalDayTime();
    case Kind::kArray: {
      WEIR_TRY(Type element, Decode(type.array().element_type(), depth + 1));
      return Type::Array(Member("element", std::move(element), type.array().contains_null()));
    }
    case Kind::kMap: {
      WEIR_TRY(Type key, Decode(type.map().key_type(), depth + 1));
      WEIR_TRY(Type value, Decode(type.map().value_type(), depth + 1));
      return Type::Map(Member("key", std::move(key), false),
                       Member("value", std::move(value), type.map().value_contains_null()));
    }
    case Kind::kStruct:
      return DecodeStruct(type.struct_(), depth);
    case Kind::kUnparsed:
      return ParseType(type.unparsed().data_type_string());
    case Kind::KIND_NOT_SET:
      return InvalidPlan("a data type has no kind");
    default: {
      const auto* field = proto::DataType::descriptor()->FindFieldByNumber(type.kind_case());
      return NotImplemented("data type " +
                            (field != nullptr ? field->name() : std::to_string(type.kind_case())));
    }
  }
}

using Json = nlohmann::json;

Error BadSchema(std::string_view found) {
  return Invalid("this is no schema in Spark's JSON form: {}", found)
      .WithCondition(
          {"INVALID_SCHEMA.PARSE_ERROR", "42K07", {{"inputSchema", std::string(found)}}, std::nullopt, ""});
}

Result<Type> TypeFromJson(const Json& json, int depth);

Result<std::vector<Field>> FieldsFromJson(const Json& json, int depth) {
  const auto fields = json.find("fields");
  if (fields == json.end() || !fields->is_array()) return BadSchema("a struct without fields");
  std::vector<Field> result;
  for (const Json& field : *fields) {
    const bool whole =
        field.is_object() && field.contains("name") && field["name"].is_string() && field.contains("type");
    if (!whole) return BadSchema("a field without name or type");
    WEIR_TRY(Type type, TypeFromJson(field["type"], depth + 1));
    const auto nullable = field.find("nullable");
    const bool may_be_null = nullable == field.end() || !nullable->is_boolean() || nullable->get<bool>();
    result.push_back(Member(field["name"].get<std::string>(), std::move(type), may_be_null));
  }
  return result;
}

bool Flag(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || !found->is_boolean() || found->get<bool>();
}

Result<Type> TypeFromJson(const Json& json, int depth) {
  if (depth > kMaxNesting) return BadSchema("nested too deep");
  if (json.is_string()) {
    const std::string word = json.get<std::string>();
    if (word == "null") return Type::Void();
    if (word == "integer") return Type::Int();
    if (word == "long") return Type::Long();
    if (word == "short") return Type::Short();
    if (word == "byte") return Type::Byte();
    return ParseType(word);
  }
  const auto kind = json.is_object() ? json.find("type") : json.end();
  if (!json.is_object() || kind == json.end() || !kind->is_string())
    return BadSchema("a type without its kind");
  const std::string word = kind->get<std::string>();
  if (word == "struct") {
    WEIR_TRY(std::vector<Field> fields, FieldsFromJson(json, depth));
    return Type::Struct(std::move(fields));
  }
  if (word == "array" && json.contains("elementType")) {
    WEIR_TRY(Type element, TypeFromJson(json["elementType"], depth + 1));
    return Type::Array(Member("element", std::move(element), Flag(json, "containsNull")));
  }
  if (word == "map" && json.contains("keyType") && json.contains("valueType")) {
    WEIR_TRY(Type key, TypeFromJson(json["keyType"], depth + 1));
    WEIR_TRY(Type value, TypeFromJson(json["valueType"], depth + 1));
    return Type::Map(Member("key", std::move(key), false),
                     Member("value", std::move(value), Flag(json, "valueContainsNull")));
  }
  return NotImplemented("data type " + word);
}

}  // namespace

Result<Type> DecodeType(const proto::DataType& type) { return Decode(type, 0); }

proto::DataType EncodeType(const Type& type) {
  proto::DataType encoded;
  switch (type.kind()) {
    case TypeKind::kVoid:
      encoded.mutable_null();
      break;
    case TypeKind::kBoolean:
      encoded.mutable_boolean();
      break;
    case TypeKind::kByte:
      encoded.mutable_byte();
      break;
    case TypeKind::kShort:
      encoded.mutable_short_();
      break;
    case TypeKind::kInt:
      encoded.mutable_integer();
      break;
    case TypeKind::kLong:
      encoded.mutable_long_();
      break;
    case TypeKind::kFloat:
      encoded.mutable_float_();
      break;
    case TypeKind::kDouble:
      encoded.mutable_double_();
      break;
    case TypeKind::kDecimal:
      encoded.mutable_decimal()->set_precision(type.precision());
      encoded.mutable_decimal()->set_scale(type.scale());
      break;
    case TypeKind::kDate:
      encoded.mutable_date();
      break;
    case TypeKind::kTime:
      encoded.mutable_time()->set_precision(6);
      break;
    case TypeKind::kTimestamp:
      encoded.mutable_timestamp();
      break;
    case TypeKind::kTimestampNtz:
      encoded.mutable_timestamp_ntz();
      break;
    case TypeKind::kString:
    case TypeKind::kUuid:
      encoded.mutable_string()->set_collation("UTF8_BINARY");
      break;
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      encoded.mutable_binary();
      break;
    case TypeKind::kIntervalYearMonth:
      encoded.mutable_year_month_interval()->set_start_field(0);
      encoded.mutable_year_month_interval()->set_end_field(1);
      break;
    case TypeKind::kIntervalDayTime:
      encoded.mutable_day_time_interval()->set_start_field(0);
      encoded.mutable_day_time_interval()->set_end_field(3);
      break;
    case TypeKind::kArray:
      *encoded.mutable_array()->mutable_element_type() = EncodeType(type.fields()[0].type);
      encoded.mutable_array()->set_contains_null(!type.fields()[0].required);
      break;
    case TypeKind::kMap:
      *encoded.mutable_map()->mutable_key_type() = EncodeType(type.fields()[0].type);
      *encoded.mutable_map()->mutable_value_type() = EncodeType(type.fields()[1].type);
      encoded.mutable_map()->set_value_contains_null(!type.fields()[1].required);
      break;
    case TypeKind::kStruct:
      return EncodeSchema(type.fields());
  }
  return encoded;
}

proto::DataType EncodeSchema(const std::vector<plan::Column>& columns) {
  proto::DataType encoded;
  proto::DataType::Struct& schema = *encoded.mutable_struct_();
  for (const plan::Column& column : columns) {
    proto::DataType::StructField& field = *schema.add_fields();
    field.set_name(column.name);
    field.set_nullable(column.nullable);
    if (!column.metadata.empty()) field.set_metadata(column.metadata);
    *field.mutable_data_type() = EncodeType(column.type);
  }
  return encoded;
}

proto::DataType EncodeSchema(const std::vector<Field>& columns) {
  proto::DataType encoded;
  proto::DataType::Struct& schema = *encoded.mutable_struct_();
  for (const Field& column : columns) {
    proto::DataType::StructField& field = *schema.add_fields();
    field.set_name(column.name);
    field.set_nullable(!column.required);
    *field.mutable_data_type() = EncodeType(column.type);
  }
  return encoded;
}

Result<std::vector<Field>> ParseSchema(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (text[first] == '{' || text[first] == '"')) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return BadSchema(text);
    WEIR_TRY(Type type, TypeFromJson(json, 0));
    if (type.kind() == TypeKind::kStruct) return type.fields();
    return std::vector<Field>{Member("value", std::move(type), true)};
  }
  auto columns = sql::ParseColumns(text);
  if (columns) return columns;
  // A single type is a schema of one column; what is wrong with the columns is the better message.
  auto type = ParseType(text);
  if (!type) return std::move(columns).error();
  if (type->kind() == TypeKind::kStruct) return type->fields();
  return std::vector<Field>{Member("value", *std::move(type), true)};
}

}  // namespace weir::connect
