#include "exec/duckdb/functions/java_regex.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>

namespace weir::exec {

namespace {

Error NoSuchFeature(std::string_view feature, std::string_view pattern) {
  return Unsupported("regular expressions with {} are not implemented: '{}'", feature, pattern);
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) < 0x80; });
}
/// One of Java's line breaks other than \n.
bool HasOtherLineBreak(std::string_view text) {
  for (std::string_view line_break : {"\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    if (text.find(line_break) != std::string_view::npos) return true;
  }
  return false;
}

constexpr std::pair<std::string_view, std::string_view> kAsciiProperties[] = {
    {"Lower", "a-z"},      {"Upper", "A-Z"},       {"ASCII", "\\x00-\\x7F"},      {"Alpha", "A-Za-z"},
    {"Digit", "0-9"},      {"Alnum", "A-Za-z0-9"}, {"Punct", "!-/:-@\\[-`{-~"},   {"Graph", "!-~"},
    {"Print", " -~"},      {"Blank", " \\t"},      {"Cntrl", "\\x00-\\x1F\\x7F"}, {"XDigit", "0-9A-Fa-f"},
    {"Space", "\\s\\x0B"},
};

class Translator {
 public:
  explicit Translator(std::string_view pattern) : pattern_(pattern) {}

  Result<Re2Syntax> Run() {
    for (at_ = 0; at_ < pattern_.size(); ++at_) {
      const char c = pattern_[at_];
      if (c == '\\') {
        WEIR_DO(Escape());
      } else if (in_class_ > 0) {
        WEIR_DO(ClassCharacter(c));
      } else {
        WEIR_DO(Character(c));
      }
    }
    if (ignores_case_ && !IsAscii(pattern_)) return NoSuchFeature("(?i) and letters beyond ASCII", pattern_);
    syntax_.pattern = std::move(out_);
    return std::move(syntax_);
  }

 private:
  std::string_view Rest() const { return pattern_.substr(at_ + 1); }

  Status Character(char c) {
    if (c == '(' && Rest().starts_with("?")) {
      const std::string_view kind = Rest().substr(1);
      if (kind.starts_with("=") || kind.starts_with("!") || kind.starts_with("<=") ||
          kind.starts_with("<!")) {
        return NoSuchFeature("lookaround", pattern_);
      }
      if (kind.starts_with(">")) return NoSuchFeature("atomic groups", pattern_);
      if (kind.starts_with("<")) {  // RE2 spells a named group (?P<name>.
        out_ += "(?P";
        ++at_;
        return {};
      }
      return Flags();
    }
    if (c == '$') syntax_.ends_line = true;
    if (c == '.' && !raw_dot_) {
      quantified_ = false;
      out_ += "[^\\n\\r\\x{85}\\x{2028}\\x{2029}]";
      return {};
    }
    if (c == '[') {
      quantified_ = false;
      in_class_ = 1;
      class_start_ = true;
    }
    // A quantifier behind a quantifier: "?" makes it reluctant, "+" possessive.
    if (c == '+' && quantified_) return NoSuchFeature("possessive quantifiers", pattern_);
    if (c == '{') in_braces_ = true;
    const bool quantifies = c == '*' || c == '+' || c == '?' || (c == '}' && in_braces_);
    if (c == '}') in_braces_ = false;
    quantified_ = quantifies && !quantified_;
    out_ += c;
    return {};
  }

  /// "(?i)", "(?s:", "(?-m)", or a group without a name.
  Status Flags() {
    size_t end = at_ + 2;
    bool on = true;
    for (; end < pattern_.size() && pattern_[end] != ')' && pattern_[end] != ':'; ++end) {
      const char flag = pattern_[end];
      if (flag == '-') on = false;
      if (std::string_view("-ims").find(flag) == std::string_view::npos) {
        return NoSuchFeature(fmt::format("the flag {}", flag), pattern_);
      }
      ignores_case_ |= on && flag == 'i';
      syntax_.many_lines |= flag == 'm';
      if (flag == 's') {
        // For the whole pattern a dot is any character; for a part of it RE2 keeps the account.
        raw_dot_ = true;
        syntax_.many_lines |=
            !on || at_ > 0 || pattern_.substr(end).find(':') < pattern_.substr(end).find(')');
      }
    }
    out_ += pattern_.substr(at_, end + 1 - at_);
    at_ = end;
    return {};
  }

  Status ClassCharacter(char c) {
    if (c == '[') {
      // Java unites a class inside a class, "[[:alpha:]]" too.
      return NoSuchFeature("classes inside classes", pattern_);
    } else if (c == '&' && Rest().starts_with("&")) {
      return NoSuchFeature("class intersection", pattern_);
    } else if (c == ']' && !class_start_) {
      in_class_ = 0;
    }
    if (!(class_start_ && c == '^')) class_start_ = false;
    out_ += c;
    return {};
  }

  Status Escape() {
    quantified_ = false;
    if (at_ + 1 >= pattern_.size()) {
      out_ += '\\';
      return {};
    }
    const char next = pattern_[++at_];
    class_start_ = false;
    switch (next) {
      case 's':
        out_ += in_class_ > 0 ? "\\s\\x0B" : "[\\s\\x0B]";
        return {};
      case 'S':
        if (in_class_ > 0) return NoSuchFeature("\\S inside a class", pattern_);
        out_ += "[^\\s\\x0B]";
        return {};
      case 'h':
        out_ += in_class_ > 0 ? " \\t\\xA0" : "[ \\t\\xA0]";
        return {};
      case 'R':
        out_ += "(?:\\r\\n|[\\n\\x0B\\f\\r])";
        return {};
      case 'Q':
        return Quoted();
      case 'p':
      case 'P':
        return Property(next == 'P');
      case 'b':
      case 'B':
        syntax_.word_boundary |= in_class_ == 0;
        break;
      case 'Z':
        syntax_.ends_line = true;
        out_ += "(?:\\n?\\z)";
        return {};
      case 'e':
        out_ += "\\x1B";
        return {};
      case 'u':
        return Unicode();
      case 'k':
      case 'G':
        return NoSuchFeature(next == 'k' ? "backreferences" : "\\G", pattern_);
      default:
        break;
    }
    if (next >= '1' && next <= '9') return NoSuchFeature("backreferences", pattern_);
    out_ += '\\';
    out_ += next;
    return {};
  }

  /// \p{Alpha} and the like are ASCII in Java; \p{IsGreek} is RE2's \p{Greek}; RE2 knows the categories.
  Status Property(bool negated) {
    if (!Rest().starts_with("{")) {
      out_ += negated ? "\\P" : "\\p";
      return {};
    }
    const size_t end = pattern_.find('}', at_);
    if (end == std::string_view::npos) return Invalid("'{}' has an open property", pattern_);
    std::string_view name = pattern_.substr(at_ + 2, end - at_ - 2);
    at_ = end;
    for (const auto& [property, characters] : kAsciiProperties) {
      if (property != name) continue;
      if (in_class_ > 0 && negated) return NoSuchFeature("\\P inside a class", pattern_);
      out_ += in_class_ > 0 ? std::string(characters) : fmt::format("[{}{}]", negated ? "^" : "", characters);
      return {};
    }
    if (name.starts_with("Is") && name != "IsAlphabetic") name.remove_prefix(2);
    if (name.size() > 2 && !std::all_of(name.begin(), name.end(), [](char c) {
          return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
        })) {
      return NoSuchFeature(fmt::format("the property {}", name), pattern_);
    }
    if (name.starts_with("java") || name == "IsAlphabetic" || name.starts_with("In")) {
      return NoSuchFeature(fmt::format("the property {}", name), pattern_);
    }
    out_ += fmt::format("\\{}{{{}}}", negated ? 'P' : 'p', name);
    return {};
  }

  /// Everything up to \E, or to the end, stands for itself.
  Status Quoted() {
    const size_t start = at_ + 1, end = std::min(pattern_.find("\\E", start), pattern_.size());
    out_ += re2::RE2::QuoteMeta(re2::StringPiece(pattern_.data() + start, end - start));
    at_ = end + 1;
    return {};
  }

  /// \uXXXX is \x{XXXX} in RE2.
  Status Unicode() {
    const std::string_view digits = Rest().substr(0, 4);
    for (char c : digits) {
      if (!std::isxdigit(static_cast<unsigned char>(c)))
        return Invalid("'{}' has a broken \\u escape", pattern_);
    }
    if (digits.size() < 4) return Invalid("'{}' has a broken \\u escape", pattern_);
    out_ += "\\x{" + std::string(digits) + "}";
    at_ += 4;
    return {};
  }

  std::string_view pattern_;
  Re2Syntax syntax_;
  bool ignores_case_ = false;
  bool raw_dot_ = false;
  bool quantified_ = false;  ///< The last character ended a quantifier.
  bool in_braces_ = false;   ///< Of {n,m}.
  std::string out_;
  size_t at_ = 0;
  int in_class_ = 0;
  bool class_start_ = false;
};

}  // namespace

Result<Re2Syntax> ToRe2Syntax(std::string_view pattern) { return Translator(pattern).Run(); }

Status JavaRegex::Check(std::string_view text) const {
  const bool ends_with_break =
      !text.empty() &&
      (text.back() == '\n' || HasOtherLineBreak(text.substr(text.size() - std::min<size_t>(text.size(), 3))));
  if (syntax_.ends_line && ends_with_break) {
    return Unsupported(
        "$ and \\Z in regular expressions are not implemented for texts that end with a line break");
  }
  if (syntax_.many_lines && HasOtherLineBreak(text)) {
    return Unsupported("regular expressions over lines are not implemented for line breaks other than \\n");
  }
  if (syntax_.word_boundary && !IsAscii(text)) {
    return Unsupported("\\b in regular expressions is not implemented for texts beyond ASCII");
  }
  return {};
}

Result<JavaRegex> CompileJavaRegex(std::string_view pattern, std::string_view function) {
  const auto malformed = [&](std::string_view why) {
    return Invalid("{}: '{}' is no regular expression: {}", function, pattern, why)
        .WithCondition({"INVALID_PARAMETER_VALUE.PATTERN",
                        "22023",
                        {{"functionName", fmt::format("`{}`", function)},
                         {"parameter", "`regexp`"},
                         {"value", fmt::format("'{}'", pattern)}},
                        std::nullopt,
                        ""});
  };
  Result<Re2Syntax> translated = ToRe2Syntax(pattern);
  if (!translated && translated.error().code() == ErrorCode::kInvalid)
    return malformed(translated.error().message());
  if (!translated) return std::move(translated).error();
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto compiled = std::make_shared<const re2::RE2>(translated->pattern, options);
  if (!compiled->ok()) return malformed(compiled->error());
  return JavaRegex(std::move(compiled), *std::move(translated));
}

namespace {
Error BadReplacement(std::string_view text, std::string_view why) {
  return Invalid("the replacement '{}' {}", text, why)
      .WithCondition(
          {"INVALID_REGEXP_REPLACE", "22023", {{"replacement", std::string(text)}}, std::nullopt, ""});
}
}  // namespace

Result<std::vector<ReplacementPiece>> ParseReplacement(std::string_view text, const re2::RE2& pattern) {
  std::vector<ReplacementPiece> pieces;
  std::string plain;
  const auto flush = [&] {
    if (!plain.empty()) pieces.push_back({std::move(plain), -1});
    plain.clear();
  };
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      if (++at == text.size()) return BadReplacement(text, "ends with a backslash");
      plain += text[at];
      continue;
    }
    if (text[at] != '$') {
      plain += text[at];
      continue;
    }
    flush();
    if (at + 1 < text.size() && text[at + 1] == '{') {
      const size_t end = text.find('}', at);
      if (end == std::string_view::npos) return BadReplacement(text, "has an open group name");
      const auto& names = pattern.NamedCapturingGroups();
      const auto it = names.find(std::string(text.substr(at + 2, end - at - 2)));
      if (it == names.end()) return BadReplacement(text, "names a group that does not exist");
      pieces.push_back({"", it->second});
      at = end;
      continue;
    }
    if (at + 1 >= text.size() || !std::isdigit(static_cast<unsigned char>(text[at + 1]))) {
      return BadReplacement(text, "has a $ without a group");
    }
    int group = text[++at] - '0';
    if (group > pattern.NumberOfCapturingGroups())
      return BadReplacement(text, fmt::format("names the group {}", group));
    // Further digits belong to the number as long as such a group exists.
    while (at + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[at + 1])) &&
           group * 10 + (text[at + 1] - '0') <= pattern.NumberOfCapturingGroups()) {
      group = group * 10 + (text[++at] - '0');
    }
    pieces.push_back({"", group});
  }
  flush();
  return pieces;
}

}  // namespace weir::exec
