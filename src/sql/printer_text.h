#pragma once

/// Pieces of SQL text that statements, relations and expressions share. Thread rule: pure functions.

#include <string>
#include <utility>
#include <vector>

#include "plan/unresolved.h"

namespace weir::sql {

/// In backquotes: no word is then taken for a keyword.
std::string NameSql(const std::string& name);
std::string NameSql(const unresolved::Name& name);
/// "(`a`, `b`)".
std::string NameListSql(const std::vector<std::string>& names);
/// "('k' = 'v')".
std::string PropertiesSql(const std::vector<std::pair<std::string, std::string>>& properties);
std::string TypeSql(const Type& type);
/// A constant as a literal that has its type.
std::string LiteralSql(const unresolved::Literal& literal);

}  // namespace weir::sql
