#pragma once

/// Spark's spelling of names and text inside SQL. Thread rule: pure functions.

#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// The name as it is if ASCII letters, digits and underscores not starting with a digit, else in backquotes.
std::string QuoteIfNeeded(std::string_view name);
/// "`a`.`b`", backquotes doubled, as error conditions name things.
std::string QuoteName(const std::vector<std::string>& name);
/// A string literal in single quotes, with backslash and quote escaped.
std::string QuoteString(std::string_view text);
/// "cat.db.t", as messages and listings show a name.
std::string DottedName(std::string_view catalog, const std::vector<std::string>& name);

}  // namespace weir
