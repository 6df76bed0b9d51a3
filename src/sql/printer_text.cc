#include "sql/printer_text.h"

#include <cmath>

#include "sql/interval_literal.h"
#include "type/calendar.h"
#include "type/identifier.h"
#include "type/scalar_text.h"

namespace weir::sql {
namespace {

std::string HexSql(const std::string& bytes) {
  std::string text = "X'";
  for (char c : bytes) text += fmt::format("{:02X}", static_cast<unsigned char>(c));
  return text + "'";
}

}  // namespace

std::string NameSql(const std::string& name) {
  std::string quoted = "`";
  for (char c : name) {
    if (c == '`') quoted += '`';
    quoted += c;
  }
  return quoted + '`';
}

std::string NameSql(const unresolved::Name& name) {
  std::string text;
  for (const std::string& part : name) text += (text.empty() ? "" : ".") + NameSql(part);
  return text;
}

std::string NameListSql(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "(" : ", ") + NameSql(name);
  return text + ")";
}

std::string PropertiesSql(const std::vector<std::pair<std::string, std::string>>& properties) {
  std::string text;
  for (const auto& [key, value] : properties) {
    text += fmt::format("{}{} = {}", text.empty() ? "(" : ", ", QuoteString(key), QuoteString(value));
  }
  return text + ")";
}

std::string TypeSql(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kArray:
      return fmt::format("ARRAY<{}>", TypeSql(type.fields()[0].type));
    case TypeKind::kMap:
      return fmt::format("MAP<{}, {}>", TypeSql(type.fields()[0].type), TypeSql(type.fields()[1].type));
    case TypeKind::kIntervalYearMonth:
      return "INTERVAL YEAR TO MONTH";
    case TypeKind::kIntervalDayTime:
      return "INTERVAL DAY TO SECOND";
    case TypeKind::kStruct:
      break;
    default:
      return type.ToSql();
  }
  std::string text = "STRUCT<";
  for (const Field& field : type.fields()) {
    if (&field != type.fields().data()) text += ", ";
    text += fmt::format("{}: {}", NameSql(field.name), TypeSql(field.type));
    if (field.required) text += " NOT NULL";
    if (!field.doc.empty()) text += " COMMENT " + QuoteString(field.doc);
  }
  return text + ">";
}

std::string LiteralSql(const unresolved::Literal& literal) {
  if (!literal.text.empty()) return literal.text;
  const Scalar& value = literal.value;
  const Type& type = value.type();
  if (value.is_null())
    return type.kind() == TypeKind::kVoid ? "NULL" : fmt::format("CAST(NULL AS {})", TypeSql(type));
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return value.boolean() ? "TRUE" : "FALSE";
    case TypeKind::kByte:
      return fmt::format("{}Y", value.integer());
    case TypeKind::kShort:
      return fmt::format("{}S", value.integer());
    case TypeKind::kInt:
      return fmt::format("{}", value.integer());
    case TypeKind::kLong:
      return fmt::format("{}L", value.integer());
    case TypeKind::kFloat:
      if (!std::isfinite(value.float32()))
        return fmt::format("CAST('{}' AS FLOAT)", FloatText(value.float32()));
      return FloatText(value.float32()) + "F";
    case TypeKind::kDouble:
      if (!std::isfinite(value.float64()))
        return fmt::format("CAST('{}' AS DOUBLE)", DoubleText(value.float64()));
      return DoubleText(value.float64()) + "D";
    case TypeKind::kDecimal:
      return DecimalText(value.unscaled(), type.scale()) + "BD";
    case TypeKind::kString:
      return QuoteString(value.text());
    case TypeKind::kBinary:
      return HexSql(value.text());
    case TypeKind::kDate:
      return fmt::format("DATE '{}'", DateText(value.integer()));
    case TypeKind::kTimestamp:
      return fmt::format("TIMESTAMP_LTZ '{}Z'", TimestampText(value.integer()));
    case TypeKind::kTimestampNtz:
      return fmt::format("TIMESTAMP_NTZ '{}'", TimestampText(value.integer()));
    case TypeKind::kIntervalYearMonth:
    case TypeKind::kIntervalDayTime:
      return IntervalSql(value);
    default:
      return value.ToSql();
  }
}

}  // namespace weir::sql
