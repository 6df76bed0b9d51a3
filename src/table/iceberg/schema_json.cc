#include "table/iceberg/schema_json.h"

#include <array>
#include <charconv>
#include <set>

namespace weir::iceberg {

namespace {

struct NamedType {
  std::string_view name;
  TypeKind kind;
  Type (*make)();
};
constexpr std::array<NamedType, 12> kNamedTypes = {{
    {"boolean", TypeKind::kBoolean, Type::Boolean},
    {"int", TypeKind::kInt, Type::Int},
    {"long", TypeKind::kLong, Type::Long},
    {"float", TypeKind::kFloat, Type::Float},
    {"double", TypeKind::kDouble, Type::Double},
    {"date", TypeKind::kDate, Type::Date},
    {"time", TypeKind::kTime, Type::Time},
    {"timestamp", TypeKind::kTimestampNtz, Type::TimestampNtz},
    {"timestamptz", TypeKind::kTimestamp, Type::Timestamp},
    {"string", TypeKind::kString, Type::String},
    {"uuid", TypeKind::kUuid, Type::Uuid},
    {"binary", TypeKind::kBinary, Type::Binary},
}};

/// Types of later format versions, as they begin.
constexpr std::array<std::string_view, 6> kLaterTypes = {"unknown",        "variant",  "timestamp_ns",
                                                         "timestamptz_ns", "geometry", "geography"};

/// Numbers of "name[1]" or "name(1, 2)"; nothing if the text has another form.
std::optional<std::vector<int>> Parameters(std::string_view text, std::string_view name, char open,
                                           char close) {
  if (!text.starts_with(name)) return std::nullopt;
  text.remove_prefix(name.size());
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  if (text.size() < 2 || text.front() != open || text.back() != close) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<int> numbers;
  while (true) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    int number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc()) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(static_cast<size_t>(parsed.ptr - text.data()));
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (text.empty()) return numbers;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
}

Result<Type> ReadPrimitive(const JsonView& json) {
  WEIR_TRY(const std::string name, json.String());
  for (const NamedType& known : kNamedTypes) {
    if (known.name == name) return known.make();
  }
  if (const auto parameters = Parameters(name, "decimal", '(', ')')) {
    if (parameters->size() == 2 && (*parameters)[0] >= 1 && (*parameters)[0] <= 38 && (*parameters)[1] >= 0 &&
        (*parameters)[1] <= (*parameters)[0]) {
      return Type::Decimal((*parameters)[0], (*parameters)[1]);
    }
  }
  if (const auto parameters = Parameters(name, "fixed", '[', ']')) {
    if (parameters->size() == 1 && (*parameters)[0] >= 0) return Type::Fixed((*parameters)[0]);
  }
  for (const std::string_view later : kLaterTypes) {
    if (name.starts_with(later))
      return json.NotSupported(fmt::format("type '{}' (Iceberg format version 3)", name));
  }
  return json.Expected("a type");
}

Result<Type> ReadType(const JsonView& json);

Result<Field> ReadField(const JsonView& json) {
  for (const std::string_view later : {"initial-default", "write-default"}) {
    WEIR_TRY(const auto value, json.Find(later));
    if (value) return json.NotSupported(fmt::format("'{}' (Iceberg format version 3)", later));
  }
  Field field;
  WEIR_TRY(field.id.value, json.GetInt32("id"));
  WEIR_TRY(field.name, json.GetString("name"));
  WEIR_TRY(field.required, json.GetBoolean("required"));
  WEIR_TRY(const JsonView type, json.Get("type"));
  WEIR_TRY(field.type, ReadType(type));
  WEIR_TRY(const auto doc, json.FindString("doc"));
  field.doc = doc.value_or("");
  return field;
}

Result<std::vector<Field>> ReadFields(const JsonView& json) {
  WEIR_TRY(const JsonView list, json.Get("fields"));
  WEIR_TRY(const auto items, list.Items());
  std::vector<Field> fields;
  for (const JsonView& item : items) {
    WEIR_TRY(Field field, ReadField(item));
    fields.push_back(std::move(field));
  }
  return fields;
}

/// The element of a list, or the key or value of a map, which the JSON spreads over its parent.
Result<Field> ReadPart(const JsonView& json, std::string_view part, bool required) {
  Field field;
  field.name = part;
  field.required = required;
  WEIR_TRY(field.id.value, json.GetInt32(fmt::format("{}-id", part)));
  WEIR_TRY(const JsonView type, json.Get(part));
  WEIR_TRY(field.type, ReadType(type));
  return field;
}

Result<Type> ReadType(const JsonView& json) {
  if (json.is_string()) return ReadPrimitive(json);
  WEIR_TRY(const std::string kind, json.GetString("type"));
  if (kind == "struct") {
    WEIR_TRY(auto fields, ReadFields(json));
    return Type::Struct(std::move(fields));
  }
  if (kind == "list") {
    WEIR_TRY(const bool required, json.GetBoolean("element-required"));
    WEIR_TRY(Field element, ReadPart(json, "element", required));
    return Type::Array(std::move(element));
  }
  if (kind == "map") {
    WEIR_TRY(Field key, ReadPart(json, "key", true));
    WEIR_TRY(const bool required, json.GetBoolean("value-required"));
    WEIR_TRY(Field value, ReadPart(json, "value", required));
    return Type::Map(std::move(key), std::move(value));
  }
  return json.Expected("a struct, list or map type");
}

nlohmann::ordered_json FieldsJson(const std::vector<Field>& fields);

nlohmann::ordered_json TypeJson(const Type& type) {
  nlohmann::ordered_json json;
  switch (type.kind()) {
    case TypeKind::kStruct:
      json["type"] = "struct";
      json["fields"] = FieldsJson(type.fields());
      return json;
    case TypeKind::kArray:
      json["type"] = "list";
      json["element-id"] = type.fields()[0].id.value;
      json["element"] = TypeJson(type.fields()[0].type);
      json["element-required"] = type.fields()[0].required;
      return json;
    case TypeKind::kMap:
      json["type"] = "map";
      json["key-id"] = type.fields()[0].id.value;
      json["key"] = TypeJson(type.fields()[0].type);
      json["value-id"] = type.fields()[1].id.value;
      json["value"] = TypeJson(type.fields()[1].type);
      json["value-required"] = type.fields()[1].required;
      return json;
    default:
      return PrimitiveTypeName(type);
  }
}

nlohmann::ordered_json FieldsJson(const std::vector<Field>& fields) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Field& field : fields) {
    nlohmann::ordered_json json;
    json["id"] = field.id.value;
    json["name"] = field.name;
    json["required"] = field.required;
    json["type"] = TypeJson(field.type);
    if (!field.doc.empty()) json["doc"] = field.doc;
    list.push_back(std::move(json));
  }
  return list;
}

Result<Transform> ReadTransform(const JsonView& json) {
  WEIR_TRY(const JsonView text, json.Get("transform"));
  WEIR_TRY(const std::string name, text.String());
  auto transform = Transform::Parse(name);
  if (!transform) return text.Expected("a transform");
  return *std::move(transform);
}

Result<FieldId> ReadSourceId(const JsonView& json) {
  WEIR_TRY(const auto many, json.Find("source-ids"));
  if (many) return json.NotSupported("a transform of several columns (Iceberg format version 3)");
  WEIR_TRY(const int32_t id, json.GetInt32("source-id"));
  return FieldId{id};
}

/// The first id that is used twice, at any depth.
std::optional<FieldId> RepeatedId(const std::vector<Field>& fields, std::set<FieldId>& seen) {
  for (const Field& field : fields) {
    if (!seen.insert(field.id).second) return field.id;
    if (const auto below = RepeatedId(field.type.fields(), seen)) return below;
  }
  return std::nullopt;
}

}  // namespace

std::string PrimitiveTypeName(const Type& type) {
  for (const NamedType& known : kNamedTypes) {
    if (known.kind == type.kind()) return std::string(known.name);
  }
  if (type.kind() == TypeKind::kDecimal)
    return fmt::format("decimal({}, {})", type.precision(), type.scale());
  if (type.kind() == TypeKind::kFixed) return fmt::format("fixed[{}]", type.length_bytes());
  return type.ToString();
}

Result<Schema> ReadSchema(const JsonView& json) {
  WEIR_TRY(const std::string kind, json.GetString("type"));
  if (kind != "struct") return json.Expected("a schema of type struct");
  Schema schema;
  WEIR_TRY(const auto schema_id, json.FindInt32("schema-id"));
  schema.schema_id = schema_id.value_or(0);
  WEIR_TRY(schema.fields, ReadFields(json));
  std::set<FieldId> seen;
  if (const auto repeated = RepeatedId(schema.fields, seen)) {
    return json.Expected(fmt::format("ids that differ (id {} is there twice)", repeated->value));
  }
  WEIR_TRY(const auto identifiers, json.Find("identifier-field-ids"));
  if (identifiers) {
    WEIR_TRY(const auto items, identifiers->Items());
    for (const JsonView& item : items) {
      WEIR_TRY(const int32_t id, item.Int32());
      schema.identifier_field_ids.push_back(FieldId{id});
    }
  }
  return schema;
}

Result<PartitionSpec> ReadPartitionSpec(const JsonView& json) {
  PartitionSpec spec;
  WEIR_TRY(spec.spec_id, json.GetInt32("spec-id"));
  WEIR_TRY(const JsonView list, json.Get("fields"));
  WEIR_TRY(const auto items, list.Items());
  for (const JsonView& item : items) {
    PartitionField field;
    WEIR_TRY(field.source_id, ReadSourceId(item));
    WEIR_TRY(field.field_id.value, item.GetInt32("field-id"));
    WEIR_TRY(field.name, item.GetString("name"));
    WEIR_TRY(field.transform, ReadTransform(item));
    spec.fields.push_back(std::move(field));
  }
  return spec;
}

Result<SortOrder> ReadSortOrder(const JsonView& json) {
  SortOrder order;
  WEIR_TRY(order.order_id, json.GetInt32("order-id"));
  WEIR_TRY(const JsonView list, json.Get("fields"));
  WEIR_TRY(const auto items, list.Items());
  for (const JsonView& item : items) {
    table::SortField field;
    WEIR_TRY(field.source_id, ReadSourceId(item));
    WEIR_TRY(field.transform, ReadTransform(item));
    WEIR_TRY(const std::string direction, item.GetString("direction"));
    WEIR_TRY(const std::string nulls, item.GetString("null-order"));
    if (direction != "asc" && direction != "desc") return item.Expected("direction asc or desc");
    if (nulls != "nulls-first" && nulls != "nulls-last")
      return item.Expected("null-order nulls-first or nulls-last");
    field.ascending = direction == "asc";
    field.nulls_first = nulls == "nulls-first";
    order.fields.push_back(std::move(field));
  }
  return order;
}

nlohmann::ordered_json SchemaJson(const Schema& schema) {
  nlohmann::ordered_json json;
  json["type"] = "struct";
  json["schema-id"] = schema.schema_id;
  if (!schema.identifier_field_ids.empty()) {
    nlohmann::ordered_json ids = nlohmann::ordered_json::array();
    for (const FieldId id : schema.identifier_field_ids) ids.push_back(id.value);
    json["identifier-field-ids"] = std::move(ids);
  }
  json["fields"] = FieldsJson(schema.fields);
  return json;
}

nlohmann::ordered_json PartitionFieldsJson(const PartitionSpec& spec) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PartitionField& field : spec.fields) {
    nlohmann::ordered_json json;
    json["name"] = field.name;
    json["transform"] = field.transform.ToString();
    json["source-id"] = field.source_id.value;
    json["field-id"] = field.field_id.value;
    list.push_back(std::move(json));
  }
  return list;
}

nlohmann::ordered_json PartitionSpecJson(const PartitionSpec& spec) {
  nlohmann::ordered_json json;
  json["spec-id"] = spec.spec_id;
  json["fields"] = PartitionFieldsJson(spec);
  return json;
}

nlohmann::ordered_json SortOrderJson(const SortOrder& order) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const table::SortField& field : order.fields) {
    nlohmann::ordered_json json;
    json["transform"] = field.transform.ToString();
    json["source-id"] = field.source_id.value;
    json["direction"] = field.ascending ? "asc" : "desc";
    json["null-order"] = field.nulls_first ? "nulls-first" : "nulls-last";
    list.push_back(std::move(json));
  }
  nlohmann::ordered_json json;
  json["order-id"] = order.order_id;
  json["fields"] = std::move(list);
  return json;
}

}  // namespace weir::iceberg
