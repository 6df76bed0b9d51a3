#pragma once

/// The two spellings of what a column means, ConvertedType (old) and LogicalType (new), and the one struct
/// for both. Thread rule: pure functions. Spec: Apache Parquet, "Logical Types".

#include <cstdint>
#include <optional>

#include "codec/parquet/format.h"
#include "codec/parquet/thrift.h"

namespace weir::parquet {

/// The old spelling: SchemaElement's fields converted_type, scale and precision.
struct ConvertedType {
  std::optional<int32_t> type;
  int32_t scale = 0;
  int32_t precision = 0;
};

LogicalType FromConverted(const ConvertedType& converted);
/// Nullopt if the old spelling has no word for it.
std::optional<ConvertedType> ToConverted(const LogicalType& logical);

/// Reads the union LogicalType. A member that this code does not know gives kOther.
LogicalType ReadLogicalType(ThriftReader& in, ThriftReader::Field field);
/// Writes the union as field `id`; nothing for kNone and kinds that the union does not have.
void WriteLogicalType(ThriftWriter& out, int32_t id, const LogicalType& logical);

}  // namespace weir::parquet
