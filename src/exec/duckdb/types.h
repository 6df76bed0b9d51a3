#pragma once

/// Weir's types and values in DuckDB's terms and back. Intervals travel as plain integers (INTEGER months,
/// BIGINT microseconds), so that nothing of DuckDB's mixed interval type is ever used. Thread rule: pure
/// functions.

#include "duckdb/common/types.hpp"
#include "duckdb/common/types/value.hpp"
#include "type/scalar.h"
#include "type/type.h"

namespace weir::exec {

/// The DuckDB type that holds values of `type`. VOID is INTEGER (always NULL). uuid is VARCHAR and fixed is
/// BLOB, as Spark sees them. Errors: kUnsupported for an empty struct.
Result<duckdb::LogicalType> ToDuckType(const Type& type);
/// As ToDuckType, but uuid is UUID: what a data file holds.
Result<duckdb::LogicalType> ToStoredDuckType(const Type& type);

/// Errors: kUnsupported as ToDuckType; kInvalid for text that is not UTF-8.
Result<duckdb::Value> ToDuckValue(const Scalar& value);
/// `value` has the type ToDuckType(type). Errors: kInternal if it does not.
Result<Scalar> FromDuckValue(const duckdb::Value& value, const Type& type);

/// Weir's type for a column of a Parquet file that DuckDB describes so; ids are 0.
/// Errors: kUnsupported naming the DuckDB type.
Result<Type> FromDuckType(const duckdb::LogicalType& type);

/// The 16 bytes of DuckDB's UUID, whose first bit it stores flipped.
std::string UuidBytes(duckdb::hugeint_t value);
duckdb::hugeint_t ToHugeint(Int128 value);
Int128 FromHugeint(duckdb::hugeint_t value);

}  // namespace weir::exec
