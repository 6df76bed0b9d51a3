#include "codec/parquet/bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "codec/parquet/file_stats.h"
#include "codec/parquet/fixture.h"

namespace weir::parquet {
namespace {

using Kind = LogicalType::Kind;
using Unit = LogicalType::Unit;

template <typename T>
std::string Plain(T value) {
  std::string bytes;
  AppendLittleEndian(bytes, value);
  return bytes;
}

/// A column of a file as far as bounds go.
struct Column {
  PhysicalType physical = PhysicalType::kInt64;
  LogicalType logical;
  int32_t type_length = 0;
  ColumnOrder order = ColumnOrder::kTypeDefined;
  Statistics statistics;

  ValueBounds As(const Type& type) const {
    Footer footer;
    footer.schema.resize(2);
    footer.schema[0].child_count = 1;
    footer.schema[1].physical = physical;
    footer.schema[1].logical = logical;
    footer.schema[1].type_length = type_length;
    EXPECT_TRUE(DeriveLeaves(footer).has_value());
    footer.column_orders = {order};
    ColumnChunk chunk;
    chunk.physical = physical;
    chunk.value_count = 10;
    chunk.statistics = statistics;
    return BoundsDecoder(footer, 0, type).OfChunk(chunk);
  }
};

Statistics MinMax(std::string min, std::string max) {
  Statistics statistics;
  statistics.min_value = std::move(min);
  statistics.max_value = std::move(max);
  return statistics;
}

LogicalType Of(Kind kind) {
  LogicalType type;
  type.kind = kind;
  return type;
}
LogicalType Decimal(int32_t precision, int32_t scale) {
  LogicalType type = Of(Kind::kDecimal);
  type.precision = precision;
  type.scale = scale;
  return type;
}
LogicalType Temporal(Kind kind, Unit unit, bool utc) {
  LogicalType type = Of(kind);
  type.unit = unit;
  type.adjusted_to_utc = utc;
  return type;
}
LogicalType Integer(int32_t bits, bool is_signed) {
  LogicalType type = Of(Kind::kInteger);
  type.bit_width = bits;
  type.is_signed = is_signed;
  return type;
}

struct Case {
  const char* name;
  Column column;
  Type type;
  std::optional<Scalar> lower, upper;
};

void Check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const ValueBounds bounds = c.column.As(c.type);
    EXPECT_EQ(bounds.lower, c.lower) << c.name << ": " << (bounds.lower ? bounds.lower->ToString() : "none");
    EXPECT_EQ(bounds.upper, c.upper) << c.name << ": " << (bounds.upper ? bounds.upper->ToString() : "none");
    for (const auto& bound : {bounds.lower, bounds.upper}) {
      EXPECT_TRUE(!bound || bound->type() == c.type) << c.name;
    }
  }
}

constexpr auto kInt32 = PhysicalType::kInt32;
constexpr auto kInt64 = PhysicalType::kInt64;
constexpr auto kBytes = PhysicalType::kByteArray;
constexpr auto kFixed = PhysicalType::kFixedLenByteArray;

TEST(Bounds, DecodesIntegers) {
  const Statistics small = MinMax(Plain<int32_t>(-7), Plain<int32_t>(9));
  const Statistics large = MinMax(Plain<int64_t>(INT64_MIN), Plain<int64_t>(INT64_MAX));
  const auto integer = [](const Type& type, int64_t value) { return Scalar(type, value); };
  Check({
      {"int", {.physical = kInt32, .statistics = small}, Type::Int(), Scalar::Int(-7), Scalar::Int(9)},
      {"int promoted",
       {.physical = kInt32, .statistics = small},
       Type::Long(),
       Scalar::Long(-7),
       Scalar::Long(9)},
      {"tinyint",
       {.physical = kInt32, .logical = Integer(8, true), .statistics = small},
       Type::Byte(),
       integer(Type::Byte(), -7),
       integer(Type::Byte(), 9)},
      {"long", {.statistics = large}, Type::Long(), Scalar::Long(INT64_MIN), Scalar::Long(INT64_MAX)},
      {"long as int is not sound", {.statistics = large}, Type::Int(), {}, {}},
      {"date without annotation", {.physical = kInt32, .statistics = small}, Type::Date(), {}, {}},
      {"date",
       {.physical = kInt32, .logical = Of(Kind::kDate), .statistics = small},
       Type::Date(),
       Scalar::Date(-7),
       Scalar::Date(9)},
      {"date as int",
       {.physical = kInt32, .logical = Of(Kind::kDate), .statistics = small},
       Type::Int(),
       {},
       {}},
      {"wrong length",
       {.physical = kInt32, .statistics = MinMax("\1", Plain<int64_t>(3))},
       Type::Int(),
       {},
       {}},
      {"lower above upper",
       {.physical = kInt32, .statistics = MinMax(small.max_value.value(), *small.min_value)},
       Type::Int(),
       {},
       {}},
  });
}

TEST(Bounds, DecodesUnsignedOnlyWhereTheOrderHolds) {
  const Statistics high = MinMax(Plain<uint32_t>(5), Plain<uint32_t>(4'000'000'000u));
  const Statistics huge = MinMax(Plain<uint64_t>(5), Plain<uint64_t>(UINT64_MAX));
  Check({
      {"u16",
       {.physical = kInt32, .logical = Integer(16, false), .statistics = MinMax(Plain(5), Plain(65535))},
       Type::Int(),
       Scalar::Int(5),
       Scalar::Int(65535)},
      {"u32 as long",
       {.physical = kInt32, .logical = Integer(32, false), .statistics = high},
       Type::Long(),
       Scalar::Long(5),
       Scalar::Long(4'000'000'000)},
      {"u32 as int",
       {.physical = kInt32, .logical = Integer(32, false), .statistics = high},
       Type::Int(),
       {},
       {}},
      {"u64", {.logical = Integer(64, false), .statistics = huge}, Type::Long(), Scalar::Long(5), {}},
  });
}

TEST(Bounds, DecodesDecimalsOfAnyStorage) {
  const Type type = Type::Decimal(20, 2);
  const auto of = [&](Int128 value) { return Scalar(type, value); };
  const std::string minus_two("\xff\xff\xff\xfe", 4), plus("\x00\x00\x01\x00", 4);
  Check({
      {"int32",
       {.physical = kInt32, .logical = Decimal(9, 2), .statistics = MinMax(Plain(-2), Plain(256))},
       type,
       of(-2),
       of(256)},
      {"int64",
       {.logical = Decimal(18, 2), .statistics = MinMax(Plain<int64_t>(-2), Plain<int64_t>(256))},
       type,
       of(-2),
       of(256)},
      {"fixed",
       {.physical = kFixed,
        .logical = Decimal(9, 2),
        .type_length = 4,
        .statistics = MinMax(minus_two, plus)},
       type,
       of(-2),
       of(256)},
      {"bytes",
       {.physical = kBytes, .logical = Decimal(9, 2), .statistics = MinMax("\xfe", plus.substr(2))},
       type,
       of(-2),
       of(256)},
      {"long sign",
       {.physical = kFixed,
        .logical = Decimal(38, 2),
        .statistics = MinMax(std::string(18, '\xff') + "\xfe", std::string(18, '\0') + "\x07")},
       type,
       of(-2),
       of(7)},
      {"too long",
       {.physical = kFixed,
        .logical = Decimal(38, 2),
        .statistics = MinMax("\x80" + std::string(17, '\0'), "\x01" + std::string(17, '\0'))},
       type,
       {},
       {}},
      {"sign bit lost",
       {.physical = kFixed,
        .logical = Decimal(38, 2),
        .statistics = MinMax(std::string(1, '\xff') + std::string(16, '\0'),
                             std::string(1, '\0') + std::string(16, '\xff'))},
       type,
       {},
       {}},
      {"other scale",
       {.physical = kInt32, .logical = Decimal(9, 3), .statistics = MinMax(Plain(-2), Plain(256))},
       type,
       {},
       {}},
      {"deprecated bytes",
       {.physical = kBytes,
        .logical = Decimal(9, 2),
        .statistics = {.deprecated_min = "\xfe", .deprecated_max = "\x07"}},
       type,
       {},
       {}},
  });
}

TEST(Bounds, DecodesTimes) {
  const Statistics ms = MinMax(Plain<int64_t>(-5), Plain<int64_t>(7));
  const Statistics ns = MinMax(Plain<int64_t>(-1500), Plain<int64_t>(2500));
  const Statistics over = MinMax(Plain<int64_t>(INT64_MIN), Plain<int64_t>(INT64_MAX));
  const auto time = [](int64_t micros) { return Scalar(Type::Time(), micros); };
  Check({
      {"micros",
       {.logical = Temporal(Kind::kTimestamp, Unit::kMicros, true), .statistics = ms},
       Type::Timestamp(),
       Scalar::Timestamp(-5),
       Scalar::Timestamp(7)},
      {"millis",
       {.logical = Temporal(Kind::kTimestamp, Unit::kMillis, true), .statistics = ms},
       Type::Timestamp(),
       Scalar::Timestamp(-5000),
       Scalar::Timestamp(7000)},
      {"millis overflow",
       {.logical = Temporal(Kind::kTimestamp, Unit::kMillis, true), .statistics = over},
       Type::Timestamp(),
       {},
       {}},
      {"nanos widen",
       {.logical = Temporal(Kind::kTimestamp, Unit::kNanos, false), .statistics = ns},
       Type::TimestampNtz(),
       Scalar::TimestampNtz(-2),
       Scalar::TimestampNtz(3)},
      {"wall clock as instant",
       {.logical = Temporal(Kind::kTimestamp, Unit::kMicros, false), .statistics = ms},
       Type::Timestamp(),
       {},
       {}},
      {"instant as wall clock",
       {.logical = Temporal(Kind::kTimestamp, Unit::kMicros, true), .statistics = ms},
       Type::TimestampNtz(),
       {},
       {}},
      {"no annotation", {.statistics = ms}, Type::Timestamp(), {}, {}},
      {"time millis",
       {.physical = kInt32,
        .logical = Temporal(Kind::kTime, Unit::kMillis, false),
        .statistics = MinMax(Plain(1), Plain(5))},
       Type::Time(),
       time(1000),
       time(5000)},
      {"time nanos",
       {.logical = Temporal(Kind::kTime, Unit::kNanos, false),
        .statistics = MinMax(Plain<int64_t>(1500), Plain<int64_t>(5500))},
       Type::Time(),
       time(1),
       time(6)},
      {"INT96",
       {.physical = PhysicalType::kInt96, .statistics = MinMax(std::string(12, 'a'), std::string(12, 'b'))},
       Type::Timestamp(),
       {},
       {}},
  });
}

TEST(Bounds, KeepsTextAsBoundsOfAnyLength) {
  const Statistics text = MinMax("", "pref\xff");
  Check({
      {"string",
       {.physical = kBytes, .logical = Of(Kind::kString), .statistics = text},
       Type::String(),
       Scalar::String(""),
       Scalar::String("pref\xff")},
      {"only empty texts",
       {.physical = kBytes, .logical = Of(Kind::kString), .statistics = MinMax("", "")},
       Type::String(),
       Scalar::String(""),
       Scalar::String("")},
      {"only a lower bound",
       {.physical = kBytes, .logical = Of(Kind::kString), .statistics = {.min_value = "b"}},
       Type::String(),
       Scalar::String("b"),
       {}},
      {"deprecated",
       {.physical = kBytes,
        .logical = Of(Kind::kString),
        .statistics = {.deprecated_min = "a", .deprecated_max = "z"}},
       Type::String(),
       {},
       {}},
      {"no order",
       {.physical = kBytes,
        .logical = Of(Kind::kString),
        .order = ColumnOrder::kUndefined,
        .statistics = text},
       Type::String(),
       {},
       {}},
      {"binary",
       {.physical = kBytes, .statistics = text},
       Type::Binary(),
       Scalar::Binary(""),
       Scalar::Binary("pref\xff")},
      {"decimal as binary",
       {.physical = kBytes, .logical = Decimal(9, 2), .statistics = text},
       Type::Binary(),
       {},
       {}},
      {"fixed",
       {.physical = kFixed, .type_length = 2, .statistics = MinMax("ab", "cd")},
       Type::Fixed(2),
       Scalar(Type::Fixed(2), "ab"),
       Scalar(Type::Fixed(2), "cd")},
      {"float16",
       {.physical = kFixed,
        .logical = Of(Kind::kFloat16),
        .type_length = 2,
        .statistics = MinMax("ab", "cd")},
       Type::Fixed(2),
       {},
       {}},
      {"interval",
       {.physical = kFixed, .logical = Of(Kind::kInterval), .type_length = 12},
       Type::Fixed(12),
       {},
       {}},
  });
}

TEST(Bounds, FollowsTheFloatingPointRules) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto doubles = [](double min, double max) {
    return Column{.physical = PhysicalType::kDouble, .statistics = MinMax(Plain(min), Plain(max))};
  };
  Check({
      {"double", doubles(-1.5, 2), Type::Double(), Scalar::Double(-1.5), Scalar::Double(2)},
      {"NaN max", doubles(-1.5, nan), Type::Double(), Scalar::Double(-1.5), {}},
      {"NaN both", doubles(nan, nan), Type::Double(), {}, {}},
      {"float promoted",
       {.physical = PhysicalType::kFloat, .statistics = MinMax(Plain(0.1f), Plain(0.2f))},
       Type::Double(),
       Scalar::Double(double{0.1f}),
       Scalar::Double(double{0.2f})},
  });
  const ValueBounds zero = doubles(0.0, -0.0).As(Type::Double());
  EXPECT_TRUE(std::signbit(zero.lower->float64()));
  EXPECT_FALSE(std::signbit(zero.upper->float64()));
  EXPECT_TRUE(zero.may_have_nan);
  Column counted = doubles(1, 2);
  counted.statistics.nan_count = 0;
  EXPECT_FALSE(counted.As(Type::Double()).may_have_nan);
  Column total_order = doubles(1, 2);
  total_order.order = ColumnOrder::kIeee754;
  EXPECT_EQ(total_order.As(Type::Double()).lower, Scalar::Double(1));
}

TEST(Bounds, BelievesDeprecatedBoundsOfSignedNumbersOnly) {
  Statistics old;
  old.deprecated_min = Plain<int64_t>(-3);
  old.deprecated_max = Plain<int64_t>(3);
  Check({
      {"long",
       {.order = ColumnOrder::kUndefined, .statistics = old},
       Type::Long(),
       Scalar::Long(-3),
       Scalar::Long(3)},
      {"unsigned",
       {.logical = Integer(64, false), .order = ColumnOrder::kUndefined, .statistics = old},
       Type::Long(),
       {},
       {}},
  });
}

TEST(Bounds, CountsNulls) {
  Column column;
  EXPECT_FALSE(column.As(Type::Long()).null_count.has_value());
  column.statistics.null_count = 10;
  EXPECT_TRUE(column.As(Type::Long()).all_null);
  column.statistics.null_count = 3;
  EXPECT_EQ(column.As(Type::Long()).null_count, 3u);
  EXPECT_FALSE(column.As(Type::Long()).all_null);
}

Field FieldOf(int32_t id, const Type& type) {
  return {FieldId{id}, "f" + std::to_string(id), type, false, ""};
}

/// Expected values are computed from how make.py made the rows.
TEST(FileStats, OfAllWriters) {
  Schema schema;
  schema.fields = {FieldOf(1, Type::Long()), FieldOf(2, Type::String()),    FieldOf(3, Type::Decimal(12, 2)),
                   FieldOf(5, Type::Date()), FieldOf(6, Type::Timestamp()), FieldOf(9, Type::Boolean())};
  const std::vector<LeafStats> spark = FileStats(ParseFixture("spark_iceberg.parquet"), schema);
  ASSERT_EQ(spark.size(), 6u - 0u);
  EXPECT_EQ(spark[0].bounds.lower, Scalar::Long(0));
  EXPECT_EQ(spark[0].bounds.upper, Scalar::Long(799 * 3));
  EXPECT_EQ(spark[0].bounds.value_count, 800u);
  EXPECT_EQ(spark[1].bounds.null_count, 200u);
  EXPECT_EQ(spark[2].bounds.lower, Scalar::Decimal(-500, 12, 2));
  EXPECT_EQ(spark[2].bounds.upper, Scalar::Decimal(299, 12, 2));
  EXPECT_EQ(spark[3].bounds.lower, Scalar::Date(19723));
  EXPECT_EQ(spark[4].bounds.upper, Scalar::Timestamp((19723 * 24 + 799) * 3'600'000'000));
  EXPECT_EQ(spark[5].bounds.lower, Scalar::Boolean(false));

  const std::vector<LeafStats> duckdb = FileStats(ParseFixture("duckdb.parquet"), schema);
  ASSERT_EQ(duckdb.size(), 3u);
  EXPECT_EQ(duckdb[0].bounds.upper, Scalar::Long(4499 * 3));
  EXPECT_EQ(duckdb[1].bounds.lower, Scalar::String("a0")) << "a row group of NULLs adds no bound";
  EXPECT_EQ(duckdb[1].bounds.upper, Scalar::String("a9"));
  EXPECT_EQ(duckdb[1].bounds.null_count, 2500u);
  EXPECT_FALSE(duckdb[2].bounds.lower.has_value()) << "decimal(9,3) in the file, decimal(12,2) asked";
}

TEST(FileStats, OfOddTypes) {
  Schema schema;
  const Type types[] = {Type::Int(),       Type::Long(),   Type::Long(),   Type::TimestampNtz(),
                        Type::Timestamp(), Type::Time(),   Type::Time(),   Type::Float(),
                        Type::Double(),    Type::Double(), Type::Float(),  Type::Decimal(38, 2),
                        Type::Boolean(),   Type::Fixed(4), Type::Binary(), Type::Int(),
                        Type::Byte()};
  int32_t id = 0;
  for (const Type& type : types) schema.fields.push_back(FieldOf(++id, type));
  const std::vector<LeafStats> stats = FileStats(ParseFixture("pyarrow_types.parquet"), schema);
  ASSERT_EQ(stats.size(), 17u);
  const auto bounds = [&](int32_t field) { return stats[static_cast<size_t>(field) - 1].bounds; };
  EXPECT_EQ(bounds(1).upper->integer(), 200);
  EXPECT_EQ(bounds(2).upper->integer(), 4'000'000'000);
  EXPECT_EQ(bounds(3).lower->integer(), 1);
  EXPECT_FALSE(bounds(3).upper.has_value());
  EXPECT_EQ(bounds(4).lower->integer(), -2);
  EXPECT_EQ(bounds(4).upper->integer(), 3);
  EXPECT_EQ(bounds(5).lower->integer(), -5000);
  EXPECT_EQ(bounds(6).upper->integer(), 5000);
  EXPECT_EQ(bounds(7).lower->integer(), 1);
  EXPECT_EQ(bounds(7).upper->integer(), 6);
  EXPECT_TRUE(bounds(8).may_have_nan);
  EXPECT_EQ(bounds(8).lower->float32(), 1.5f);
  EXPECT_FALSE(bounds(10).lower.has_value());
  EXPECT_FALSE(bounds(11).lower.has_value());
  EXPECT_EQ(ToString(bounds(12).lower->unscaled()), "-1234567890123456789012345678");
  EXPECT_EQ(bounds(13).upper->boolean(), true);
  EXPECT_EQ(bounds(14).lower->text(), "abcd");
  EXPECT_EQ(bounds(14).upper->text(),
            "\xff"
            "bcd");
  EXPECT_EQ(bounds(15).lower->text(), "");
  EXPECT_TRUE(bounds(16).all_null);
  EXPECT_EQ(bounds(17).lower->integer(), -5);
}

}  // namespace
}  // namespace weir::parquet
