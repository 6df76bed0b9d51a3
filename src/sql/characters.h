#pragma once

/// Characters of SQL text (UTF-8) and the ends of strings, quoted names and comments.
/// Thread rule: pure functions.

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::sql {

/// An ASCII letter, digit or underscore.
bool IsNameCharacter(char c);
/// Bytes of the letter (ASCII or not) at `at`; 0 if there is none. Outside ASCII, every character counts as a
/// letter that is neither a blank nor in a block of punctuation and symbols.
size_t LetterSize(std::string_view text, size_t at);
/// Bytes of the blank at `at`, ASCII or Unicode; 0 if there is none.
size_t BlankSize(std::string_view text, size_t at);
/// Without spaces and control characters at the ends, as Java's String.trim.
std::string_view Trim(std::string_view text);

/// Offset behind the string that begins at `at` with a quote or r and a quote; npos if it has no end. A
/// doubled quote is one quote of the string, except in a raw one; if nothing else ends the string, the last
/// doubled quote does.
size_t StringEnd(std::string_view text, size_t at);
/// Offset behind the name that begins at `at` with a backquote; npos if it has no end. Doubled quotes as in
/// strings.
size_t QuotedNameEnd(std::string_view text, size_t at);
/// Offset behind the comment that begins at `at` with two hyphens: behind its line break.
size_t LineCommentEnd(std::string_view text, size_t at);
/// Offset behind the comment that begins at `at` with "/*", nested ones included; npos if it has no end.
size_t BracketedCommentEnd(std::string_view text, size_t at);

}  // namespace weir::sql
