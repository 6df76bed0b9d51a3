#include "sql/parser.h"

#include <gtest/gtest.h>

#include "sql/printer.h"

namespace weir::sql {
namespace {

std::string Parsed(std::string_view text) {
  const Result<unresolved::ExprPtr> expr = ParseExpression(text);
  return expr ? ToSql(**expr) : expr.error().ToString();
}

TEST(ParseExpression, BindsOperatorsAsSparkDoes) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"},
      {"-a * b", "((- `a`) * `b`)"},
      {"- 1", "-1"},
      {"a - -1", "(`a` - -1)"},
      {"a -1", "(`a` - 1)"},
      {"a || b + c", "((`a` || `b`) + `c`)"},
      {"a << 1 & b ^ c | d", "((((`a` << 1) & `b`) ^ `c`) | `d`)"},
      {"a | b = c", "((`a` | `b`) = `c`)"},
      {"a = b = c", "((`a` = `b`) = `c`)"},
      {"a <> b", "(NOT (`a` = `b`))"},
      {"a !> b", "(`a` <= `b`)"},
      {"not a = b and c", "((NOT (`a` = `b`)) AND `c`)"},
      {"a or b and c", "(`a` OR (`b` AND `c`))"},
      {"a between b and c and d", "((`a` BETWEEN `b` AND `c`) AND `d`)"},
      {"a not in (1, 2)", "(NOT (`a` IN (1, 2)))"},
      {"a is not distinct from b", "(`a` <=> `b`)"},
      {"a is not true", "(NOT (`a` <=> TRUE))"},
      {"a::int + 1", "(CAST(`a` AS INT) + 1)"},
      {"-a::int", "(- CAST(`a` AS INT))"},
      {"-1::int", "CAST(-1 AS INT)"},
      {"a.b[0].c", "((`a`.`b`)[0]).`c`"},
      {"a and b and c and d", "((`a` AND `b`) AND (`c` AND `d`))"},
      {"a like 'x' escape '!' or b", "((`a` LIKE 'x' ESCAPE '!') OR `b`)"},
      {"a like any ('x', 'y')", "((`a` LIKE 'x') OR (`a` LIKE 'y'))"},
      {"a not like all ('x', 'y')", "((NOT (`a` LIKE 'x')) AND (NOT (`a` LIKE 'y')))"},
      {"interval 1 day 2 hours", "INTERVAL '1 02' DAY TO HOUR"},
      {"trim(leading 'x' from a)", "`ltrim`('x', `a`)"},
      {"case when a then 1 else b end", "CASE WHEN `a` THEN 1 ELSE `b` END"},
      {"(a, b)", "STRUCT(`a`, `b`)"},
      {"a b", "`a` AS `b`"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Parsed(text), expected) << text;
}

TEST(ParseExpression, KnowsThePlaceOfEveryNode) {
  const auto expr = ParseExpression("a +\n  b * 2");
  ASSERT_TRUE(expr);
  const auto& sum = std::get<unresolved::Call>((*expr)->node);
  const SourceSpan span = sum.args[1]->span;
  EXPECT_EQ(std::tuple(span.start, span.stop, span.line, span.position), std::tuple(6, 11, 2, 2));
  EXPECT_EQ(std::tuple((*expr)->span.start, (*expr)->span.stop), std::tuple(0, 11));
}

TEST(ParseStatement, ReportsASyntaxErrorBeforeABadLiteral) {
  EXPECT_EQ(ParseStatement("SELECT 128Y FROM t WHERE )").error().condition()->name, "PARSE_SYNTAX_ERROR");
  EXPECT_EQ(ParseStatement("SELECT 128Y FROM t").error().condition()->name, "INVALID_NUMERIC_LITERAL_RANGE");
}

TEST(ParseStatement, ReadsTimestampsInTheGivenZone) {
  const auto micros = [](std::string_view text, const std::string& zone) {
    const auto expr = ParseExpression(text, {.time_zone = zone});
    return std::get<unresolved::Literal>((*expr)->node).value.integer();
  };
  EXPECT_EQ(micros("TIMESTAMP '1970-01-01 02:00:00'", "+02:00"), 0);
  EXPECT_EQ(micros("TIMESTAMP '1970-01-01 02:00:00Z'", "+02:00"), 7'200'000'000);
  EXPECT_EQ(micros("TIMESTAMP_NTZ '1970-01-01 02:00:00'", "+02:00"), 7'200'000'000);
  EXPECT_EQ(micros("TIMESTAMP '1970-01-01'", "Europe/Berlin"), -3'600'000'000);
  EXPECT_EQ(ParseExpression("TIMESTAMP '1970-01-01'", {.time_zone = "nowhere"}).error().code(),
            ErrorCode::kUnsupported);
}

TEST(ParseStatement, MergesKeepTheOrderOfTheirClauses) {
  const auto statement = ParseStatement(
      "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED AND s.x THEN DELETE WHEN MATCHED THEN UPDATE SET * "
      "WHEN NOT MATCHED THEN INSERT (a, t.b) VALUES (1, DEFAULT) WHEN NOT MATCHED BY SOURCE THEN DELETE");
  ASSERT_TRUE(statement);
  const auto& merge = std::get<unresolved::Merge>(statement->node);
  using When = unresolved::MergeClause::When;
  using Action = unresolved::MergeClause::Action;
  ASSERT_EQ(merge.clauses.size(), 4u);
  const std::pair<When, Action> expected[] = {{When::kMatched, Action::kDelete},
                                              {When::kMatched, Action::kUpdateAll},
                                              {When::kNotMatched, Action::kInsert},
                                              {When::kNotMatchedBySource, Action::kDelete}};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(merge.clauses[i].when, expected[i].first) << i;
    EXPECT_EQ(merge.clauses[i].action, expected[i].second) << i;
  }
  EXPECT_EQ(merge.clauses[2].insert_columns[1], (unresolved::Name{"t", "b"}));
  EXPECT_TRUE(std::holds_alternative<unresolved::DefaultValue>(merge.clauses[2].insert_values[1]->node));
}

TEST(ParseStatement, KeepsTheTextOfASetting) {
  const auto set = [](std::string_view text) {
    return std::get<unresolved::SetConfiguration>(ParseStatement(text)->node);
  };
  EXPECT_EQ(set("SET a.b = 'x' -- y /* z").value, "'x' -- y /* z");
  EXPECT_EQ(set("SET a.b =  c  d ;").value, "c  d");
  EXPECT_EQ(set("SET a.b").value, std::nullopt);
  EXPECT_EQ(set("SET `a b` = `c;d`").value, "c;d");
  EXPECT_EQ(set("SET TIME ZONE INTERVAL '-05:30' HOUR TO MINUTE").value, "-05:30");
}

std::string Repeated(std::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

TEST(ParseStatement, RefusesWhatIsNestedTooDeeply) {
  const int n = 5'000;
  const std::string cases[] = {
      "SELECT " + Repeated("(", n),
      "SELECT " + Repeated("(", n) + "1" + Repeated(")", n),
      "SELECT " + Repeated("(SELECT ", n) + "1" + Repeated(")", n),
      "SELECT " + Repeated("f(", n) + "1" + Repeated(")", n),
      "SELECT " + Repeated("- ", n) + "a",
      "SELECT " + Repeated("NOT ", n) + "a",
      "SELECT a" + Repeated(" + 1", n),
      "SELECT a" + Repeated("[0]", n),
      "SELECT a" + Repeated("::int", n),
      "SELECT a LIKE ANY ('x'" + Repeated(", 'x'", n) + ")",
      "SELECT " + Repeated("CASE WHEN ", n) + "1",
      "SELECT CAST(a AS " + Repeated("ARRAY<", n) + "INT" + Repeated(">", n) + ")",
      "SELECT 1" + Repeated(" UNION ALL SELECT 1", n),
      "SELECT * FROM t" + Repeated(" JOIN t", n),
      "SELECT * FROM " + Repeated("(", n) + "t" + Repeated(")", n),
      Repeated("EXPLAIN ", n) + "SELECT 1",
      Repeated("(", n) + "SELECT 1" + Repeated(")", n),
      Repeated("WITH a AS (", n) + "SELECT 1",
  };
  for (const std::string& text : cases) {
    const auto statement = ParseStatement(text);
    ASSERT_FALSE(statement) << text.substr(0, 40);
    ASSERT_NE(statement.error().condition(), nullptr);
    EXPECT_EQ(statement.error().condition()->name, "FAILED_TO_PARSE_TOO_COMPLEX") << text.substr(0, 40);
  }
}

TEST(ParseStatement, TakesLongListsAndChainsOfConditions) {
  const int n = 5'000;
  for (const std::string& text :
       {"SELECT a" + Repeated(" AND a", n), "SELECT a" + Repeated(" OR a = 1", n),
        "SELECT a IN (1" + Repeated(", 1", n) + ")", "VALUES (1)" + Repeated(", (1)", n),
        "SELECT 1" + Repeated(", 1", n), "SELECT " + Repeated("(", 100) + "SELECT 1" + Repeated(")", 100)}) {
    const auto statement = ParseStatement(text);
    EXPECT_TRUE(statement) << text.substr(0, 40) << statement.error().ToString();
  }
}

TEST(ParseStatement, TakesNoExponentialTimeForWhatCanBeReadInTwoWays) {
  const int n = 60;
  for (const std::string& text :
       {"SELECT " + Repeated("CAST(", n) + "a" + Repeated(")", n),
        "SELECT " + Repeated("first(", n) + "a" + Repeated(")", n),
        "SELECT " + Repeated("trim(", n) + "a" + Repeated(")", n - 1),
        "SELECT " + Repeated("((SELECT ", n) + "1" + Repeated(") + 1)", n),
        "SELECT " + Repeated("(SELECT ", n) + "1" + Repeated(")", n - 1),
        "SELECT " + Repeated("a IN ((SELECT ", n) + "1" + Repeated("), 2)", n),
        "SELECT * FROM " + Repeated("((SELECT * FROM ", n) + "t" + Repeated(") x JOIN t)", n),
        "SELECT " + Repeated("EXISTS((SELECT ", n) + "1" + Repeated(") x)", n),
        Repeated("WITH a AS (", n) + "SELECT 1" + Repeated(") SELECT x y z", n)}) {
    const auto statement = ParseStatement(text);  // Ends, with an answer.
    EXPECT_TRUE(statement || statement.error().condition() != nullptr) << text.substr(0, 40);
  }
}

TEST(SplitStatements, CutsOutsideStringsNamesAndComments) {
  const auto texts = [](std::string_view script) {
    std::vector<std::string> result;
    for (const StatementText& statement : SplitStatements(script)) {
      result.push_back(statement.text + (statement.is_complete ? "" : "..."));
    }
    return result;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts("SELECT 1; SELECT 2;"), (Texts{"SELECT 1", "SELECT 2"}));
  EXPECT_EQ(texts("SELECT 1;\n-- end\n"), (Texts{"SELECT 1"}));
  EXPECT_EQ(texts("SELECT ';', \"a;\\\";\", `;``;`, r'\\' ; x"),
            (Texts{"SELECT ';', \"a;\\\";\", `;``;`, r'\\'", "x..."}));
  EXPECT_EQ(texts("/* ; /* ; */ ; */ a -- ;\n b;c"), (Texts{"a -- ;\n b", "c..."}));
  EXPECT_EQ(texts(" ;; -- x"), Texts{});
  EXPECT_EQ(texts("SELECT 'a; b"), (Texts{"SELECT 'a; b..."}));
  EXPECT_EQ(texts("SELECT 1 /* ; "), (Texts{"SELECT 1 /* ; ..."}));
  EXPECT_EQ(texts("SELECT /*+ a */ 1;"), (Texts{"SELECT /*+ a */ 1"}));
  const auto statements = SplitStatements("a;\n\n  b;");
  EXPECT_EQ(statements[1].line, 3);
  EXPECT_EQ(statements[1].start_bytes, 6u);
}

}  // namespace
}  // namespace weir::sql
