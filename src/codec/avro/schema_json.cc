/// The JSON form of schemas; the only place here that knows the JSON library.

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "codec/avro/schema.h"

namespace weir::avro {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxDepth = 64;

constexpr std::pair<std::string_view, Logical> kLogicalNames[] = {
    {"date", Logical::kDate},
    {"time-millis", Logical::kTimeMillis},
    {"time-micros", Logical::kTimeMicros},
    {"timestamp-millis", Logical::kTimestampMillis},
    {"timestamp-micros", Logical::kTimestampMicros},
    {"timestamp-nanos", Logical::kTimestampNanos},
    {"local-timestamp-millis", Logical::kLocalTimestampMillis},
    {"local-timestamp-micros", Logical::kLocalTimestampMicros},
    {"local-timestamp-nanos", Logical::kLocalTimestampNanos},
    {"decimal", Logical::kDecimal},
    {"uuid", Logical::kUuid},
};

const std::map<std::string_view, Schema>& Primitives() {
  static const std::map<std::string_view, Schema> primitives = {
      {"null", Schema::Null()},   {"boolean", Schema::Boolean()}, {"int", Schema::Int()},
      {"long", Schema::Long()},   {"float", Schema::Float()},     {"double", Schema::Double()},
      {"bytes", Schema::Bytes()}, {"string", Schema::String()}};
  return primitives;
}

/// "a.b" of "a.b.name"; empty without a dot.
std::string_view NamespaceOf(std::string_view full_name) {
  const size_t dot = full_name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : full_name.substr(0, dot);
}

bool ValidFullName(std::string_view name) {
  while (true) {
    const size_t dot = name.find('.');
    const std::string_view part = name.substr(0, dot);
    if (part.empty() || SanitizedName(part) != part) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

/// Whether the spec allows the logical type on the encoding; if not, it has to be ignored.
bool Allowed(const LogicalType& logical, const Schema& schema) {
  switch (logical.kind) {
    case Logical::kNone:
      return false;
    case Logical::kDate:
    case Logical::kTimeMillis:
      return schema.kind() == Kind::kInt;
    case Logical::kTimeMicros:
    case Logical::kTimestampMillis:
    case Logical::kTimestampMicros:
    case Logical::kTimestampNanos:
    case Logical::kLocalTimestampMillis:
    case Logical::kLocalTimestampMicros:
    case Logical::kLocalTimestampNanos:
      return schema.kind() == Kind::kLong;
    case Logical::kUuid:
      return schema.kind() == Kind::kString || (schema.kind() == Kind::kFixed && schema.size_bytes() == 16);
    case Logical::kDecimal:
      if (logical.precision < 1 || logical.scale < 0 || logical.scale > logical.precision) return false;
      if (schema.kind() == Kind::kBytes) return true;
      return schema.kind() == Kind::kFixed && schema.size_bytes() > 0 &&
             logical.precision <= std::floor((8.0 * schema.size_bytes() - 1) * std::log10(2.0));
  }
  return false;
}

class Parser {
 public:
  Result<Schema> Parse(const Json& json, const std::string& space, int depth) {
    if (depth > kMaxDepth) return Unsupported("Avro schema nested deeper than {}", kMaxDepth);
    if (json.is_string()) return Named(json.get<std::string>(), space);
    if (json.is_array()) return ParseUnion(json, space, depth);
    if (!json.is_object())
      return Corrupt("Avro schema: expected a string, object or array, found {}", json.type_name());
    const auto type = json.find("type");
    if (type == json.end()) return Corrupt("Avro schema: an object without \"type\"");
    if (!type->is_string()) return Parse(*type, space, depth + 1);
    const auto name = type->get<std::string>();
    if (name == "record") return ParseRecord(json, space, depth);
    if (name == "array") return ParseArray(json, space, depth);
    if (name == "map") return ParseMap(json, space, depth);
    if (name == "enum") return ParseEnum(json, space);
    WEIR_TRY(Schema schema, name == "fixed" ? ParseFixed(json, space) : Named(name, space));
    return WithLogical(json, std::move(schema));
  }

 private:
  Result<Schema> Named(const std::string& name, const std::string& space) {
    if (auto primitive = Primitives().find(name); primitive != Primitives().end()) return primitive->second;
    std::string full = name.find('.') == std::string::npos && !space.empty() ? space + "." + name : name;
    if (!named_.contains(full)) full = name;
    const auto found = named_.find(full);
    if (found == named_.end()) return Corrupt("Avro schema: \"{}\" is not defined before its use", name);
    if (!found->second) return Unsupported("Avro schema: record \"{}\" contains itself", full);
    return *found->second;
  }

  /// The full name of a definition, entered as not yet complete.
  Result<std::string> Define(const Json& json, const std::string& space) {
    WEIR_TRY(std::string name, Text(json, "name"));
    if (name.find('.') == std::string::npos) {
      const auto given = json.find("namespace");
      const std::string own = given != json.end() && given->is_string() ? given->get<std::string>() : space;
      if (!own.empty()) name = own + "." + name;
    }
    if (!named_.emplace(name, std::nullopt).second)
      return Corrupt("Avro schema: \"{}\" is defined twice", name);
    return name;
  }

  static Result<std::string> Text(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string() || found->get_ref<const std::string&>().empty()) {
      return Corrupt("Avro schema: attribute \"{}\" is not a text", key);
    }
    return found->get<std::string>();
  }

  static Result<std::optional<FieldId>> Id(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end()) return std::optional<FieldId>();
    if (!found->is_number_integer()) return Corrupt("Avro schema: attribute \"{}\" is not an integer", key);
    // Read as signed 64 bits: an unsigned value beyond them comes out negative.
    const auto value = found->get<int64_t>();
    if (value < 0 || value > INT32_MAX)
      return Corrupt("Avro schema: attribute \"{}\" is {}, not a field id", key, value);
    return std::optional<FieldId>(FieldId{static_cast<int32_t>(value)});
  }

  Result<Schema> ParseUnion(const Json& json, const std::string& space, int depth) {
    if (json.size() > UINT16_MAX) return Unsupported("Avro schema: a union of {} branches", json.size());
    std::vector<Schema> branches;
    std::set<std::pair<Kind, std::string>> seen;
    for (const Json& branch : json) {
      WEIR_TRY(Schema schema, Parse(branch, space, depth + 1));
      const Kind kind = schema.kind() == Kind::kMap && schema.map_is_array() ? Kind::kArray : schema.kind();
      if (kind == Kind::kUnion) return Corrupt("Avro schema: a union directly within a union");
      if (!seen.emplace(kind, kind == Kind::kArray ? "" : schema.name()).second) {
        return Corrupt("Avro schema: a union with two branches of {}", ToString(kind));
      }
      branches.push_back(std::move(schema));
    }
    if (branches.empty()) return Corrupt("Avro schema: a union without branches");
    return Schema::Union(std::move(branches));
  }

  Result<Schema> ParseRecord(const Json& json, const std::string& space, int depth) {
    WEIR_TRY(const std::string name, Define(json, space));
    const std::string own(NamespaceOf(name));
    const auto list = json.find("fields");
    if (list == json.end() || !list->is_array())
      return Corrupt("Avro schema: record \"{}\" without fields", name);
    std::vector<Field> fields;
    std::set<std::string> names;
    std::set<FieldId> ids;
    for (const Json& item : *list) {
      if (!item.is_object()) return Corrupt("Avro schema: a field of record \"{}\" is not an object", name);
      Field field;
      WEIR_TRY_CONTEXT(field.name, fmt::format("record \"{}\"", name), Text(item, "name"));
      if (!names.insert(field.name).second)
        return Corrupt("Avro schema: \"{}\" has two fields \"{}\"", name, field.name);
      const std::string where = fmt::format("field \"{}\"", field.name);
      if (const auto original = item.find("iceberg-field-name");
          original != item.end() && original->is_string()) {
        field.name = original->get<std::string>();
      }
      WEIR_TRY_CONTEXT(field.id, where, Id(item, "field-id"));
      if (field.id && !ids.insert(*field.id).second) {
        return Corrupt("Avro schema: \"{}\" has two fields with id {}", name, field.id->value);
      }
      const auto type = item.find("type");
      if (type == item.end()) return Corrupt("Avro schema: {} without \"type\"", where);
      WEIR_TRY_CONTEXT(field.schema, where, Parse(*type, own, depth + 1));
      if (const auto doc = item.find("doc"); doc != item.end() && doc->is_string())
        field.doc = doc->get<std::string>();
      fields.push_back(std::move(field));
    }
    Schema schema = Schema::Record(name, std::move(fields));
    // References let types nest deeper than the JSON text does.
    if (schema.depth() > kMaxDepth) return Unsupported("Avro schema nested deeper than {}", kMaxDepth);
    named_[name] = schema;
    return schema;
  }

  Result<Schema> ParseArray(const Json& json, const std::string& space, int depth) {
    const auto items = json.find("items");
    if (items == json.end()) return Corrupt("Avro schema: an array without \"items\"");
    WEIR_TRY(Schema element, Parse(*items, space, depth + 1));
    const auto logical = json.find("logicalType");
    if (logical != json.end() && *logical == "map" && element.kind() == Kind::kRecord) {
      const std::vector<Field>& entry = element.fields();
      if (entry.size() == 2 && entry[0].name == "key" && entry[1].name == "value") {
        return Schema::ArrayMap(entry[0].schema, entry[0].id, entry[1].schema, entry[1].id, element.name());
      }
    }
    WEIR_TRY(std::optional<FieldId> id, Id(json, "element-id"));
    return Schema::Array(std::move(element), id);
  }

  Result<Schema> ParseMap(const Json& json, const std::string& space, int depth) {
    const auto values = json.find("values");
    if (values == json.end()) return Corrupt("Avro schema: a map without \"values\"");
    WEIR_TRY(Schema value, Parse(*values, space, depth + 1));
    WEIR_TRY(std::optional<FieldId> key_id, Id(json, "key-id"));
    WEIR_TRY(std::optional<FieldId> value_id, Id(json, "value-id"));
    if (key_id && key_id == value_id) return Corrupt("Avro schema: a map's key and value have the same id");
    return Schema::Map(std::move(value), key_id, value_id);
  }

  Result<Schema> ParseEnum(const Json& json, const std::string& space) {
    WEIR_TRY(const std::string name, Define(json, space));
    const auto list = json.find("symbols");
    if (list == json.end() || !list->is_array())
      return Corrupt("Avro schema: enum \"{}\" without symbols", name);
    std::vector<std::string> symbols;
    for (const Json& symbol : *list) {
      if (!symbol.is_string()) return Corrupt("Avro schema: a symbol of enum \"{}\" is not a text", name);
      symbols.push_back(symbol.get<std::string>());
    }
    if (std::set<std::string>(symbols.begin(), symbols.end()).size() != symbols.size()) {
      return Corrupt("Avro schema: enum \"{}\" has a symbol twice", name);
    }
    Schema schema = Schema::Enum(name, std::move(symbols));
    named_[name] = schema;
    return schema;
  }

  Result<Schema> ParseFixed(const Json& json, const std::string& space) {
    WEIR_TRY(const std::string name, Define(json, space));
    const auto size = json.find("size");
    if (size == json.end() || !size->is_number_integer() || size->get<int64_t>() < 0 ||
        size->get<int64_t>() > INT32_MAX) {
      return Corrupt("Avro schema: fixed \"{}\" without a valid size", name);
    }
    WEIR_TRY(Schema schema, WithLogical(json, Schema::Fixed(name, size->get<uint32_t>())));
    named_[name] = schema;
    return schema;
  }

  static Result<Schema> WithLogical(const Json& json, Schema schema) {
    const auto found = json.find("logicalType");
    if (found == json.end() || !found->is_string()) return schema;
    LogicalType logical;
    for (const auto& [name, kind] : kLogicalNames) {
      if (found->get_ref<const std::string&>() == name) logical.kind = kind;
    }
    if (logical.kind == Logical::kDecimal) {
      logical.precision = SmallInt(json, "precision");
      logical.scale = SmallInt(json, "scale");
    }
    if (const auto utc = json.find("adjust-to-utc"); utc != json.end() && utc->is_boolean()) {
      logical.adjust_to_utc = utc->get<bool>();
    }
    return Allowed(logical, schema) ? schema.With(logical) : schema;
  }

  /// 0 if absent, -1 if it is not a number that a decimal can have.
  static int SmallInt(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end()) return 0;
    if (!found->is_number_integer()) return -1;
    const auto value = found->get<int64_t>();
    return value < 0 || value > INT32_MAX ? -1 : static_cast<int>(value);
  }

  std::map<std::string, std::optional<Schema>> named_;  ///< Absent value: being defined.
};

class Printer {
 public:
  Result<Json> Print(const Schema& schema, const std::string& space) {
    switch (schema.kind()) {
      case Kind::kAny:
        return Invalid("an Avro schema of kind any cannot be written");
      case Kind::kUnion:
        return PrintUnion(schema, space);
      case Kind::kRecord:
        return PrintNamed(schema, space);
      case Kind::kEnum:
        return PrintNamed(schema, space);
      case Kind::kFixed:
        return PrintNamed(schema, space);
      case Kind::kArray:
        return PrintArray(schema, space);
      case Kind::kMap:
        return PrintMap(schema, space);
      default:
        break;
    }
    if (schema.logical().kind == Logical::kNone) return Json(ToString(schema.kind()));
    Json json = {{"type", ToString(schema.kind())}};
    WEIR_DO(AddLogical(schema, json));
    return json;
  }

 private:
  static Status AddLogical(const Schema& schema, Json& json) {
    const LogicalType& logical = schema.logical();
    if (logical.kind == Logical::kNone) return {};
    if (!Allowed(logical, schema)) {
      return Invalid("an Avro {} cannot have this logical type", ToString(schema.kind()));
    }
    for (const auto& [name, kind] : kLogicalNames) {
      if (kind == logical.kind) json["logicalType"] = name;
    }
    if (logical.kind == Logical::kDecimal) {
      json["precision"] = logical.precision;
      json["scale"] = logical.scale;
    }
    if (logical.adjust_to_utc) json["adjust-to-utc"] = *logical.adjust_to_utc;
    return {};
  }

  Result<Json> PrintUnion(const Schema& schema, const std::string& space) {
    Json json = Json::array();
    std::set<std::pair<Kind, std::string>> seen;
    for (const Field& branch : schema.fields()) {
      const Kind kind = branch.schema.map_is_array() ? Kind::kArray : branch.schema.kind();
      if (kind == Kind::kUnion ||
          !seen.emplace(kind, kind == Kind::kArray ? "" : branch.schema.name()).second) {
        return Invalid("an Avro union with an inner union, or with two branches of {}", ToString(kind));
      }
      WEIR_TRY(Json item, Print(branch.schema, space));
      json.push_back(std::move(item));
    }
    if (json.empty() || json.size() > UINT16_MAX) return Invalid("an Avro union of {} branches", json.size());
    return json;
  }

  Result<Json> PrintArray(const Schema& schema, const std::string& space) {
    const Field& element = schema.fields()[0];
    WEIR_TRY(Json items, Print(element.schema, space));
    Json json = {{"type", "array"}, {"items", std::move(items)}};
    if (element.id) json["element-id"] = element.id->value;
    return json;
  }

  Result<Json> PrintMap(const Schema& schema, const std::string& space) {
    if (schema.map_is_array()) {
      WEIR_TRY(Json items, PrintNamed(Schema::Record(schema.name(), schema.fields()), space));
      return Json{{"type", "array"}, {"items", std::move(items)}, {"logicalType", "map"}};
    }
    const Field& key = schema.fields()[0];
    const Field& value = schema.fields()[1];
    if (key.id && key.id == value.id) return Invalid("a map's key and value have the same id");
    WEIR_TRY(Json values, Print(value.schema, space));
    Json json = {{"type", "map"}, {"values", std::move(values)}};
    if (key.id) json["key-id"] = key.id->value;
    if (value.id) json["value-id"] = value.id->value;
    return json;
  }

  /// The definition at the first use of a name, a reference at each further one.
  Result<Json> PrintNamed(const Schema& schema, const std::string& space) {
    const std::string& name = schema.name();
    const std::string own(NamespaceOf(name));
    const std::string written = own == space && !own.empty() ? name.substr(own.size() + 1) : name;
    if (const auto known = named_.find(name); known != named_.end()) {
      if (!(known->second == schema)) return Invalid("two Avro types named \"{}\" differ", name);
      if (own.empty() && !space.empty())
        return Invalid("Avro type \"{}\" is out of reach in namespace {}", name, space);
      return Json(written);
    }
    if (!ValidFullName(name) || Primitives().contains(name))
      return Invalid("\"{}\" is not an Avro name", name);
    named_.emplace(name, schema);
    Json json = {{"type", ToString(schema.kind())}, {"name", written}};
    if (own.empty() && !space.empty()) json["namespace"] = "";
    if (schema.kind() == Kind::kRecord) {
      WEIR_TRY_CONTEXT(json["fields"], fmt::format("record \"{}\"", name), PrintFields(schema, own));
    } else if (schema.kind() == Kind::kEnum) {
      for (const std::string& symbol : schema.symbols()) {
        if (SanitizedName(symbol) != symbol || symbol.empty())
          return Invalid("\"{}\" is not an enum symbol", symbol);
      }
      json["symbols"] = schema.symbols();
    } else {
      json["size"] = schema.size_bytes();
      WEIR_DO_CONTEXT(fmt::format("fixed \"{}\"", name), AddLogical(schema, json));
    }
    return json;
  }

  Result<Json> PrintFields(const Schema& record, const std::string& space) {
    Json fields = Json::array();
    std::set<std::string> names;
    std::set<FieldId> ids;
    for (const Field& field : record.fields()) {
      const std::string name = SanitizedName(field.name);
      if (name.empty()) return Invalid("a field without a name");
      if (!names.insert(name).second) return Invalid("two fields named \"{}\" in Avro", name);
      if (field.id && !ids.insert(*field.id).second) return Invalid("two fields with id {}", field.id->value);
      WEIR_TRY_CONTEXT(Json type, fmt::format("field \"{}\"", field.name), Print(field.schema, space));
      const bool null_first = type.is_array() && type[0] == "null";
      Json json = {{"name", name}, {"type", std::move(type)}};
      if (!field.doc.empty()) json["doc"] = field.doc;
      if (null_first) json["default"] = nullptr;
      if (name != field.name) json["iceberg-field-name"] = field.name;
      if (field.id) json["field-id"] = field.id->value;
      fields.push_back(std::move(json));
    }
    return fields;
  }

  std::map<std::string, Schema> named_;
};

}  // namespace

Result<Schema> Schema::Parse(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) return Corrupt("Avro schema: not valid JSON");
  return Parser().Parse(parsed, "", 0);
}

Result<std::string> Schema::ToJson() const {
  WEIR_TRY(const Json json, Printer().Print(*this, ""));
  try {
    return json.dump();
  } catch (const Json::exception&) {  // The library's way to refuse text that is not UTF-8.
    return Invalid("a name or doc in an Avro schema is not valid UTF-8");
  }
}

}  // namespace weir::avro
