#include "sql/literal.h"

#include <gtest/gtest.h>

#include "sql/interval_literal.h"
#include "sql/lexer.h"

namespace weir::sql {
namespace {

using std::string_literals::operator""s;

TEST(StringValue, ReplacesEscapes) {
  const std::pair<std::string_view, std::string> cases[] = {
      {"'abc'", "abc"},
      {"\"abc\"", "abc"},
      {"'it''s'", "it's"},
      {"\"a\"\"b\"", "a\"b"},
      {R"('\n\t\r\b\\\'\"')", "\n\t\r\b\\'\""},
      {R"('\0\Z')", "\0\x1a"s},
      {R"('\%\_\a')", "\\%\\_a"},
      {R"('\101\18\377')", "A18377"},
      {R"('\u00e9\u12\U0001F600')", "\u00e9u12\U0001F600"},
      {R"('\uD83D\uDE00\uD83D')", "\U0001F600?"},
      {R"(r'\n''s')", "\\n''s"},
  };
  for (const auto& [token, expected] : cases) EXPECT_EQ(StringValue(token), expected) << token;
}

Result<Scalar> Number(std::string_view text, bool is_negative = false) {
  return NumberValue(Tokenize(text).list[0], is_negative);
}

TEST(NumberValue, ChoosesTheTypeByFormAndSize) {
  const std::pair<std::string_view, Scalar> cases[] = {
      {"007", Scalar::Int(7)},
      {"2147483647", Scalar::Int(2147483647)},
      {"2147483648", Scalar::Long(2147483648)},
      {"9223372036854775808", Scalar::Decimal(Int128{9223372036854775807} + 1, 19, 0)},
      {"5L", Scalar::Long(5)},
      {"5S", Scalar(Type::Short(), int64_t{5})},
      {"5Y", Scalar(Type::Byte(), int64_t{5})},
      {"1.50", Scalar::Decimal(150, 3, 2)},
      {"0.05", Scalar::Decimal(5, 2, 2)},
      {"00.5", Scalar::Decimal(5, 1, 1)},
      {".5", Scalar::Decimal(5, 1, 1)},
      {"1.", Scalar::Decimal(1, 1, 0)},
      {"1.5e3BD", Scalar::Decimal(1500, 4, 0)},
      {"1.5e-3BD", Scalar::Decimal(15, 4, 4)},
      {"1e3", Scalar::Double(1000)},
      {"1.5D", Scalar::Double(1.5)},
      {"1e-400", Scalar::Double(0)},
      {"1.5F", Scalar::Float(1.5F)},
  };
  for (const auto& [text, expected] : cases) {
    const Result<Scalar> value = Number(text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(value->type(), expected.type()) << text;
    EXPECT_TRUE(*value == expected) << text << " is " << value->ToString();
  }
}

TEST(NumberValue, ReachesTheSmallestOfEachType) {
  EXPECT_EQ(Number("2147483648", true)->type(), Type::Int());
  EXPECT_EQ(Number("128Y", true)->integer(), -128);
  EXPECT_EQ(Number("9223372036854775808L", true)->integer(), std::numeric_limits<int64_t>::min());
}

TEST(NumberValue, RefusesWhatDoesNotFit) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"128Y", "INVALID_NUMERIC_LITERAL_RANGE"},
      {"32768S", "INVALID_NUMERIC_LITERAL_RANGE"},
      {"9223372036854775808L", "INVALID_NUMERIC_LITERAL_RANGE"},
      {"99999999999999999999999999L", "INVALID_NUMERIC_LITERAL_RANGE"},
      {"1e309", "INVALID_NUMERIC_LITERAL_RANGE"},
      {"1.7976931348623158e308", "INVALID_NUMERIC_LITERAL_RANGE"},
      {"3.5e38F", "INVALID_NUMERIC_LITERAL_RANGE"},
      {"123456789012345678901234567890123456789", "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION"},
      {"1e38BD", "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION"},
      {"1e99999999999999BD", "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION"},
  };
  for (const auto& [text, condition] : cases) {
    const Result<Scalar> value = Number(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().condition()->name, condition) << text;
  }
}

TEST(HexValue, PadsAnOddNumberOfDigits) {
  EXPECT_EQ(HexValue(""), "");
  EXPECT_EQ(HexValue("0"), "\0"s);
  EXPECT_EQ(HexValue("abC"), "\x0a\xbc");
  EXPECT_EQ(HexValue("xy"), std::nullopt);
}

TEST(IntervalSql, PrintsWhatFromToReads) {
  const std::tuple<std::string_view, std::string_view, std::string_view, std::string_view> cases[] = {
      {"1-2", "year", "month", "INTERVAL '1-2' YEAR TO MONTH"},
      {"-1-2", "year", "month", "INTERVAL '-1-2' YEAR TO MONTH"},
      {"1 2:3:4.50", "day", "second", "INTERVAL '1 02:03:04.5' DAY TO SECOND"},
      {"+1 2", "day", "hour", "INTERVAL '1 02' DAY TO HOUR"},
      {"90:5", "minute", "second", "INTERVAL '90:05' MINUTE TO SECOND"},
      {"-106751991 04:00:54.775808", "day", "second", "INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND"}};
  for (const auto& [text, from, to, expected] : cases) {
    const auto interval = IntervalFromTo(text, from, to);
    ASSERT_TRUE(interval) << text;
    EXPECT_EQ(interval->text, expected);
  }
}

}  // namespace
}  // namespace weir::sql
