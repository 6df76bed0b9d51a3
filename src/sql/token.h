#pragma once

/// The tokens of Spark SQL. Thread rule: immutable values that point into the text.

#include <cstdint>
#include <string_view>
#include <vector>

namespace weir::sql {

enum class TokenKind : uint8_t {
  kWord,        ///< A keyword or an unquoted name; no difference is known before parsing.
  kQuotedName,  ///< `..`, with its quotes.
  kString,      ///< '..', "..", r'..' or r"..", with its quotes.
  kInteger,     ///< 1
  kDecimal,     ///< 1.5
  kExponent,    ///< 1e3
  kBigint,      ///< 1L
  kSmallint,    ///< 1S
  kTinyint,     ///< 1Y
  kFloat,       ///< 1F
  kDouble,      ///< 1D
  kBigDecimal,  ///< 1BD
  kSymbol,
  kUnrecognized,  ///< One character that begins no token.
  kEnd,           ///< Behind the last character; text is empty.
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  int32_t start = 0;     ///< Offset in bytes.
  int32_t line = 1;      ///< From 1.
  int32_t position = 0;  ///< Characters (code points) since the line began.

  int32_t stop() const { return start + static_cast<int32_t>(text.size()); }
  /// A word equal to `text` but for case (`text` is in upper case), or the symbol `text`.
  bool Is(std::string_view text) const;
};

struct Tokens {
  std::vector<Token> list;  ///< Ends with one kEnd.
  /// Index in the text of a bracketed comment without an end; -1 if there is none.
  int32_t unclosed_comment = -1;
};

}  // namespace weir::sql
