#pragma once

/// Statistics of row groups in the form that predicates are evaluated over. Thread rule: pure functions.

#include "codec/parquet/format.h"
#include "expr/bounds.h"
#include "type/type.h"

namespace weir::pages {

/// What a row group says of the columns of `schema` that it holds once per row, keyed by ColumnOf(field id):
/// sound, possibly wide. Columns without field id, nested ones (but for struct members) and those the file
/// lacks are left out, so they are unknown. Evaluate (expr/outcomes.h) over it tells whether to read the row
/// group.
Bounds RowGroupBounds(const parquet::Footer& footer, size_t row_group, const Schema& schema);

}  // namespace weir::pages
