#pragma once

/// Names that Spark SQL gives to types and transforms. Thread rule: pure functions.

#include <optional>
#include <string>
#include <string_view>

#include "type/transform.h"
#include "type/type.h"

namespace weir {

/// The type that one word without parameters names, in lower case: "int", "bigint", "timestamp_ntz".
std::optional<Type> TypeOfWord(std::string_view word);

/// A partition transform of a column, as PARTITIONED BY has it: "bucket(10, id)", "days(ts)", "id".
std::string TransformSql(const Transform& transform, std::string_view column);

}  // namespace weir
