#pragma once

/// Generators as lists that DuckDB unnests side by side. Thread rule: pure functions.

#include "exec/duckdb/functions/lowering_table.h"

namespace weir::exec {

/// What a generator unnests, over columns of an inner query.
struct UnnestedLists {
  /// Computed once per row, by the inner query, as columns that `lists` name.
  std::vector<std::pair<std::string, ParsedPtr>> inputs;
  /// Lists of one length.
  ParsedList lists;
  /// Each column of the generator, over a row of the unnested lists named u0, u1, ...
  ParsedList columns;
};

/// Errors: kUnsupported for a function that is no generator.
Result<UnnestedLists> ListsOf(Lowering& lowering, const Call& generator, bool outer);

}  // namespace weir::exec
