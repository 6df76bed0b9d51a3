#include "exec/duckdb/test_plans.h"

#include <atomic>
#include <cmath>
#include <thread>

namespace weir::exec {
namespace {

using plan::ColumnExpr;
using testing::EngineTest;
using testing::Row;

class PlanTest : public EngineTest {};

TEST_F(PlanTest, ValuesKeepTypesAndNulls) {
  const auto plan =
      Values({Type::Int(), Type::String(), Type::Decimal(10, 2)},
             {{Scalar::Int(1), Scalar::String("a"), Scalar::Decimal(150, 10, 2)},
              {Scalar::Null(Type::Int()), Scalar::Null(Type::String()), Scalar::Null(Type::Decimal(10, 2))}});
  EXPECT_EQ(Text(plan), "1,a,1.50;NULL,NULL,NULL");
}

TEST_F(PlanTest, EmptyValuesGiveNoRows) { EXPECT_EQ(Text(Values({Type::Int()}, {})), ""); }

TEST_F(PlanTest, RangeCountsUpAndDown) {
  EXPECT_EQ(Text(RangeOf(0, 4)), "0;1;2;3");
  EXPECT_EQ(Text(RangeOf(3, 0, -2)), "3;1");
  EXPECT_EQ(Text(RangeOf(5, 5)), "");
}

TEST_F(PlanTest, LargeResultsArriveInLargeBatches) {
  auto stream = engine_->Run(RangeOf(0, 200'000), Context());
  ASSERT_TRUE(stream);
  int64_t rows = 0, batches = 0, sum = 0;
  while (true) {
    auto batch = (*stream)->Next();
    ASSERT_TRUE(batch) << batch.error().ToString();
    if (!*batch) break;
    ++batches;
    rows += (*batch)->row_count;
    for (int64_t i = 0; i < (*batch)->row_count; ++i) sum += (*batch)->columns[0]->Value<int64_t>(i);
  }
  EXPECT_EQ(rows, 200'000);
  EXPECT_EQ(sum, 200'000ll * 199'999 / 2);
  EXPECT_LE(batches, 4);
}

TEST_F(PlanTest, FilterProjectSortLimit) {
  auto rows = RangeOf(0, 100);
  auto id = ColumnExpr(rows->output[0]);
  auto even = plan::MakeFilter(rows, MakePredicate("=", {Call("%", {id, Long(2)}, Type::Long()), Long(0)}));
  auto squared = plan::MakeProject(even, {id, Call("*", {id, id}, Type::Long())}, {"id", "square"}, ids_);
  auto sorted = plan::MakeSort(squared, {{ColumnExpr(squared->output[1]), false, false}});
  EXPECT_EQ(Text(plan::MakeLimit(sorted, 2, 1)), "96,9216;94,8836");
}

TEST_F(PlanTest, OneColumnMayBeOutputTwice) {
  auto rows = Longs({7});
  auto twice = plan::MakeNode(plan::Filter{MakeLiteral(Scalar::Boolean(true))}, {rows},
                              {rows->output[0], rows->output[0]});
  EXPECT_EQ(Text(twice), "7,7");
}

TEST_F(PlanTest, SortPutsNullsWhereAsked) {
  const Scalar null = Scalar::Null(Type::Long());
  auto rows = Values({Type::Long()}, {{Scalar::Long(2)}, {null}, {Scalar::Long(1)}});
  auto key = ColumnExpr(rows->output[0]);
  EXPECT_EQ(Text(plan::MakeSort(rows, {{key, true, true}})), "NULL;1;2");
  EXPECT_EQ(Text(plan::MakeSort(rows, {{key, true, false}})), "1;2;NULL");
  EXPECT_EQ(Text(plan::MakeSort(rows, {{key, false, true}})), "NULL;2;1");
  // A constant key orders nothing and is no column number.
  EXPECT_EQ(Text(plan::MakeSort(rows, {{Int(1), true, true}, {key, false, false}})), "2;1;NULL");
}

TEST_F(PlanTest, SortOrderSurvivesAProjection) {
  auto rows = RangeOf(0, 5000);
  auto sorted = plan::MakeSort(rows, {{ColumnExpr(rows->output[0]), false, false}});
  auto projected = plan::MakeProject(
      sorted, {Call("+", {ColumnExpr(rows->output[0]), Long(1)}, Type::Long())}, {"x"}, ids_);
  auto result = Rows(projected);
  ASSERT_TRUE(result);
  for (int64_t i = 0; i < 5000; ++i) ASSERT_EQ((*result)[i][0].integer(), 5000 - i);
}

TEST_F(PlanTest, JoinsOfEveryKind) {
  using plan::JoinType;
  struct Case {
    JoinType type;
    const char* expected;
  };
  for (const Case& c :
       {Case{JoinType::kInner, "2,2;3,3"}, Case{JoinType::kLeft, "1,NULL;2,2;3,3"},
        Case{JoinType::kRight, "NULL,4;2,2;3,3"}, Case{JoinType::kFull, "NULL,4;1,NULL;2,2;3,3"},
        Case{JoinType::kLeftSemi, "2;3"}, Case{JoinType::kLeftAnti, "1"}}) {
    auto left = Longs({1, 2, 3}), right = Longs({2, 3, 4});
    auto condition = MakePredicate("=", {ColumnExpr(left->output[0]), ColumnExpr(right->output[0])});
    auto join = plan::MakeJoin(left, right, c.type, condition);
    auto sorted = plan::MakeSort(join, {{ColumnExpr(join->output[0]), true, true}});
    EXPECT_EQ(Text(sorted), c.expected) << static_cast<int>(c.type);
  }
}

TEST_F(PlanTest, JoinWithoutConditionPairsAll) {
  auto join = plan::MakeJoin(Longs({1, 2}), Longs({3, 4}), plan::JoinType::kInner, nullptr);
  auto sorted = plan::MakeSort(join, {{ColumnExpr(join->output[0])}, {ColumnExpr(join->output[1])}});
  EXPECT_EQ(Text(sorted), "1,3;1,4;2,3;2,4");
}

TEST_F(PlanTest, NullSafeJoinMatchesNulls) {
  const Scalar null = Scalar::Null(Type::Long());
  auto left = Values({Type::Long()}, {{null}, {Scalar::Long(1)}});
  auto right = Values({Type::Long()}, {{null}, {Scalar::Long(2)}});
  auto condition = MakePredicate("<=>", {ColumnExpr(left->output[0]), ColumnExpr(right->output[0])});
  EXPECT_EQ(Text(plan::MakeJoin(left, right, plan::JoinType::kInner, condition)), "NULL,NULL");
}

TEST_F(PlanTest, NanAndZeroesCompareAndJoinAsInSpark) {
  auto left = Values({Type::Double()}, {{Scalar::Double(NAN)}, {Scalar::Double(-0.0)}});
  auto right = Values({Type::Double()}, {{Scalar::Double(NAN)}, {Scalar::Double(0.0)}});
  auto condition = MakePredicate("=", {ColumnExpr(left->output[0]), ColumnExpr(right->output[0])});
  auto join = plan::MakeJoin(left, right, plan::JoinType::kInner, condition);
  EXPECT_EQ(Text(plan::MakeSort(join, {{ColumnExpr(join->output[0])}})), "-0.0,0.0;NaN,NaN");
  EXPECT_EQ(Value(MakePredicate(">", {Dbl(NAN), Dbl(INFINITY)})), "true");
  EXPECT_EQ(Value(MakePredicate("=", {Dbl(0.0), Dbl(-0.0)})), "true");
}

TEST_F(PlanTest, DistinctAndSetOperations) {
  auto a = [&] { return Longs({1, 1, 2, 3, 3, 3}); };
  auto b = [&] { return Longs({1, 3, 3, 4}); };
  struct Case {
    plan::SetOpKind kind;
    const char* expected;
  };
  using plan::SetOpKind;
  for (const Case& c : {Case{SetOpKind::kUnionAll, "1;1;1;2;3;3;3;3;3;4"}, Case{SetOpKind::kIntersect, "1;3"},
                        Case{SetOpKind::kIntersectAll, "1;3;3"}, Case{SetOpKind::kExcept, "2"},
                        Case{SetOpKind::kExceptAll, "1;2;3"}}) {
    plan::Column out{.id = ids_.Next(), .name = "x", .type = Type::Long(), .nullable = true};
    auto node = plan::MakeNode(plan::SetOperation{c.kind}, {a(), b()}, {out});
    EXPECT_EQ(Text(plan::MakeSort(node, {{ColumnExpr(out)}})), c.expected) << static_cast<int>(c.kind);
  }
  auto input = a();
  auto distinct = plan::MakeNode(plan::Distinct{}, {input}, input->output);
  EXPECT_EQ(Text(plan::MakeSort(distinct, {{ColumnExpr(input->output[0])}})), "1;2;3");
}

TEST_F(PlanTest, RowNumbersCountEachRowOnce) {
  auto rows = Longs({7, 8, 9});
  std::vector<plan::Column> output = rows->output;
  output.push_back({.id = ids_.Next(), .name = "n", .type = Type::Long(), .nullable = false});
  auto numbered = plan::MakeNode(plan::RowNumber{}, {rows}, output);
  EXPECT_EQ(Text(plan::MakeSort(numbered, {{ColumnExpr(output[1])}})), "7,0;8,1;9,2");
}

TEST_F(PlanTest, SubqueriesScalarExistsAndIn) {
  auto inner = Longs({1, 2});
  auto make = [&](SubqueryKind kind, plan::NodePtr plan, ExprPtr value) {
    Subquery subquery{.kind = kind, .plan = plan, .value = value, .outer = {}};
    return std::make_shared<const Expr>(subquery,
                                        kind == SubqueryKind::kScalar ? Type::Long() : Type::Boolean(), true);
  };
  EXPECT_EQ(Value(make(SubqueryKind::kScalar, Longs({5}), nullptr)), "5");
  EXPECT_EQ(Value(make(SubqueryKind::kScalar, Longs({}), nullptr)), "NULL");
  EXPECT_EQ(Value(make(SubqueryKind::kScalar, inner, nullptr)), "[SCALAR_SUBQUERY_TOO_MANY_ROWS]");
  EXPECT_EQ(Value(make(SubqueryKind::kExists, Longs({}), nullptr)), "false");
  EXPECT_EQ(Value(make(SubqueryKind::kIn, Longs({1, 2}), Long(2))), "true");
  EXPECT_EQ(Value(make(SubqueryKind::kIn, Longs({1, 2}), Long(3))), "false");
  EXPECT_EQ(Value(make(SubqueryKind::kIn, Values({Type::Long()}, {{Scalar::Null(Type::Long())}}), Long(3))),
            "NULL");
}

TEST_F(PlanTest, CorrelatedExists) {
  auto outer = Longs({1, 2, 3}), inner = Longs({2, 3});
  auto condition = MakePredicate("=", {ColumnExpr(outer->output[0]), ColumnExpr(inner->output[0])});
  Subquery subquery{.kind = SubqueryKind::kExists,
                    .plan = plan::MakeFilter(inner, condition),
                    .value = nullptr,
                    .outer = {outer->output[0].id}};
  auto exists = std::make_shared<const Expr>(subquery, Type::Boolean(), false);
  auto filtered = plan::MakeFilter(outer, exists);
  EXPECT_EQ(Text(plan::MakeSort(filtered, {{ColumnExpr(outer->output[0])}})), "2;3");
}

TEST_F(PlanTest, MaterializedRowsAreScannedAgain) {
  auto relation = engine_->Materialize(RangeOf(0, 10'000), Context());
  ASSERT_TRUE(relation) << relation.error().ToString();
  EXPECT_EQ((*relation)->row_count(), 10'000);
  auto scan = ScanOf(**relation, ids_);
  auto big = plan::MakeFilter(scan, MakePredicate(">", {ColumnExpr(scan->output[0]), Long(9'997)}));
  EXPECT_EQ(Text(plan::MakeSort(big, {{ColumnExpr(scan->output[0])}})), "9998;9999");
  auto id = scan;
  relation->reset();
  EXPECT_NE(Text(id).find("not kept"), std::string::npos);
}

TEST_F(PlanTest, FalseOperandStopsEvaluation) {
  // Spark does not divide where the left side of AND is false.
  auto rows = Longs({0, 2});
  auto x = ColumnExpr(rows->output[0]);
  auto nonzero = MakePredicate("not", {MakePredicate("=", {x, Long(0)})});
  auto divides = MakePredicate("=", {Call("%", {Long(4), x}, Type::Long()), Long(0)});
  auto both = MakePredicate("and", {nonzero, divides});
  EXPECT_EQ(Text(plan::MakeProject(rows, {both}, {"b"}, ids_)), "false;true");
  EXPECT_EQ(Text(plan::MakeFilter(rows, both)), "2");
  EXPECT_EQ(Text(plan::MakeProject(rows, {MakePredicate("and", {divides, nonzero})}, {"b"}, ids_)),
            "[REMAINDER_BY_ZERO]");
}

TEST_F(PlanTest, CancelledQueryEndsSoon) {
  auto rows = RangeOf(0, 1'000'000'000'000);
  auto all = plan::MakeFilter(rows, MakePredicate("<", {ColumnExpr(rows->output[0]), Long(-1)}));
  RunContext context = Context();
  // Progress comes from another thread while the query runs.
  context.progress = [&](double) { context.cancellation.Request(); };
  auto rows_read = Rows(all, context);
  ASSERT_FALSE(rows_read);
  EXPECT_EQ(rows_read.error().code(), ErrorCode::kCancelled);
}

TEST_F(PlanTest, DroppedStreamStopsItsQuery) {
  auto stream = engine_->Run(RangeOf(0, 1'000'000'000'000), Context());
  ASSERT_TRUE(stream);
  auto first = (*stream)->Next();
  ASSERT_TRUE(first);
  EXPECT_GT((**first).row_count, 0);
  stream->reset();
  EXPECT_EQ(Text(Longs({1})), "1");
}

TEST_F(PlanTest, StatementsRunSideBySide) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      plan::ColumnIds ids(1000 * (t + 1));
      plan::Column id{.id = ids.Next(), .name = "id", .type = Type::Long(), .nullable = false};
      auto rows = plan::MakeNode(plan::Range{0, 50'000, 1}, {}, {id});
      auto kept = plan::MakeFilter(rows, MakePredicate("<", {ColumnExpr(id), Long(10'000 * (t + 1))}));
      auto result = Rows(kept);
      if (result && result->size() == 10'000u * (t + 1)) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
}

TEST_F(PlanTest, ParametersOfConditionsHoldAnyText) {
  const std::string text =
      "a\x1f"
      "1:2";
  auto plan = plan::MakeProject(OneRow(), {MakeCast(Str(text), Type::Int(), CastMode::kAnsi)}, {"x"}, ids_);
  const auto rows = Rows(plan);
  ASSERT_FALSE(rows);
  ASSERT_NE(rows.error().condition(), nullptr) << rows.error().ToString();
  const auto& parameters = rows.error().condition()->parameters;
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_EQ(parameters[0], std::pair(std::string("expression"), "'" + text + "'"));
  EXPECT_EQ(parameters[2], std::pair(std::string("targetType"), std::string("\"INT\"")));
}

TEST_F(PlanTest, AnErrorInsideAStreamEndsIt) {
  auto rows = RangeOf(0, 1'000'000);
  auto x = Call("-", {ColumnExpr(rows->output[0]), Long(999'999)}, Type::Long());
  auto stream =
      engine_->Run(plan::MakeProject(rows, {Call("%", {Long(1), x}, Type::Long())}, {"x"}, ids_), Context());
  ASSERT_TRUE(stream);
  Result<std::optional<Batch>> next = (*stream)->Next();
  while (next && *next) next = (*stream)->Next();
  ASSERT_FALSE(next);
  ASSERT_NE(next.error().condition(), nullptr) << next.error().ToString();
  EXPECT_EQ(next.error().condition()->name, "REMAINDER_BY_ZERO");
  EXPECT_EQ(next.error().condition()->sql_state, "22012");
  auto after = (*stream)->Next();
  ASSERT_TRUE(after);
  EXPECT_FALSE(*after);
}

TEST_F(PlanTest, IntegerOverflowIsAnError) {
  EXPECT_EQ(Value(Call("+", {Long(INT64_MAX), Long(1)}, Type::Long())), "[ARITHMETIC_OVERFLOW]");
  EXPECT_EQ(Value(Call("*", {Int(INT32_MAX), Int(2)}, Type::Int())), "[ARITHMETIC_OVERFLOW]");
  EXPECT_EQ(Value(Call("negative", {Long(INT64_MIN)}, Type::Long())), "[ARITHMETIC_OVERFLOW]");
  EXPECT_EQ(Value(Call("div", {Long(INT64_MIN), Long(-1)}, Type::Long())), "[ARITHMETIC_OVERFLOW]");
  EXPECT_EQ(Value(Call("/", {Dbl(1), Dbl(0)}, Type::Double())), "[DIVIDE_BY_ZERO]");
}

}  // namespace
}  // namespace weir::exec
