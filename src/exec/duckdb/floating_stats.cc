#include "exec/duckdb/floating_stats.h"

#include <algorithm>
#include <cmath>

namespace weir::exec {

FloatingStats::FloatingStats(const std::vector<Field>& fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].type.is_floating()) continue;
    Column column;
    column.position = i;
    column.id = fields[i].id;
    column.is_float = fields[i].type.kind() == TypeKind::kFloat;
    columns_.push_back(column);
  }
}

void FloatingStats::Add(duckdb::DataChunk& chunk) {
  for (Column& column : columns_) {
    duckdb::UnifiedVectorFormat format;
    chunk.data[column.position].ToUnifiedFormat(chunk.size(), format);
    for (duckdb::idx_t row = 0; row < chunk.size(); ++row) {
      const duckdb::idx_t at = format.sel->get_index(row);
      if (!format.validity.RowIsValid(at)) continue;
      const double value = column.is_float ? reinterpret_cast<const float*>(format.data)[at]
                                           : reinterpret_cast<const double*>(format.data)[at];
      if (std::isnan(value)) {
        ++column.nans;
      } else if (!column.any) {
        column.any = true;
        column.lower = column.upper = value;
      } else {
        column.lower = std::min(column.lower, value);
        column.upper = std::max(column.upper, value);
      }
    }
  }
}

void FloatingStats::Fill(FieldId field, table::NewDataFile::LeafMetrics& metrics) const {
  for (const Column& column : columns_) {
    if (column.id != field) continue;
    metrics.nan_count = column.nans;
    metrics.lower.reset();
    metrics.upper.reset();
    if (!column.any) return;
    const double lower = column.lower == 0 ? -0.0 : column.lower,
                 upper = column.upper == 0 ? 0.0 : column.upper;
    if (column.is_float) {
      metrics.lower = Scalar::Float(static_cast<float>(lower));
      metrics.upper = Scalar::Float(static_cast<float>(upper));
    } else {
      metrics.lower = Scalar::Double(lower);
      metrics.upper = Scalar::Double(upper);
    }
  }
}

}  // namespace weir::exec
