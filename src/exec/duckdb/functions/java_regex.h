#pragma once

/// Java's regular expressions on RE2: the pattern is translated where the meaning differs and refused by name
/// where RE2 has no such thing. Thread rule: compiled patterns are immutable.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace weir::exec {

/// `pattern` in RE2's syntax: \s includes the vertical tab, \Z, \z, \h, \R and named groups as Java spells
/// them. Errors: kUnsupported naming lookaround, backreferences, possessive quantifiers, atomic groups, class
/// intersection.
Result<std::string> ToRe2Syntax(std::string_view pattern);

/// Errors: those of ToRe2Syntax; kInvalid with INVALID_PARAMETER_VALUE.PATTERN for a malformed pattern.
Result<std::shared_ptr<const re2::RE2>> CompileJavaRegex(std::string_view pattern, std::string_view function);

/// A replacement as Java's Matcher reads it ($n, ${name}, backslash quotes the next character) in pieces.
struct ReplacementPiece {
  std::string text;
  int group = -1;  ///< Or the group to insert.
};
/// Errors: kInvalid for a group that does not exist or a dangling $ or backslash.
Result<std::vector<ReplacementPiece>> ParseReplacement(std::string_view replacement, const re2::RE2& pattern);

}  // namespace weir::exec
