#include "expr/mismatch.h"

#include <array>

#include "expr/pretty.h"

namespace weir {
namespace {

std::string Ordinal(size_t index) {
  constexpr std::array<std::string_view, 10> kWords = {"first", "second",  "third",  "fourth", "fifth",
                                                       "sixth", "seventh", "eighth", "ninth",  "tenth"};
  return index < kWords.size() ? std::string(kWords[index]) : fmt::format("{}th", index + 1);
}

std::string Backquoted(std::string_view name) { return fmt::format("`{}`", name); }

}  // namespace

std::string Quoted(const Type& type) { return fmt::format("\"{}\"", type.ToSql()); }

std::string Quoted(const Argument& argument) {
  return fmt::format("\"{}\"", argument.expr == nullptr ? "?" : PrettySql(*argument.expr));
}

std::string QuotedList(std::span<const Argument> arguments) {
  std::string text = "[";
  for (size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + Quoted(arguments[i].type);
  return text + "]";
}

std::string AlternativesOf(std::span<const Type> types) {
  std::string text = "(";
  for (size_t i = 0; i < types.size(); ++i) text += (i == 0 ? "" : " or ") + Quoted(types[i]);
  return text + ")";
}

Error Mismatch(std::string_view subcondition, std::vector<std::pair<std::string, std::string>> parameters,
               std::string message) {
  return Invalid("{}", message)
      .WithCondition(
          {fmt::format("DATATYPE_MISMATCH.{}", subcondition), "42K09", std::move(parameters), {}, {}});
}

Error UnexpectedInputType(size_t index, std::string_view required, const Argument& argument) {
  return Mismatch("UNEXPECTED_INPUT_TYPE",
                  {{"paramIndex", Ordinal(index)},
                   {"requiredType", std::string(required)},
                   {"inputSql", Quoted(argument)},
                   {"inputType", Quoted(argument.type)}},
                  fmt::format("the {} parameter needs type {}, but {} has type {}", Ordinal(index), required,
                              Quoted(argument), Quoted(argument.type)));
}

Error OperandsDiffer(const Type& left, const Type& right) {
  return Mismatch(
      "BINARY_OP_DIFF_TYPES", {{"left", Quoted(left)}, {"right", Quoted(right)}},
      fmt::format("the operands have types {} and {}, which do not meet", Quoted(left), Quoted(right)));
}

Error OperandsNotAccepted(std::string_view required, const Type& actual) {
  return Mismatch("BINARY_OP_WRONG_TYPE",
                  {{"inputType", std::string(required)}, {"actualDataType", Quoted(actual)}},
                  fmt::format("the operator needs type {}, found {}", required, Quoted(actual)));
}

Error ArgumentsDiffer(std::string_view function, std::string types) {
  std::string message =
      fmt::format("the values of {} need one common type, found {}", Backquoted(function), types);
  return Mismatch("DATA_DIFF_TYPES", {{"functionName", Backquoted(function)}, {"dataType", std::move(types)}},
                  std::move(message));
}

Error NotOrderable(std::string_view function, const Type& type) {
  return Mismatch("INVALID_ORDERING_TYPE",
                  {{"functionName", Backquoted(function)}, {"dataType", Quoted(type)}},
                  fmt::format("{} cannot compare values of type {}", Backquoted(function), Quoted(type)));
}

Error NotConstant(std::string_view parameter_name, const Type& required, const Argument& argument) {
  return Mismatch("NON_FOLDABLE_INPUT",
                  {{"inputName", Backquoted(parameter_name)},
                   {"inputType", Quoted(required)},
                   {"inputExpr", Quoted(argument)}},
                  fmt::format("{} must be a constant of type {}, found {}", Backquoted(parameter_name),
                              Quoted(required), Quoted(argument)));
}

Error CompleteMismatch(Error error, std::string_view expression_sql) {
  const ErrorCondition* known = error.condition();
  if (known == nullptr || !known->name.starts_with("DATATYPE_MISMATCH.")) return error;
  ErrorCondition condition = *known;
  std::string quoted = fmt::format("\"{}\"", expression_sql);
  Error named = Error(error.code(), fmt::format("{}: {}", quoted, error.message()));
  condition.parameters.emplace_back("sqlExpr", std::move(quoted));
  return std::move(named).WithCondition(std::move(condition));
}

}  // namespace weir
