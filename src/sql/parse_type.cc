#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/grammar.h"
#include "sql/literal.h"
#include "type/spark_names.h"

namespace weir::sql {

/// A data type.
Result<Type> Grammar::DataType() {
  const Cursor::Level level(in_);
  WEIR_DO(in_.CheckDepth());
  const size_t first = in_.index();
  if (in_.At("ARRAY")) return ArrayType(first);
  if (in_.At("MAP")) return MapType(first);
  if (in_.At("STRUCT")) return StructType(first);
  if (in_.At("INTERVAL")) return IntervalType(first);
  return PrimitiveType(first);
}

Result<Type> Grammar::ArrayType(size_t first) {
  in_.Take();
  if (!in_.Accept("<")) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "INCOMPLETE_TYPE_DEFINITION.ARRAY", "42K01",
                          {{"elementType", "<INT>"}},
                          "The type ARRAY needs the type of its elements, such as ARRAY<INT>."));
    return Type::Void();
  }
  WEIR_TRY(Type element, DataType());
  WEIR_DO(in_.Expect(">"));
  return Type::Array({.id = {}, .name = "element", .type = std::move(element), .required = false, .doc = {}});
}

Result<Type> Grammar::MapType(size_t first) {
  in_.Take();
  if (!in_.Accept("<")) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "INCOMPLETE_TYPE_DEFINITION.MAP", "42K01", {},
                          "The type MAP needs the types of its keys and values, such as MAP<STRING, INT>."));
    return Type::Void();
  }
  WEIR_TRY(Type key, DataType());
  WEIR_DO(in_.Expect(","));
  WEIR_TRY(Type value, DataType());
  WEIR_DO(in_.Expect(">"));
  return Type::Map({.id = {}, .name = "key", .type = std::move(key), .required = true, .doc = {}},
                   {.id = {}, .name = "value", .type = std::move(value), .required = false, .doc = {}});
}

Result<Type> Grammar::StructType(size_t first) {
  in_.Take();
  if (in_.Accept("<>")) return Type::Struct({});
  if (!in_.Accept("<")) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "INCOMPLETE_TYPE_DEFINITION.STRUCT", "42K01", {},
                          "The type STRUCT needs its members, such as STRUCT<name STRING>."));
    return Type::Void();
  }
  std::vector<Field> fields;
  if (!in_.At(">")) {
    do {
      WEIR_TRY(Field field, StructField());
      fields.push_back(std::move(field));
    } while (in_.Accept(","));
  }
  WEIR_DO(in_.Expect(">"));
  return Type::Struct(std::move(fields));
}

Result<Field> Grammar::StructField() {
  Field field;
  WEIR_TRY(field.name, CheckedName());
  in_.Accept(":");
  WEIR_TRY(field.type, DataType());
  if (in_.AtAny({"NOT", "!"})) {
    AcceptNot();
    WEIR_DO(in_.Expect("NULL"));
    field.required = true;
  }
  if (in_.Accept("COMMENT")) {
    WEIR_TRY(field.doc, String());
  }
  return field;
}

/// The units decide the family; which units they are is not part of Weir's type.
Result<Type> Grammar::IntervalType(size_t first) {
  in_.Take();
  if (in_.AtAny({"YEAR", "MONTH"})) {
    in_.Take();
    if (in_.At("TO") && in_.At("MONTH", 1)) WEIR_DO(in_.ExpectAll({"TO", "MONTH"}));
    return Type::IntervalYearMonth();
  }
  static constexpr std::string_view kUnits[] = {"DAY", "HOUR", "MINUTE", "SECOND"};
  for (size_t from = 0; from < std::size(kUnits); ++from) {
    if (!in_.Accept(kUnits[from])) continue;
    if (in_.At("TO")) {
      for (size_t to = from + 1; to < std::size(kUnits); ++to) {
        if (in_.AcceptAll({"TO", kUnits[to]})) break;
      }
    }
    return Type::IntervalDayTime();
  }
  return in_.Refuse("the type INTERVAL without units", in_.SpanFrom(first));
}

Result<Type> Grammar::PrimitiveType(size_t first) {
  WEIR_TRY(const std::string written, AnyName());
  const std::string name = AsciiLower(written);
  std::vector<std::string> parameters;
  if (in_.At("(") && (in_.AtKind(TokenKind::kInteger, 1) || in_.At("ANY", 1))) {
    in_.Take();
    do {
      if (!in_.AtKind(TokenKind::kInteger) && !in_.At("ANY")) return in_.Mismatch();
      parameters.emplace_back(in_.Take().text);
    } while (in_.Accept(","));
    WEIR_DO(in_.Expect(")"));
  }
  return TypeWithParameters(name, parameters, first);
}

namespace {

/// A small number, or -1.
int SmallNumber(const std::string& digits) { return digits.size() > 8 ? -1 : std::atoi(digits.c_str()); }

}  // namespace

Result<Type> Grammar::TypeWithParameters(const std::string& name, const std::vector<std::string>& parameters,
                                         size_t first) {
  const SourceSpan span = in_.SpanFrom(first);
  if (parameters.empty()) {
    if (name == "timestamp" && in_.At("WITHOUT")) {
      WEIR_DO(in_.ExpectAll({"WITHOUT", "TIME", "ZONE"}));
      return Type::TimestampNtz();
    }
    if (name == "string" && in_.At("COLLATE")) return in_.Refuse("COLLATE", in_.SpanOf(in_.Peek()));
    if (auto type = TypeOfWord(name)) return *std::move(type);
  }
  if (name == "variant" || name == "geometry" || name == "geography" || name == "time") {
    return in_.Refuse(fmt::format("the type {}", AsciiUpper(name)), span);
  }
  const bool is_char = name == "char" || name == "character" || name == "varchar";
  // In a cast Spark takes them for strings; in a table Iceberg does.
  if (is_char && parameters.size() == 1) return Type::String();
  if (is_char && parameters.empty()) {
    const std::string shown = name == "varchar" ? "\"VARCHAR\"" : "\"CHAR\"";
    in_.Defer(in_.ErrorAt(span, "DATATYPE_MISSING_SIZE", "42K01", {{"type", shown}},
                          fmt::format("The type {} needs a length.", shown)));
    return Type::Void();
  }
  const bool is_decimal = name == "decimal" || name == "dec" || name == "numeric";
  if (is_decimal && parameters.size() <= 2) {
    const int precision = parameters.empty() ? 10 : SmallNumber(parameters[0]);
    const int scale = parameters.size() < 2 ? 0 : SmallNumber(parameters[1]);
    if (precision > 38 || precision < 0) {
      in_.Defer(in_.ErrorAt(span, "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", "22003",
                            {{"precision", parameters[0]}, {"maxPrecision", "38"}},
                            "A decimal has at most 38 digits."));
      return Type::Void();
    }
    if (scale > precision || scale < 0) {
      in_.Defer(in_.ErrorAt(span, "_LEGACY_ERROR_TEMP_1228", "",
                            {{"scale", parameters[1]}, {"precision", std::to_string(precision)}},
                            "The scale of a decimal is at most its precision."));
      return Type::Void();
    }
    if (precision == 0) return in_.Refuse("the type DECIMAL(0, 0)", span);
    return Type::Decimal(precision, scale);
  }
  std::string shown = AsciiUpper(name);
  for (size_t i = 0; i < parameters.size(); ++i) shown += (i == 0 ? "(" : ",") + parameters[i];
  if (!parameters.empty()) shown += ")";
  in_.Defer(in_.ErrorAt(span, "UNSUPPORTED_DATATYPE", "0A000", {{"typeName", fmt::format("\"{}\"", shown)}},
                        fmt::format("There is no type {}.", shown)));
  return Type::Void();
}

}  // namespace weir::sql
