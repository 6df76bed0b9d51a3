#pragma once

/// NOT NULL at any depth. Thread rule: pure functions.

#include <vector>

#include "duckdb/common/types/data_chunk.hpp"
#include "type/type.h"

namespace weir::exec {

/// Errors: kInvalid with NOT_NULL_ASSERT_VIOLATION naming the first required column, member or element that
/// is NULL although what holds it is not. The chunk's first columns are those of `fields`.
Status CheckRequired(const std::vector<Field>& fields, duckdb::DataChunk& chunk);

}  // namespace weir::exec
