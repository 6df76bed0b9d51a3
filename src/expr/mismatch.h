#pragma once

/// Errors of signature rules, with Spark's condition DATATYPE_MISMATCH.*. The caller that knows the whole
/// expression adds the parameter sqlExpr (see CompleteMismatch). Thread rule: pure functions.

#include <string>
#include <string_view>

#include "expr/function.h"

namespace weir {

/// Argument `index` (from 0) has a type that is not `required`, which is text such as "\"STRING\"".
Error UnexpectedInputType(size_t index, std::string_view required, const Argument& argument);
/// The operands have no common type.
Error OperandsDiffer(const Type& left, const Type& right);
/// The operands have one type that the operator does not take.
Error OperandsNotAccepted(std::string_view required, const Type& actual);
/// The arguments of coalesce, in, ... have no common type. `types` is text such as "[\"INT\", \"DATE\"]".
Error ArgumentsDiffer(std::string_view function, std::string types);
/// The type has no order.
Error NotOrderable(std::string_view function, const Type& type);
/// The argument must be constant.
Error NotConstant(std::string_view parameter_name, const Type& required, const Argument& argument);
/// Any other mismatch.
Error Mismatch(std::string_view subcondition, std::vector<std::pair<std::string, std::string>> parameters,
               std::string message);

/// Adds the expression's text to a mismatch; other errors stay as they are.
Error CompleteMismatch(Error error, std::string_view expression_sql);

/// "\"DECIMAL(10,2)\"".
std::string Quoted(const Type& type);
/// "\"a + 1\"" for the argument's text.
std::string Quoted(const Argument& argument);
/// "[\"INT\", \"DATE\"]".
std::string QuotedList(std::span<const Argument> arguments);
/// "(\"INT\" or \"DATE\")".
std::string AlternativesOf(std::span<const Type> types);

}  // namespace weir
