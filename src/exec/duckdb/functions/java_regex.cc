#include "exec/duckdb/functions/java_regex.h"

#include <re2/re2.h>

#include <cctype>

namespace weir::exec {

namespace {

Error NoSuchFeature(std::string_view feature, std::string_view pattern) {
  return Unsupported("regular expressions with {} are not implemented: '{}'", feature, pattern);
}

bool IsQuantifier(char c) { return c == '*' || c == '+' || c == '?' || c == '}'; }

class Translator {
 public:
  explicit Translator(std::string_view pattern) : pattern_(pattern) {}

  Result<std::string> Run() {
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
    return std::move(out_);
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
    }
    if (c == '[') {
      in_class_ = 1;
      class_start_ = true;
    }
    // A quantifier behind a quantifier: "?" makes it reluctant, "+" possessive.
    if (c == '+' && at_ > 0 && IsQuantifier(pattern_[at_ - 1]) && !Escaped(at_ - 1) &&
        pattern_[at_ - 1] != '?') {
      return NoSuchFeature("possessive quantifiers", pattern_);
    }
    out_ += c;
    return {};
  }

  bool Escaped(size_t at) const {
    size_t slashes = 0;
    while (at > slashes && pattern_[at - slashes - 1] == '\\') ++slashes;
    return slashes % 2 == 1;
  }

  Status ClassCharacter(char c) {
    if (c == '[') {
      // Java unites a class inside a class; RE2 would take the bracket for itself.
      if (!Rest().starts_with(":")) return NoSuchFeature("classes inside classes", pattern_);
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
      case 'Z':
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
  std::string out_;
  size_t at_ = 0;
  int in_class_ = 0;
  bool class_start_ = false;
};

}  // namespace

Result<std::string> ToRe2Syntax(std::string_view pattern) { return Translator(pattern).Run(); }

Result<std::shared_ptr<const re2::RE2>> CompileJavaRegex(std::string_view pattern,
                                                         std::string_view function) {
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
  Result<std::string> translated = ToRe2Syntax(pattern);
  if (!translated && translated.error().code() == ErrorCode::kInvalid)
    return malformed(translated.error().message());
  if (!translated) return std::move(translated).error();
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto compiled = std::make_shared<const re2::RE2>(*translated, options);
  if (!compiled->ok()) return malformed(compiled->error());
  return std::shared_ptr<const re2::RE2>(std::move(compiled));
}

Result<std::vector<ReplacementPiece>> ParseReplacement(std::string_view text, const re2::RE2& pattern) {
  std::vector<ReplacementPiece> pieces;
  std::string plain;
  const auto flush = [&] {
    if (!plain.empty()) pieces.push_back({std::move(plain), -1});
    plain.clear();
  };
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      if (++at == text.size()) return Invalid("the replacement '{}' ends with a backslash", text);
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
      if (end == std::string_view::npos) return Invalid("the replacement '{}' has an open group name", text);
      const auto& names = pattern.NamedCapturingGroups();
      const auto it = names.find(std::string(text.substr(at + 2, end - at - 2)));
      if (it == names.end()) return Invalid("the replacement '{}' names a group that does not exist", text);
      pieces.push_back({"", it->second});
      at = end;
      continue;
    }
    if (at + 1 >= text.size() || !std::isdigit(static_cast<unsigned char>(text[at + 1]))) {
      return Invalid("the replacement '{}' has a $ without a group", text);
    }
    int group = text[++at] - '0';
    if (group > pattern.NumberOfCapturingGroups()) return Invalid("No group {}", group);
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
