#include "sql/literal.h"

#include <gtest/gtest.h>

#include "sql/datetime_literal.h"
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

TEST(ParseDateText, TakesSparksForms) {
  const std::pair<std::string_view, std::optional<int32_t>> cases[] = {{"1970-01-02", 1},
                                                                       {"1970", 0},
                                                                       {"1970-2", 31},
                                                                       {" 1970-1-2 ", 1},
                                                                       {"1970-01-02Tx", 1},
                                                                       {"1970-01-02 x", 1},
                                                                       {"1969-12-31", -1},
                                                                       {"+1970-01-01", 0},
                                                                       {"2000-02-29", 11016},
                                                                       {"0001-01-01", -719162},
                                                                       {"1970-01-02x", std::nullopt},
                                                                       {"70-01-01", std::nullopt},
                                                                       {"1970-13-01", std::nullopt},
                                                                       {"1970-02-29", std::nullopt},
                                                                       {"", std::nullopt},
                                                                       {"1970-", std::nullopt},
                                                                       {"1970-01-001", std::nullopt},
                                                                       {"99999999-01-01", std::nullopt}};
  for (const auto& [text, days] : cases) EXPECT_EQ(ParseDateText(text), days) << text;
}

TEST(ParseTimestampText, TakesSparksForms) {
  const std::pair<std::string_view, int64_t> cases[] = {
      {"1970-01-01 00:00:01", 1'000'000}, {"1970-01-01T01", 3'600'000'000},
      {"1970-1-1 1:2:3", 3'723'000'000},  {"1970-01-01 00:00:00.1234567", 123'456},
      {"1970-01-01 00:00:00.", 0},        {"1969-12-31", -86'400'000'000},
  };
  for (const auto& [text, micros] : cases) {
    const auto value = ParseTimestampText(text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(value->wall_micros, micros) << text;
    EXPECT_EQ(value->zone, "") << text;
  }
  EXPECT_EQ(ParseTimestampText("1970-01-01 00:00:00 UTC+3")->zone, "UTC+3");
  EXPECT_FALSE(ParseTimestampText("T12")->has_date);
  for (std::string_view text : {"", "x", "1970-01-01 24:00:00", "1970-01-01 00:60", "1970-01-01 00:00 UTC",
                                "1970-01-01  00:00", "294248-01-01", "1970-01-01 00:00:"}) {
    EXPECT_FALSE(ParseTimestampText(text)) << text;
  }
}

TEST(ZoneOffsetMicros, KnowsUtcAndOffsets) {
  const std::pair<std::string_view, int64_t> minutes[] = {{"Z", 0},          {"UTC", 0},      {"+2", 120},
                                                          {"-02:30", -150},  {"+0230", 150},  {"UTC+3", 180},
                                                          {"GMT-1:30", -90}, {"+18:00", 1080}};
  for (const auto& [zone, expected] : minutes)
    EXPECT_EQ(*ZoneOffsetMicros(zone), expected * 60'000'000) << zone;
  EXPECT_EQ(ZoneOffsetMicros("Europe/Berlin").error().code(), ErrorCode::kUnsupported);
  for (std::string_view zone : {"+19:00", "+1:60", "+", "+1:2:3:4"}) {
    EXPECT_EQ(ZoneOffsetMicros(zone).error().code(), ErrorCode::kInvalid) << zone;
  }
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
