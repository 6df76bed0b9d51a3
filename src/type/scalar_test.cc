#include "type/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "type/calendar.h"
#include "type/scalar_text.h"

namespace weir {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Field Element(Type type) {
  return {.id = {}, .name = "", .type = std::move(type), .required = false, .doc = {}};
}
Scalar Array(Type element, std::vector<Scalar> values) {
  return {Type::Array(Element(std::move(element))), std::move(values)};
}
Scalar Struct(std::vector<std::pair<std::string, Scalar>> members) {
  std::vector<Field> fields;
  std::vector<Scalar> values;
  for (auto& [name, value] : members) {
    fields.push_back({.id = {}, .name = name, .type = value.type(), .required = false, .doc = {}});
    values.push_back(value);
  }
  return {Type::Struct(fields), values};
}
Scalar Map(Type key, Type value, std::vector<Scalar> entries) {
  return {Type::Map(Element(std::move(key)), Element(std::move(value))), std::move(entries)};
}
Int128 Wide(std::string_view digits) { return *ParseInt128(digits); }
int64_t Micros(CivilDate date, int64_t time = 0) { return DaysFromCivil(date) * kMicrosPerDay + time; }

// Expected texts: Spark 4.1.4, CAST(.. AS STRING), session time zone UTC.
TEST(Scalar, PrintsAsSparkCastsToString) {
  const std::pair<Scalar, std::string> rows[] = {
      {Scalar::Double(1e7), "1.0E7"},
      {Scalar::Double(1), "1.0"},
      {Scalar::Double(0.001), "0.001"},
      {Scalar::Double(0.0001), "1.0E-4"},
      {Scalar::Double(1234567), "1234567.0"},
      {Scalar::Double(9999999.999), "9999999.999"},
      {Scalar::Double(1e-5), "1.0E-5"},
      {Scalar::Double(123456789.123), "1.23456789123E8"},
      {Scalar::Double(kNan), "NaN"},
      {Scalar::Double(kInfinity), "Infinity"},
      {Scalar::Double(-kInfinity), "-Infinity"},
      {Scalar::Double(0.0), "0.0"},
      {Scalar::Double(-0.0), "-0.0"},
      {Scalar::Double(4.9e-324), "4.9E-324"},
      {Scalar::Double(1.7976931348623157e308), "1.7976931348623157E308"},
      {Scalar::Double(2.2250738585072014e-308), "2.2250738585072014E-308"},
      {Scalar::Double(9.007199254740993e15), "9.007199254740992E15"},
      {Scalar::Float(9e-44F), "9.0E-44"},
      {Scalar::Float(1e7F), "1.0E7"},
      {Scalar::Float(3.4028235e38F), "3.4028235E38"},
      {Scalar::Float(1.4e-45F), "1.4E-45"},
      {Scalar::Float(0.1F), "0.1"},
      {Scalar::Float(16777216), "1.6777216E7"},
      {Scalar::Float(-0.001F), "-0.001"},
      {Scalar::Float(9999999), "9999999.0"},
      {Scalar::Float(8.41e21F), "8.41E21"},
      {Scalar::Float(2e-3F), "0.002"},
      {Scalar::Float(0.00099999F), "9.9999E-4"},
      {Scalar::Decimal(150, 3, 2), "1.50"},
      {Scalar::Decimal(-5, 3, 2), "-0.05"},
      {Scalar::Decimal(0, 10, 2), "0.00"},
      {Scalar::Decimal(Wide("10000000000"), 38, 20), "0.00000000010000000000"},
      {Scalar::Decimal(Wide("12345678901234567890123456789012345678"), 38, 0),
       "12345678901234567890123456789012345678"},
      {Scalar::Decimal(0, 10, 8), "0.00000000"},
      {Scalar::Date(0), "1970-01-01"},
      {Scalar::Date(-1), "1969-12-31"},
      {Scalar::Date(static_cast<int32_t>(DaysFromCivil({1, 1, 1}))), "0001-01-01"},
      {Scalar::Date(static_cast<int32_t>(DaysFromCivil({12345, 1, 1}))), "+12345-01-01"},
      {Scalar::Date(static_cast<int32_t>(DaysFromCivil({-1, 1, 1}))), "-0001-01-01"},
      {Scalar::Date(static_cast<int32_t>(DaysFromCivil({0, 1, 1}))), "0000-01-01"},
      {Scalar::Date(std::numeric_limits<int32_t>::max()), "+5881580-07-11"},
      {Scalar::Date(std::numeric_limits<int32_t>::min()), "-5877641-06-23"},
      {Scalar::Timestamp(Micros({2025, 1, 1}, 10 * kMicrosPerHour)), "2025-01-01 10:00:00"},
      {Scalar::Timestamp(Micros({2025, 1, 1}, 10 * kMicrosPerHour + 123400)), "2025-01-01 10:00:00.1234"},
      {Scalar::Timestamp(-1), "1969-12-31 23:59:59.999999"},
      {Scalar::TimestampNtz(Micros({-1, 1, 1}, 500000)), "-0001-01-01 00:00:00.5"},
      {Scalar::TimestampNtz(Micros({12345, 1, 1}, 1)), "+12345-01-01 00:00:00.000001"},
      {Scalar::Timestamp(std::numeric_limits<int64_t>::max()), "+294247-01-10 04:00:54.775807"},
      {Scalar::Timestamp(std::numeric_limits<int64_t>::min()), "-290308-12-21 19:59:05.224192"},
      {Scalar(Type::Time(), 10 * kMicrosPerHour + 500000), "10:00:00.5"},
      {Array(Type::Int(), {Scalar::Int(1), Scalar::Int(2)}), "[1, 2]"},
      {Array(Type::Int(), {Scalar::Int(1), Scalar::Null(Type::Int())}), "[1, null]"},
      {Array(Type::Int(), {}), "[]"},
      {Array(Type::String(), {Scalar::String("a"), Scalar::String("b c")}), "[a, b c]"},
      {Array(Type::Float(), {Scalar::Float(1.5F), Scalar::Float(NAN)}), "[1.5, NaN]"},
      {Struct({{"a", Scalar::Int(1)}, {"b", Scalar::String("x")}}), "{1, x}"},
      {Struct({{"a", Scalar::Int(1)}, {"b", Scalar::Null(Type::String())}}), "{1, null}"},
      {Map(Type::String(), Type::String(),
           {Scalar::String("k"), Scalar::String("v"), Scalar::String("l"), Scalar::Null(Type::String())}),
       "{k -> v, l -> null}"},
      {Map(Type::Int(), Type::Int(), {}), "{}"},
      {Scalar::Binary("ab"), "ab"},
      {Array(Type::Binary(), {Scalar::Binary("ab")}), "[ab]"},
      {Scalar(Type::IntervalYearMonth(), int64_t{14}), "INTERVAL '1-2' YEAR TO MONTH"},
      {Scalar(Type::IntervalYearMonth(), int64_t{-14}), "INTERVAL '-1-2' YEAR TO MONTH"},
      {Scalar(Type::IntervalYearMonth(), int64_t{-5}), "INTERVAL '-0-5' YEAR TO MONTH"},
      {Scalar(Type::IntervalYearMonth(), int64_t{0}), "INTERVAL '0-0' YEAR TO MONTH"},
      {Scalar(Type::IntervalYearMonth(), int64_t{std::numeric_limits<int32_t>::min()}),
       "INTERVAL '-178956970-8' YEAR TO MONTH"},
      {Scalar(Type::IntervalDayTime(), int64_t{93784500000}), "INTERVAL '1 02:03:04.5' DAY TO SECOND"},
      {Scalar(Type::IntervalDayTime(), int64_t{-93784000001}), "INTERVAL '-1 02:03:04.000001' DAY TO SECOND"},
      {Scalar(Type::IntervalDayTime(), std::numeric_limits<int64_t>::min()),
       "INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND"},
      {Scalar::Boolean(true), "true"},
      {Scalar::Null(Type::Int()), "NULL"},
      {Scalar(Type::Uuid(), std::string("\xf7\x9c\x3e\x09\x67\x7c\x4b\xbd\xa4\x79\x3f\x34\x9c\xb7\x85\xe7")),
       "f79c3e09-677c-4bbd-a479-3f349cb785e7"},
  };
  for (const auto& [value, text] : rows) EXPECT_EQ(value.ToString(), text);
}

// Expected texts: Spark 4.1.4, Literal.sql.
TEST(Scalar, EmptyElementsKeepTheirPlace) {
  const Type texts =
      Type::Array({.id = {}, .name = "element", .type = Type::String(), .required = false, .doc = {}});
  const Scalar empty = Scalar::String("");
  EXPECT_EQ(Scalar(texts, std::vector{empty, empty, Scalar::String("a")}).ToString(), "[, , a]");
}

TEST(Scalar, PrintsAsSqlLiteral) {
  const std::pair<Scalar, std::string> rows[] = {
      {Scalar::Int(-5), "-5"},
      {Scalar::Long(1), "1L"},
      {Scalar(Type::Byte(), int64_t{1}), "1Y"},
      {Scalar(Type::Short(), int64_t{1}), "1S"},
      {Scalar::Float(1.5F), "CAST('1.5' AS FLOAT)"},
      {Scalar::Double(1e7), "1.0E7D"},
      {Scalar::Double(kNan), "CAST('NaN' AS DOUBLE)"},
      {Scalar::Double(-kInfinity), "CAST('-Infinity' AS DOUBLE)"},
      {Scalar::Decimal(-150, 3, 2), "-1.50BD"},
      {Scalar::Decimal(1, 10, 7), "1E-7BD"},
      {Scalar::String("it's"), "'it\\'s'"},
      {Scalar::String("b\\s\n"), "'b\\\\s\n'"},
      {Scalar::Boolean(true), "true"},
      {Scalar(), "NULL"},
      {Scalar::Null(Type::Int()), "CAST(NULL AS INT)"},
      {Scalar::Binary(std::string("\0\xff\x1a", 3)), "X'00FF1A'"},
      {Scalar::Date(20089), "DATE '2025-01-01'"},
      {Scalar::Timestamp(0), "TIMESTAMP '1970-01-01 00:00:00'"},
      {Scalar::TimestampNtz(500000), "TIMESTAMP_NTZ '1970-01-01 00:00:00.5'"},
      {Scalar(Type::Time(), 10 * kMicrosPerHour), "TIME '10:00:00'"},
      {Scalar(Type::IntervalYearMonth(), int64_t{14}), "INTERVAL '1-2' YEAR TO MONTH"},
      {Array(Type::String(), {Scalar::String("a"), Scalar::Null(Type::String())}),
       "ARRAY('a', CAST(NULL AS STRING))"},
      {Map(Type::String(), Type::Int(), {Scalar::String("k"), Scalar::Int(1)}), "MAP('k', 1)"},
      {Struct({{"a", Scalar::Int(1)}, {"b", Scalar::String("x")}}), "NAMED_STRUCT('a', 1, 'b', 'x')"},
  };
  for (const auto& [value, text] : rows) EXPECT_EQ(value.ToSql(), text);
}

TEST(Scalar, OrdersAsSpark) {
  const std::vector<std::vector<Scalar>> ascending = {
      {Scalar::Null(Type::Double()), Scalar::Double(-kInfinity), Scalar::Double(-1), Scalar::Double(0),
       Scalar::Double(1e300), Scalar::Double(kInfinity), Scalar::Double(kNan)},
      {Scalar::Null(Type::Float()), Scalar::Float(-1), Scalar::Float(INFINITY), Scalar::Float(NAN)},
      {Scalar::Boolean(false), Scalar::Boolean(true)},
      {Scalar::Null(Type::Int()), Scalar::Int(-5), Scalar::Int(7)},
      {Scalar::String(""), Scalar::String("a"), Scalar::String("a\x01"), Scalar::String("b"),
       Scalar::String("\xc3\xa9"), Scalar::String("\xef\xbf\xbd"), Scalar::String("\xf0\x9f\x98\x80")},
      {Scalar::Binary(std::string("\0", 1)), Scalar::Binary("\x7f"), Scalar::Binary("\x80"),
       Scalar::Binary("\xff")},
      {Scalar::Decimal(-150, 10, 2), Scalar::Decimal(-1, 10, 0), Scalar::Decimal(0, 10, 2),
       Scalar::Decimal(105, 10, 2), Scalar::Decimal(11, 10, 1),
       Scalar::Decimal(Wide("99999999999999999999999999999999999999"), 38, 0)},
      {Array(Type::Int(), {}), Array(Type::Int(), {Scalar::Null(Type::Int())}),
       Array(Type::Int(), {Scalar::Int(1)}), Array(Type::Int(), {Scalar::Int(1), Scalar::Int(0)}),
       Array(Type::Int(), {Scalar::Int(2)})},
  };
  for (const std::vector<Scalar>& values : ascending) {
    for (size_t i = 0; i < values.size(); ++i) {
      for (size_t j = 0; j < values.size(); ++j) {
        EXPECT_EQ(Compare(values[i], values[j]), i <=> j)
            << values[i].ToString() << " " << values[j].ToString();
      }
    }
  }
}

TEST(Scalar, EqualValuesHashAlike) {
  const std::pair<Scalar, Scalar> equal[] = {
      {Scalar::Double(0.0), Scalar::Double(-0.0)},
      {Scalar::Double(kNan), Scalar::Double(-std::nan("7"))},
      {Scalar::Float(0.0F), Scalar::Float(-0.0F)},
      {Scalar::Decimal(10, 5, 1), Scalar::Decimal(1, 5, 0)},
      {Scalar::Decimal(0, 5, 3), Scalar::Decimal(0, 5, 0)},
      {Scalar::Decimal(-1200, 9, 4), Scalar::Decimal(-12, 9, 2)},
      {Scalar::Null(Type::Int()), Scalar::Null(Type::Int())},
      {Array(Type::Double(), {Scalar::Double(kNan)}), Array(Type::Double(), {Scalar::Double(kNan)})},
  };
  for (const auto& [a, b] : equal) {
    EXPECT_EQ(a, b) << a.ToString();
    EXPECT_EQ(HashOf(a), HashOf(b)) << a.ToString();
  }
  EXPECT_NE(Scalar::Int(1), Scalar::Long(1));
  EXPECT_NE(Scalar::Null(Type::Int()), Scalar::Int(0));
  EXPECT_NE(HashOf(Scalar::Int(1)), HashOf(Scalar::Int(2)));
}

TEST(WidenTo, KeepsTheValueOrRefuses) {
  struct Row {
    Scalar value;
    Type type;
    std::string expected;  ///< Empty: refused.
  };
  const Row rows[] = {
      {Scalar::Int(5), Type::Long(), "5"},
      {Scalar::Long(5), Type::Int(), ""},
      {Scalar(Type::Byte(), int64_t{-1}), Type::Short(), "-1"},
      {Scalar::Int(5), Type::Decimal(5, 2), "5.00"},
      {Scalar::Int(999), Type::Decimal(5, 2), "999.00"},
      {Scalar::Int(1000), Type::Decimal(5, 2), ""},
      {Scalar::Int(16777217), Type::Double(), "1.6777217E7"},
      {Scalar::Int(1), Type::Float(), ""},
      {Scalar(Type::Short(), int64_t{7}), Type::Float(), "7.0"},
      {Scalar::Long(1), Type::Double(), ""},
      {Scalar::Float(0.5F), Type::Double(), "0.5"},
      {Scalar::Double(0.5), Type::Float(), ""},
      {Scalar::Decimal(150, 5, 2), Type::Decimal(7, 3), "1.500"},
      {Scalar::Decimal(150, 5, 2), Type::Decimal(2, 1), "1.5"},
      {Scalar::Decimal(155, 5, 2), Type::Decimal(5, 1), ""},
      {Scalar::Decimal(1000, 5, 0), Type::Decimal(3, 0), ""},
      {Scalar::Decimal(Wide("99999999999999999999999999999999999999"), 38, 0), Type::Decimal(38, 1), ""},
      {Scalar::Date(1), Type::TimestampNtz(), "1970-01-02 00:00:00"},
      {Scalar::Date(std::numeric_limits<int32_t>::max()), Type::TimestampNtz(), ""},
      {Scalar::Date(1), Type::Timestamp(), ""},
      {Scalar::Null(Type::String()), Type::Int(), "NULL"},
      {Scalar(), Type::Decimal(3, 1), "NULL"},
      {Scalar::String("x"), Type::String(), "x"},
      {Scalar::String("1"), Type::Int(), ""},
  };
  for (const Row& row : rows) {
    Result<Scalar> widened = WidenTo(row.value, row.type);
    EXPECT_EQ(widened.has_value(), !row.expected.empty())
        << row.value.ToString() << " " << row.type.ToString();
    if (!widened) {
      EXPECT_EQ(widened.error().code(), ErrorCode::kInvalid);
      continue;
    }
    EXPECT_EQ(widened->ToString(), row.expected);
    EXPECT_EQ(widened->type(), row.type);
  }
}

TEST(WidenTo, AlwaysWidensOnlyWhereEveryValueFits) {
  const Type types[] = {Type::Byte(),         Type::Short(),         Type::Int(),
                        Type::Long(),         Type::Float(),         Type::Double(),
                        Type::Decimal(3, 0),  Type::Decimal(10, 0),  Type::Decimal(19, 0),
                        Type::Decimal(20, 1), Type::Decimal(38, 18), Type::Date(),
                        Type::TimestampNtz(), Type::String()};
  const std::map<TypeKind, Scalar> extremes = {
      {TypeKind::kByte, Scalar(Type::Byte(), int64_t{-128})},
      {TypeKind::kShort, Scalar(Type::Short(), int64_t{-32768})},
      {TypeKind::kInt, Scalar::Int(std::numeric_limits<int32_t>::min())},
      {TypeKind::kLong, Scalar::Long(std::numeric_limits<int64_t>::min())},
      {TypeKind::kFloat, Scalar::Float(0.1F)},
      {TypeKind::kDouble, Scalar::Double(0.1)},
      {TypeKind::kDate, Scalar::Date(std::numeric_limits<int32_t>::max())},
      {TypeKind::kTimestampNtz, Scalar::TimestampNtz(0)},
      {TypeKind::kString, Scalar::String("x")},
  };
  for (const Type& from : types) {
    const Scalar extreme = from.kind() == TypeKind::kDecimal ? Scalar(from, PowerOfTen(from.precision()) - 1)
                                                             : extremes.at(from.kind());
    for (const Type& to : types) {
      EXPECT_EQ(AlwaysWidens(from, to), WidenTo(extreme, to).has_value())
          << from.ToString() << " " << to.ToString();
    }
  }
}

TEST(Calendar, EveryDayOfFourCenturiesRoundTrips) {
  CivilDate previous = CivilFromDays(-800001);
  for (int64_t days = -800000; days < 800000; ++days) {
    const CivilDate date = CivilFromDays(days);
    ASSERT_EQ(DaysFromCivil(date), days);
    const bool next_day =
        date.day == previous.day + 1 && date.month == previous.month && date.year == previous.year;
    const bool next_month = date.day == 1 && previous.day >= 28 &&
                            date.year * 12 + date.month == previous.year * 12 + previous.month + 1;
    ASSERT_TRUE(next_day || next_month) << DateText(days);
    previous = date;
  }
  EXPECT_EQ(CivilFromDays(11016), (CivilDate{2000, 2, 29}));
  EXPECT_EQ(DaysFromCivil({2017, 11, 16}), 17486);
}

TEST(DoubleText, ReadsBackAsTheSameValue) {
  uint64_t bits = 1;
  for (int i = 0; i < 20000; ++i) {
    bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(std::strtod(DoubleText(value).c_str(), nullptr), value);
    const auto narrow = static_cast<float>(value);
    if (std::isfinite(narrow)) {
      EXPECT_EQ(std::strtof(FloatText(narrow).c_str(), nullptr), narrow);
    }
  }
}

}  // namespace
}  // namespace weir
