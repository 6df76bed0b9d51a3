#include "exec/duckdb/test_plans.h"

#include <cmath>

namespace weir::exec {
namespace {

using testing::EngineTest;

// Values seen on Spark 4.1.
class CollectionTest : public EngineTest {
 protected:
  std::string Calls(std::string_view function, std::vector<ExprPtr> args, const std::string& type,
                    bool ansi = true) {
    auto result = ParseType(type);
    EXPECT_TRUE(result) << type;
    auto plan = plan::MakeProject(OneRow(), {Call(function, std::move(args), *result)}, {"x"}, ids_);
    RunContext context = Context();
    context.semantics.ansi = ansi;
    return TextOf(Rows(plan, context));
  }
  static ExprPtr Of(const char* type, std::vector<Scalar> children) {
    return MakeLiteral(Scalar(ParseType(type).value(), std::move(children)));
  }
  static ExprPtr Ints(const std::vector<int>& numbers, bool null = false) {
    std::vector<Scalar> children;
    for (int number : numbers) children.push_back(Scalar::Int(number));
    if (null) children.push_back(Scalar::Null(Type::Int()));
    return Of("array<int>", children);
  }
  static ExprPtr Doubles(const std::vector<double>& numbers) {
    std::vector<Scalar> children;
    for (double number : numbers) children.push_back(Scalar::Double(number));
    return Of("array<double>", children);
  }
  static ExprPtr Null(const char* type) { return MakeLiteral(Scalar::Null(ParseType(type).value())); }
};

TEST_F(CollectionTest, SubscriptsCountFromZero) {
  EXPECT_EQ(Calls("[]", {Ints({1, 2, 3}), Int(2)}, "int"), "3");
  EXPECT_EQ(Calls("[]", {Ints({1}, true), Int(1)}, "int"), "NULL");
  EXPECT_EQ(Calls("[]", {Ints({1}), Null("int")}, "int"), "NULL");
  EXPECT_EQ(Calls("[]", {Null("array<int>"), Int(0)}, "int"), "NULL");
  for (int64_t index : {int64_t{-1}, int64_t{2}, INT64_MAX}) {
    EXPECT_EQ(Calls("[]", {Ints({1, 2}), Long(index)}, "int"), "[INVALID_ARRAY_INDEX]") << index;
    EXPECT_EQ(Calls("[]", {Ints({1, 2}), Long(index)}, "int", false), "NULL") << index;
  }
}

TEST_F(CollectionTest, ElementAtCountsFromOneAndFromTheEnd) {
  EXPECT_EQ(Calls("element_at", {Ints({1, 2, 3}), Int(1)}, "int"), "1");
  EXPECT_EQ(Calls("element_at", {Ints({1, 2, 3}), Int(-3)}, "int"), "1");
  EXPECT_EQ(Calls("element_at", {Ints({1, 2}), Int(0)}, "int"), "[INVALID_INDEX_OF_ZERO]");
  EXPECT_EQ(Calls("element_at", {Ints({1, 2}), Int(0)}, "int", false), "[INVALID_INDEX_OF_ZERO]");
  EXPECT_EQ(Calls("element_at", {Null("array<int>"), Int(0)}, "int"), "NULL");
  EXPECT_EQ(Calls("element_at", {Ints({1, 2}), Int(-3)}, "int"), "[INVALID_ARRAY_INDEX_IN_ELEMENT_AT]");
  EXPECT_EQ(Calls("element_at", {Ints({1, 2}), Int(3)}, "int", false), "NULL");
}

TEST_F(CollectionTest, MapsGiveTheValueOfAKey) {
  const ExprPtr map = Of("map<string,int>", {Scalar::String("a"), Scalar::Int(1), Scalar::String("n"),
                                             Scalar::Null(Type::Int())});
  for (const char* function : {"[]", "element_at"}) {
    EXPECT_EQ(Calls(function, {map, Str("a")}, "int"), "1");
    EXPECT_EQ(Calls(function, {map, Str("b")}, "int"), "NULL");
    EXPECT_EQ(Calls(function, {map, Str("n")}, "int"), "NULL");
    EXPECT_EQ(Calls(function, {map, Null("string")}, "int"), "NULL");
    EXPECT_EQ(Calls(function, {Null("map<string,int>"), Str("a")}, "int"), "NULL");
  }
  const ExprPtr doubles = Of("map<double,string>", {Scalar::Double(NAN), Scalar::String("n"),
                                                    Scalar::Double(0.0), Scalar::String("z")});
  EXPECT_EQ(Calls("[]", {doubles, Dbl(NAN)}, "string"), "n");
  EXPECT_EQ(Calls("[]", {doubles, Dbl(-0.0)}, "string"), "z");
  EXPECT_EQ(Calls("map_keys", {map}, "array<string>"), "[a, n]");
  EXPECT_EQ(Calls("map_values", {map}, "array<int>"), "[1, null]");
  EXPECT_EQ(Calls("map_keys", {Null("map<string,int>")}, "array<string>"), "NULL");
}

TEST_F(CollectionTest, MapKeysAreUniqueAndNotNull) {
  EXPECT_EQ(Calls("map", {Str("a"), Int(1), Str("b"), Null("int")}, "map<string,int>"),
            "{a -> 1, b -> null}");
  EXPECT_EQ(Calls("map", {}, "map<void,void>"), "{}");
  EXPECT_EQ(Calls("map", {Str("a"), Int(1), Str("a"), Int(2)}, "map<string,int>"), "[DUPLICATED_MAP_KEY]");
  EXPECT_EQ(Calls("map", {Null("string"), Int(1)}, "map<string,int>"), "[NULL_MAP_KEY]");
  EXPECT_EQ(Calls("map", {Dbl(-0.0), Int(1)}, "map<double,int>"), "{0.0 -> 1}");
  EXPECT_EQ(Calls("map", {Dbl(0.0), Int(1), Dbl(-0.0), Int(2)}, "map<double,int>"), "[DUPLICATED_MAP_KEY]");
  EXPECT_EQ(Calls("map", {Dbl(NAN), Int(1), Dbl(NAN), Int(2)}, "map<double,int>"), "[DUPLICATED_MAP_KEY]");
  EXPECT_EQ(Calls("map", {Ints({1}), Int(1), Ints({1}), Int(2)}, "map<array<int>,int>"),
            "[DUPLICATED_MAP_KEY]");
}

TEST_F(CollectionTest, MapsOfManyRows) {
  const auto rows = RangeOf(0, 3000);
  const ExprPtr id = plan::ColumnExpr(rows->output[0]);
  const ExprPtr map =
      Call("map", {id, Str("x"), Long(-1), Str("y")}, ParseType("map<bigint,string>").value());
  const ExprPtr value = Call("[]", {map, id}, Type::String());
  const auto same = plan::MakeFilter(rows, MakePredicate("=", {value, Str("x")}));
  EXPECT_EQ(this->Rows(same)->size(), 3000u);
}

TEST_F(CollectionTest, Sizes) {
  EXPECT_EQ(Calls("size", {Ints({1, 2})}, "int"), "2");
  EXPECT_EQ(Calls("size", {Ints({})}, "int"), "0");
  EXPECT_EQ(Calls("size", {Of("map<int,int>", {Scalar::Int(1), Scalar::Int(2)})}, "int"), "1");
  EXPECT_EQ(Calls("size", {Null("array<int>")}, "int"), "NULL");
  EXPECT_EQ(Calls("size", {Null("array<int>")}, "int", false), "-1");
  EXPECT_EQ(Calls("array_size", {Null("array<int>")}, "int", false), "NULL");
}

TEST_F(CollectionTest, ArrayContainsIsOpenBesideNull) {
  EXPECT_EQ(Calls("array_contains", {Ints({1, 2}), Int(2)}, "boolean"), "true");
  EXPECT_EQ(Calls("array_contains", {Ints({1}, true), Int(2)}, "boolean"), "NULL");
  EXPECT_EQ(Calls("array_contains", {Ints({1}, true), Int(1)}, "boolean"), "true");
  EXPECT_EQ(Calls("array_contains", {Ints({}), Int(1)}, "boolean"), "false");
  EXPECT_EQ(Calls("array_contains", {Null("array<int>"), Int(1)}, "boolean"), "NULL");
  EXPECT_EQ(Calls("array_contains", {Ints({1}), Null("int")}, "boolean"), "NULL");
  EXPECT_EQ(Calls("array_contains", {Doubles({NAN}), Dbl(NAN)}, "boolean"), "true");
  EXPECT_EQ(Calls("array_contains", {Doubles({0.0}), Dbl(-0.0)}, "boolean"), "true");
}

TEST_F(CollectionTest, ArrayDistinctKeepsOrderAndOneNull) {
  const Scalar null = Scalar::Null(Type::Int());
  EXPECT_EQ(
      Calls("array_distinct",
            {Of("array<int>", {Scalar::Int(2), null, Scalar::Int(1), Scalar::Int(2), null})}, "array<int>"),
      "[2, null, 1]");
  EXPECT_EQ(Calls("array_distinct", {Doubles({NAN, NAN, -0.0, 0.0})}, "array<double>"), "[NaN, 0.0]");
  EXPECT_EQ(Calls("array_distinct", {Ints({})}, "array<int>"), "[]");
  EXPECT_EQ(Calls("array_distinct", {Null("array<int>")}, "array<int>"), "NULL");
  EXPECT_EQ(Calls("array_distinct",
                  {Of("array<array<int>>", {*Ints({1}, true)->As<Scalar>(), *Ints({1}, true)->As<Scalar>()})},
                  "array<array<int>>"),
            "[[1, null]]");
}

TEST_F(CollectionTest, ExtremesSkipNull) {
  EXPECT_EQ(Calls("array_max", {Ints({1, 3}, true)}, "int"), "3");
  EXPECT_EQ(Calls("array_min", {Ints({1, 3}, true)}, "int"), "1");
  EXPECT_EQ(Calls("array_max", {Ints({})}, "int"), "NULL");
  EXPECT_EQ(Calls("array_max", {Ints({}, true)}, "int"), "NULL");
  EXPECT_EQ(Calls("array_max", {Doubles({1.0, NAN})}, "double"), "NaN");
  EXPECT_EQ(Calls("array_min", {Doubles({NAN, 1.0})}, "double"), "1.0");
  EXPECT_EQ(Calls("greatest", {Int(1), Null("int"), Int(3)}, "int"), "3");
  EXPECT_EQ(Calls("least", {Int(1), Null("int"), Int(3)}, "int"), "1");
  EXPECT_EQ(Calls("greatest", {Null("int"), Null("int")}, "int"), "NULL");
  EXPECT_EQ(Calls("greatest", {Dbl(1.0), Dbl(NAN)}, "double"), "NaN");
  EXPECT_EQ(Calls("least", {Dbl(1.0), Dbl(NAN)}, "double"), "1.0");
  EXPECT_EQ(Calls("greatest", {Str("a"), Str("B")}, "string"), "a");
  EXPECT_EQ(Calls("least", {Dbl(0.0), Dbl(-0.0)}, "double"), "0.0");
  EXPECT_EQ(Calls("greatest", {Dbl(-0.0), Dbl(0.0)}, "double"), "-0.0");
}

TEST_F(CollectionTest, NanvlReplacesNanOnly) {
  EXPECT_EQ(Calls("nanvl", {Dbl(NAN), Dbl(1)}, "double"), "1.0");
  EXPECT_EQ(Calls("nanvl", {Dbl(1), Null("double")}, "double"), "1.0");
  EXPECT_EQ(Calls("nanvl", {Null("double"), Dbl(1)}, "double"), "NULL");
  EXPECT_EQ(Calls("nanvl", {Dbl(NAN), Null("double")}, "double"), "NULL");
}

TEST_F(CollectionTest, ArraysAndStructs) {
  EXPECT_EQ(Calls("array", {Int(1), Null("int")}, "array<int>"), "[1, null]");
  EXPECT_EQ(Calls("array", {}, "array<void>"), "[]");
  EXPECT_EQ(Calls("named_struct", {Str("a"), Int(1), Str("A"), Str("x")}, "struct<a:int,A:string>"),
            "{1, x}");
  EXPECT_EQ(Calls("concat", {Ints({1}), Ints({2}, true)}, "array<int>"), "[1, 2, null]");
  EXPECT_EQ(Calls("concat", {Ints({1}), Null("array<int>")}, "array<int>"), "NULL");
  EXPECT_EQ(Calls("reverse", {Ints({1, 2}, true)}, "array<int>"), "[null, 2, 1]");
}

}  // namespace
}  // namespace weir::exec
