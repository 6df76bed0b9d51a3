#include "type/type.h"

#include <algorithm>
#include <functional>

#include "base/ascii.h"
#include "type/identifier.h"

namespace weir {

Type Type::Decimal(int precision, int scale) { return Type(TypeKind::kDecimal, precision, scale); }

Type Type::Fixed(int length_bytes) { return Type(TypeKind::kFixed, length_bytes); }

Type Type::Array(Field element) {
  element.name = "element";
  Type type(TypeKind::kArray);
  type.fields_ = std::make_shared<const std::vector<Field>>(std::vector<Field>{std::move(element)});
  return type;
}

Type Type::Map(Field key, Field value) {
  key.name = "key";
  key.required = true;
  value.name = "value";
  Type type(TypeKind::kMap);
  type.fields_ =
      std::make_shared<const std::vector<Field>>(std::vector<Field>{std::move(key), std::move(value)});
  return type;
}

Type Type::Struct(std::vector<Field> fields) {
  Type type(TypeKind::kStruct);
  type.fields_ = std::make_shared<const std::vector<Field>>(std::move(fields));
  return type;
}

const std::vector<Field>& Type::fields() const {
  static const std::vector<Field> none;
  return fields_ ? *fields_ : none;
}

bool Type::holds_floating() const {
  return is_floating() ||
         std::ranges::any_of(fields(), [](const Field& field) { return field.type.holds_floating(); });
}

bool Type::operator==(const Type& other) const {
  return kind_ == other.kind_ && precision_ == other.precision_ && scale_ == other.scale_ &&
         (fields_ == other.fields_ || fields() == other.fields());
}

namespace {

std::string_view FlatName(TypeKind kind) {
  switch (kind) {
    case TypeKind::kVoid:
      return "void";
    case TypeKind::kBoolean:
      return "boolean";
    case TypeKind::kByte:
      return "tinyint";
    case TypeKind::kShort:
      return "smallint";
    case TypeKind::kInt:
      return "int";
    case TypeKind::kLong:
      return "bigint";
    case TypeKind::kFloat:
      return "float";
    case TypeKind::kDouble:
      return "double";
    case TypeKind::kDecimal:
      return "decimal";
    case TypeKind::kDate:
      return "date";
    case TypeKind::kTime:
      return "time(6)";
    case TypeKind::kTimestamp:
      return "timestamp";
    case TypeKind::kTimestampNtz:
      return "timestamp_ntz";
    case TypeKind::kString:
      return "string";
    case TypeKind::kBinary:
      return "binary";
    case TypeKind::kFixed:
      return "fixed";
    case TypeKind::kUuid:
      return "uuid";
    case TypeKind::kIntervalYearMonth:
      return "interval year to month";
    case TypeKind::kIntervalDayTime:
      return "interval day to second";
    case TypeKind::kArray:
      return "array";
    case TypeKind::kMap:
      return "map";
    case TypeKind::kStruct:
      return "struct";
  }
  return "void";
}

std::string WithParameters(const Type& type, std::string name) {
  if (type.kind() == TypeKind::kDecimal)
    return fmt::format("{}({},{})", name, type.precision(), type.scale());
  if (type.kind() == TypeKind::kFixed) return fmt::format("{}({})", name, type.length_bytes());
  return name;
}

std::string MemberToSql(const Field& field) {
  std::string text = fmt::format("{}: {}", QuoteIfNeeded(field.name), field.type.ToSql());
  if (field.required) text += " NOT NULL";
  if (!field.doc.empty()) text += " COMMENT " + QuoteString(field.doc);
  return text;
}

bool AppendPath(const std::vector<Field>& fields, FieldId id, std::string& path) {
  for (const Field& field : fields) {
    const size_t length = path.size();
    if (length != 0) path += '.';
    path += field.name;
    if (field.id == id || AppendPath(field.type.fields(), id, path)) return true;
    path.resize(length);
  }
  return false;
}

}  // namespace

const Field* FindNested(const std::vector<Field>& fields, FieldId id) {
  for (const Field& field : fields) {
    if (field.id == id) return &field;
    if (const Field* inner = FindNested(field.type.fields(), id)) return inner;
  }
  return nullptr;
}

std::string Type::ToString() const {
  switch (kind_) {
    case TypeKind::kArray:
      return fmt::format("array<{}>", fields()[0].type.ToString());
    case TypeKind::kMap:
      return fmt::format("map<{},{}>", fields()[0].type.ToString(), fields()[1].type.ToString());
    case TypeKind::kStruct: {
      std::string text = "struct<";
      for (const Field& field : fields()) {
        if (text.back() != '<') text += ',';
        text += field.name + ':' + field.type.ToString();
      }
      return text + '>';
    }
    default:
      return WithParameters(*this, std::string(FlatName(kind_)));
  }
}

std::string Type::ToSql() const {
  switch (kind_) {
    case TypeKind::kArray:
      return fmt::format("ARRAY<{}>", fields()[0].type.ToSql());
    case TypeKind::kMap:
      return fmt::format("MAP<{}, {}>", fields()[0].type.ToSql(), fields()[1].type.ToSql());
    case TypeKind::kStruct: {
      std::string text = "STRUCT<";
      for (const Field& field : fields()) {
        if (text.back() != '<') text += ", ";
        text += MemberToSql(field);
      }
      return text + '>';
    }
    default:
      return WithParameters(*this, AsciiUpper(FlatName(kind_)));
  }
}

bool SameShape(const Type& a, const Type& b) {
  if (a.kind() != b.kind() || a.precision() != b.precision() || a.scale() != b.scale()) return false;
  if (&a.fields() == &b.fields()) return true;
  return std::equal(
      a.fields().begin(), a.fields().end(), b.fields().begin(), b.fields().end(),
      [](const Field& x, const Field& y) { return x.name == y.name && SameShape(x.type, y.type); });
}

Type SparkType(const Type& stored) {
  if (stored.kind() == TypeKind::kUuid) return Type::String();
  if (stored.kind() == TypeKind::kFixed) return Type::Binary();
  if (!stored.is_nested()) return stored;
  std::vector<Field> fields = stored.fields();
  for (Field& field : fields) field.type = SparkType(field.type);
  if (stored.kind() == TypeKind::kArray) return Type::Array(std::move(fields[0]));
  if (stored.kind() == TypeKind::kMap) return Type::Map(std::move(fields[0]), std::move(fields[1]));
  return Type::Struct(std::move(fields));
}

const Field* Schema::Find(FieldId id) const { return FindNested(fields, id); }

const Field* Schema::FindByName(std::string_view name) const {
  auto it =
      std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
  return it == fields.end() ? nullptr : &*it;
}

std::optional<std::string> Schema::PathOf(FieldId id) const {
  std::string path;
  if (!AppendPath(fields, id, path)) return std::nullopt;
  return path;
}

}  // namespace weir
