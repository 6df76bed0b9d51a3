#pragma once

/// Spark SQL text to the unresolved plan. Names keep their case; nothing is looked up.
/// Spec: Spark SQL 4.1 with its defaults (non-reserved keywords, ANSI on) and Iceberg's partition field
/// statements. Thread rule: pure functions.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/unresolved.h"

namespace weir::sql {

/// No expression, query or type is nested deeper than this, and no plan that is returned is higher.
inline constexpr int kMaxNesting = 250;
inline constexpr int kMaxHeight = 1000;

struct ParseOptions {
  /// Zone in which TIMESTAMP literals without a zone are read: a region or an offset, as TimeZone::Find
  /// knows.
  std::string time_zone = "UTC";
};

/// One statement of a script, without its semicolon and without blanks or comments around it.
struct StatementText {
  std::string text;
  size_t start_bytes = 0;   ///< Offset of `text` in the script.
  int32_t line = 1;         ///< Line of its first character, from 1.
  bool is_complete = true;  ///< False for the last one if no semicolon ends it.
};

/// Cuts a script at semicolons outside strings, quoted names and comments. Pieces without a token are left
/// out. An open string, quoted name or comment swallows the rest: the last piece is then not complete. Never
/// fails on bad SQL.
std::vector<StatementText> SplitStatements(std::string_view script);

/// Parses one statement; semicolons may follow it.
/// Errors: kInvalid with Spark's condition and place (PARSE_SYNTAX_ERROR, INVALID_NUMERIC_LITERAL_RANGE, ..);
/// kUnsupported with UNSUPPORTED_FEATURE, naming the construct, for what Spark has and Weir does not.
/// Spans count bytes of `text` from 0; line and position count as Spark does: lines from 1, characters from
/// 0.
Result<unresolved::Statement> ParseStatement(std::string_view text, const ParseOptions& options = {});

/// Parses one expression, which may have an alias. Errors: as ParseStatement.
Result<unresolved::ExprPtr> ParseExpression(std::string_view text, const ParseOptions& options = {});

/// Parses columns as a schema text has them: "a INT NOT NULL, b STRING COMMENT 'x'". Field ids are 0.
/// Errors: as ParseStatement.
Result<std::vector<Field>> ParseColumns(std::string_view text);

/// Parses the name of a table: "a.`b c`.d". Errors: as ParseStatement.
Result<unresolved::Name> ParseName(std::string_view text);

}  // namespace weir::sql
