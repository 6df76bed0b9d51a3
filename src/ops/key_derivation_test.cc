#include "ops/key_derivation.h"

#include <gtest/gtest.h>

#include <limits>

namespace weir::ops {
namespace {

/// t(id int, k bigint, name string, price decimal(10,2), f float, day date, u uuid); source columns from id
/// 100.
plan::WriteTarget Target() {
  auto snapshot = std::make_shared<table::Snapshot>();
  const std::vector<std::pair<std::string, Type>> columns = {
      {"id", Type::Int()},  {"k", Type::Long()},   {"name", Type::String()}, {"price", Type::Decimal(10, 2)},
      {"f", Type::Float()}, {"day", Type::Date()}, {"u", Type::Uuid()}};
  plan::WriteTarget target;
  target.name = "cat.db.t";
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto& [name, type] = columns[i];
    snapshot->schema.fields.push_back({FieldId{static_cast<int32_t>(i) + 11}, name, type, false, ""});
    target.columns.push_back({ColumnId{static_cast<int32_t>(i) + 1}, name, SparkType(type), true});
  }
  target.snapshot = std::move(snapshot);
  return target;
}

ExprPtr Col(const plan::WriteTarget& target, size_t i) { return plan::ColumnExpr(target.columns[i]); }
ExprPtr Src(Type type, int32_t id = 100) { return MakeColumn(ColumnId{id}, "s", std::move(type), true); }
ExprPtr Eq(ExprPtr a, ExprPtr b) { return MakePredicate("=", {std::move(a), std::move(b)}); }
ExprPtr Widen(ExprPtr input, Type type) {
  return MakeCast(std::move(input), std::move(type), CastMode::kAnsi);
}
ExprPtr Lit(Scalar value) { return MakeLiteral(std::move(value)); }

TEST(SplitOn, PutsEachConjunctWhereItBelongs) {
  const plan::WriteTarget t = Target();
  const ExprPtr key = Eq(Col(t, 1), Src(Type::Long()));
  const ExprPtr target_only = Eq(Col(t, 2), Lit(Scalar::String("d1")));
  const ExprPtr source_only = MakePredicate(">", {Src(Type::Long(), 101), Lit(Scalar::Long(3))});
  const OnCondition on = SplitOn(Conjunction({key, target_only, source_only}), t);
  ASSERT_EQ(on.keys.size(), 1u);
  EXPECT_EQ(on.keys[0].column, 1u);
  EXPECT_EQ(on.keys[0].field, FieldId{12});
  EXPECT_TRUE(on.keys[0].widened.empty());
  EXPECT_EQ(on.join, std::vector<ExprPtr>{key});
  EXPECT_EQ(on.target_only, std::vector<ExprPtr>{target_only});
  EXPECT_EQ(on.source_only, std::vector<ExprPtr>{source_only});
  EXPECT_TRUE(on.not_derived.empty());
}

TEST(SplitOn, TakesTheKeyFromEitherSide) {
  const plan::WriteTarget t = Target();
  EXPECT_EQ(SplitOn(Eq(Src(Type::Long()), Col(t, 1)), t).keys.size(), 1u);
}

TEST(SplitOn, StripsLosslessWidenings) {
  const plan::WriteTarget t = Target();
  struct Case {
    size_t column;
    Type wide;
  };
  const Case cases[] = {{0, Type::Long()},         {0, Type::Double()}, {0, Type::Decimal(12, 2)},
                        {3, Type::Decimal(20, 4)}, {4, Type::Double()}, {5, Type::TimestampNtz()},
                        {1, Type::Decimal(19, 0)}};
  for (const Case& c : cases) {
    const OnCondition on = SplitOn(Eq(Widen(Col(t, c.column), c.wide), Src(c.wide)), t);
    ASSERT_EQ(on.keys.size(), 1u) << c.wide.ToString();
    EXPECT_EQ(on.keys[0].widened, std::vector<Type>{c.wide});
  }
}

TEST(SplitOn, DerivesNothingWhereItCouldLoseAMatch) {
  const plan::WriteTarget t = Target();
  const std::pair<const char*, ExprPtr> cases[] = {
      {"NULL matches NULL", MakePredicate("<=>", {Col(t, 0), Src(Type::Int())})},
      {"a long does not fit a double", Eq(Widen(Col(t, 1), Type::Double()), Src(Type::Double()))},
      {"text has many spellings of a number", Eq(Widen(Col(t, 2), Type::Long()), Src(Type::Long()))},
      {"digits are cut", Eq(Widen(Col(t, 3), Type::Decimal(10, 1)), Src(Type::Decimal(10, 1)))},
      {"an int needs ten digits", Eq(Widen(Col(t, 0), Type::Decimal(9, 0)), Src(Type::Decimal(9, 0)))},
      {"depends on the zone", Eq(Widen(Col(t, 5), Type::Timestamp()), Src(Type::Timestamp()))},
      {"stored as sixteen bytes", Eq(Col(t, 6), Src(Type::String()))},
      {"a range", MakePredicate(">=", {Col(t, 0), Src(Type::Int())})},
      {"either may match",
       MakePredicate("or", {Eq(Col(t, 0), Src(Type::Int())), Eq(Col(t, 1), Src(Type::Long(), 101))})},
      {"a side mixes both", Eq(Col(t, 0), MakePredicate("coalesce", {Col(t, 0), Src(Type::Int())}))},
  };
  for (const auto& [why, condition] : cases) {
    const OnCondition on = SplitOn(condition, t);
    EXPECT_TRUE(on.keys.empty()) << why;
    EXPECT_EQ(on.join.size(), 1u) << why;
    EXPECT_EQ(on.not_derived.size(), 1u) << why;
  }
}

TEST(SplitOn, ConstantsBelongToTheSource) {
  const plan::WriteTarget t = Target();
  const OnCondition on = SplitOn(Lit(Scalar::Boolean(false)), t);
  EXPECT_EQ(on.source_only.size(), 1u);
  EXPECT_TRUE(on.join.empty());
}

TEST(NarrowKey, FindsTheOneStoredValueOrNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    Scalar key;
    Type stored;
    std::optional<Scalar> expected;
  };
  const Case cases[] = {
      {Scalar::Long(7), Type::Int(), Scalar::Int(7)},
      {Scalar::Long(3'000'000'000), Type::Int(), std::nullopt},
      {Scalar::Double(7.0), Type::Int(), Scalar::Int(7)},
      {Scalar::Double(7.5), Type::Int(), std::nullopt},
      {Scalar::Double(-0.0), Type::Int(), Scalar::Int(0)},
      {Scalar::Double(nan), Type::Int(), std::nullopt},
      {Scalar::Double(2147483648.0), Type::Int(), std::nullopt},
      {Scalar::Double(0.5), Type::Float(), Scalar::Float(0.5f)},
      {Scalar::Double(0.1), Type::Float(), std::nullopt},
      {Scalar::Double(1e300), Type::Float(), std::nullopt},
      {Scalar::Double(nan), Type::Float(), Scalar::Float(std::numeric_limits<float>::quiet_NaN())},
      {Scalar::Decimal(12300, 20, 4), Type::Decimal(10, 2), Scalar::Decimal(123, 10, 2)},
      {Scalar::Decimal(12345, 20, 4), Type::Decimal(10, 2), std::nullopt},
      {Scalar::Decimal(PowerOfTen(13), 20, 4), Type::Decimal(10, 2), std::nullopt},
      {Scalar::Decimal(700, 12, 2), Type::Int(), Scalar::Int(7)},
      {Scalar::Decimal(750, 12, 2), Type::Int(), std::nullopt},
      {Scalar::TimestampNtz(86'400'000'000), Type::Date(), Scalar::Date(1)},
      {Scalar::TimestampNtz(-86'400'000'000), Type::Date(), Scalar::Date(-1)},
      {Scalar::TimestampNtz(1), Type::Date(), std::nullopt},
  };
  for (const Case& c : cases) {
    const auto narrow = NarrowKey(c.key, c.stored, {c.key.type()});
    EXPECT_EQ(narrow, c.expected) << c.key.ToSql() << " to " << c.stored.ToString();
  }
}

TEST(NarrowKey, LeavesAnUnwidenedKeyAndDropsNull) {
  EXPECT_EQ(NarrowKey(Scalar::String("a"), Type::String(), {}), Scalar::String("a"));
  EXPECT_EQ(NarrowKey(Scalar::Null(Type::Long()), Type::Int(), {Type::Long()}), std::nullopt);
}

TEST(PruningPredicate, KeepsWhatPrunesAndNamesFields) {
  const plan::WriteTarget t = Target();
  const ExprPtr usable = Eq(Col(t, 2), Lit(Scalar::String("x")));
  const ExprPtr of_uuid = Eq(Col(t, 6), Lit(Scalar::String("x")));
  const auto predicate = PruningPredicate({usable, of_uuid}, t);
  ASSERT_TRUE(predicate);
  EXPECT_EQ(ColumnsOf(**predicate), std::unordered_set<ColumnId>{ColumnOf(FieldId{13})});
  EXPECT_EQ(*PruningPredicate({of_uuid}, t), nullptr);
}

}  // namespace
}  // namespace weir::ops
