#pragma once

/// The unresolved plan as SQL text that parses to the same plan. Thread rule: pure functions.

#include <string>

#include "plan/unresolved.h"

namespace weir::sql {

/// One line; every operator in parentheses, every name quoted. The parentheses are levels of nesting: the
/// text of a plan near kMaxNesting may be too deep to parse again.
std::string ToSql(const unresolved::Statement& statement);
std::string ToSql(const unresolved::Expr& expr);
/// As a query: SELECT, VALUES, TABLE .. or a set operation.
std::string ToSql(const unresolved::Relation& relation);

}  // namespace weir::sql
