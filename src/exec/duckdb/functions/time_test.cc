#include "exec/duckdb/test_plans.h"

#include <cmath>

#include "type/datetime_text.h"

namespace weir::exec {
namespace {

using testing::EngineTest;

// Values seen on Spark 4.1.
class TimeTest : public EngineTest {
 protected:
  std::string Of(std::string_view function, std::vector<ExprPtr> args, Type type, bool ansi = true) {
    auto plan = plan::MakeProject(OneRow(), {Call(function, std::move(args), std::move(type))}, {"x"}, ids_);
    RunContext context = Context();
    context.semantics.ansi = ansi;
    context.semantics.time_zone = zone_;
    return TextOf(Rows(plan, context));
  }
  static ExprPtr Date(std::string_view text) { return MakeLiteral(Scalar::Date(ReadDate(text).value())); }
  /// A reading of the clock in the session's zone.
  ExprPtr At(std::string_view text) const {
    const auto zone = TimeZone::Find(zone_);
    return MakeLiteral(Scalar::Timestamp(ReadTimestamp(text, **zone, 0).value()));
  }
  static ExprPtr Seconds(int64_t seconds) { return MakeLiteral(Scalar::Timestamp(seconds * 1'000'000)); }
  static ExprPtr Ntz(std::string_view text) {
    return MakeLiteral(Scalar::TimestampNtz(ReadTimestampNtz(text).value()));
  }
  static ExprPtr Null(Type type) { return MakeLiteral(Scalar::Null(std::move(type))); }

  std::string zone_ = "UTC";
};

TEST_F(TimeTest, FieldsOfDates) {
  struct Case {
    const char* function;
    const char* date;
    const char* value;
  };
  for (const Case& c : {Case{"year", "-0001-03-01", "-1"},
                        {"month", "2024-02-29", "2"},
                        {"day", "1969-12-31", "31"},
                        {"dayofweek", "1969-12-28", "1"},
                        {"weekday", "1969-12-29", "0"},
                        {"dayofyear", "2024-12-31", "366"},
                        {"weekofyear", "2021-01-01", "53"},
                        {"weekofyear", "2020-12-31", "53"},
                        {"weekofyear", "0000-01-01", "52"},
                        {"weekofyear", "2018-12-31", "1"},
                        {"quarter", "2024-12-01", "4"}}) {
    EXPECT_EQ(Of(c.function, {Date(c.date)}, Type::Int()), c.value) << c.function << ' ' << c.date;
  }
  EXPECT_EQ(Of("year", {Null(Type::Date())}, Type::Int()), "NULL");
}

TEST_F(TimeTest, FieldsOfTimestampsByTheSessionsClock) {
  EXPECT_EQ(Of("hour", {At("1969-12-31 23:30:59.999")}, Type::Int()), "23");
  EXPECT_EQ(Of("minute", {At("1969-12-31 23:30:59.999")}, Type::Int()), "30");
  EXPECT_EQ(Of("second", {At("1969-12-31 23:30:59.999")}, Type::Int()), "59");
  zone_ = "America/New_York";
  EXPECT_EQ(Of("hour", {Seconds(0)}, Type::Int()), "19");
  EXPECT_EQ(Of("minute", {At("1800-01-01 00:30:30")}, Type::Int()), "30");
  EXPECT_EQ(Of("hour", {Ntz("2020-01-01 05:06:07")}, Type::Int()), "5");
}

TEST_F(TimeTest, MovingDates) {
  EXPECT_EQ(Of("date_add", {Date("2024-02-28"), Int(2)}, Type::Date()), "2024-03-01");
  EXPECT_EQ(Of("date_sub", {Date("2024-03-01"), Int(-1)}, Type::Date()), "2024-03-02");
  EXPECT_EQ(Of("date_add", {Date("5881580-07-11"), Int(1)}, Type::Date()), "-5877641-06-23");
  EXPECT_EQ(Of("datediff", {Date("1969-01-01"), Date("1970-01-01")}, Type::Int()), "-365");
  EXPECT_EQ(Of("add_months", {Date("2024-01-31"), Int(1)}, Type::Date()), "2024-02-29");
  EXPECT_EQ(Of("add_months", {Date("2023-02-28"), Int(12)}, Type::Date()), "2024-02-28");
  EXPECT_EQ(Of("add_months", {Date("2020-01-15"), Int(INT32_MAX)}, Type::Date()), "[ARITHMETIC_OVERFLOW]");
  EXPECT_EQ(Of("add_months", {Date("2020-01-15"), Int(INT32_MIN)}, Type::Date(), false),
            "[ARITHMETIC_OVERFLOW]");
  EXPECT_EQ(Of("last_day", {Date("1900-02-01")}, Type::Date()), "1900-02-28");
  EXPECT_EQ(Of("last_day", {Date("2023-12-31")}, Type::Date()), "2023-12-31");
  EXPECT_EQ(Of("next_day", {Date("2024-01-01"), Str("MO")}, Type::Date()), "2024-01-08");
  EXPECT_EQ(Of("next_day", {Date("2024-01-01"), Str("tue")}, Type::Date()), "2024-01-02");
  EXPECT_EQ(Of("next_day", {Date("1969-12-31"), Str("Thursday")}, Type::Date()), "1970-01-01");
  EXPECT_EQ(Of("next_day", {Date("2024-01-01"), Str(" MO")}, Type::Date()), "[ILLEGAL_DAY_OF_WEEK]");
  EXPECT_EQ(Of("next_day", {Date("2024-01-01"), Str("xx")}, Type::Date(), false), "NULL");
  EXPECT_EQ(Of("unix_date", {Date("1969-12-31")}, Type::Int()), "-1");
  EXPECT_EQ(Of("date_from_unix_date", {Int(-1)}, Type::Date()), "1969-12-31");
}

TEST_F(TimeTest, MonthsBetween) {
  const auto months = [&](const char* end, const char* start, bool round = true) {
    return Of("months_between", {At(end), At(start), MakeLiteral(Scalar::Boolean(round))}, Type::Double());
  };
  EXPECT_EQ(months("1997-02-28 10:30:00", "1996-10-30"), "3.94959677");
  EXPECT_EQ(months("1997-02-28 10:30:00", "1996-10-30", false), "3.9495967741935485");
  EXPECT_EQ(months("2024-02-29", "2024-01-31"), "1.0");
  EXPECT_EQ(months("2024-01-15 10:00:00", "2024-02-15 23:00:00"), "-1.0");
  EXPECT_EQ(months("2020-01-01", "2021-01-02"), "-12.03225806");
  EXPECT_EQ(months("1969-12-31 12:00:00.5", "1970-05-02 01:02:03", false), "-4.049777105734767");
}

TEST_F(TimeTest, Truncation) {
  const auto trunc = [&](const char* level) {
    return Of("trunc", {Date("2024-05-17"), Str(level)}, Type::Date());
  };
  EXPECT_EQ(trunc("yy"), "2024-01-01");
  EXPECT_EQ(trunc("MON"), "2024-05-01");
  EXPECT_EQ(trunc("quarter"), "2024-04-01");
  EXPECT_EQ(trunc("week"), "2024-05-13");
  for (const char* level : {"day", "dd", "xx", " MM", ""}) EXPECT_EQ(trunc(level), "NULL") << level;
  EXPECT_EQ(Of("trunc", {Date("-0001-05-17"), Str("year")}, Type::Date()), "-0001-01-01");
  const auto date_trunc = [&](const char* level, const ExprPtr& instant) {
    return Of("date_trunc", {Str(level), instant}, Type::Timestamp());
  };
  const ExprPtr early = At("1969-12-31 13:14:15.123456");
  EXPECT_EQ(date_trunc("yyyy", early), "1969-01-01 00:00:00");
  EXPECT_EQ(date_trunc("week", early), "1969-12-29 00:00:00");
  EXPECT_EQ(date_trunc("DD", early), "1969-12-31 00:00:00");
  EXPECT_EQ(date_trunc("hour", early), "1969-12-31 13:00:00");
  EXPECT_EQ(date_trunc("minute", early), "1969-12-31 13:14:00");
  EXPECT_EQ(date_trunc("second", early), "1969-12-31 13:14:15");
  EXPECT_EQ(date_trunc("millisecond", early), "1969-12-31 13:14:15.123");
  EXPECT_EQ(date_trunc("microsecond", early), "1969-12-31 13:14:15.123456");
  EXPECT_EQ(date_trunc("decade", early), "NULL");
  zone_ = "America/New_York";
  EXPECT_EQ(date_trunc("hour", Seconds(1636267200)),
            "2021-11-07 06:00:00");  // The second 01:00 of that night.
  EXPECT_EQ(date_trunc("day", Seconds(1636268400)), "2021-11-07 04:00:00");
  EXPECT_EQ(date_trunc("minute", At("1800-01-01 00:30:30")), "1800-01-01 05:26:02");
}

TEST_F(TimeTest, MakeDate) {
  const auto make = [&](int32_t year, int32_t month, int32_t day, bool ansi = true) {
    return Of("make_date", {Int(year), Int(month), Int(day)}, Type::Date(), ansi);
  };
  EXPECT_EQ(make(2024, 2, 29), "2024-02-29");
  EXPECT_EQ(make(-1, 1, 1), "-0001-01-01");
  EXPECT_EQ(make(99999, 12, 31), "+99999-12-31");
  for (const auto& [month, day] : {std::pair{2, 29}, {13, 1}, {0, 1}, {4, 31}, {4, 32}}) {
    EXPECT_EQ(make(2023, month, day), "[DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION]")
        << month << '-' << day;
    EXPECT_EQ(make(2023, month, day, false), "NULL") << month << '-' << day;
  }
  EXPECT_EQ(make(999999999, 12, 31), "[ARITHMETIC_OVERFLOW]");
}

TEST_F(TimeTest, NumbersToTimestampsAndBack) {
  const auto seconds = [&](const ExprPtr& number) {
    return Of("timestamp_seconds", {number}, Type::Timestamp());
  };
  EXPECT_EQ(seconds(Dbl(1.1234567)), "1970-01-01 00:00:01.123456");
  EXPECT_EQ(seconds(Dbl(NAN)), "NULL");
  EXPECT_EQ(seconds(Dbl(INFINITY)), "NULL");
  EXPECT_EQ(seconds(Dbl(1e300)), "+294247-01-10 04:00:54.775807");
  EXPECT_EQ(seconds(Long(-1)), "1969-12-31 23:59:59");
  EXPECT_EQ(seconds(Long(INT64_MAX)), "[ARITHMETIC_OVERFLOW]");
  EXPECT_EQ(seconds(MakeLiteral(Scalar::Decimal(1123456, 7, 6))), "1970-01-01 00:00:01.123456");
  EXPECT_EQ(seconds(MakeLiteral(Scalar::Decimal(11234567, 8, 7))).substr(0, 7), "invalid");
  EXPECT_EQ(Of("timestamp_millis", {Long(-1)}, Type::Timestamp()), "1969-12-31 23:59:59.999");
  EXPECT_EQ(Of("timestamp_micros", {Long(-1)}, Type::Timestamp()), "1969-12-31 23:59:59.999999");
  const ExprPtr before = At("1969-12-31 23:59:59.9995");
  EXPECT_EQ(Of("unix_seconds", {before}, Type::Long()), "-1");
  EXPECT_EQ(Of("unix_millis", {before}, Type::Long()), "-1");
  EXPECT_EQ(Of("unix_micros", {before}, Type::Long()), "-500");
  EXPECT_EQ(Of("unix_timestamp", {before, Str("y")}, Type::Long()),
            "0");  // Towards zero, unlike unix_seconds.
}

TEST_F(TimeTest, IntervalsMoveTheClockByDays) {
  const Type timestamp = Type::Timestamp(), ntz = Type::TimestampNtz();
  const auto months = [](int64_t count) { return MakeLiteral(Scalar(Type::IntervalYearMonth(), count)); };
  const auto hours = [](int64_t count) {
    return MakeLiteral(Scalar(Type::IntervalDayTime(), count * 3'600'000'000));
  };
  const auto add = [&](const ExprPtr& instant, const ExprPtr& interval, const Type& type) {
    return Of("+interval", {instant, interval}, type);
  };
  EXPECT_EQ(add(At("2020-01-31"), months(1), timestamp), "2020-02-29 00:00:00");
  EXPECT_EQ(add(At("2020-02-29 12:00:00"), months(-12), timestamp), "2019-02-28 12:00:00");
  EXPECT_EQ(add(Ntz("2020-01-31 10:00:00"), months(1), ntz), "2020-02-29 10:00:00");
  EXPECT_EQ(add(At("2020-01-01"), hours(-25), timestamp), "2019-12-30 23:00:00");
  EXPECT_EQ(add(MakeLiteral(Scalar::Timestamp(INT64_MAX)), hours(25), timestamp), "[ARITHMETIC_OVERFLOW]");
  zone_ = "America/New_York";
  // Noon stays noon although the night had an hour less.
  EXPECT_EQ(add(At("2021-03-13 12:00:00"), hours(24), timestamp), "2021-03-14 16:00:00");
  EXPECT_EQ(add(At("2021-03-13 12:00:00"), hours(25), timestamp), "2021-03-14 17:00:00");
  EXPECT_EQ(add(At("2021-02-14 02:30:00"), months(1), timestamp), "2021-03-14 07:30:00");
  EXPECT_EQ(add(Ntz("2021-02-14 02:30:00"), months(1), ntz), "2021-03-14 02:30:00");
}

TEST_F(TimeTest, Patterns) {
  const Type text = Type::String(), date = Type::Date(), timestamp = Type::Timestamp();
  EXPECT_EQ(Of("date_format", {At("2024-05-07 13:14:15"), Str("yyyy-MM-dd HH:mm")}, text),
            "2024-05-07 13:14");
  EXPECT_EQ(Of("date_format", {Null(timestamp), Str("{")}, text), "NULL");
  EXPECT_EQ(Of("from_unixtime", {Long(-1), Str("yyyy/MM/dd HH:mm:ss")}, text), "1969/12/31 23:59:59");
  EXPECT_EQ(Of("to_date", {Str("17/05/2024"), Str("dd/MM/yyyy")}, date), "2024-05-17");
  EXPECT_EQ(Of("to_date", {Str("x"), Str("yyyy")}, date), "[CANNOT_PARSE_TIMESTAMP]");
  EXPECT_EQ(Of("to_date", {Str("x"), Str("yyyy")}, date, false), "NULL");
  EXPECT_EQ(Of("to_date", {At("2024-05-07 03:04:05"), Str("{")}, date), "2024-05-07");
  EXPECT_EQ(Of("to_date", {Date("2024-05-07"), Null(text)}, date), "NULL");
  EXPECT_EQ(Of("to_timestamp", {Ntz("2024-05-07 01:02:03"), Str("y")}, timestamp), "2024-05-07 01:02:03");
  EXPECT_EQ(Of("unix_timestamp", {Str("2020-01-01 00:00:01"), Str("yyyy-MM-dd HH:mm:ss")}, Type::Long()),
            "1577836801");
  EXPECT_EQ(Of("unix_timestamp", {Str("1969-12-31 23:59:59.5"), Str("yyyy-MM-dd HH:mm:ss.S")}, Type::Long()),
            "0");
  zone_ = "America/New_York";
  EXPECT_EQ(Of("unix_timestamp", {Date("2020-01-01"), Str("")}, Type::Long()), "1577854800");
  EXPECT_EQ(Of("unix_timestamp", {Ntz("2020-01-01"), Str("")}, Type::Long()), "1577836800");
  EXPECT_EQ(Of("from_unixtime", {Long(0), Str("yyyy-MM-dd HH:mm:ss")}, text), "1969-12-31 19:00:00");
}

}  // namespace
}  // namespace weir::exec
