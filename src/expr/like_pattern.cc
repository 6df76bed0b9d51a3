#include "expr/like_pattern.h"

#include "base/utf8.h"
#include "type/identifier.h"

namespace weir {
namespace {

Error BadEscape(std::string_view pattern, std::string_view before) {
  const bool at_the_end = before.empty();
  const std::string format = QuoteString(pattern);
  const std::string place =
      at_the_end ? "nothing, at its end" : QuoteString(before) + ", which needs no escape";
  return Invalid("the pattern {} escapes {}", format, place)
      .WithCondition({at_the_end ? "INVALID_FORMAT.ESC_AT_THE_END" : "INVALID_FORMAT.ESC_IN_THE_MIDDLE",
                      "42601",
                      {{"format", format}, {"char", QuoteString(before)}},
                      {},
                      ""});
}

/// Bytes of the character at the start; a stray continuation byte counts as one.
size_t CharacterSize(std::string_view text) {
  size_t size = 1;
  while (size < text.size() && ContinuesUtf8(text[size])) ++size;
  return size;
}

}  // namespace

Result<LikePattern> LikePattern::Parse(std::string_view pattern, char escape) {
  LikePattern parsed;
  std::string* run = &parsed.prefix_;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == escape) {
      if (++i == pattern.size()) return BadEscape(pattern, {});
      if (pattern[i] != '%' && pattern[i] != '_' && pattern[i] != escape)
        return BadEscape(pattern, pattern.substr(i, CharacterSize(pattern.substr(i))));
      *run += pattern[i];
    } else if (c == '%' || c == '_') {
      run = &parsed.parts_.emplace_back(Part{c == '%', {}}).text;
    } else {
      *run += c;
    }
  }
  return parsed;
}

bool LikePattern::Matches(std::string_view text) const {
  if (!text.starts_with(prefix_)) return false;
  // Backtracks to the last % only: an earlier one need never take more text.
  size_t at = prefix_.size();
  size_t part = 0;
  size_t retry_part = parts_.size();
  size_t retry_at = 0;
  while (part < parts_.size() || at < text.size()) {
    if (part < parts_.size()) {
      const Part& wildcard = parts_[part];
      if (wildcard.any_length) {
        retry_part = part;
        retry_at = at;
      } else if (at < text.size()) {
        at += CharacterSize(text.substr(at));
      } else {
        at = text.size() + 1;  // nothing for _ to take
      }
      if (at <= text.size() && text.substr(at).starts_with(wildcard.text)) {
        at += wildcard.text.size();
        ++part;
        continue;
      }
    }
    if (retry_part == parts_.size()) return false;
    // Let the last % take one character more, up to where its text follows.
    const std::string& wanted = parts_[retry_part].text;
    do {
      if (retry_at >= text.size()) return false;
      retry_at += CharacterSize(text.substr(retry_at));
    } while (!text.substr(retry_at).starts_with(wanted));
    at = retry_at + wanted.size();
    part = retry_part + 1;
  }
  return true;
}

}  // namespace weir
