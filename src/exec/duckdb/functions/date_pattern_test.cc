#include "exec/duckdb/functions/date_pattern.h"

#include <gtest/gtest.h>

#include "type/datetime_text.h"
#include "type/scalar.h"

namespace weir::exec {
namespace {

using Use = DatePattern::Use;

int64_t Instant(std::string_view text) { return ReadTimestamp(text, TimeZone::Fixed(0), 0).value(); }

std::string Format(std::string_view instant, std::string_view pattern, std::string_view zone_name = "UTC") {
  const auto compiled = DatePattern::Compile(pattern, Use::kFormat);
  if (!compiled) return "[" + compiled.error().condition()->name + "]";
  const auto zone = TimeZone::Find(zone_name);
  const auto text = compiled->Format(Instant(instant), **zone, zone_name);
  return text ? *text : std::string(ToString(text.error().code()));
}

std::string Parse(std::string_view text, std::string_view pattern, std::string_view zone_name = "UTC") {
  const auto compiled = DatePattern::Compile(pattern, Use::kParse);
  if (!compiled) return "[" + compiled.error().condition()->name + "]";
  const auto micros = compiled->Parse(text, **TimeZone::Find(zone_name));
  return micros ? Scalar::Timestamp(*micros).ToString() : "no";
}

// Values seen on Spark 4.1 and Java 17.
TEST(DatePatternTest, WritesAsJavaDoes) {
  const char* day = "2024-05-07 03:04:05.012345";
  const char* ides = "-0044-03-15 15:00:00";
  const char* last = "1969-12-31 23:59:59.9";
  const char* late = "12345-11-30 00:00:00";
  struct Case {
    const char* instant;
    const char* pattern;
    const char* text;
  };
  for (const Case& c :
       {Case{day, "y|yy|yyy|yyyy|yyyyy|yyyyyy", "2024|24|2024|2024|02024|002024"},
        {ides, "y|yy|yyyy", "-44|44|-0044"},
        {ides, "G", "BC"},
        {ides, "y G", "45 BC"},
        {ides, "yyyy GGGG", "0045 Before Christ"},
        {late, "y|yyyy|yy|yyyyyy", "12345|+12345|45|012345"},
        {day, "M|MM|MMM|MMMM|L|LL|LLL|LLLL", "5|05|May|May|5|05|May|May"},
        {day, "d|dd|D|DD|DDD|E|EE|EEE|EEEE", "7|07|128|128|128|Tue|Tue|Tue|Tuesday"},
        {day, "Q|QQ|QQQ|QQQQ|q|qqq|qqqq|F", "2|02|Q2|2nd quarter|2|Q2|2nd quarter|7"},
        {day, "a|h|hh|K|KK|k|kk|H|HH|m|mm|s|ss", "AM|3|03|3|03|3|03|3|03|4|04|5|05"},
        {last, "a|hh|K|k|S|SSS", "PM|11|11|23|9|900"},
        {late, "h|k|K|H|a", "12|24|0|0|AM"},
        {day, "S|SS|SSS|SSSSSS|SSSSSSSSS", "0|01|012|012345|012345000"},
        {day, "X|XX|XXX|XXXX|XXXXX|x|xx|xxx|xxxx|xxxxx", "Z|Z|Z|Z|Z|+00|+0000|+00:00|+0000|+00:00"},
        {day, "Z|ZZ|ZZZ|ZZZZ|ZZZZZ|O|OOOO|z|zzzz|VV",
         "+0000|+0000|+0000|GMT|Z|GMT|GMT|UTC|Coordinated Universal Time|UTC"},
        {day, "EEEE, d MMMM yyyy", "Tuesday, 7 May 2024"},
        {day, "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2024-05-07T03:04:05.012Z"},
        {day, "'o''clock' h '' ''", "o'clock 3 ' '"},
        {day, "yyyy[MM][dd]", "20240507"},
        {day, "y\xE5\xB9\xB4M",
         "2024\xE5\xB9\xB4"
         "5"},
        {day, "", ""}}) {
    EXPECT_EQ(Format(c.instant, c.pattern), c.text) << c.pattern;
  }
}

TEST(DatePatternTest, WritesOffsets) {
  const char* instant = "2024-05-07 03:04:05";
  EXPECT_EQ(Format(instant, "X|XX|XXX|XXXXX|x|Z|ZZZZ|ZZZZZ|O|OOOO|VV", "Asia/Kolkata"),
            "+0530|+0530|+05:30|+05:30|+0530|+0530|GMT+05:30|+05:30|GMT+5:30|GMT+05:30|Asia/Kolkata");
  EXPECT_EQ(Format("1800-01-01 00:00:00", "XXX XXXXX O OOOO Z", "Asia/Kolkata"),
            "+05:53 +05:53:28 GMT+5:53:28 GMT+05:53:28 +0553");
  EXPECT_EQ(Format(instant, "z|VV|zzzz|O", "+05:30"), "+05:30|+05:30|+05:30|GMT+5:30");
  EXPECT_EQ(Format(instant, "z", "Asia/Kolkata"), "unsupported");
}

TEST(DatePatternTest, RefusesWhatSparkRefuses) {
  const char* changed = "[INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION]";
  for (const char* pattern : {"aa", "ddd", "DDDD", "HHH", "SSSSSSSSSS", "MMMMM", "EEEEE", "GGGGG", "yyyyyyy",
                              "Y", "u", "w", "{", "#", "]"}) {
    EXPECT_EQ(Format("2024-01-01", pattern), changed) << pattern;
  }
  for (const char* pattern : {"A", "n"}) {
    EXPECT_EQ(Format("2024-01-01", pattern), "[INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER]") << pattern;
  }
  for (const char* pattern : {"b", "T", "'", "V", "OO"}) {
    EXPECT_EQ(Format("2024-01-01", pattern), "[INVALID_DATETIME_PATTERN.WITH_SUGGESTION]") << pattern;
  }
  EXPECT_EQ(Format("2024-01-01", "e"), "[INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_WEEK_BASED_PATTERN]");
  EXPECT_EQ(Format("2024-01-01", "["), "");
  EXPECT_EQ(Parse("x", "EEE"), changed);
  EXPECT_EQ(Parse("x", "q"), "[INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER]");
}

TEST(DatePatternTest, ReadsAsJavaDoes) {
  struct Case {
    const char* text;
    const char* pattern;
    const char* instant;
  };
  for (const Case& c : {Case{"17/05/2024", "dd/MM/yyyy", "2024-05-17 00:00:00"},
                        {"7/5/2024", "d/M/yyyy", "2024-05-07 00:00:00"},
                        {"07/05/2024", "d/M/yyyy", "2024-05-07 00:00:00"},
                        {"7/5/2024", "dd/MM/yyyy", "no"},
                        {"2024", "yyyy", "2024-01-01 00:00:00"},
                        {"may 2024", "MMM yyyy", "2024-05-01 00:00:00"},
                        {"MAY 7, 2024", "MMMM d, yyyy", "2024-05-07 00:00:00"},
                        {"99", "yy", "2099-01-01 00:00:00"},
                        {"20240507", "yyyyMMdd", "2024-05-07 00:00:00"},
                        {"2024-128", "yyyy-DDD", "2024-05-07 00:00:00"},
                        {"2024-02-30", "yyyy-MM-dd", "no"},
                        {"2024-05-07x", "yyyy-MM-dd", "no"},
                        {" 2024-05-07", "yyyy-MM-dd", "no"},
                        {"10:11", "HH:mm", "1970-01-01 10:11:00"},
                        {"02024-05-07", "yyyy-MM-dd", "no"},
                        {"+12024-05-07", "yyyy-MM-dd", "+12024-05-07 00:00:00"},
                        {"12024-05-07", "y-MM-dd", "+12024-05-07 00:00:00"},
                        {"24-5-7", "y-M-d", "0024-05-07 00:00:00"},
                        {"-1-5-7", "y-M-d", "-0001-05-07 00:00:00"},
                        {"0000-05-07", "yyyy-MM-dd", "0000-05-07 00:00:00"},
                        {"03:04:05.12", "HH:mm:ss.SS", "1970-01-01 03:04:05.12"},
                        {"03:04:05.1", "HH:mm:ss.SSS", "1970-01-01 03:04:05.1"},
                        {"03:04:05.123456789", "HH:mm:ss.SSSSSSSSS", "1970-01-01 03:04:05.123456"},
                        {"03:04:05.123", "HH:mm:ss.S", "no"},
                        {"03:04 PM", "hh:mm a", "1970-01-01 15:04:00"},
                        {"12:04 AM", "hh:mm a", "1970-01-01 00:04:00"},
                        {"24", "kk", "1970-01-01 00:00:00"},
                        {"3 PM", "h a", "1970-01-01 15:00:00"},
                        {"13 PM", "hh a", "no"},
                        {"03 PM", "HH a", "no"},
                        {"24", "HH", "no"},
                        {"3", "HH", "no"},
                        {"03", "H", "1970-01-01 03:00:00"},
                        {"05", "MM", "1970-05-01 00:00:00"},
                        {"2024-05-07", "yyyy-MM-dd[ HH:mm]", "2024-05-07 00:00:00"},
                        {"2024-05-07 10:11", "yyyy-MM-dd[ HH:mm]", "2024-05-07 10:11:00"},
                        {"03:04:05Z", "HH:mm:ssX", "1970-01-01 03:04:05"},
                        {"03:04:05+02:00", "HH:mm:ssXXX", "1970-01-01 01:04:05"},
                        {"2024-05-07 03 America/New_York", "yyyy-MM-dd HH VV", "2024-05-07 07:00:00"},
                        {"03:04 +0200", "HH:mm Z", "1970-01-01 01:04:00"},
                        {"03:04 GMT+2", "HH:mm O", "1970-01-01 01:04:00"},
                        {"2024-05-07 03:04:05 PST", "yyyy-MM-dd HH:mm:ss z", "2024-05-07 10:04:05"},
                        {"", "yyyy", "no"}}) {
    EXPECT_EQ(Parse(c.text, c.pattern), c.instant) << c.text << " by " << c.pattern;
  }
  EXPECT_EQ(Parse("2021-11-07 01:30", "yyyy-MM-dd HH:mm", "America/New_York"), "2021-11-07 05:30:00");
}

}  // namespace
}  // namespace weir::exec
