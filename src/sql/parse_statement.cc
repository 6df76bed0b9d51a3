
#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/grammar.h"

namespace weir::sql {

using unresolved::Statement;

Grammar::Grammar(Tokens tokens, std::string_view text, const ParseOptions& options)
    : in_(std::move(tokens), text), options_(options) {}

Result<Statement> Grammar::WholeStatement() {
  WEIR_TRY(StatementNode node, StatementBody());
  const SourceSpan span = in_.SpanFrom(0);
  while (in_.Accept(";")) {
  }
  if (!in_.AtKind(TokenKind::kEnd)) return in_.Mismatch(kEndExpected);
  WEIR_DO(in_.FinishDeferred());
  return Statement{std::move(node), span};
}

Result<unresolved::ExprPtr> Grammar::WholeExpression() {
  WEIR_TRY(ExprPtr expr, NamedExpression());
  if (!in_.AtKind(TokenKind::kEnd)) return in_.Mismatch(kEndExpected);
  WEIR_DO(in_.FinishDeferred());
  return expr;
}

Result<std::vector<unresolved::ColumnDefinition>> Grammar::WholeColumns() {
  std::vector<unresolved::ColumnDefinition> columns;
  do {
    WEIR_TRY(unresolved::ColumnDefinition column, Column());
    columns.push_back(std::move(column));
  } while (in_.Accept(","));
  if (!in_.AtKind(TokenKind::kEnd)) return in_.Mismatch(kEndExpected);
  WEIR_DO(in_.FinishDeferred());
  return columns;
}

Result<unresolved::Name> Grammar::WholeName() {
  WEIR_TRY(unresolved::Name name, TableName());
  if (!in_.AtKind(TokenKind::kEnd)) return in_.Mismatch(kEndExpected);
  return name;
}

Result<Grammar::StatementNode> Grammar::StatementBody() {
  const Cursor::Level level(in_);
  WEIR_DO(in_.CheckDepth());
  const size_t first = in_.index();
  if (in_.At("WITH")) {
    WEIR_TRY(std::optional<RelationPtr> query, Try([&] { return Query(); }));
    if (query) return StatementNode(unresolved::Query{*std::move(query)});
    WEIR_TRY(std::vector<unresolved::CommonTable> tables, CommonTables());
    if (in_.At("INSERT")) return Insert(std::move(tables), first);
    if (in_.AtAny({"MERGE", "UPDATE", "DELETE"})) {
      return in_.Refuse(fmt::format("WITH before {}", AsciiUpper(in_.Peek().text)), in_.SpanOf(in_.Peek()));
    }
    return in_.Mismatch();
  }
  if (in_.AtAny({"SELECT", "FROM", "VALUES", "TABLE", "MAP", "REDUCE", "("})) {
    WEIR_TRY(RelationPtr query, Query());
    return StatementNode(unresolved::Query{std::move(query)});
  }
  WEIR_DO(RefuseKnownStatement());
  if (in_.At("INSERT")) return Insert({}, first);
  if (in_.At("MERGE")) return Merge(first);
  if (in_.At("UPDATE")) return Update(first);
  if (in_.At("DELETE")) return Delete(first);
  if (in_.At("CREATE")) return Create();
  if (in_.At("DROP")) return Drop();
  if (in_.At("ALTER")) return Alter();
  if (in_.At("EXPLAIN")) return Explain();
  if (in_.AtAny({"DESCRIBE", "DESC"})) return Describe();
  if (in_.At("SHOW")) return Show();
  if (in_.At("USE")) return Use();
  if (in_.At("SET")) return Set();
  if (in_.At("RESET")) return Reset();
  return in_.Mismatch();
}

Error Grammar::InvalidStatement(std::string_view operation, size_t first) const {
  return in_.ErrorAt(in_.SpanFrom(first), "INVALID_STATEMENT_OR_CLAUSE", "42601",
                     {{"operation", std::string(operation)}},
                     fmt::format("{} is not a statement of Spark SQL.", operation));
}

namespace {

/// Statements that Spark knows and Weir does not.
constexpr std::string_view kRefusedStatements[] = {"CREATE OR REPLACE TABLE",
                                                   "REPLACE TABLE",
                                                   "CREATE VIEW",
                                                   "CREATE OR REPLACE VIEW",
                                                   "CREATE TEMPORARY VIEW",
                                                   "CREATE TEMP VIEW",
                                                   "CREATE OR REPLACE TEMPORARY VIEW",
                                                   "CREATE OR REPLACE TEMP VIEW",
                                                   "CREATE GLOBAL TEMPORARY VIEW",
                                                   "CREATE GLOBAL TEMP VIEW",
                                                   "CREATE OR REPLACE GLOBAL TEMPORARY VIEW",
                                                   "CREATE OR REPLACE GLOBAL TEMP VIEW",
                                                   "CREATE FUNCTION",
                                                   "CREATE TEMPORARY FUNCTION",
                                                   "CREATE TEMP FUNCTION",
                                                   "CREATE OR REPLACE FUNCTION",
                                                   "CREATE OR REPLACE TEMPORARY FUNCTION",
                                                   "CREATE OR REPLACE TEMP FUNCTION",
                                                   "CREATE INDEX",
                                                   "CREATE MATERIALIZED VIEW",
                                                   "CREATE STREAMING TABLE",
                                                   "CREATE FLOW",
                                                   "DROP VIEW",
                                                   "DROP FUNCTION",
                                                   "DROP TEMPORARY",
                                                   "DROP TEMP",
                                                   "DROP INDEX",
                                                   "ALTER VIEW",
                                                   "ALTER NAMESPACE",
                                                   "ALTER DATABASE",
                                                   "ALTER SCHEMA",
                                                   "SHOW TABLE EXTENDED",
                                                   "SHOW TBLPROPERTIES",
                                                   "SHOW COLUMNS",
                                                   "SHOW VIEWS",
                                                   "SHOW PARTITIONS",
                                                   "SHOW FUNCTIONS",
                                                   "SHOW PROCEDURES",
                                                   "SHOW CREATE TABLE",
                                                   "SHOW CURRENT",
                                                   "SHOW CATALOGS",
                                                   "COMMENT ON",
                                                   "REFRESH",
                                                   "CACHE TABLE",
                                                   "CACHE LAZY TABLE",
                                                   "UNCACHE TABLE",
                                                   "CLEAR CACHE",
                                                   "LOAD DATA",
                                                   "TRUNCATE TABLE",
                                                   "MSCK REPAIR",
                                                   "REPAIR TABLE",
                                                   "ANALYZE TABLE",
                                                   "ANALYZE TABLES",
                                                   "ADD",
                                                   "LIST",
                                                   "CALL",
                                                   "DECLARE",
                                                   "EXECUTE IMMEDIATE",
                                                   "BEGIN"};

/// Statements of Hive that Spark itself refuses.
constexpr std::string_view kHiveStatements[] = {
    "CREATE ROLE",        "DROP ROLE",     "GRANT",           "REVOKE",
    "SHOW GRANT",         "SHOW ROLE",     "SHOW PRINCIPALS", "SHOW ROLES",
    "SHOW CURRENT ROLES", "EXPORT TABLE",  "IMPORT TABLE",    "SHOW COMPACTIONS",
    "SHOW TRANSACTIONS",  "SHOW INDEXES",  "SHOW LOCKS",      "ALTER INDEX",
    "LOCK TABLE",         "LOCK DATABASE", "UNLOCK TABLE",    "UNLOCK DATABASE",
    "START TRANSACTION",  "COMMIT",        "ROLLBACK",        "DFS"};

}  // namespace

Status Grammar::RefuseKnownStatement() const {
  for (std::string_view phrase : kHiveStatements) {
    if (!in_.AtPhrase(phrase)) continue;
    return in_.ErrorAt(in_.WholeSpan(), "INVALID_STATEMENT_OR_CLAUSE", "42601",
                       {{"operation", std::string(phrase)}},
                       fmt::format("{} is not a statement of Spark SQL.", phrase));
  }
  for (std::string_view phrase : kRefusedStatements) {
    if (in_.AtPhrase(phrase)) return in_.Refuse(phrase, in_.WholeSpan());
  }
  return {};
}

Result<Grammar::StatementNode> Grammar::Explain() {
  const size_t first = in_.index();
  WEIR_DO(in_.Expect("EXPLAIN"));
  unresolved::Explain explain;
  const bool is_logical = in_.At("LOGICAL");
  static constexpr std::pair<std::string_view, unresolved::ExplainMode> kModes[] = {
      {"EXTENDED", unresolved::ExplainMode::kExtended},
      {"FORMATTED", unresolved::ExplainMode::kFormatted},
      {"COST", unresolved::ExplainMode::kCost},
      {"CODEGEN", unresolved::ExplainMode::kCodegen}};
  for (const auto& [word, mode] : kModes) {
    if (in_.At(word)) explain.mode = mode;
  }
  if (is_logical || explain.mode != unresolved::ExplainMode::kSimple) in_.Take();
  const size_t inner_first = in_.index();
  WEIR_TRY(StatementNode inner, StatementBody());
  if (is_logical) in_.Defer(InvalidStatement("EXPLAIN LOGICAL", first));
  explain.statement =
      std::make_shared<const Statement>(Statement{std::move(inner), in_.SpanFrom(inner_first)});
  return StatementNode(std::move(explain));
}

Result<Grammar::StatementNode> Grammar::Describe() {
  in_.Take();
  const auto refuse = [&](std::string_view feature) { return in_.Refuse(feature, in_.WholeSpan()); };
  for (std::string_view kind : {"FUNCTION", "PROCEDURE", "NAMESPACE", "DATABASE", "SCHEMA"}) {
    if (in_.At(kind) && (AtName(1) || AtString(1))) return refuse(fmt::format("DESCRIBE {}", kind));
  }
  if (in_.At("QUERY") && StartsQuery(1)) return refuse("DESCRIBE QUERY");
  if (StartsQuery(0) && !(in_.At("TABLE") && AtName(1))) return refuse("DESCRIBE QUERY");
  if (in_.At("TABLE") && AtName(1)) in_.Take();
  unresolved::Describe describe;
  if (in_.AtAny({"EXTENDED", "FORMATTED"}) && AtName(1)) {
    describe.extended = true;
    in_.Take();
  }
  WEIR_TRY(describe.table, TableName());
  if (in_.At("PARTITION") && in_.At("(", 1)) return refuse("DESCRIBE of a partition");
  if (in_.At("AS") && in_.At("JSON", 1)) return refuse("DESCRIBE .. AS JSON");
  if (AtName()) {
    WEIR_DO(TableName());
    if (in_.AtKind(TokenKind::kEnd) || in_.At(";")) return refuse("DESCRIBE of a column");
  }
  return StatementNode(std::move(describe));
}

Result<Grammar::StatementNode> Grammar::Show() {
  in_.Take();
  if (in_.Accept("TABLES")) return ShowLike(true);
  if (in_.AtAny({"NAMESPACES", "DATABASES", "SCHEMAS"})) {
    in_.Take();
    return ShowLike(false);
  }
  if (!AtName()) return in_.Mismatch();
  // SHOW USER FUNCTIONS: any word may stand before FUNCTIONS.
  const bool is_other = in_.AtAny({"TABLE", "CREATE"});
  in_.Take();
  if (is_other) return in_.Mismatch();
  WEIR_DO(in_.Expect("FUNCTIONS"));
  return in_.Refuse("SHOW FUNCTIONS", in_.WholeSpan());
}

/// `[IN namespace] [[LIKE] 'pattern']`.
Result<Grammar::StatementNode> Grammar::ShowLike(bool is_tables) {
  Name in_namespace;
  std::string pattern;
  if (in_.AtAny({"FROM", "IN"})) {
    in_.Take();
    WEIR_TRY(in_namespace, TableName());
  }
  const bool has_like = in_.Accept("LIKE");
  if (has_like || AtString()) {
    WEIR_TRY(pattern, String());
  }
  if (is_tables) return StatementNode(unresolved::ShowTables{std::move(in_namespace), std::move(pattern)});
  return StatementNode(unresolved::ShowNamespaces{std::move(in_namespace), std::move(pattern)});
}

Result<Grammar::StatementNode> Grammar::Use() {
  in_.Take();
  unresolved::UseNamespace use;
  use.within_catalog = in_.AtAny({"NAMESPACE", "DATABASE", "SCHEMA"}) && AtName(1);
  if (use.within_catalog) in_.Take();
  WEIR_TRY(use.name, TableName());
  return StatementNode(std::move(use));
}

}  // namespace weir::sql
