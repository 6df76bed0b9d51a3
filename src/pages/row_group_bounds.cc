#include "pages/row_group_bounds.h"

#include "codec/parquet/file_stats.h"
#include "expr/expr.h"

namespace weir::pages {

Bounds RowGroupBounds(const parquet::Footer& footer, size_t row_group, const Schema& schema) {
  Bounds bounds;
  bounds.row_count = static_cast<uint64_t>(footer.row_groups[row_group].row_count);
  for (parquet::LeafStats& leaf : parquet::RowGroupStats(footer, row_group, schema)) {
    if (footer.leaves[leaf.leaf].max_repetition_level > 0) continue;
    ColumnBounds& column = bounds.columns[ColumnOf(leaf.field)];
    column.lower = std::move(leaf.bounds.lower);
    column.upper = std::move(leaf.bounds.upper);
    column.null_count = leaf.bounds.null_count;
    column.value_count = leaf.bounds.value_count;
    column.may_have_nan = leaf.bounds.may_have_nan;
    column.exact = leaf.bounds.exact;
  }
  return bounds;
}

}  // namespace weir::pages
