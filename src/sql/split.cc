#include <algorithm>

#include "sql/characters.h"
#include "sql/parser.h"

namespace weir::sql {
namespace {

/// Offset behind the string, quoted name or other character at `at`; npos if its end is missing.
size_t PieceEnd(std::string_view script, size_t at) {
  const char c = script[at];
  if (c == '\'' || c == '"') return StringEnd(script, at);
  if (c == '`') return QuotedNameEnd(script, at);
  const bool is_quote_next = at + 1 < script.size() && (script[at + 1] == '\'' || script[at + 1] == '"');
  if ((c == 'r' || c == 'R') && is_quote_next && (at == 0 || !IsNameCharacter(script[at - 1]))) {
    return StringEnd(script, at);
  }
  return at + 1;
}

/// Offset behind the comment or blank at `at`; `at` if there is none; npos if a comment's end is missing.
size_t BlankEnd(std::string_view script, size_t at) {
  if (script.substr(at, 2) == "--") return LineCommentEnd(script, at);
  if (script.substr(at, 2) == "/*" && script.substr(at, 3) != "/*+") return BracketedCommentEnd(script, at);
  return at + BlankSize(script, at);
}

}  // namespace

std::vector<StatementText> SplitStatements(std::string_view script) {
  constexpr size_t kNone = std::string_view::npos;
  std::vector<StatementText> statements;
  size_t start = kNone;  // Of the current statement's first token.
  size_t end = 0;        // Behind its last token.
  size_t counted = 0;    // `line` is the line of this offset.
  int32_t line = 1;
  const auto finish = [&](bool is_complete) {
    if (start == kNone) return;
    for (; counted < start; ++counted) line += script[counted] == '\n' ? 1 : 0;
    statements.push_back({std::string(script.substr(start, end - start)), start, line, is_complete});
    start = kNone;
  };
  for (size_t at = 0; at < script.size();) {
    const size_t blank_end = BlankEnd(script, at);
    if (blank_end != at) {
      // A comment without an end belongs to the statement, so that parsing it tells what is wrong.
      if (blank_end == kNone) {
        if (start == kNone) start = at;
        end = script.size();
      }
      at = std::min(blank_end, script.size());
      continue;
    }
    if (script[at] == ';') {
      finish(true);
      ++at;
      continue;
    }
    if (start == kNone) start = at;
    at = std::min(PieceEnd(script, at), script.size());
    end = at;
  }
  finish(false);
  return statements;
}

}  // namespace weir::sql
