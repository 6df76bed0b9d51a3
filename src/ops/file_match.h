#pragma once

/// Whole files against a predicate: what can be decided without reading rows. Thread rule: pure functions.

#include "expr/outcomes.h"
#include "plan/command.h"

namespace weir::ops {

/// What is known of the file's rows: its column bounds, and the values of its identity partition fields.
Bounds BoundsOf(const table::DataFile& file, const table::Snapshot& snapshot);

/// How a condition over target columns splits a file's rows.
enum class FileMatch : uint8_t { kNone, kSome, kAll };
/// A null condition matches all rows. kAll means that it is true for every row: never for a file that may
/// hold a row for which it is NULL. kSome also means "not known".
Result<FileMatch> MatchFile(const ExprPtr& condition, const table::DataFile& file,
                            const plan::WriteTarget& target);

}  // namespace weir::ops
