#pragma once

/// Relations that only the DataFrame API has: they keep the columns that they do not name. Thread rule: one
/// thread.

#include "analyze/scope.h"

namespace weir::analyze {

/// Errors: as ResolveRelation; COLUMN_ALREADY_EXISTS, ASSIGNMENT_ARITY_MISMATCH, and
/// UNRESOLVED_COLUMN_AMONG_FIELD_NAMES for a name that must be there.
Result<Query> ResolveFrame(const unresolved::LocalRows&, const Environment&, Context&);
Result<Query> ResolveFrame(const unresolved::WithColumns&, const Environment&, Context&);
Result<Query> ResolveFrame(const unresolved::RenameColumns&, const Environment&, Context&);
Result<Query> ResolveFrame(const unresolved::DropColumns&, const Environment&, Context&);
Result<Query> ResolveFrame(const unresolved::NameColumns&, const Environment&, Context&);
Result<Query> ResolveFrame(const unresolved::Deduplicate&, const Environment&, Context&);
Result<Query> ResolveFrame(const unresolved::ToSchema&, const Environment&, Context&);
Result<Query> ResolveFrame(const unresolved::FillNulls&, const Environment&, Context&);
Result<Query> ResolveFrame(const unresolved::DropNulls&, const Environment&, Context&);
Result<Query> ResolveFrame(const unresolved::ReplaceValues&, const Environment&, Context&);

/// Puts the right side's columns in the order of the left side's names; with `allow_missing`, columns that
/// one side lacks become NULL, those of the right side last. Errors: UNRESOLVED_COLUMN_AMONG_FIELD_NAMES,
/// NUM_COLUMNS_MISMATCH; COLUMN_ALREADY_EXISTS for a name that one side has twice.
Status AlignByName(Query& left, Query& right, bool allow_missing, Context& context);

}  // namespace weir::analyze
