#include "exec/duckdb/conditions.h"

#include "expr/mismatch.h"

namespace weir::exec {

namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

Error With(Error error, std::string name, std::string state, Parameters parameters = {}) {
  return std::move(error).WithCondition({.name = std::move(name),
                                         .sql_state = std::move(state),
                                         .parameters = std::move(parameters),
                                         .span = {},
                                         .fragment = {}});
}

constexpr char kAnsiConfig[] = "\"spark.sql.ansi.enabled\"";

}  // namespace

Error DivideByZero() {
  return With(Invalid("division by zero; nullif(divisor, 0) makes it NULL instead"), "DIVIDE_BY_ZERO",
              "22012", {{"config", kAnsiConfig}});
}

Error RemainderByZero() {
  return With(Invalid("remainder by zero; nullif(divisor, 0) makes it NULL instead"), "REMAINDER_BY_ZERO",
              "22012", {{"config", kAnsiConfig}});
}

Error ArithmeticOverflow(std::string_view what, std::string_view alternative) {
  return With(
      Invalid("{}", what), "ARITHMETIC_OVERFLOW", "22003",
      {{"message", std::string(what)}, {"alternative", std::string(alternative)}, {"config", kAnsiConfig}});
}

Error BinaryArithmeticOverflow(std::string left, std::string_view symbol, std::string right) {
  Error error = Invalid("{} {} {} overflows", left, symbol, right);
  return With(std::move(error), "BINARY_ARITHMETIC_OVERFLOW", "22003",
              {{"value1", std::move(left)},
               {"symbol", std::string(symbol)},
               {"value2", std::move(right)},
               {"functionName", fmt::format("`try_{}`", symbol == "+"   ? "add"
                                                        : symbol == "-" ? "subtract"
                                                                        : "multiply")}});
}

Error CastInvalidInput(std::string value, const Type& from, const Type& to) {
  Error error = Invalid("{} of type {} is malformed as {}; try_cast gives NULL instead", value, Quoted(from),
                        Quoted(to));
  return With(std::move(error), "CAST_INVALID_INPUT", "22018",
              {{"expression", std::move(value)}, {"sourceType", Quoted(from)}, {"targetType", Quoted(to)}});
}

Error CastOverflow(std::string value, const Type& from, const Type& to) {
  Error error = Invalid("{} of type {} does not fit into {}; try_cast gives NULL instead", value,
                        Quoted(from), Quoted(to));
  return With(std::move(error), "CAST_OVERFLOW", "22003",
              {{"value", std::move(value)}, {"sourceType", Quoted(from)}, {"targetType", Quoted(to)}});
}

Error CastOverflowInTableInsert(const Type& from, const Type& to, const std::string& quoted_column) {
  return With(Invalid("a value of type {} does not fit into column {} of type {}", Quoted(from),
                      quoted_column, Quoted(to)),
              "CAST_OVERFLOW_IN_TABLE_INSERT", "22003",
              {{"sourceType", Quoted(from)}, {"targetType", Quoted(to)}, {"columnName", quoted_column}});
}

Error NumericValueOutOfRange(std::string value, const Type& to) {
  Error error = Invalid("{} does not fit into {}", value, Quoted(to));
  return With(std::move(error), "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION", "22003",
              {{"value", std::move(value)},
               {"precision", std::to_string(to.precision())},
               {"scale", std::to_string(to.scale())},
               {"config", kAnsiConfig}});
}

Error RoundedValueOutOfRange(std::string value, const Type& to) {
  Error error = Invalid("{} rounded does not fit into {}", value, Quoted(to));
  return With(std::move(error), "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION", "22003",
              {{"value", std::move(value)},
               {"precision", std::to_string(to.precision())},
               {"scale", std::to_string(to.scale())}});
}

Error InvalidArrayIndex(int64_t index, int64_t size) {
  return With(Invalid("index {} of an array with {} elements", index, size), "INVALID_ARRAY_INDEX", "22003",
              {{"indexValue", std::to_string(index)}, {"arraySize", std::to_string(size)}});
}

Error InvalidArrayIndexInElementAt(int64_t index, int64_t size) {
  return With(Invalid("element_at({}) of an array with {} elements", index, size),
              "INVALID_ARRAY_INDEX_IN_ELEMENT_AT", "22003",
              {{"indexValue", std::to_string(index)}, {"arraySize", std::to_string(size)}});
}

Error InvalidIndexOfZero() {
  return With(Invalid("indexes start at 1, or count from the end below 0"), "INVALID_INDEX_OF_ZERO", "22003");
}

Error DuplicatedMapKey(std::string key) {
  Error error = Invalid("the map key {} occurs twice", key);
  return With(std::move(error), "DUPLICATED_MAP_KEY", "23505",
              {{"key", std::move(key)}, {"mapKeyDedupPolicy", "\"spark.sql.mapKeyDedupPolicy\""}});
}

Error NullMapKey() { return With(Invalid("a map key is NULL"), "NULL_MAP_KEY", "2200E"); }

Error DatetimeFieldOutOfBounds(std::string message) {
  Error error = Invalid("{}", message);
  return With(std::move(error), "DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION", "22023",
              {{"rangeMessage", std::move(message)}, {"ansiConfig", kAnsiConfig}});
}

Error IllegalDayOfWeek(std::string text) {
  Error error = Invalid("'{}' is no day of the week", text);
  return With(std::move(error), "ILLEGAL_DAY_OF_WEEK", "22009", {{"string", std::move(text)}});
}

Error CannotParseTimestamp(std::string message) {
  Error error = Invalid("{}", message);
  return With(std::move(error), "CANNOT_PARSE_TIMESTAMP", "22007",
              {{"func", "`try_to_timestamp`"}, {"message", std::move(message)}});
}

Error InvalidParameterValue(std::string_view function, std::string_view parameter, std::string expected,
                            std::string_view subcondition) {
  Error error = Invalid("{} of {}: {}", parameter, function, expected);
  return With(std::move(error), fmt::format("INVALID_PARAMETER_VALUE.{}", subcondition), "22023",
              {{"functionName", fmt::format("`{}`", function)},
               {"parameter", fmt::format("`{}`", parameter)},
               {"expected", std::move(expected)}});
}

Error NotNullViolation(std::string column_path) {
  Error error = Invalid("NULL in {}, which must not be NULL", column_path);
  return With(std::move(error), "NOT_NULL_ASSERT_VIOLATION", "42000",
              {{"walkedTypePath", std::move(column_path)}});
}

}  // namespace weir::exec
