#include "sql/parser.h"

#include <limits>

#include "sql/characters.h"
#include "sql/grammar.h"
#include "sql/lexer.h"

namespace weir::sql {
namespace {

/// A token of a hint, as Spark shows it.
std::string Shown(std::string_view expected) {
  return expected == "=" ? "EQ" : fmt::format("'{}'", expected);
}

/// Spark's guess at what is wrong at a token where only one other token was expected: that the token is too
/// much, if the one behind it would fit, or that the expected one is missing, if the token would fit behind
/// it.
template <typename T, typename Rule>
std::string Hint(const Tokens& tokens, const Cursor::Furthest& furthest, std::string_view text,
                 const ParseOptions& options, Rule rule) {
  const std::string& expected = furthest.sole_expected;
  const size_t at = furthest.token;
  if (expected.empty() || at >= tokens.list.size()) return "";
  const Token& bad = tokens.list[at];
  const auto extra = [&] { return fmt::format(": extra input '{}'", bad.text); };
  if (bad.kind != TokenKind::kEnd) {
    const Token& next = tokens.list[at + 1];
    const bool is_end =
        next.kind == TokenKind::kEnd || next.Is(";") || (at > 0 && tokens.list[at - 1].Is(";"));
    if (expected == kEndExpected ? is_end : next.Is(expected)) return extra();
  }
  if (expected == kEndExpected) return "";
  Tokens mended = tokens;
  Token missing = bad;
  missing.kind = IsNameCharacter(expected[0]) ? TokenKind::kWord : TokenKind::kSymbol;
  missing.text = expected;
  mended.list.insert(mended.list.begin() + static_cast<std::ptrdiff_t>(at), missing);
  Grammar grammar(std::move(mended), text, options);
  const Result<T> result = (grammar.*rule)();
  if (!result && Cursor::IsMismatch(result.error()) && grammar.cursor().furthest().token <= at + 1) return "";
  return fmt::format(": missing {}", Shown(expected));
}

/// Runs one rule over the whole text and words its error.
template <typename T, typename Rule>
Result<T> Parse(std::string_view text, const ParseOptions& options, Rule rule) {
  constexpr size_t kMaxBytes = size_t{1} << 30;
  if (text.size() > kMaxBytes)
    return Unsupported("a statement of {} bytes: at most {}", text.size(), kMaxBytes);
  const Tokens tokens = Tokenize(text);
  Grammar grammar(tokens, text, options);
  Result<T> result = (grammar.*rule)();
  if (result) return result;
  const std::string hint = Cursor::IsMismatch(result.error())
                               ? Hint<T>(tokens, grammar.cursor().furthest(), text, options, rule)
                               : "";
  return grammar.cursor().Finish(std::move(result).error(), hint);
}

}  // namespace

Result<unresolved::Statement> ParseStatement(std::string_view text, const ParseOptions& options) {
  return Parse<unresolved::Statement>(text, options, &Grammar::WholeStatement);
}

Result<unresolved::ExprPtr> ParseExpression(std::string_view text, const ParseOptions& options) {
  return Parse<unresolved::ExprPtr>(text, options, &Grammar::WholeExpression);
}

Result<std::vector<Field>> ParseColumns(std::string_view text) {
  WEIR_TRY(std::vector<unresolved::ColumnDefinition> columns,
           Parse<std::vector<unresolved::ColumnDefinition>>(text, {}, &Grammar::WholeColumns));
  std::vector<Field> fields;
  for (unresolved::ColumnDefinition& column : columns) {
    fields.push_back(
        {{}, std::move(column.name), std::move(column.type), column.not_null, std::move(column.comment)});
  }
  return fields;
}

Result<unresolved::Name> ParseName(std::string_view text) {
  return Parse<unresolved::Name>(text, {}, &Grammar::WholeName);
}

}  // namespace weir::sql
