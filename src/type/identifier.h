#pragma once

/// Spark's spelling of names and text inside SQL. Thread rule: pure functions.

#include <string>
#include <string_view>

namespace weir {

/// The name as it is if ASCII letters, digits and underscores not starting with a digit, else in backquotes.
std::string QuoteIfNeeded(std::string_view name);
/// A string literal in single quotes, with backslash and quote escaped.
std::string QuoteString(std::string_view text);

/// ASCII letters in another case; other bytes are unchanged.
std::string AsciiLower(std::string_view text);
std::string AsciiUpper(std::string_view text);

}  // namespace weir
