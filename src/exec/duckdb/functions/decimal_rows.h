#pragma once

/// Decimals of any width as 128-bit values. Thread rule: pure functions.

#include <functional>

#include "duckdb/common/types/vector.hpp"
#include "exec/duckdb/functions/decimal_math.h"
#include "exec/duckdb/functions/kernel.h"

namespace weir::exec {

/// Reads decimal rows whatever their physical width.
class DecimalRows {
 public:
  DecimalRows(duckdb::Vector& vector, duckdb::idx_t count)
      : physical_(vector.GetType().InternalType()), scale_(duckdb::DecimalType::GetScale(vector.GetType())) {
    vector.ToUnifiedFormat(count, format_);
  }
  bool IsNull(duckdb::idx_t row) const { return !format_.validity.RowIsValid(format_.sel->get_index(row)); }
  Decimal operator[](duckdb::idx_t row) const {
    const duckdb::idx_t at = format_.sel->get_index(row);
    switch (physical_) {
      case duckdb::PhysicalType::INT16:
        return {reinterpret_cast<const int16_t*>(format_.data)[at], scale_};
      case duckdb::PhysicalType::INT32:
        return {reinterpret_cast<const int32_t*>(format_.data)[at], scale_};
      case duckdb::PhysicalType::INT64:
        return {reinterpret_cast<const int64_t*>(format_.data)[at], scale_};
      default:
        return {FromHugeint(reinterpret_cast<const duckdb::hugeint_t*>(format_.data)[at]), scale_};
    }
  }

 private:
  duckdb::UnifiedVectorFormat format_;
  duckdb::PhysicalType physical_;
  int scale_;
};

/// Writes decimals into a flat vector of a decimal type.
class DecimalWriter {
 public:
  explicit DecimalWriter(duckdb::Vector& result)
      : result_(result), physical_(result.GetType().InternalType()) {}
  void Set(duckdb::idx_t row, Int128 unscaled) {
    auto* data = duckdb::FlatVector::GetData(result_);
    switch (physical_) {
      case duckdb::PhysicalType::INT16:
        reinterpret_cast<int16_t*>(data)[row] = static_cast<int16_t>(unscaled);
        break;
      case duckdb::PhysicalType::INT32:
        reinterpret_cast<int32_t*>(data)[row] = static_cast<int32_t>(unscaled);
        break;
      case duckdb::PhysicalType::INT64:
        reinterpret_cast<int64_t*>(data)[row] = static_cast<int64_t>(unscaled);
        break;
      default:
        reinterpret_cast<duckdb::hugeint_t*>(data)[row] = ToHugeint(unscaled);
        break;
    }
  }
  void SetNull(duckdb::idx_t row) { duckdb::FlatVector::SetNull(result_, row, true); }

 private:
  duckdb::Vector& result_;
  duckdb::PhysicalType physical_;
};

/// Calls `body(row)` for each row of a flat result; one row if all the first `arity` arguments are constant.
template <typename F>
void ForRows(duckdb::DataChunk& arguments, duckdb::idx_t arity, duckdb::Vector& result, F&& body) {
  bool constant = true;
  for (duckdb::idx_t i = 0; i < arity; ++i) {
    constant &= arguments.data[i].GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
  }
  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  const duckdb::idx_t count = constant ? 1 : arguments.size();
  for (duckdb::idx_t row = 0; row < count; ++row) body(row);
  if (constant) result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
}

/// Weir's type of a DuckDB decimal.
inline Type DecimalTypeOf(const duckdb::LogicalType& type) {
  return Type::Decimal(duckdb::DecimalType::GetWidth(type), duckdb::DecimalType::GetScale(type));
}

}  // namespace weir::exec
