#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/grammar.h"
#include "sql/literal.h"

namespace weir::sql {

using unresolved::PartitionTransform;

/// "('key' = 'value', a.b = 1, c)".
Result<std::vector<Grammar::Property>> Grammar::PropertyList() {
  const size_t first = in_.index();
  WEIR_DO(in_.Expect("("));
  std::vector<Property> properties;
  do {
    Property property;
    WEIR_TRY(property.key, PropertyKey());
    const bool has_equals = in_.Accept("=") || in_.Accept("==");
    WEIR_TRY(property.value, PropertyValue());
    if (has_equals && !property.value) return in_.Mismatch();
    properties.push_back(std::move(property));
  } while (in_.Accept(","));
  WEIR_DO(in_.Expect(")"));
  for (size_t i = 0; i < properties.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (properties[i].key != properties[j].key) continue;
      in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "DUPLICATE_KEY", "23505",
                            {{"keyColumn", fmt::format("`{}`", properties[i].key)}},
                            fmt::format("The key {} is there twice.", properties[i].key)));
    }
  }
  return properties;
}

Result<std::string> Grammar::PropertyKey() {
  if (AtString()) {
    // Several strings are one key if "=" follows them; else the first is the key and the rest its value.
    size_t count = 1;
    while (AtString(count)) ++count;
    if (in_.AtAny({"=", "=="}, count)) return String();
    return StringValue(in_.Take().text);
  }
  WEIR_TRY(const Name parts, TableName());
  std::string key = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) key += "." + parts[i];
  return key;
}

Result<std::optional<std::string>> Grammar::PropertyValue() {
  if (AtString()) {
    WEIR_TRY(std::string value, String());
    return std::optional(std::move(value));
  }
  if (in_.AtKind(TokenKind::kInteger) || in_.AtKind(TokenKind::kDecimal)) {
    return std::optional(std::string(in_.Take().text));
  }
  if (in_.AtAny({"TRUE", "FALSE"})) return std::optional(AsciiLower(in_.Take().text));
  return std::optional<std::string>();
}

/// A property list in which every key has a value.
Result<Grammar::Properties> Grammar::PropertiesWithValues() {
  const size_t first = in_.index();
  WEIR_TRY(std::vector<Property> list, PropertyList());
  Properties properties;
  std::string missing;
  for (Property& property : list) {
    if (!property.value) missing += (missing.empty() ? "" : ",") + property.key;
    properties.emplace_back(std::move(property.key), std::move(property.value).value_or(""));
  }
  if (!missing.empty()) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "_LEGACY_ERROR_TEMP_0035", "",
                          {{"message", fmt::format("Values must be specified for key(s): [{}]", missing)}},
                          fmt::format("These keys need a value: {}.", missing)));
  }
  return properties;
}

/// OPTIONS (..), whose values are constant expressions.
Result<Grammar::Properties> Grammar::OptionList() {
  WEIR_DO(in_.Expect("("));
  Properties options;
  do {
    const size_t first = in_.index();
    WEIR_TRY(std::string key, PropertyKey());
    const bool has_equals = in_.Accept("=") || in_.Accept("==");
    const size_t value_first = in_.index();
    WEIR_TRY(std::optional<std::string> value, PropertyValue());
    if (!in_.AtAny({",", ")"}) && (value || StartsExpression(0))) {
      return in_.Refuse("OPTIONS whose value is not one literal", in_.SpanFrom(value_first));
    }
    if (has_equals && !value) return in_.Mismatch();
    if (!value) {
      in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "_LEGACY_ERROR_TEMP_0035", "",
                            {{"message", fmt::format("A value must be specified for the key: {}.", key)}},
                            fmt::format("The key {} needs a value.", key)));
    }
    options.emplace_back(std::move(key), std::move(value).value_or(""));
  } while (in_.Accept(","));
  WEIR_DO(in_.Expect(")"));
  return options;
}

/// Properties that have a clause of their own.
Status Grammar::CheckReserved(const Properties& properties, bool is_namespace, size_t first) {
  static constexpr std::pair<std::string_view, std::string_view> kTable[] = {
      {"provider", "please use the USING clause to specify it"},
      {"location", "please use the LOCATION clause to specify it"},
      {"owner", "it will be set to the current user"},
      {"external", "please use CREATE EXTERNAL TABLE"},
      {"is_managed_location", "please remove it from the TBLPROPERTIES list."}};
  static constexpr std::pair<std::string_view, std::string_view> kNamespace[] = {
      {"location", "please use the LOCATION clause to specify it"},
      {"owner", "it will be set to the current user"}};
  const auto check = [&](const auto& reserved, std::string_view condition) {
    for (const auto& property : properties) {
      for (const auto& [key, reason] : reserved) {
        if (property.first != key) continue;
        in_.Defer(in_.ErrorAt(in_.SpanFrom(first), fmt::format("UNSUPPORTED_FEATURE.{}", condition), "0A000",
                              {{"property", std::string(key)}, {"msg", std::string(reason)}},
                              fmt::format("The property {} cannot be set here: {}.", key, reason)));
      }
    }
  };
  if (is_namespace) {
    check(kNamespace, "SET_NAMESPACE_PROPERTY");
  } else {
    check(kTable, "SET_TABLE_PROPERTY");
  }
  return {};
}

namespace {

/// The transforms of one column by the names that Iceberg gives them in Spark.
std::optional<Transform::Kind> TransformKind(std::string_view name) {
  static constexpr std::pair<std::string_view, Transform::Kind> kKinds[] = {
      {"identity", Transform::Kind::kIdentity}, {"years", Transform::Kind::kYear},
      {"year", Transform::Kind::kYear},         {"months", Transform::Kind::kMonth},
      {"month", Transform::Kind::kMonth},       {"days", Transform::Kind::kDay},
      {"day", Transform::Kind::kDay},           {"date", Transform::Kind::kDay},
      {"hours", Transform::Kind::kHour},        {"hour", Transform::Kind::kHour},
      {"date_hour", Transform::Kind::kHour}};
  for (const auto& [known, kind] : kKinds) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

}  // namespace

/// "(a, bucket(16, b), days(ts))".
Result<std::vector<PartitionTransform>> Grammar::PartitionFields() {
  WEIR_DO(in_.Expect("("));
  std::vector<PartitionTransform> fields;
  do {
    WEIR_TRY(PartitionTransform field, PartitionField());
    fields.push_back(std::move(field));
  } while (in_.Accept(","));
  WEIR_DO(in_.Expect(")"));
  return fields;
}

Result<PartitionTransform> Grammar::PartitionField() {
  const size_t first = in_.index();
  if (AtName() && in_.At("(", 1)) {
    WEIR_TRY(std::string name, AnyName());
    return AppliedTransform(std::move(name), first, true);
  }
  PartitionTransform field;
  WEIR_TRY(field.column, PathName());
  if (AtName()) return in_.Refuse("partition columns with a type", in_.SpanFrom(first));
  field.span = in_.SpanFrom(first);
  field.text = in_.TextOf(field.span);
  return field;
}

/// The parenthesis of a transform: columns and constants. `is_create`: with Spark's checks of CREATE TABLE.
Result<PartitionTransform> Grammar::AppliedTransform(std::string name, size_t first, bool is_create) {
  WEIR_DO(in_.Expect("("));
  std::vector<Name> columns;
  std::vector<Scalar> constants;
  bool starts_with_constant = false;
  std::string first_argument;
  do {
    const size_t argument_first = in_.index();
    if (AtName() && !AtString(1)) {
      WEIR_TRY(Name column, PathName());
      columns.push_back(std::move(column));
    } else {
      WEIR_TRY(const ExprPtr constant, PrimaryBase());
      const auto* literal = std::get_if<unresolved::Literal>(&constant->node);
      if (literal == nullptr) return in_.Mismatch();
      constants.push_back(literal->value);
      if (columns.empty()) starts_with_constant = true;
    }
    if (first_argument.empty()) first_argument = in_.TextOf(in_.SpanFrom(argument_first));
  } while (in_.Accept(","));
  WEIR_DO(in_.Expect(")"));
  PartitionTransform field;
  field.span = in_.SpanFrom(first);
  field.text = in_.TextOf(field.span);
  const std::string lower = AsciiLower(name);
  const auto kind = TransformKind(lower);
  const bool is_bucket = lower == "bucket";
  if (!kind && !is_bucket && lower != "truncate") {
    return in_.Refuse(fmt::format("the partition transform {}", name), field.span);
  }
  const bool has_width =
      constants.size() == 1 && constants[0].type().kind() == TypeKind::kInt && constants[0].integer() > 0;
  if (is_bucket && is_create && !(starts_with_constant && has_width)) {
    in_.Defer(in_.ErrorAt(
        field.span, "_LEGACY_ERROR_TEMP_0031", "", {{"describe", first_argument}},
        fmt::format("The first argument of bucket is a number of buckets, not {}.", first_argument)));
    return field;
  }
  if (kind && columns.size() + constants.size() != 1) {
    in_.Defer(in_.ErrorAt(field.span, "INVALID_SQL_SYNTAX.TRANSFORM_WRONG_NUM_ARGS", "42000",
                          {{"transform", fmt::format("`{}`", name)},
                           {"expectedNum", "1"},
                           {"actualNum", std::to_string(columns.size() + constants.size())}},
                          fmt::format("The transform {} takes one column.", name)));
    return field;
  }
  if (columns.size() != 1 || (!kind && !has_width)) {
    return in_.Refuse(
        fmt::format("the partition transform {} (expected a column and a positive width)", field.text),
        field.span);
  }
  field.column = std::move(columns[0]);
  if (kind) {
    field.transform.kind = *kind;
  } else {
    field.transform.kind = is_bucket ? Transform::Kind::kBucket : Transform::Kind::kTruncate;
    field.transform.parameter = static_cast<int32_t>(constants[0].integer());
  }
  return field;
}

}  // namespace weir::sql
