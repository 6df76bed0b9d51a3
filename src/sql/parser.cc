#include "sql/parser.h"

#include <limits>

#include "sql/grammar.h"
#include "sql/lexer.h"

namespace weir::sql {
namespace {

/// Runs one rule over the whole text and words its error.
template <typename T, typename Rule>
Result<T> Parse(std::string_view text, const ParseOptions& options, Rule rule) {
  if (text.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max()) / 2) {
    return Unsupported("a statement of {} bytes: at most 1 GiB", text.size());
  }
  Grammar grammar(Tokenize(text), text, options);
  Result<T> result = (grammar.*rule)();
  if (result) return result;
  return grammar.cursor().Finish(std::move(result).error());
}

}  // namespace

Result<unresolved::Statement> ParseStatement(std::string_view text, const ParseOptions& options) {
  return Parse<unresolved::Statement>(text, options, &Grammar::WholeStatement);
}

Result<unresolved::ExprPtr> ParseExpression(std::string_view text, const ParseOptions& options) {
  return Parse<unresolved::ExprPtr>(text, options, &Grammar::WholeExpression);
}

}  // namespace weir::sql
