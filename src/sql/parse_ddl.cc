#include <algorithm>

#include "sql/characters.h"
#include "sql/grammar.h"

namespace weir::sql {

Result<Grammar::StatementNode> Grammar::Create() {
  const size_t first = in_.index();
  WEIR_DO(in_.Expect("CREATE"));
  if (in_.AtAny({"NAMESPACE", "DATABASE", "SCHEMA"})) return CreateNamespace();
  const bool is_temporary = in_.Accept("TEMPORARY") || in_.Accept("TEMP");
  if (in_.At("EXTERNAL") && in_.At("TABLE", 1)) return in_.Refuse("CREATE EXTERNAL TABLE", in_.WholeSpan());
  if (!in_.Accept("TABLE")) return in_.Mismatch();
  WEIR_TRY(StatementNode table, CreateTable(first));
  if (is_temporary) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "_LEGACY_ERROR_TEMP_0046", "", {},
                          "There are no temporary tables."));
  }
  return table;
}

/// An error if the clause was seen; its place begins at token `first`, where all the clauses begin.
Status Grammar::CheckOnce(std::vector<std::string>& seen, std::string_view clause, size_t first) {
  if (std::find(seen.begin(), seen.end(), clause) != seen.end()) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "DUPLICATE_CLAUSES", "42614",
                          {{"clauseName", std::string(clause)}},
                          fmt::format("The clause {} is there twice.", clause)));
  }
  seen.emplace_back(clause);
  return {};
}

Result<Grammar::StatementNode> Grammar::CreateNamespace() {
  const size_t first = in_.index() - 1;
  in_.Take();
  unresolved::CreateNamespace create;
  WEIR_DO(IfNotExists(create.if_not_exists));
  WEIR_TRY(create.name, TableName());
  std::vector<std::string> seen;
  std::optional<std::string> location;
  while (true) {
    if (in_.Accept("COMMENT")) {
      WEIR_TRY(create.comment, String());
      WEIR_DO(CheckOnce(seen, "COMMENT", first));
    } else if (in_.Accept("LOCATION")) {
      WEIR_TRY(location, String());
      WEIR_DO(CheckOnce(seen, "LOCATION", first));
    } else if (in_.At("WITH")) {
      in_.Take();
      if (!in_.AtAny({"DBPROPERTIES", "PROPERTIES"})) return in_.Mismatch();
      in_.Take();
      WEIR_TRY(create.properties, PropertiesWithValues());
      WEIR_DO(CheckReserved(create.properties, true, first));
      WEIR_DO(CheckOnce(seen, "WITH PROPERTIES", first));
    } else if (in_.AtAll({"DEFAULT", "COLLATION"})) {
      return in_.Refuse("DEFAULT COLLATION", in_.SpanOf(in_.Peek()));
    } else {
      break;
    }
  }
  if (location) create.properties.emplace_back("location", *std::move(location));
  return StatementNode(std::move(create));
}

/// From the name on.
Result<Grammar::StatementNode> Grammar::CreateTable(size_t first) {
  unresolved::CreateTable table;
  WEIR_DO(IfNotExists(table.if_not_exists));
  WEIR_TRY(table.name, TableName());
  if (in_.At("LIKE") && AtName(1)) return in_.Refuse("CREATE TABLE .. LIKE", in_.WholeSpan());
  if (in_.At("(") && StartsQuery(1)) {
    WEIR_TRY(auto columns, TryQuietly([&] { return Columns(); }));
    table.columns = std::move(columns).value_or(std::vector<unresolved::ColumnDefinition>());
  } else if (in_.At("(")) {
    WEIR_TRY(table.columns, Columns());
  }
  if (in_.Accept("USING")) {
    WEIR_TRY(const Name provider, TableName());
    table.provider = provider[0];
    for (size_t i = 1; i < provider.size(); ++i) table.provider += "." + provider[i];
  }
  std::vector<std::string> seen;
  const size_t clauses_first = in_.index();
  for (size_t before = in_.index() + 1; before != in_.index();) {
    before = in_.index();
    WEIR_DO(TableClause(table, seen, clauses_first));
  }
  const bool has_as = in_.Accept("AS");
  if (has_as || StartsQuery(0)) {
    WEIR_TRY(table.query, Query());
    if (!table.columns.empty()) {
      const std::string message = "Schema may not be specified in a Create Table As Select (CTAS) statement";
      in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "_LEGACY_ERROR_TEMP_0035", "", {{"message", message}},
                            "CREATE TABLE .. AS takes its columns from the query."));
    }
  }
  return StatementNode(std::move(table));
}

/// "(a INT NOT NULL, b STRING)".
Result<std::vector<unresolved::ColumnDefinition>> Grammar::Columns() {
  WEIR_DO(in_.Expect("("));
  std::vector<unresolved::ColumnDefinition> columns;
  do {
    WEIR_DO(RefuseTableElement());
    WEIR_TRY(unresolved::ColumnDefinition column, Column());
    columns.push_back(std::move(column));
  } while (in_.Accept(","));
  if (in_.AtKind(TokenKind::kEnd)) return in_.Mismatch();
  WEIR_DO(in_.Expect(")"));
  return columns;
}

/// A constraint in place of a column.
Status Grammar::RefuseTableElement() const {
  const bool is_constraint =
      (in_.At("CONSTRAINT") && AtName(1) && in_.AtAny({"CHECK", "UNIQUE", "PRIMARY", "FOREIGN"}, 2)) ||
      (in_.AtAny({"CHECK", "UNIQUE"}) && in_.At("(", 1)) ||
      (in_.AtAny({"PRIMARY", "FOREIGN"}) && in_.AtAll({"KEY", "("}, 1));
  if (is_constraint) return in_.Refuse("constraints", in_.SpanOf(in_.Peek()));
  return {};
}

Result<unresolved::ColumnDefinition> Grammar::Column() {
  const size_t first = in_.index();
  unresolved::ColumnDefinition column;
  WEIR_TRY(column.name, CheckedName());
  WEIR_TRY(column.type, DataType());
  bool has_comment = false;
  for (size_t before = in_.index() + 1; before != in_.index();) {
    before = in_.index();
    WEIR_DO(ColumnOption(column, has_comment));
  }
  column.span = in_.SpanFrom(first);
  return column;
}

/// Takes one option of a column if there is one.
Status Grammar::ColumnOption(unresolved::ColumnDefinition& column, bool& has_comment) {
  const SourceSpan span = in_.SpanOf(in_.Peek());
  const auto refuse_second = [&](std::string_view option) {
    in_.Defer(in_.ErrorAt(span, "CREATE_TABLE_COLUMN_DESCRIPTOR_DUPLICATE", "42710",
                          {{"columnName", column.name}, {"optionName", std::string(option)}},
                          fmt::format("The column {} has {} twice.", column.name, option)));
  };
  if (in_.AtAny({"NOT", "!"})) {
    AcceptNot();
    WEIR_DO(in_.Expect("NULL"));
    if (column.not_null) refuse_second("NOT NULL");
    column.not_null = true;
  } else if (in_.Accept("COMMENT")) {
    WEIR_TRY(column.comment, String());
    if (has_comment) refuse_second("COMMENT");
    has_comment = true;
  } else if (in_.At("DEFAULT")) {
    return in_.Refuse("DEFAULT of a column", span);
  } else if (in_.At("GENERATED")) {
    return in_.Refuse("generated columns", span);
  } else if (in_.AtAny({"CONSTRAINT", "CHECK", "UNIQUE", "PRIMARY", "REFERENCES"})) {
    return in_.Refuse("constraints", span);
  }
  return {};
}

/// Takes one clause behind the columns if there is one.
Status Grammar::TableClause(unresolved::CreateTable& table, std::vector<std::string>& seen,
                            size_t clauses_first) {
  const size_t first = in_.index();
  const auto once = [&](std::string_view clause) { return CheckOnce(seen, clause, clauses_first); };
  if (in_.Accept("OPTIONS")) {
    WEIR_TRY(table.options, OptionList());
    return once("OPTIONS");
  }
  if (in_.AtAll({"PARTITIONED", "BY"})) {
    WEIR_DO(in_.ExpectAll({"PARTITIONED", "BY"}));
    WEIR_TRY(table.partitioning, PartitionFields());
    return once("PARTITIONED BY");
  }
  if (in_.Accept("LOCATION")) {
    WEIR_TRY(table.location, String());
    return once("LOCATION");
  }
  if (in_.Accept("COMMENT")) {
    WEIR_TRY(table.comment, String());
    return once("COMMENT");
  }
  if (in_.Accept("TBLPROPERTIES")) {
    WEIR_TRY(table.properties, PropertiesWithValues());
    WEIR_DO(CheckReserved(table.properties, false, first));
    return once("TBLPROPERTIES");
  }
  for (std::string_view phrase : {"CLUSTERED BY", "CLUSTER BY", "SKEWED BY", "ROW FORMAT", "STORED AS",
                                  "STORED BY", "DEFAULT COLLATION"}) {
    if (in_.AtPhrase(phrase))
      return in_.Refuse(fmt::format("CREATE TABLE with {}", phrase), in_.SpanOf(in_.Peek()));
  }
  return {};
}

Result<Grammar::StatementNode> Grammar::Drop() {
  WEIR_DO(in_.Expect("DROP"));
  if (in_.AtAny({"NAMESPACE", "DATABASE", "SCHEMA"})) {
    in_.Take();
    unresolved::DropNamespace drop;
    WEIR_DO(IfExists(drop.if_exists));
    WEIR_TRY(drop.name, TableName());
    drop.cascade = in_.Accept("CASCADE");
    if (!drop.cascade) in_.Accept("RESTRICT");
    return StatementNode(std::move(drop));
  }
  if (!in_.Accept("TABLE")) return in_.Mismatch();
  unresolved::DropTable drop;
  WEIR_DO(IfExists(drop.if_exists));
  WEIR_TRY(drop.name, TableName());
  drop.purge = in_.Accept("PURGE");
  return StatementNode(std::move(drop));
}

}  // namespace weir::sql
