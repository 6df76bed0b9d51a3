#include "exec/duckdb/test_plans.h"

#include <cmath>

namespace weir::exec {
namespace {

using testing::EngineTest;

// Values seen on Spark 4.1.
class CastTest : public EngineTest {
 protected:
  std::string Cast(const ExprPtr& input, const std::string& type, CastMode mode = CastMode::kAnsi,
                   const std::string& zone = "UTC") {
    auto target = ParseType(type);
    EXPECT_TRUE(target) << type;
    auto plan = plan::MakeProject(OneRow(), {MakeCast(input, *target, mode)}, {"x"}, ids_);
    RunContext context = Context();
    context.semantics.time_zone = zone;
    return TextOf(Rows(plan, context));
  }
  std::string Text(const std::string& text, const std::string& type, CastMode mode = CastMode::kAnsi,
                   const std::string& zone = "UTC") {
    return Cast(Str(text), type, mode, zone);
  }
  static ExprPtr Dec(Int128 unscaled, int precision, int scale) {
    return MakeLiteral(Scalar::Decimal(unscaled, precision, scale));
  }
};

struct TextCase {
  const char* text;
  const char* type;
  const char* ansi;
};
constexpr char kBad[] = "[CAST_INVALID_INPUT]";
constexpr char kWide[] = "[NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION]";
constexpr char kOver[] = "[CAST_OVERFLOW]";

TEST_F(CastTest, TextToNumbers) {
  const TextCase cases[] = {
      {"  12 ", "int", "12"},
      {"+12", "int", "12"},
      {"-0", "int", "0"},
      {" ", "int", kBad},
      {"1.", "int", kBad},
      {"+", "int", kBad},
      {"1.5", "int", kBad},
      {"1e2", "int", kBad},
      {"\x1F\x31\x09", "int", "1"},
      {"\x7F\x31", "int", "1"},
      {"\xC2\xA0\x31", "int", kBad},
      {"0x1F", "int", kBad},
      {"2147483648", "int", kBad},
      {"-2147483648", "int", "-2147483648"},
      {"-9223372036854775808", "bigint", "-9223372036854775808"},
      {"9223372036854775808", "bigint", kBad},
      {"128", "tinyint", kBad},
      {"-128", "tinyint", "-128"},
      {"32768", "smallint", kBad},
      {"1e2", "double", "100.0"},
      {"1d", "double", "1.0"},
      {"1F", "double", "1.0"},
      {"0x1p3", "double", "8.0"},
      {".5", "double", "0.5"},
      {"5.", "double", "5.0"},
      {".", "double", kBad},
      {"1e", "double", kBad},
      {"", "double", kBad},
      {"nAn", "double", "NaN"},
      {"-nan", "double", kBad},
      {" inf ", "double", "Infinity"},
      {"-INF", "double", "-Infinity"},
      {"+Infinity", "double", "Infinity"},
      {"infin", "double", kBad},
      {"1e400", "double", "Infinity"},
      {"-1e400", "double", "-Infinity"},
      {"1e-400", "double", "0.0"},
      {"0.0000000001e400", "double", "Infinity"},
      {"-0", "double", "-0.0"},
      {"1e39", "float", "Infinity"},
      {"1e-50", "float", "0.0"},
      {"0.1", "float", "0.1"},
      {"TRUE", "boolean", "true"},
      {" yes ", "boolean", "true"},
      {"n", "boolean", "false"},
      {"0", "boolean", "false"},
      {"on", "boolean", kBad},
      {"01", "boolean", kBad},
      {"1.55", "decimal(5,1)", "1.6"},
      {"-1.55", "decimal(5,1)", "-1.6"},
      {"1e2", "decimal(5,1)", "100.0"},
      {"1e-30", "decimal(5,1)", "0.0"},
      {" 5. ", "decimal(5,1)", "5.0"},
      {"-", "decimal(5,1)", kBad},
      {"1d", "decimal(5,1)", kBad},
      {"99999", "decimal(5,1)", kWide},
      {"0e1000", "decimal(5,1)", "0.0"},
      {"99999999999999999999999999999999999999.4", "decimal(38,0)", "99999999999999999999999999999999999999"},
      {"99999999999999999999999999999999999999.5", "decimal(38,0)", kWide},
      {"0.99999999999999999999999999999999999999999999999", "decimal(38,10)", "1.0000000000"},
  };
  for (const TextCase& c : cases) {
    EXPECT_EQ(Text(c.text, c.type), c.ansi) << c.text << " as " << c.type;
    const std::string with_try = Text(c.text, c.type, CastMode::kTry);
    EXPECT_EQ(with_try, c.ansi[0] == '[' ? "NULL" : c.ansi) << c.text << " as " << c.type;
  }
}

TEST_F(CastTest, TextToNumbersWithoutAnsi) {
  const TextCase cases[] = {
      {"1.5", "int", "1"},        {"1.", "int", "1"},      {".5", "int", "0"},
      {".", "int", "0"},          {"-.5", "int", "0"},     {"1.5x", "int", "NULL"},
      {"1.5e1", "int", "NULL"},   {"", "int", "NULL"},     {"2147483647.9", "int", "2147483647"},
      {"128", "tinyint", "NULL"}, {"x", "double", "NULL"}, {"99999", "decimal(5,1)", "NULL"},
  };
  for (const TextCase& c : cases) {
    EXPECT_EQ(Text(c.text, c.type, CastMode::kLegacy), c.ansi) << c.text << " as " << c.type;
  }
}

TEST_F(CastTest, NumbersToNumbers) {
  struct Case {
    ExprPtr input;
    const char* type;
    const char* ansi;
    const char* legacy;
  };
  const ExprPtr large = Dec(ParseInt128("99999999999999999999").value(), 20, 0);
  const Case cases[] = {
      {Dbl(-1.5), "int", "-1", "-1"},
      {Dbl(NAN), "int", kOver, "0"},
      {Dbl(INFINITY), "bigint", kOver, "9223372036854775807"},
      {Dbl(2147483647.9), "int", "2147483647", "2147483647"},
      {Dbl(2147483648), "int", kOver, "2147483647"},
      {Dbl(-2147483648.9), "int", "-2147483648", "-2147483648"},
      {Dbl(9.223372036854775807E18), "bigint", "9223372036854775807", "9223372036854775807"},
      {Dbl(127.9), "tinyint", "127", "127"},
      {Dbl(128.5), "tinyint", kOver, "-128"},
      {Dbl(3e9), "tinyint", kOver, "-1"},
      {Dbl(1e20), "smallint", kOver, "-1"},
      {Int(300), "tinyint", kOver, "44"},
      {Long(-3000000000), "int", kOver, "1294967296"},
      {Dec(1279, 4, 1), "tinyint", "127", "127"},
      {Dec(1285, 4, 1), "tinyint", kOver, "-128"},
      {large, "bigint", kOver, "7766279631452241919"},
      {large, "int", kOver, "1661992959"},
      {large, "double", "1.0E20", "1.0E20"},
      {Dec(16777217, 8, 0), "float", "1.6777216E7", "1.6777216E7"},
      {Dbl(NAN), "boolean", "true", "true"},
      {Dec(0, 3, 2), "boolean", "false", "false"},
      {Int(123), "decimal(3,1)", kWide, "NULL"},
      {Int(12), "decimal(3,1)", "12.0", "12.0"},
      {MakeLiteral(Scalar::Boolean(true)), "decimal(1,1)", kWide, "NULL"},
      {Dbl(0.15), "decimal(5,1)", "0.2", "0.2"},
      {Dbl(2.675), "decimal(5,2)", "2.68", "2.68"},
      {Dbl(NAN), "decimal(5,1)", "NULL", "NULL"},
      {Dbl(1e30), "decimal(10,0)", kWide, "NULL"},
      {MakeLiteral(Scalar::Float(0.1f)), "decimal(20,15)", "0.100000001490116", "0.100000001490116"},
      {Dec(999, 3, 2), "decimal(2,1)", kWide, "NULL"},
      {Dec(-1005, 4, 3), "decimal(3,2)", "-1.01", "-1.01"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Cast(c.input, c.type), c.ansi) << ToString(*c.input) << " as " << c.type;
    EXPECT_EQ(Cast(c.input, c.type, CastMode::kLegacy), c.legacy) << ToString(*c.input) << " as " << c.type;
  }
}

TEST_F(CastTest, TextToDates) {
  const TextCase cases[] = {
      {"2020-1-1", "date", "2020-01-01"},
      {"2020", "date", "2020-01-01"},
      {"20200101", "date", kBad},
      {"2020-02-30", "date", kBad},
      {"02020-01-01", "date", "2020-01-01"},
      {"020-01-01", "date", kBad},
      {"-2020-01-01", "date", "-2020-01-01"},
      {"2020-01-01 abc", "date", "2020-01-01"},
      {"2020-01-01Tabc", "date", "2020-01-01"},
      {"2020-01-01abc", "date", kBad},
      {"2020-01 ", "date", "2020-01-01"},
      {"2020-01 x", "date", kBad},
      {"2020-01T", "date", kBad},
      {"2020-", "date", kBad},
      {"-", "date", kBad},
      {"5881580-07-11", "date", "+5881580-07-11"},
      {"5881580-07-12", "date", kBad},
      {"2020-001-01", "date", kBad},
  };
  for (const TextCase& c : cases) EXPECT_EQ(Text(c.text, c.type), c.ansi) << c.text;
}

TEST_F(CastTest, TextToTimestamps) {
  const TextCase cases[] = {
      {"2020-01-01 12", "timestamp", "2020-01-01 12:00:00"},
      {"2020-01-01T12:3:4.", "timestamp", "2020-01-01 12:03:04"},
      {"2020-01-01 12:3:4.1234567", "timestamp", "2020-01-01 12:03:04.123456"},
      {"2020-01-01 12:3:4Z", "timestamp", "2020-01-01 12:03:04"},
      {"2020-01-01 12:3Z", "timestamp", kBad},
      {"2020-01-01 12:03:04 UTC", "timestamp", "2020-01-01 12:03:04"},
      {"2020-01-01 12:03:04.5 America/New_York", "timestamp", "2020-01-01 17:03:04.5"},
      {"2020-01-01 12:03:04+1", "timestamp", "2020-01-01 11:03:04"},
      {"2020-01-01 12:03:04+1:30", "timestamp", "2020-01-01 10:33:04"},
      {"2020-01-01 12:03:04-01:3", "timestamp", "2020-01-01 13:06:04"},
      {"2020-01-01 12:03:04GMT+2", "timestamp", "2020-01-01 10:03:04"},
      {"2020-01-01 12:03:04 PST", "timestamp", "2020-01-01 20:03:04"},
      {"2020-01-01 12:03:04 est", "timestamp", kBad},
      {"2020-01-01 12:03:04+19:00", "timestamp", kBad},
      {"2020-01-01 12:03:04+010203", "timestamp", "2020-01-01 11:01:01"},
      {"2020-01-01 12:03:04+0102", "timestamp", "2020-01-01 11:01:04"},
      {"2020-01-01 24:00:00", "timestamp", kBad},
      {"2020-01-01 23:59:60", "timestamp", kBad},
      {"2020-3", "timestamp", "2020-03-01 00:00:00"},
      {"2020-03-1T", "timestamp", kBad},
      {"2020-03-01 ", "timestamp", "2020-03-01 00:00:00"},
      {"294247-01-10 04:00:54.775807", "timestamp", "+294247-01-10 04:00:54.775807"},
      {"294247-01-10 04:00:54.775808", "timestamp", kBad},
      {"-290308-12-21 19:59:05.224192", "timestamp", "-290308-12-21 19:59:05.224192"},
      {"-290308-12-21 19:59:05.224191", "timestamp", kBad},
      {"2020-01-01 12:00:00 Europe/Nowhere", "timestamp", kBad},
      {"", "timestamp", kBad},
      {"-12:00:00", "timestamp", kBad},
      {" T1", "timestamp", kBad},
      {"123:00", "timestamp", kBad},
      {"2020-01-01 12:03:04+01:00", "timestamp_ntz", "2020-01-01 12:03:04"},
      {"12:03", "timestamp_ntz", kBad},
  };
  for (const TextCase& c : cases) EXPECT_EQ(Text(c.text, c.type), c.ansi) << c.text;
}

TEST_F(CastTest, TimesAndNumbers) {
  EXPECT_EQ(Cast(Dbl(1.0000015), "timestamp"), "1970-01-01 00:00:01.000001");
  EXPECT_EQ(Cast(Dec(-10000015, 8, 7), "timestamp"), "1969-12-31 23:59:58.999999");
  EXPECT_EQ(Cast(Dbl(NAN), "timestamp"), kBad);
  EXPECT_EQ(Cast(Dbl(NAN), "timestamp", CastMode::kLegacy), "NULL");
  EXPECT_EQ(Cast(Dbl(1e300), "timestamp"), kOver);
  EXPECT_EQ(Cast(Dbl(1e300), "timestamp", CastMode::kLegacy), "+294247-01-10 04:00:54.775807");
  EXPECT_EQ(Cast(Long(INT64_MAX), "timestamp"), "+294247-01-10 04:00:54.775807");
  EXPECT_EQ(Cast(Dec(ParseInt128("99999999999999999999").value(), 20, 0), "timestamp"),
            "-78449-06-15 02:58:03.596224");
  const ExprPtr half_before = MakeLiteral(Scalar::Timestamp(-500'000));
  EXPECT_EQ(Cast(half_before, "bigint"), "-1");
  EXPECT_EQ(Cast(half_before, "date"), "1969-12-31");
  EXPECT_EQ(Cast(half_before, "double"), "-0.5");
  EXPECT_EQ(Cast(half_before, "decimal(20,6)"), "-0.500000");
  const ExprPtr year_2100 = MakeLiteral(Scalar::Timestamp(4102444800'000'000));
  EXPECT_EQ(Cast(year_2100, "int"), kOver);
  EXPECT_EQ(Cast(year_2100, "int", CastMode::kLegacy), "NULL");
  EXPECT_EQ(Cast(year_2100, "decimal(5,1)"), kWide);
  EXPECT_EQ(Cast(MakeLiteral(Scalar::Date(1)), "int", CastMode::kLegacy), "NULL");
}

TEST_F(CastTest, SessionZoneDecidesWallTime) {
  const char* zone = "America/New_York";
  const auto at = [&](const char* text) { return Text(text, "timestamp", CastMode::kAnsi, zone); };
  EXPECT_EQ(at("2021-03-14 02:30:00"), "2021-03-14 07:30:00");  // The clock skips it: 03:30 there.
  EXPECT_EQ(at("2021-11-07 01:30:00"), "2021-11-07 05:30:00");  // The earlier of two.
  EXPECT_EQ(at("1800-01-01 00:00:00"), "1800-01-01 04:56:02");  // Local mean time.
  EXPECT_EQ(at("2400-07-01 00:00:00"), "2400-07-01 04:00:00");
  EXPECT_EQ(Cast(MakeLiteral(Scalar::Timestamp(0)), "string", CastMode::kAnsi, zone), "1969-12-31 19:00:00");
  EXPECT_EQ(Cast(MakeLiteral(Scalar::Timestamp(0)), "date", CastMode::kAnsi, zone), "1969-12-31");
  EXPECT_EQ(Cast(MakeLiteral(Scalar::Date(0)), "timestamp", CastMode::kAnsi, zone), "1970-01-01 05:00:00");
  EXPECT_EQ(Cast(MakeLiteral(Scalar::TimestampNtz(0)), "timestamp", CastMode::kAnsi, zone),
            "1970-01-01 05:00:00");
  EXPECT_EQ(Cast(MakeLiteral(Scalar::Timestamp(0)), "timestamp_ntz", CastMode::kAnsi, zone),
            "1969-12-31 19:00:00");
}

TEST_F(CastTest, ValuesToText) {
  EXPECT_EQ(Cast(Dbl(1e7), "string"), "1.0E7");
  EXPECT_EQ(Cast(Dec(1, 7, 7), "string"), "0.0000001");
  EXPECT_EQ(Cast(Dec(1, 7, 7), "string", CastMode::kLegacy), "1E-7");
  EXPECT_EQ(Cast(Dec(0, 7, 7), "string", CastMode::kLegacy), "0E-7");
  EXPECT_EQ(Cast(MakeLiteral(Scalar::Binary("ab")), "string"), "ab");
  const auto nested = [](const char* type, std::vector<Scalar> children) {
    return MakeLiteral(Scalar(ParseType(type).value(), std::move(children)));
  };
  const Scalar null_int = Scalar::Null(Type::Int());
  EXPECT_EQ(Cast(nested("array<int>", {Scalar::Int(1), null_int}), "string"), "[1, null]");
  EXPECT_EQ(
      Cast(nested("map<string,int>", {Scalar::String("a"), null_int, Scalar::String("b"), Scalar::Int(2)}),
           "string"),
      "{a -> null, b -> 2}");
  const Type array = ParseType("array<string>").value();
  const Scalar list(array, std::vector<Scalar>{Scalar::String("a"), Scalar::String("")});
  EXPECT_EQ(Cast(nested("struct<a:int,b:array<string>>", {null_int, list}), "string"), "{null, [a, ]}");
  EXPECT_EQ(Cast(nested("array<int>", {}), "string"), "[]");
}

TEST_F(CastTest, NamesOfMembersMayHoldAnything) {
  const Type from =
      Type::Struct({{.id = {}, .name = "a b:`>", .type = Type::Int(), .required = true, .doc = "d"}});
  const Type to = Type::Struct({{.id = {}, .name = ",", .type = Type::Long(), .required = false, .doc = {}}});
  const Scalar value(from, std::vector<Scalar>{Scalar::Int(7)});
  EXPECT_EQ(Value(MakeCast(MakeLiteral(value), to, CastMode::kAnsi)), "{7}");
  EXPECT_EQ(Cast(MakeLiteral(value), "string"), "{7}");
}

TEST_F(CastTest, IntervalsToText) {
  EXPECT_EQ(Cast(MakeLiteral(Scalar(Type::IntervalYearMonth(), int64_t{-14})), "string"),
            "INTERVAL '-1-2' YEAR TO MONTH");
  EXPECT_EQ(Cast(MakeLiteral(Scalar(Type::IntervalDayTime(), int64_t{93784500000})), "string"),
            "INTERVAL '1 02:03:04.5' DAY TO SECOND");
}

TEST_F(CastTest, StoringNamesTheOverflow) {
  EXPECT_EQ(Cast(Long(3000000000), "int", CastMode::kStore), "[CAST_OVERFLOW_IN_TABLE_INSERT]");
  EXPECT_EQ(Cast(Dec(123456, 6, 1), "decimal(5,2)", CastMode::kStore), "[CAST_OVERFLOW_IN_TABLE_INSERT]");
}

TEST_F(CastTest, NestedValuesElementByElement) {
  const Type texts = ParseType("array<string>").value();
  const Type row_type = ParseType("struct<a:string,b:array<string>>").value();
  const auto list = [&](std::vector<Scalar> children) { return Scalar(texts, std::move(children)); };
  const Scalar one = Scalar::String("1"), bad = Scalar::String("x");
  EXPECT_EQ(Cast(MakeLiteral(list({one, bad})), "array<int>"), kBad);
  EXPECT_EQ(Cast(MakeLiteral(list({one, bad})), "array<int>", CastMode::kTry), "[1, null]");
  const auto rows = Values({row_type}, {{Scalar(row_type, std::vector<Scalar>{one, list({one, one})})},
                                        {Scalar::Null(row_type)},
                                        {Scalar(row_type, std::vector<Scalar>{one, Scalar::Null(texts)})}});
  const ExprPtr column = plan::ColumnExpr(rows->output[0]);
  const Type target = ParseType("struct<c:bigint,d:array<double>>").value();
  EXPECT_EQ(
      EngineTest::Text(plan::MakeProject(rows, {MakeCast(column, target, CastMode::kAnsi)}, {"x"}, ids_)),
      "{1, [1.0, 1.0]};NULL;{1, null}");
}

TEST_F(CastTest, RowsThatAreFilteredRaiseNoError) {
  const Type texts = ParseType("array<string>").value();
  const auto list = [&](const char* text) {
    return Scalar(texts, std::vector<Scalar>{Scalar::String(text)});
  };
  const auto rows = Values({Type::Int(), texts}, {{Scalar::Int(1), list("7")}, {Scalar::Int(2), list("x")}});
  const auto kept = plan::MakeFilter(rows, MakePredicate("=", {plan::ColumnExpr(rows->output[0]), Int(1)}));
  const Type target = ParseType("array<int>").value();
  const ExprPtr cast = MakeCast(plan::ColumnExpr(rows->output[1]), target, CastMode::kAnsi);
  EXPECT_EQ(EngineTest::Text(plan::MakeProject(kept, {cast}, {"x"}, ids_)), "[7]");
}

}  // namespace
}  // namespace weir::exec
