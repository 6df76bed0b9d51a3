#pragma once

/// Spark's error conditions for values that cannot be computed with. Thread rule: pure functions.

#include <string>
#include <string_view>

#include "base/result.h"
#include "type/type.h"

namespace weir::exec {

Error DivideByZero();
Error RemainderByZero();
/// `what` such as "long overflow".
Error ArithmeticOverflow(std::string_view what, std::string_view alternative = {});
/// byte and short: the operation as text, such as "127Y" "+" "1Y".
Error BinaryArithmeticOverflow(std::string left, std::string_view symbol, std::string right);
/// `value` as Spark writes it in SQL, such as "'abc'" or "2147483648L".
Error CastInvalidInput(std::string value, const Type& from, const Type& to);
Error CastOverflow(std::string value, const Type& from, const Type& to);
/// A value that does not fit into the column it is written to.
Error CastOverflowInTableInsert(const Type& from, const Type& to, const std::string& quoted_column);
/// A decimal that does not fit.
Error NumericValueOutOfRange(std::string value, const Type& to);
Error RoundedValueOutOfRange(std::string value, const Type& to);
Error InvalidArrayIndex(int64_t index, int64_t size);
Error InvalidArrayIndexInElementAt(int64_t index, int64_t size);
Error InvalidIndexOfZero();
Error DuplicatedMapKey(std::string key);
Error NullMapKey();
Error DatetimeFieldOutOfBounds(std::string message);
Error IllegalDayOfWeek(std::string text);
Error CannotParseTimestamp(std::string message);
Error InvalidParameterValue(std::string_view function, std::string_view parameter, std::string expected,
                            std::string_view subcondition);
Error NotNullViolation(std::string column_path);

}  // namespace weir::exec
