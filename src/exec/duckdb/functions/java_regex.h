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

/// A pattern in RE2's syntax, and for which texts RE2 cannot tell what Java would say.
struct Re2Syntax {
  std::string pattern;
  bool ends_line = false;      ///< $ or \Z: Java also stops in front of a last line break.
  bool many_lines = false;     ///< (?m), or a dot under a scoped (?s): Java knows more line breaks than \n.
  bool word_boundary = false;  ///< \b: Java's words have letters beyond ASCII.
};

/// Translates: . and \s, \h, \R, \Z, \Q..\E and named groups as Java spells and means them. Errors:
/// kUnsupported naming lookaround, backreferences, possessive quantifiers, atomic groups, class intersection,
/// flags.
Result<Re2Syntax> ToRe2Syntax(std::string_view pattern);

class JavaRegex {
 public:
  JavaRegex(std::shared_ptr<const re2::RE2> compiled, Re2Syntax syntax)
      : compiled_(std::move(compiled)), syntax_(std::move(syntax)) {}
  const re2::RE2& re2() const { return *compiled_; }
  /// Errors: kUnsupported where RE2 and Java would read this text differently.
  Status Check(std::string_view text) const;

 private:
  std::shared_ptr<const re2::RE2> compiled_;
  Re2Syntax syntax_;
};

/// Errors: those of ToRe2Syntax; kInvalid with INVALID_PARAMETER_VALUE.PATTERN for a malformed pattern.
Result<JavaRegex> CompileJavaRegex(std::string_view pattern, std::string_view function);

/// A replacement as Java's Matcher reads it ($n, ${name}, backslash quotes the next character) in pieces.
struct ReplacementPiece {
  std::string text;
  int group = -1;  ///< Or the group to insert.
};
/// Errors: kInvalid for a group that does not exist or a dangling $ or backslash.
Result<std::vector<ReplacementPiece>> ParseReplacement(std::string_view replacement, const re2::RE2& pattern);

}  // namespace weir::exec
