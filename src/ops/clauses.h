#pragma once

/// The WHEN clauses of a MERGE as expressions: which clause a row takes, and what it becomes.
/// Thread rule: pure functions.

#include <vector>

#include "plan/command.h"

namespace weir::ops {

/// The index of the first clause whose condition is true, else -1; an INT. Later conditions are not evaluated
/// for a row that an earlier clause took.
ExprPtr ClauseOf(const std::vector<plan::MergeAction>& actions);
/// True if every row takes clause 0.
bool TakesAll(const std::vector<plan::MergeAction>& actions);

/// The new value of each target column, chosen by the INT column `clause`. Only clauses with values count.
std::vector<ExprPtr> ValuesByClause(const std::vector<plan::MergeAction>& actions, const plan::Column& clause,
                                    size_t column_count);
/// True for the rows whose clause writes a row: kUpdate or kInsert.
ExprPtr WritesRow(const std::vector<plan::MergeAction>& actions, const plan::Column& clause);
bool AnyWrites(const std::vector<plan::MergeAction>& actions);

/// Conditions, and values, of all clauses.
std::vector<ExprPtr> ConditionsOf(const std::vector<plan::MergeAction>& actions);
std::vector<ExprPtr> ValuesOf(const std::vector<plan::MergeAction>& actions);

}  // namespace weir::ops
