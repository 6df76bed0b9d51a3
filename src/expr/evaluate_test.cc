#include "expr/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "expr/like_pattern.h"

namespace weir {
namespace {

Result<Scalar> NoColumns(const ColumnRef& column) { return NotFound("column {}", column.name); }

std::string Value(const ExprPtr& expr) {
  const Result<Scalar> value = EvaluateRow(*expr, NoColumns);
  return value ? value->ToString() : std::string(ToString(value.error().code()));
}

ExprPtr Lit(Scalar value) { return MakeLiteral(std::move(value)); }
ExprPtr Int(int value) { return Lit(Scalar::Int(value)); }
ExprPtr Str(std::string value) { return Lit(Scalar::String(std::move(value))); }
ExprPtr Bool(bool value) { return Lit(Scalar::Boolean(value)); }
ExprPtr Null(Type type) { return Lit(Scalar::Null(std::move(type))); }

// Expected values: Spark 4.1.4.
TEST(EvaluateRow, AnswersAsSpark) {
  const ExprPtr no = Null(Type::Boolean()), no_int = Null(Type::Int());
  const ExprPtr nan = Lit(Scalar::Double(std::nan("")));
  const auto real = [](double v) { return Lit(Scalar::Double(v)); };
  const std::pair<ExprPtr, std::string> rows[] = {
      {MakePredicate("=", {Int(1), Int(1)}), "true"},
      {MakePredicate("=", {Int(1), no_int}), "NULL"},
      {MakePredicate("<", {Int(1), Int(2)}), "true"},
      {MakePredicate(">=", {Int(1), Int(2)}), "false"},
      {MakePredicate("<=>", {no_int, no_int}), "true"},
      {MakePredicate("<=>", {Int(1), no_int}), "false"},
      {MakePredicate("=", {nan, nan}), "true"},
      {MakePredicate(">", {nan, real(INFINITY)}), "true"},
      {MakePredicate("=", {real(-0.0), real(0.0)}), "true"},
      {MakePredicate("isnan", {nan}), "true"},
      {MakePredicate("isnan", {Null(Type::Double())}), "false"},
      {MakePredicate("isnull", {no_int}), "true"},
      {MakePredicate("isnotnull", {no_int}), "false"},
      {MakePredicate("and", {Bool(false), no}), "false"},
      {MakePredicate("and", {no, Bool(false)}), "false"},
      {MakePredicate("and", {Bool(true), no}), "NULL"},
      {MakePredicate("and", {Bool(true), Bool(true)}), "true"},
      {MakePredicate("or", {no, Bool(true)}), "true"},
      {MakePredicate("or", {Bool(false), no}), "NULL"},
      {MakePredicate("or", {Bool(false), Bool(false)}), "false"},
      {MakePredicate("not", {no}), "NULL"},
      {MakePredicate("in", {Int(1), Int(2), Int(1)}), "true"},
      {MakePredicate("in", {Int(1), Int(2), no_int}), "NULL"},
      {MakePredicate("in", {Int(1), Int(2)}), "false"},
      {MakePredicate("in", {no_int, Int(2)}), "NULL"},
      {MakePredicate("startswith", {Str("abc"), Str("ab")}), "true"},
      {MakePredicate("startswith", {Str("abc"), Str("")}), "true"},
      {MakePredicate(
           "=", {MakeCast(Int(1), Type::Decimal(5, 2), CastMode::kAnsi), Lit(Scalar::Decimal(100, 5, 2))}),
       "true"},
      {MakePredicate("and", {Bool(false), MakePredicate("contains", {Str("a"), Str("a")})}), "false"},
      {MakePredicate("contains", {Str("a"), Str("a")}), "unsupported"},
      {MakePredicate("isnull", {MakeColumn(ColumnId{1}, "x", Type::Int(), true)}), "not found"},
      {MakeCast(Int(1000), Type::Decimal(3, 1), CastMode::kAnsi), "invalid"},
  };
  for (const auto& [expr, expected] : rows) EXPECT_EQ(Value(expr), expected) << ToString(*expr);
}

TEST(CastInOrder, RoundsLongsAsJava) {
  EXPECT_EQ(CastInOrder(Scalar::Long(9007199254740993), Type::Double())->ToString(), "9.007199254740992E15");
  EXPECT_EQ(CastInOrder(Scalar::Int(16777217), Type::Float())->ToString(), "1.6777216E7");
  EXPECT_FALSE(CastInOrder(Scalar::Double(1), Type::Long()));
  EXPECT_TRUE(CastAlwaysFits(Type::Long(), Type::Float()));
  EXPECT_FALSE(CastAlwaysFits(Type::Date(), Type::TimestampNtz()));
}

// Expected values: Spark 4.1.4, text LIKE pattern.
TEST(LikePattern, MatchesAsSpark) {
  struct Row {
    std::string text, pattern;
    bool matches;
  };
  const Row rows[] = {
      {"abc", "abc", true},
      {"abc", "ab", false},
      {"abc", "a%", true},
      {"abc", "%c", true},
      {"abc", "%b%", true},
      {"abc", "_b_", true},
      {"abc", "__", false},
      {"abc", "a%%c", true},
      {"", "", true},
      {"", "%", true},
      {"", "_", false},
      {"a\nb", "a%b", true},
      {"a%b", "a\\%b", true},
      {"axb", "a\\%b", false},
      {"a\\b", "a\\\\b", true},
      {"a_b", "a\\_b", true},
      {"\u00e9", "_", true},
      {"\U0001F600x", "_x", true},
      {"aab", "%ab", true},
      {"abab", "%ab", true},
      {"abcabd", "%ab_", true},
      {"mississippi", "m%iss%pi", true},
      {"mississippi", "m%iss%ppx", false},
      {"aaaa", "%a_a", true},
      {"ab", "%_%_%", true},
      {"a", "%_%_%", false},
      {"abc", "%%%", true},
      {"ABC", "abc", false},
      {"abc ", "abc", false},
      {"xay", "_a%_", true},
      {"xa", "_a%_", false},
  };
  for (const Row& row : rows) {
    const Result<LikePattern> pattern = LikePattern::Parse(row.pattern);
    ASSERT_TRUE(pattern) << row.pattern;
    EXPECT_EQ(pattern->Matches(row.text), row.matches) << row.text << " LIKE " << row.pattern;
  }
  EXPECT_TRUE(LikePattern::Parse("a!%b", '!')->Matches("a%b"));
  EXPECT_TRUE(LikePattern::Parse("a\\b", '!')->Matches("a\\b"));
}

TEST(LikePattern, KnowsItsPrefixAndRefusesBadEscapes) {
  EXPECT_EQ(LikePattern::Parse("ab\\%c%d")->prefix(), "ab%c");
  EXPECT_TRUE(LikePattern::Parse("ab")->is_exact());
  EXPECT_TRUE(LikePattern::Parse("ab%")->is_prefix());
  EXPECT_FALSE(LikePattern::Parse("ab%%")->is_exact());
  EXPECT_FALSE(LikePattern::Parse("ab_")->is_prefix());
  EXPECT_EQ(LikePattern::Parse("ab\\").error().condition()->name, "INVALID_FORMAT.ESC_AT_THE_END");
  EXPECT_EQ(LikePattern::Parse("a\\b").error().condition()->name, "INVALID_FORMAT.ESC_IN_THE_MIDDLE");
}

}  // namespace
}  // namespace weir
