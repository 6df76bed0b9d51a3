#pragma once

/// Star expansion and struct literals, which take names from what they hold. Thread rule: one thread.

#include "analyze/expression.h"

namespace weir::analyze {

/// The columns of *, t.* or a struct's members. Errors: CANNOT_RESOLVE_STAR_EXPAND, UNRESOLVED_COLUMN for
/// EXCEPT.
Result<std::vector<NamedExpr>> ExpandStar(const unresolved::Star& star, const Names& names);

/// struct(..): members are named by alias or column, else col1, col2, ...
Result<ExprPtr> MakeStruct(const std::vector<unresolved::ExprPtr>& written, std::vector<ExprPtr> args,
                           const Context& context);

}  // namespace weir::analyze
