#include "type/transform.h"

#include <gtest/gtest.h>

#include <limits>

#include "type/calendar.h"
#include "type/murmur3.h"

namespace weir {
namespace {

Transform Parsed(std::string_view text) { return *Transform::Parse(text); }
int64_t Micros(CivilDate date, int64_t hour = 0, int64_t minute = 0, int64_t second = 0) {
  return DaysFromCivil(date) * kMicrosPerDay + ((hour * 60 + minute) * 60 + second) * kMicrosPerSecond;
}
Scalar Day(CivilDate date) { return Scalar::Date(static_cast<int32_t>(DaysFromCivil(date))); }
Scalar TinyInt(int64_t value) { return {Type::Byte(), value}; }
Scalar SmallInt(int64_t value) { return {Type::Short(), value}; }
const int64_t kTalk = Micros({2017, 11, 16}, 22, 31, 8);  // The timestamp of the spec's vectors.

// Spec: Iceberg, Appendix B.
TEST(BucketHash, MatchesTheSpecVectors) {
  const std::pair<Scalar, int32_t> rows[] = {
      {Scalar::Int(34), 2017239379},
      {Scalar::Long(34), 2017239379},
      {Scalar::Decimal(1420, 9, 2), -500754589},
      {Day({2017, 11, 16}), -653330422},
      {Scalar(Type::Time(), int64_t{81068} * kMicrosPerSecond), -662762989},
      {Scalar::TimestampNtz(kTalk), -2047944441},
      {Scalar::TimestampNtz(kTalk + 1), -1207196810},
      {Scalar::Timestamp(kTalk), -2047944441},
      {Scalar::String("iceberg"), 1210000089},
      {Scalar(Type::Uuid(), std::string("\xf7\x9c\x3e\x09\x67\x7c\x4b\xbd\xa4\x79\x3f\x34\x9c\xb7\x85\xe7")),
       1488055340},
      {Scalar(Type::Fixed(4), std::string("\0\1\2\3", 4)), -188683207},
      {Scalar::Binary(std::string("\0\1\2\3", 4)), -188683207},
  };
  for (const auto& [value, hash] : rows) EXPECT_EQ(*BucketHash(value), hash) << value.ToString();
  for (const Type& type : {Type::Boolean(), Type::Float(), Type::Double(), Type::Struct({})}) {
    EXPECT_EQ(BucketHash(Scalar::Null(type)).error().code(), ErrorCode::kInvalid);
  }
}

// Expected values: system.bucket of Iceberg 1.12.0 on Spark 4.1.4.
TEST(Transform, BucketMatchesIceberg) {
  const Transform largest = Parsed("bucket[2147483647]");
  const std::pair<Scalar, int32_t> rows[] = {
      {Scalar::Int(-1), 1651860712},
      {Scalar::Long(0), 1669671676},
      {Scalar::Long(std::numeric_limits<int64_t>::max()), 40977599},
      {Scalar::Long(std::numeric_limits<int64_t>::min()), 1366273829},
      {Scalar::String(""), 0},
      {Scalar::String("a"), 1009084850},
      {Scalar::String("ab"), 465557343},
      {Scalar::String("abc"), 870159354},
      {Scalar::String("abcd"), 1139631978},
      {Scalar::String("abcde"), 1755028214},
      {Scalar::String("na\u00efve \U0001F600"), 1370204927},
      {Scalar::Decimal(1420, 4, 2), 1646729059},
      {Scalar::Decimal(-1420, 4, 2), 667775751},
      {Scalar::Decimal(0, 2, 2), 1364076727},
      {Scalar::Decimal(127, 3, 2), 1435096473},
      {Scalar::Decimal(128, 3, 2), 1544076949},
      {Scalar::Decimal(-128, 3, 2), 267099677},
      {Scalar::Decimal(-129, 3, 2), 1711945809},
      {Scalar::Decimal(PowerOfTen(38) - 1, 38, 0), 1067515814},
      {Scalar::Decimal(1 - PowerOfTen(38), 38, 0), 193266010},
      {Day({2017, 11, 16}), 1494153226},
      {Scalar::Timestamp(kTalk), 99539207},
      {Scalar::TimestampNtz(-1), 1651860712},
      {Scalar::Binary("\xff\xff\xff\xff\xff"), 2048059228},
  };
  for (const auto& [value, bucket] : rows)
    EXPECT_EQ(*largest.Apply(value), Scalar::Int(bucket)) << value.ToString();
  const std::pair<Scalar, int32_t> sixteen[] = {
      {Scalar::Int(34), 3},           {Scalar::Int(-1), 8},
      {Scalar::String("iceberg"), 9}, {Scalar::Decimal(1420, 9, 2), 3},
      {Day({2017, 11, 16}), 10},      {Scalar::TimestampNtz(kTalk), 7},
      {Scalar::String(""), 0},        {Scalar::Decimal(-1420, 9, 2), 7},
  };
  for (const auto& [value, bucket] : sixteen)
    EXPECT_EQ(*Parsed("bucket[16]").Apply(value), Scalar::Int(bucket));
}

// Expected values: system.truncate, years, months, days, hours of Iceberg 1.12.0 on Spark 4.1.4.
TEST(Transform, TruncateAndTimePartsMatchIceberg) {
  struct Row {
    std::string transform;
    Scalar value, expected;
  };
  const int32_t lowest = std::numeric_limits<int32_t>::min();
  const Row rows[] = {
      {"truncate[10]", Scalar::Int(1), Scalar::Int(0)},
      {"truncate[10]", Scalar::Int(-1), Scalar::Int(-10)},
      {"truncate[10]", Scalar::Int(10), Scalar::Int(10)},
      {"truncate[10]", Scalar::Int(-10), Scalar::Int(-10)},
      {"truncate[1]", Scalar::Int(-7), Scalar::Int(-7)},
      {"truncate[10]", Scalar::Int(lowest), Scalar::Int(2147483646)},
      {"truncate[10]", Scalar::Int(2147483647), Scalar::Int(2147483640)},
      {"truncate[10]", Scalar::Long(std::numeric_limits<int64_t>::min()), Scalar::Long(9223372036854775806)},
      {"truncate[2147483647]", Scalar::Long(5), Scalar::Long(0)},
      {"truncate[10]", TinyInt(-128), TinyInt(126)},
      {"truncate[10]", SmallInt(-32768), SmallInt(32766)},
      {"truncate[50]", Scalar::Decimal(1065, 9, 2), Scalar::Decimal(1050, 9, 2)},
      {"truncate[50]", Scalar::Decimal(-5, 9, 2), Scalar::Decimal(-50, 9, 2)},
      {"truncate[10]", Scalar::Decimal(1234, 9, 2), Scalar::Decimal(1230, 9, 2)},
      {"truncate[3]", Scalar::String("iceberg"), Scalar::String("ice")},
      {"truncate[2]", Scalar::String("a\u00f1b"), Scalar::String("a\u00f1")},
      {"truncate[2]", Scalar::String("a\U0001F600b"), Scalar::String("a\U0001F600")},
      {"truncate[1]", Scalar::String(""), Scalar::String("")},
      {"truncate[5]", Scalar::String("abc"), Scalar::String("abc")},
      {"truncate[3]", Scalar::Binary("\1\2\3\4\5"), Scalar::Binary("\1\2\3")},
      {"year", Day({1969, 12, 31}), Scalar::Int(-1)},
      {"year", Day({1970, 1, 1}), Scalar::Int(0)},
      {"year", Day({2025, 12, 31}), Scalar::Int(55)},
      {"year", Scalar::Timestamp(Micros({1968, 1, 1})), Scalar::Int(-2)},
      {"year", Scalar::TimestampNtz(Micros({-1, 6, 1})), Scalar::Int(-1971)},
      {"month", Day({1969, 12, 31}), Scalar::Int(-1)},
      {"month", Day({1969, 1, 1}), Scalar::Int(-12)},
      {"month", Scalar::Timestamp(kTalk), Scalar::Int(574)},
      {"month", Scalar::TimestampNtz(Micros({0, 2, 29})), Scalar::Int(-23639)},
      {"day", Scalar::Timestamp(Micros({1969, 12, 31}, 23, 59, 59)), Scalar::Date(-1)},
      {"day", Day({2017, 11, 16}), Scalar::Date(17486)},
      {"hour", Scalar::Timestamp(Micros({1969, 12, 31}, 23, 30)), Scalar::Int(-1)},
      {"hour", Scalar::Timestamp(kTalk), Scalar::Int(419686)},
      {"hour", Scalar::TimestampNtz(Micros({1, 1, 1}, 0, 0, 1)), Scalar::Int(-17259888)},
      {"identity", Scalar::String("x"), Scalar::String("x")},
      {"void", Scalar::Int(7), Scalar::Null(Type::Int())},
  };
  for (const Row& row : rows) {
    Result<Scalar> value = Parsed(row.transform).Apply(row.value);
    ASSERT_TRUE(value) << row.transform << ": " << value.error().ToString();
    EXPECT_EQ(*value, row.expected) << row.transform << " " << row.value.ToString() << " = "
                                    << value->ToString();
    EXPECT_EQ(value->type(), *Parsed(row.transform).ResultType(row.value.type()));
    Result<Scalar> null = Parsed(row.transform).Apply(Scalar::Null(row.value.type()));
    EXPECT_TRUE(null && null->is_null()) << row.transform;
  }
}

TEST(Transform, RefusesOtherTypes) {
  const std::pair<std::string, Type> rows[] = {
      {"hour", Type::Date()},         {"year", Type::Int()},           {"day", Type::String()},
      {"bucket[4]", Type::Double()},  {"truncate[4]", Type::Fixed(8)}, {"truncate[4]", Type::Date()},
      {"identity", Type::Struct({})}, {"bucket[4]", Type::Boolean()},
  };
  for (const auto& [text, type] : rows) {
    EXPECT_EQ(Parsed(text).ResultType(type).error().code(), ErrorCode::kInvalid) << text;
    EXPECT_EQ(Parsed(text).Apply(Scalar::Null(type)).error().code(), ErrorCode::kInvalid) << text;
  }
  EXPECT_EQ(Parsed("zorder").Apply(Scalar::Int(1)).error().code(), ErrorCode::kUnsupported);
}

TEST(Transform, ReadsAndWritesTheSpecText) {
  for (const char* text : {"identity", "bucket[16]", "truncate[2147483647]", "year", "month", "day", "hour",
                           "void", "zorder", "Custom[a]"}) {
    EXPECT_EQ(Parsed(text).ToString(), text);
  }
  EXPECT_EQ(Parsed("BUCKET[4]"), (Transform{Transform::Kind::kBucket, 4, {}}));
  EXPECT_EQ(Parsed("zorder").kind, Transform::Kind::kUnknown);
  for (const char* text : {"bucket[0]", "bucket[-1]", "bucket[+1]", "truncate[2147483648]", "bucket[x]",
                           "bucket[]", "bucket", "bucket[4", "truncate[99999999999999999999]"}) {
    Result<Transform> parsed = Transform::Parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code(), ErrorCode::kCorrupt) << text;
  }
}

// Expected texts: directories written by Iceberg 1.12.0 on Spark 4.1.4, percent-decoded.
TEST(Transform, PathTextMatchesIceberg) {
  struct Row {
    std::string transform;
    Scalar partition_value;
    std::string text;
  };
  const Row rows[] = {
      {"identity", Scalar::Int(1), "1"},
      {"identity", Scalar::String("a b"), "a b"},
      {"identity", Scalar::Decimal(1, 9, 7), "1E-7"},
      {"identity", Scalar::Timestamp(Micros({2020, 1, 1}, 10) + 500000), "2020-01-01T10:00:00.5+00:00"},
      {"identity", Scalar::TimestampNtz(Micros({2020, 1, 1}, 10)), "2020-01-01T10:00:00"},
      {"identity", Scalar::Binary(std::string("\0\xff", 2)), "AP8="},
      {"identity", Scalar::Date(18262), "2020-01-01"},
      {"identity", Scalar::Double(1e7), "1.0E7"},
      {"identity", Scalar::Null(Type::Int()), "null"},
      {"year", Scalar::Int(-1), "1969"},
      {"year", Scalar::Int(-1969), "0001"},
      {"month", Scalar::Int(-1), "1969-12"},
      {"month", Scalar::Int(574), "2017-11"},
      {"day", Scalar::Date(-1), "1969-12-31"},
      {"hour", Scalar::Int(-1), "1969-12-31-23"},
      {"hour", Scalar::Int(419686), "2017-11-16-22"},
      {"truncate[2]", Scalar::String("a\u00f1"), "a\u00f1"},
      {"truncate[2]", Scalar::Binary("\1\2"), "AQI="},
      {"truncate[3]", Scalar::Binary("\1\2\3"), "AQID"},
      {"bucket[16]", Scalar::Int(7), "7"},
  };
  for (const Row& row : rows) EXPECT_EQ(Parsed(row.transform).PathText(row.partition_value), row.text);
}

TEST(Transform, KeepsOrderWhereItSaysSo) {
  std::vector<Scalar> ascending;
  for (int64_t value = -90000000000; value < 90000000000; value += 1234567890) {
    ascending.push_back(Scalar::Timestamp(value));
  }
  for (const char* text : {"identity", "year", "month", "day", "hour"}) {
    EXPECT_TRUE(Parsed(text).preserves_order());
    for (size_t i = 1; i < ascending.size(); ++i) {
      EXPECT_TRUE(
          std::is_lteq(Compare(*Parsed(text).Apply(ascending[i - 1]), *Parsed(text).Apply(ascending[i]))))
          << text;
    }
  }
  EXPECT_TRUE(Parsed("truncate[3]").preserves_order());
  EXPECT_TRUE(std::is_lt(
      Compare(*Parsed("truncate[3]").Apply(Scalar::Int(-4)), *Parsed("truncate[3]").Apply(Scalar::Int(-3)))));
  for (const char* text : {"bucket[4]", "void", "zorder"}) EXPECT_FALSE(Parsed(text).preserves_order());
}

// Vectors of the reference implementation with a seed.
TEST(Murmur3, TakesASeed) {
  EXPECT_EQ(Murmur3("", 1), 0x514E28B7);
  EXPECT_EQ(static_cast<uint32_t>(Murmur3("Hello, world!", 0x9747b28c)), 0x24884CBAU);
}

}  // namespace
}  // namespace weir
