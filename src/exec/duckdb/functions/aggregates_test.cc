#include "exec/duckdb/test_plans.h"

#include <cmath>

namespace weir::exec {
namespace {

using testing::EngineTest;
using testing::Row;

// Values seen on Spark 4.1.
class AggregateTest : public EngineTest {
 protected:
  struct Wanted {
    std::string_view function;
    Type type;
    bool distinct = false;
    ExprPtr filter = {};
    std::vector<Scalar> more = {};
  };
  /// One row with the aggregates of the first `arity` columns.
  std::string Over(const plan::NodePtr& rows, size_t arity, const std::vector<Wanted>& wanted,
                   bool ansi = true) {
    std::vector<ExprPtr> aggregates;
    std::vector<plan::Column> output;
    for (const Wanted& each : wanted) {
      weir::Call call;
      call.function = FindFunction(each.function);
      EXPECT_NE(call.function, nullptr) << each.function;
      for (size_t i = 0; i < arity; ++i) call.args.push_back(plan::ColumnExpr(rows->output[i]));
      for (const Scalar& value : each.more) call.args.push_back(MakeLiteral(value));
      call.distinct = each.distinct;
      call.filter = each.filter;
      aggregates.push_back(std::make_shared<const Expr>(std::move(call), each.type, true));
      output.push_back({.id = ids_.Next(), .name = "x", .type = each.type, .nullable = true});
    }
    auto node = plan::MakeNode(plan::Aggregate{.keys = {}, .aggregates = aggregates}, {rows}, output);
    RunContext context = Context();
    context.semantics.ansi = ansi;
    return TextOf(Rows(node, context));
  }
  plan::NodePtr Column(const Type& type, const std::vector<Scalar>& values) {
    std::vector<Row> rows;
    for (const Scalar& value : values) rows.push_back({value});
    return Values({type}, rows);
  }
  plan::NodePtr Doubles(const std::vector<double>& numbers) {
    std::vector<Scalar> values;
    for (double number : numbers) values.push_back(Scalar::Double(number));
    return Column(Type::Double(), values);
  }
  plan::NodePtr Pairs(const std::vector<std::pair<double, double>>& pairs) {
    std::vector<Row> rows;
    for (const auto& [x, y] : pairs) rows.push_back({Scalar::Double(x), Scalar::Double(y)});
    return Values({Type::Double(), Type::Double()}, rows);
  }
  static Scalar Wide(const char* digits) { return Scalar::Decimal(ParseInt128(digits).value(), 38, 0); }
};

const Type kDouble = Type::Double(), kLong = Type::Long();

TEST_F(AggregateTest, SumsOfWholeNumbersStayInTheirType) {
  EXPECT_EQ(Over(Longs({INT64_MAX, -1, 1}), 1, {{"sum", kLong}, {"avg", kDouble}}),
            "9223372036854775807,3.0744573456182584E18");
  EXPECT_EQ(Over(Longs({INT64_MAX, 1}), 1, {{"sum", kLong}}), "[ARITHMETIC_OVERFLOW]");
  EXPECT_EQ(Over(Longs({INT64_MAX, 1}), 1, {{"sum", kLong}}, false), "-9223372036854775808");
  EXPECT_EQ(Over(Longs({9007199254740993, 1}), 1, {{"avg", kDouble}}), "4.503599627370496E15");
  EXPECT_EQ(Over(Longs({}), 1, {{"sum", kLong}, {"avg", kDouble}, {"count", kLong}, {"max", kLong}}),
            "NULL,NULL,0,NULL");
  EXPECT_EQ(Over(Longs({1, 1, 2}), 1, {{"sum", kLong, true}, {"avg", kDouble, true}, {"count", kLong, true}}),
            "3,1.5,2");
}

TEST_F(AggregateTest, SumsAndAveragesOfDecimals) {
  const auto rows =
      Column(Type::Decimal(3, 2), {Scalar::Decimal(100, 3, 2), Scalar::Decimal(200, 3, 2),
                                   Scalar::Decimal(200, 3, 2), Scalar::Null(Type::Decimal(3, 2))});
  EXPECT_EQ(Over(rows, 1, {{"sum", Type::Decimal(13, 2)}, {"avg", Type::Decimal(7, 6)}}), "5.00,1.666667");
  const auto wide = [&] {
    return Column(Type::Decimal(38, 0), {Wide("99999999999999999999999999999999999999"), Wide("1")});
  };
  EXPECT_EQ(Over(wide(), 1, {{"sum", Type::Decimal(38, 0)}}), "[ARITHMETIC_OVERFLOW]");
  EXPECT_EQ(Over(wide(), 1, {{"avg", Type::Decimal(38, 4)}}), "[ARITHMETIC_OVERFLOW]");
  EXPECT_EQ(Over(wide(), 1, {{"sum", Type::Decimal(38, 0)}, {"avg", Type::Decimal(38, 4)}}, false),
            "NULL,NULL");
  const auto fine = Column(Type::Decimal(38, 37), {Scalar::Decimal(PowerOfTen(37), 38, 37),
                                                   Scalar::Decimal(2 * PowerOfTen(37), 38, 37)});
  EXPECT_EQ(Over(fine, 1, {{"avg", Type::Decimal(38, 38)}}), "[NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION]");
  const auto none = Column(Type::Decimal(38, 0), {Scalar::Null(Type::Decimal(38, 0))});
  EXPECT_EQ(Over(none, 1, {{"sum", Type::Decimal(38, 0)}, {"avg", Type::Decimal(38, 4)}}), "NULL,NULL");
}

TEST_F(AggregateTest, MomentsHaveSparksDigits) {
  const std::vector<Wanted> all = {
      {"stddev_samp", kDouble}, {"stddev_pop", kDouble}, {"var_samp", kDouble}, {"var_pop", kDouble}};
  EXPECT_EQ(Over(Doubles({1, 2, 4, 8}), 1, all),
            "3.095695936834452,2.680951323690902,9.583333333333334,7.1875");
  EXPECT_EQ(Over(Doubles({1}), 1, all), "NULL,0.0,NULL,0.0");
  EXPECT_EQ(Over(Doubles({1, NAN}), 1, all), "NaN,NaN,NaN,NaN");
  EXPECT_EQ(Over(Doubles({1, INFINITY}), 1, all), "NaN,NaN,NaN,NaN");
  EXPECT_EQ(Over(Doubles({1e300, -1e300}), 1, all), "Infinity,Infinity,Infinity,Infinity");
  EXPECT_EQ(Over(Doubles({}), 1, all), "NULL,NULL,NULL,NULL");
}

TEST_F(AggregateTest, Covariances) {
  const std::vector<Wanted> all = {{"corr", kDouble}, {"covar_pop", kDouble}, {"covar_samp", kDouble}};
  EXPECT_EQ(Over(Pairs({{1, 2}, {2, 3}, {4, -1}}), 2, all),
            "-0.8386278693775345,-1.7777777777777775,-2.666666666666666");
  EXPECT_EQ(Over(Pairs({{1, 2}}), 2, all), "NULL,0.0,NULL");
  EXPECT_EQ(Over(Pairs({{1, 2}, {1, 3}}), 2, all), "[DIVIDE_BY_ZERO]");
  EXPECT_EQ(Over(Pairs({{1, 2}, {1, 3}}), 2, all, false), "NULL,0.0,0.0");
  EXPECT_EQ(Over(Pairs({{1, NAN}, {2, 1}}), 2, all), "NaN,NaN,NaN");
  EXPECT_EQ(Over(Pairs({}), 2, all), "NULL,NULL,NULL");
}

TEST_F(AggregateTest, ExtremesAndValuesBesideThem) {
  EXPECT_EQ(Over(Doubles({NAN, 1, -0.0, 0.0}), 1, {{"min", kDouble}, {"max", kDouble}}), "-0.0,NaN");
  const auto texts = Column(Type::String(), {Scalar::String("Z"), Scalar::String("a"),
                                             Scalar::String("\xC3\xA9"), Scalar::String("")});
  EXPECT_EQ(Over(texts, 1, {{"min", Type::String()}, {"max", Type::String()}}), ",\xC3\xA9");
  const Type integer = Type::Int();
  const auto rows = Values({integer, integer}, {{Scalar::Null(integer), Scalar::Int(3)},
                                                {Scalar::Int(1), Scalar::Int(2)},
                                                {Scalar::Int(2), Scalar::Int(1)},
                                                {Scalar::Int(9), Scalar::Null(integer)}});
  EXPECT_EQ(
      Over(rows, 2, {{"max_by", integer}, {"min_by", integer}, {"count", kLong}, {"count", kLong, true}}),
      "NULL,2,2,2");
}

TEST_F(AggregateTest, FirstLastAndLists) {
  const Type text = Type::String(), list = ParseType("array<string>").value();
  const auto rows =
      Column(text, {Scalar::Null(text), Scalar::String("a"), Scalar::String("b"), Scalar::String("a")});
  const std::vector<Scalar> keep = {Scalar::Boolean(false)}, skip = {Scalar::Boolean(true)};
  EXPECT_EQ(Over(rows, 1,
                 {{"first", text, false, nullptr, keep},
                  {"first", text, false, nullptr, skip},
                  {"last", text, false, nullptr, keep},
                  {"any_value", text, false, nullptr, keep}}),
            "NULL,a,a,NULL");
  EXPECT_EQ(Over(rows, 1, {{"collect_list", list}}), "[a, b, a]");
  const auto none = Column(text, {});
  EXPECT_EQ(
      Over(none, 1, {{"collect_list", list}, {"collect_set", list}, {"first", text, false, nullptr, keep}}),
      "[],[],NULL");
}

TEST_F(AggregateTest, FilterCountsOnlyItsRows) {
  const auto rows = Longs({1, 2, 3});
  const ExprPtr large = MakePredicate(">", {plan::ColumnExpr(rows->output[0]), Long(1)});
  EXPECT_EQ(Over(rows, 1, {{"sum", kLong, false, large}, {"count", kLong, false, large}}), "5,2");
}

TEST_F(AggregateTest, BitsAndBooleans) {
  const Type tiny = Type::Byte();
  const auto bytes = Column(tiny, {Scalar(tiny, int64_t{-1}), Scalar(tiny, int64_t{6}), Scalar::Null(tiny)});
  EXPECT_EQ(Over(bytes, 1, {{"bit_and", tiny}, {"bit_or", tiny}, {"bit_xor", tiny}}), "6,-1,-7");
  const Type boolean = Type::Boolean();
  const auto flags = Column(boolean, {Scalar::Boolean(true), Scalar::Boolean(false), Scalar::Null(boolean)});
  EXPECT_EQ(Over(flags, 1, {{"bool_and", boolean}, {"bool_or", boolean}, {"count_if", kLong}}),
            "false,true,1");
  const auto none = Column(boolean, {});
  EXPECT_EQ(Over(none, 1, {{"bool_and", boolean}, {"bool_or", boolean}, {"count_if", kLong}}), "NULL,NULL,0");
}

TEST_F(AggregateTest, DistinctTakesZeroesAndNansAsOne) {
  EXPECT_EQ(Over(Doubles({0.0, -0.0, NAN, NAN}), 1, {{"count", kLong, true}}), "2");
}

}  // namespace
}  // namespace weir::exec
