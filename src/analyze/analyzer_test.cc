#include "analyze/analyzer.h"

#include <gtest/gtest.h>

#include "analyze/fake_tables.h"
#include "expr/pretty.h"
#include "sql/parser.h"

namespace weir::analyze {
namespace {

class AnalyzerTest : public testing::Test {
 protected:
  void SetUp() override {
    Create(
        "CREATE TABLE t (k INT NOT NULL, v BIGINT, x STRING, d DATE, ts TIMESTAMP) USING iceberg PARTITIONED "
        "BY (k)");
    Create("CREATE TABLE u (k INT, w INT) USING iceberg");
    settings_.now_us = 1'700'000'000'123'456;
  }
  void Create(const std::string& statement) {
    auto parsed = sql::ParseStatement(statement);
    ASSERT_TRUE(parsed);
    auto created = tables_.Create(*parsed, statement);
    ASSERT_TRUE(created) << created.error().ToString();
  }

  Result<plan::Command> Run(const std::string& statement) {
    WEIR_TRY(unresolved::Statement parsed, sql::ParseStatement(statement));
    plan::ColumnIds ids;
    return Analyze(parsed, tables_, settings_, ids, statement);
  }
  template <typename T>
  T Get(const std::string& statement) {
    auto command = Run(statement);
    EXPECT_TRUE(command) << statement << ": " << command.error().ToString();
    if (!command) return T{};
    const T* node = std::get_if<T>(&command->node);
    EXPECT_NE(node, nullptr) << statement;
    return node == nullptr ? T{} : *node;
  }
  Error Fails(const std::string& statement) {
    auto command = Run(statement);
    EXPECT_FALSE(command) << statement;
    return command ? Internal("it succeeded") : command.error();
  }
  std::string PlanOf(const std::string& query) {
    plan::NodePtr plan = Get<plan::QueryCommand>(query).plan;
    return plan == nullptr ? "" : plan::ToString(plan);
  }

  FakeTables tables_;
  Settings settings_;
};

TEST_F(AnalyzerTest, ErrorsQuoteThePlaceOfTheName) {
  Error error = Fails("SELECT k,\n  nosuch FROM t");
  ASSERT_NE(error.condition(), nullptr);
  ASSERT_TRUE(error.condition()->span.has_value());
  EXPECT_EQ(error.condition()->span->line, 2);
  EXPECT_EQ(error.condition()->span->position, 2);
  EXPECT_EQ(error.condition()->fragment, "nosuch");
}

TEST_F(AnalyzerTest, TextBesideAPointInTimeBecomesALiteral) {
  std::string plan = PlanOf("SELECT k FROM t WHERE ts >= '2025-01-01' AND d = '2024-02-29'");
  EXPECT_NE(plan.find("(ts >= TIMESTAMP '2025-01-01 00:00:00')"), std::string::npos) << plan;
  EXPECT_NE(plan.find("(d = DATE '2024-02-29')"), std::string::npos) << plan;
}

TEST_F(AnalyzerTest, TextIsReadInTheSessionsZone) {
  settings_.semantics.time_zone = "+02:00";
  std::string plan = PlanOf("SELECT k FROM t WHERE ts >= '2025-01-01'");
  EXPECT_NE(plan.find("TIMESTAMP '2024-12-31 22:00:00'"), std::string::npos) << plan;
}

TEST_F(AnalyzerTest, TextThatIsNoDateStaysACastThatFailsWhenItRuns) {
  std::string plan = PlanOf("SELECT k FROM t WHERE d = 'never'");
  EXPECT_NE(plan.find("CAST('never' AS DATE)"), std::string::npos) << plan;
}

TEST_F(AnalyzerTest, CurrentTimestampIsOneInstant) {
  plan::NodePtr plan = Get<plan::QueryCommand>("SELECT now() = current_timestamp()").plan;
  ASSERT_NE(plan, nullptr);
  const Call& equal = *plan->As<plan::Project>()->exprs[0]->As<Call>();
  EXPECT_EQ(*equal.args[0]->As<Scalar>(), Scalar::Timestamp(1'700'000'000'123'456));
  EXPECT_EQ(*equal.args[1]->As<Scalar>(), Scalar::Timestamp(1'700'000'000'123'456));
}

TEST_F(AnalyzerTest, TimeTravelReachesTheResolver) {
  Get<plan::QueryCommand>("SELECT * FROM t VERSION AS OF 77");
  EXPECT_EQ(tables_.last_at.kind, table::At::Kind::kVersion);
  EXPECT_EQ(tables_.last_at.number, 77);
  Get<plan::QueryCommand>("SELECT * FROM t VERSION AS OF 'audit'");
  EXPECT_EQ(tables_.last_at.kind, table::At::Kind::kRef);
  EXPECT_EQ(tables_.last_at.ref, "audit");
  Get<plan::QueryCommand>("SELECT * FROM t VERSION AS OF '77'");
  EXPECT_EQ(tables_.last_at.kind, table::At::Kind::kVersion);
  Get<plan::QueryCommand>("SELECT * FROM t TIMESTAMP AS OF '1970-01-01 00:00:01'");
  EXPECT_EQ(tables_.last_at.kind, table::At::Kind::kTimestamp);
  EXPECT_EQ(tables_.last_at.number, 1'000'000);
}

TEST_F(AnalyzerTest, TimeTravelComputesConstantsThroughTheExecutor) {
  EXPECT_EQ(Fails("SELECT * FROM t TIMESTAMP AS OF concat('2025', '-01-01')").code(),
            ErrorCode::kUnsupported);
  settings_.evaluate = [](const ExprPtr&) -> Result<Scalar> { return Scalar::Timestamp(5); };
  Get<plan::QueryCommand>("SELECT * FROM t TIMESTAMP AS OF concat('2025', '-01-01')");
  EXPECT_EQ(tables_.last_at.number, 5);
}

TEST_F(AnalyzerTest, CorrelatedColumnsAreListed) {
  plan::NodePtr plan = Get<plan::QueryCommand>(
                           "SELECT k FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = t.k AND w > (SELECT "
                           "max(w) FROM u AS i WHERE i.k = t.k))")
                           .plan;
  ASSERT_NE(plan, nullptr);
  const plan::Filter* filter = plan->inputs[0]->As<plan::Filter>();
  ASSERT_NE(filter, nullptr);
  const Subquery& exists = *filter->condition->As<Subquery>();
  // The inner subquery's use of t.k is the outer one's too.
  ASSERT_EQ(exists.outer.size(), 1u);
  EXPECT_EQ(exists.outer[0], plan->inputs[0]->output[0].id);
}

TEST_F(AnalyzerTest, InsertGivesEveryColumnInOrder) {
  auto insert = Get<plan::InsertCommand>("INSERT INTO t (x, k) VALUES (1, 2)");
  ASSERT_NE(insert.query, nullptr);
  ASSERT_EQ(insert.query->output.size(), 5u);
  const std::vector<ExprPtr>& values = insert.query->As<plan::Project>()->exprs;
  EXPECT_EQ(ToString(*values[0]), "col2");
  EXPECT_EQ(ToString(*values[2]), "CAST(col1 AS STRING)");
  EXPECT_EQ(values[2]->As<Cast>()->mode, CastMode::kStore);
  EXPECT_TRUE(values[1]->As<Scalar>()->is_null());
}

TEST_F(AnalyzerTest, OverwriteReplacesWhatItsPartitionNames) {
  auto all = Get<plan::InsertCommand>("INSERT OVERWRITE u VALUES (1, 2)");
  EXPECT_EQ(all.mode, plan::InsertCommand::Mode::kOverwriteStatic);
  EXPECT_EQ(all.overwrite, nullptr);
  auto one = Get<plan::InsertCommand>("INSERT OVERWRITE t PARTITION (k = 1) VALUES (2, 'x', NULL, NULL)");
  ASSERT_NE(one.overwrite, nullptr);
  EXPECT_EQ(ToString(*one.overwrite), "(k <=> 1)");
  settings_.dynamic_partition_overwrite = true;
  auto dynamic = Get<plan::InsertCommand>("INSERT OVERWRITE t VALUES (1, 2, 'x', NULL, NULL)");
  EXPECT_EQ(dynamic.mode, plan::InsertCommand::Mode::kOverwriteDynamic);
}

TEST_F(AnalyzerTest, UpdateKeepsColumnsThatItDoesNotSet) {
  auto update = Get<plan::UpdateCommand>("UPDATE t SET v = v + 1, x = 'n' WHERE k = 3");
  ASSERT_EQ(update.values.size(), 5u);
  EXPECT_EQ(update.values[0]->As<ColumnRef>()->id, update.target.columns[0].id);
  EXPECT_EQ(ToString(*update.values[1]), "(v + CAST(1 AS BIGINT))");
  EXPECT_EQ(ToString(*update.condition), "(k = 3)");
}

TEST_F(AnalyzerTest, MergeClausesSeeTheirSides) {
  auto merge = Get<plan::MergeCommand>(
      "MERGE INTO t USING u ON t.k = u.k WHEN MATCHED AND w > 1 THEN UPDATE SET v = w WHEN MATCHED THEN "
      "DELETE "
      "WHEN NOT MATCHED THEN INSERT (k, v) VALUES (u.k, w) WHEN NOT MATCHED BY SOURCE THEN UPDATE SET x = "
      "'gone'");
  ASSERT_EQ(merge.matched.size(), 2u);
  EXPECT_EQ(merge.matched[1].kind, plan::MergeAction::Kind::kDelete);
  ASSERT_EQ(merge.not_matched.size(), 1u);
  ASSERT_EQ(merge.not_matched[0].values.size(), 5u);
  EXPECT_TRUE(merge.not_matched[0].values[2]->As<Scalar>()->is_null());
  ASSERT_EQ(merge.not_matched_by_source.size(), 1u);
  // A wider value than the column is cast when it is stored.
  EXPECT_EQ(merge.matched[0].values[1]->As<Cast>()->mode, CastMode::kStore);
}

TEST_F(AnalyzerTest, TablesOfWithAreResolvedAnewForEachUse) {
  plan::NodePtr plan =
      Get<plan::QueryCommand>("WITH c AS (SELECT k FROM t) SELECT a.k, b.k FROM c a JOIN c b ON a.k = b.k")
          .plan;
  ASSERT_NE(plan, nullptr);
  const plan::NodePtr& join = plan->inputs[0];
  EXPECT_NE(join->output[0].id, join->output[1].id);
}

TEST_F(AnalyzerTest, DoublingIsRefusedBeforeItExplodes) {
  std::string lateral = "SELECT k AS c0";
  std::string tables = "WITH w0 AS (SELECT 1 AS one)";
  std::string nested = "k";
  for (int i = 1; i < 40; ++i) {
    lateral += fmt::format(", c{} + c{} AS c{}", i - 1, i - 1, i);
    tables += fmt::format(", w{} AS (SELECT a.one FROM w{} a, w{} b)", i, i - 1, i - 1);
    nested = fmt::format("nullif({}, 1)", nested);
  }
  EXPECT_EQ(Fails(lateral + " FROM t").code(), ErrorCode::kUnsupported);
  EXPECT_EQ(Fails(tables + " SELECT * FROM w39").code(), ErrorCode::kUnsupported);
  EXPECT_EQ(Fails(fmt::format("SELECT {} FROM t", nested)).code(), ErrorCode::kUnsupported);
}

// Each would give other rows than Spark: what is computed twice, or once for rows that only look equal.
TEST_F(AnalyzerTest, RefusesWhatItWouldComputeOtherwise) {
  Create("CREATE TABLE f (d DOUBLE, st STRUCT<x: FLOAT>) USING iceberg");
  for (const char* statement :
       {"WITH q AS (SELECT uuid() AS u) SELECT * FROM q a JOIN q b ON a.u = b.u",
        "WITH q AS (SELECT (SELECT rand()) AS r FROM t) SELECT * FROM q WHERE r = (SELECT max(r) FROM q)",
        "SELECT k, rand() AS r FROM t GROUP BY k HAVING r > 0.5", "SELECT nullif(rand(), 1D) FROM t",
        "SELECT rand() BETWEEN 0.1D AND 0.2D FROM t",
        "SELECT k, count(*) AS c FROM t GROUP BY k HAVING (SELECT c) > 1",
        "SELECT (SELECT CAST(f.d AS STRING)) FROM f",
        "SELECT (SELECT CAST(f.st AS STRUCT<x: STRING>)) FROM f",
        "SELECT * FROM f WHERE EXISTS (SELECT 1 FROM u WHERE w = 1 / f.d)", "SELECT (SELECT f.st) FROM f"}) {
    EXPECT_EQ(Fails(statement).code(), ErrorCode::kUnsupported) << statement;
  }
  for (const char* statement :
       {"WITH q AS (SELECT uuid() AS u) SELECT * FROM q",
        "WITH q AS (SELECT k FROM t) SELECT * FROM q a JOIN q b ON a.k = b.k",
        "SELECT k + 1 AS kk FROM t GROUP BY k + 1 HAVING kk > 1",
        "SELECT nullif(k, 1), k BETWEEN 1 AND 2 FROM t",
        "SELECT * FROM f WHERE EXISTS (SELECT 1 FROM u WHERE w = f.d OR w > f.st.x)",
        "SELECT * FROM f WHERE EXISTS (SELECT 1 FROM u WHERE w = CAST(f.d AS INT))"}) {
    const auto command = Run(statement);
    EXPECT_TRUE(command) << statement << ": " << command.error().ToString();
  }
}

// As deep as the parser lets text be (sql/parser.h).
TEST_F(AnalyzerTest, DeepNestingFitsTheStack) {
  std::string deep = "k", sum = "k", query = "SELECT k FROM t";
  for (int i = 0; i < 200; ++i) deep = fmt::format("abs({})", deep);
  for (int i = 0; i < 900; ++i) sum += " + 1";
  for (int i = 0; i < 100; ++i) query = fmt::format("SELECT k FROM ({}) AS q", query);
  Get<plan::QueryCommand>(fmt::format("SELECT {} AS a, {} AS b FROM t", deep, sum));
  Get<plan::QueryCommand>(query);
}

TEST_F(AnalyzerTest, SmallIntegersBecomeIntInATable) {
  auto create =
      Get<plan::CreateTableCommand>("CREATE TABLE z AS SELECT CAST(1 AS TINYINT) AS a, array(2Y) AS b");
  ASSERT_EQ(create.schema.fields.size(), 2u);
  EXPECT_EQ(create.schema.fields[0].type, Type::Int());
  EXPECT_EQ(create.query->output[0].type, Type::Int());
  EXPECT_EQ(create.query->output[1].type.ToString(), "array<int>");
}

TEST_F(AnalyzerTest, PartitioningNamesColumnsOfTheTable) {
  EXPECT_NE(Fails("CREATE TABLE z (a INT) USING iceberg PARTITIONED BY (bucket(4, b))").message().find("`b`"),
            std::string::npos);
  EXPECT_EQ(Fails("CREATE TABLE z (a FLOAT) USING iceberg PARTITIONED BY (bucket(4, a))").code(),
            ErrorCode::kInvalid);
  EXPECT_EQ(Fails("CREATE TABLE z (a INT) USING iceberg PARTITIONED BY (a, a)").code(), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace weir::analyze
