#pragma once

/// Errors of analysis, with Spark's conditions and parameters. Thread rule: pure functions.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/unresolved.h"
#include "type/identifier.h"

namespace weir::analyze {

using Parameters = std::vector<std::pair<std::string, std::string>>;

/// kInvalid with a condition.
Error Condition(std::string_view name, std::string_view sql_state, Parameters parameters,
                std::string message);

/// "`a`, `b`".
std::string QuoteNames(const std::vector<std::string>& names);
/// "\"a + 1\"".
std::string QuoteSql(std::string_view sql);

/// True if two names are the same column for Spark, which ignores case.

/// UNRESOLVED_COLUMN.*; `candidates` are all names in reach, qualified, in scope order.
Error UnresolvedColumn(const unresolved::Name& name, const std::vector<unresolved::Name>& candidates);
Error AmbiguousReference(const unresolved::Name& name, const std::vector<unresolved::Name>& matches);
Error TableNotFound(const unresolved::Name& name);
/// `current` is the current catalog and namespace.
Error UnresolvedRoutine(const unresolved::Name& name, const unresolved::Name& current);

/// The candidates most like `name` first, without the qualifier that all of them share.
std::vector<std::string> OrderedSuggestions(const unresolved::Name& name,
                                            const std::vector<unresolved::Name>& candidates);

}  // namespace weir::analyze
