// Single values, metrics modes and partition bounds: everything that pruning later believes.

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "table/iceberg/fixture_for_test.h"
#include "table/iceberg/metrics.h"
#include "table/iceberg/partitioning.h"
#include "table/iceberg/single_value.h"
#include "type/scalar_text.h"

namespace weir::iceberg {
namespace {

std::string Hex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  return text;
}

// Spec: Appendix D. Values computed by hand from its table.
TEST(SingleValue, IsTheSpecsBinaryForm) {
  const std::vector<std::pair<Scalar, std::string>> cases = {
      {Scalar::Boolean(true), "01"},
      {Scalar::Boolean(false), "00"},
      {Scalar::Int(34), "22000000"},
      {Scalar::Int(-1), "ffffffff"},
      {Scalar::Long(34), "2200000000000000"},
      {Scalar::Float(1.0f), "0000803f"},
      {Scalar::Double(1.0), "000000000000f03f"},
      {Scalar::Date(17486), "4e440000"},
      {Scalar::Timestamp(1), "0100000000000000"},
      {Scalar::String("iceberg"), "69636562657267"},
      {Scalar::Binary(std::string("\x00\x01", 2)), "0001"},
      {Scalar::Decimal(1420, 4, 2), "058c"},
      {Scalar::Decimal(-1, 4, 2), "ff"},
      {Scalar::Decimal(127, 4, 2), "7f"},
      {Scalar::Decimal(128, 4, 2), "0080"},
      {Scalar::Decimal(-128, 4, 2), "80"},
      {Scalar::Decimal(-129, 4, 2), "ff7f"},
      {Scalar::Decimal(0, 4, 2), "00"},
  };
  for (const auto& [value, hex] : cases) {
    SCOPED_TRACE(value.ToSql());
    EXPECT_EQ(Hex(ToSingleValue(value)), hex);
    const auto back = FromSingleValue(ToSingleValue(value), value.type());
    ASSERT_TRUE(back) << back.error().ToString();
    EXPECT_EQ(*back, value);
  }
  const std::string uuid = *UuidBytes("f79c3e09-677c-4bbd-a479-3f349cb785e7");
  EXPECT_EQ(Hex(ToSingleValue(Scalar(Type::Uuid(), uuid))), "f79c3e09677c4bbda4793f349cb785e7");
  EXPECT_EQ(UuidText(uuid), "f79c3e09-677c-4bbd-a479-3f349cb785e7");
}

TEST(SingleValue, ValuesFromBeforeAPromotionAreRead) {
  EXPECT_EQ(*FromSingleValue(ToSingleValue(Scalar::Int(-7)), Type::Long()), Scalar::Long(-7));
  EXPECT_EQ(*FromSingleValue(ToSingleValue(Scalar::Float(1.5f)), Type::Double()), Scalar::Double(1.5));
  EXPECT_EQ(FromSingleValue(ToSingleValue(Scalar::Decimal(-5, 4, 2)), Type::Decimal(30, 2))->unscaled(), -5);
}

TEST(SingleValue, WrongLengthsAreCorrupt) {
  const std::vector<std::pair<std::string, Type>> cases = {{"", Type::Boolean()},
                                                           {"abc", Type::Int()},
                                                           {"12345678", Type::Int()},
                                                           {"12345", Type::Long()},
                                                           {"", Type::Date()},
                                                           {"1234", Type::Timestamp()},
                                                           {"12345678", Type::Float()},
                                                           {"1", Type::Double()},
                                                           {"", Type::Decimal(9, 2)},
                                                           {"123", Type::Uuid()},
                                                           {std::string(17, '\x01'), Type::Decimal(38, 0)}};
  for (const auto& [bytes, type] : cases) {
    SCOPED_TRACE(type.ToString());
    const auto value = FromSingleValue(bytes, type);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code(), ErrorCode::kCorrupt);
  }
  for (const char* text : {"", "f79c3e09677c4bbda4793f349cb785e7", "f79c3e09-677c-4bbd-a479-3f349cb785eg",
                           "f79c3e09-677c-4bbd-a479-3f349cb785e7-"}) {
    EXPECT_FALSE(UuidBytes(text)) << text;
  }
}

MetricsMode ModeOf(Properties properties, int32_t field) {
  return MetricsConfig::For(SampleMetadata({}, std::move(properties))).ModeOf(FieldId{field});
}

TEST(Metrics, ModesComeFromColumnThenDefault) {
  using Kind = MetricsMode::Kind;
  EXPECT_EQ(ModeOf({}, 1), (MetricsMode{Kind::kTruncate, 16}));
  EXPECT_EQ(ModeOf({{"write.metadata.metrics.default", "counts"}}, 1).kind, Kind::kCounts);
  EXPECT_EQ(ModeOf({{"write.metadata.metrics.default", "Truncate(8)"}}, 1).length, 8);
  const Properties mixed = {{"write.metadata.metrics.default", "none"},
                            {"write.metadata.metrics.column.color", "full"}};
  EXPECT_EQ(ModeOf(mixed, 1).kind, Kind::kNone);
  EXPECT_EQ(ModeOf(mixed, 2).kind, Kind::kFull);
  // What is no mode falls back, as in every implementation.
  EXPECT_EQ(ModeOf({{"write.metadata.metrics.default", "truncate(0)"}}, 1),
            (MetricsMode{Kind::kTruncate, 16}));
}

TEST(Metrics, WideTablesKeepMetricsOfTheFirstColumnsOnly) {
  NewTable table;
  table.location = "mem:/t";
  table.schema.fields.push_back(
      {{}, "nested", Type::Struct({{{}, "inner", Type::Int(), false, ""}}), false, ""});
  for (int i = 0; i < 120; ++i)
    table.schema.fields.push_back({{}, fmt::format("c{}", i), Type::Int(), false, ""});
  const TableMetadata metadata = Must(MakeTableMetadata(table));
  const MetricsConfig config = MetricsConfig::For(metadata);
  const auto kind = [&](const char* name) {
    return config.ModeOf(metadata.current_schema().FindByName(name)->id).kind;
  };
  EXPECT_EQ(kind("c0"), MetricsMode::Kind::kTruncate);
  EXPECT_EQ(kind("c99"), MetricsMode::Kind::kTruncate);
  EXPECT_EQ(kind("c100"), MetricsMode::Kind::kNone);
  // A level's own columns come before those below it.
  EXPECT_EQ(config.ModeOf(metadata.current_schema().fields[0].type.fields()[0].id).kind,
            MetricsMode::Kind::kNone);
}

ContentFile WithBounds(const Scalar& lower, const Scalar& upper, Properties properties) {
  TableMetadata metadata = SampleMetadata({}, std::move(properties));
  metadata.schemas[0].fields[1].type = lower.type();
  ContentFile file;
  table::NewDataFile::LeafMetrics leaf;
  leaf.field = FieldId{2};
  leaf.value_count = 2;
  leaf.null_count = 0;
  leaf.nan_count = 0;
  leaf.lower = lower;
  leaf.upper = upper;
  SetDataMetrics({leaf}, MetricsConfig::For(metadata), metadata.current_schema(), file);
  return file;
}

TEST(Metrics, LongBoundsAreTruncatedSoThatTheyStillHold) {
  struct Case {
    Scalar value;
    std::string lower;
    std::optional<std::string> upper;
  };
  const std::string top = "\xF4\x8F\xBF\xBF";     // U+10FFFF
  const std::string before_gap = "\xED\x9F\xBF";  // U+D7FF, whose successor is U+E000.
  const std::string after_gap = "\xEE\x80\x80";
  const std::vector<Case> cases = {
      {Scalar::String("abc"), "abc", "abc"},
      {Scalar::String("abcdef"), "abcd", "abce"},
      {Scalar::String("ab" + top + top + "x"), "ab" + top + top, "ac"},
      {Scalar::String(top + top + top + top + "x"), top + top + top + top, std::nullopt},
      {Scalar::String("abc" + before_gap + "x"), "abc" + before_gap, "abc" + after_gap},
      {Scalar::String("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"), "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9",
       "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"},
      {Scalar::Binary("\x01\xff\xff\xff\xff"), "\x01\xff\xff\xff", "\x02"},
      {Scalar::Binary("\xff\xff\xff\xff\xff"), "\xff\xff\xff\xff", std::nullopt},
      {Scalar::Binary("\xff\xff\xff\xff"), "\xff\xff\xff\xff", "\xff\xff\xff\xff"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.value.ToSql());
    const ContentFile file =
        WithBounds(test.value, test.value, {{"write.metadata.metrics.default", "truncate(4)"}});
    ASSERT_TRUE(file.lower_bounds.has_value());
    EXPECT_EQ(file.lower_bounds->at(0).second, test.lower);
    const auto upper = file.upper_bounds ? std::optional(file.upper_bounds->at(0).second) : std::nullopt;
    EXPECT_EQ(upper, test.upper);
  }
}

// Iceberg orders -0.0 below 0.0; readers that do must not skip a file for its zero.
TEST(Metrics, ZeroBoundsHoldForBothZeroes) {
  const ContentFile file = WithBounds(Scalar::Double(0.0), Scalar::Double(-0.0), {});
  EXPECT_EQ(Hex(file.lower_bounds->at(0).second), "0000000000000080");
  EXPECT_EQ(Hex(file.upper_bounds->at(0).second), "0000000000000000");
}

TEST(Metrics, ModesDecideWhatIsKept) {
  const ContentFile counts =
      WithBounds(Scalar::String("a"), Scalar::String("b"), {{"write.metadata.metrics.default", "counts"}});
  EXPECT_TRUE(counts.value_counts.has_value());
  EXPECT_FALSE(counts.lower_bounds.has_value());
  const ContentFile none =
      WithBounds(Scalar::String("a"), Scalar::String("b"), {{"write.metadata.metrics.default", "none"}});
  EXPECT_FALSE(none.value_counts.has_value());
  EXPECT_FALSE(none.nan_counts.has_value());
}

TEST(Metrics, UnknownNanCountsMeanThatNanIsPossible) {
  ContentFile file;
  file.row_count = 2;
  file.value_counts = ContentFile::Counts{{FieldId{3}, 2}};
  const Field price{FieldId{3}, "price", Type::Double(), false, ""};
  const auto find = [&](FieldId id) { return id == price.id ? &price : nullptr; };
  EXPECT_TRUE(BoundsOf(file, find).Find(ColumnId{3})->may_have_nan);
  file.nan_counts = ContentFile::Counts{{FieldId{3}, 0}};
  EXPECT_FALSE(BoundsOf(file, find).Find(ColumnId{3})->may_have_nan);
}

PartitionSpec SpecOf(const char* transform) {
  return {0, {{FieldId{1}, FieldId{1000}, "p", Must(Transform::Parse(transform))}}};
}

/// True if `value` lies within what the bounds say of column 1.
bool Holds(const Bounds& bounds, const Scalar& value) {
  const ColumnBounds* column = bounds.Find(ColumnId{1});
  if (column == nullptr) return true;
  if (value.is_null()) return !column->null_count || *column->null_count > 0;
  if (column->null_count && column->null_count == column->value_count) return false;
  if (value.is_nan()) return column->may_have_nan;
  if (column->lower && Compare(value, *column->lower) < 0) return false;
  return !column->upper || Compare(value, *column->upper) <= 0;
}

// Whatever a transform does to a value, the bounds made of its partition must still hold for the value.
TEST(PartitionBounds, HoldForTheValueThatWasTransformed) {
  SeededRandom random(7);
  const auto number = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random.Next() % static_cast<uint64_t>(high - low + 1));
  };
  const auto text = [&] {
    const std::vector<std::string> parts = {
        "", "a", "z", "\xC3\xA9", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF", "\xEE\x80\x80"};
    std::string value;
    for (int64_t i = number(0, 5); i > 0; --i) value += parts[static_cast<size_t>(number(0, 6))];
    return value;
  };
  using Make = std::function<Scalar()>;
  const int64_t far = int64_t{200'000} * 365 * 86'400'000'000 / 200;
  const Make ints = [&] { return Scalar::Int(static_cast<int32_t>(number(-50, 50))); };
  const Make wide_ints = [&] { return Scalar::Int(static_cast<int32_t>(number(INT32_MIN, INT32_MAX))); };
  const Make extreme_ints = [&] {
    return Scalar::Int(random.Next() % 2 != 0 ? INT32_MAX - static_cast<int32_t>(number(0, 12))
                                              : INT32_MIN + static_cast<int32_t>(number(0, 12)));
  };
  const Make extreme_longs = [&] {
    return Scalar::Long(random.Next() % 2 != 0 ? INT64_MAX - number(0, 12) : INT64_MIN + number(0, 12));
  };
  const Make decimals = [&] { return Scalar::Decimal(number(-2000, 2000), 9, 2); };
  const Make strings = [&] { return Scalar::String(text()); };
  const Make binaries = [&] {
    return Scalar::Binary(std::string(static_cast<size_t>(number(0, 4)),
                                      static_cast<char>(number(0, 3) == 0 ? 255 : number(0, 255))));
  };
  const Make dates = [&] { return Scalar::Date(static_cast<int32_t>(number(-2000, 2000))); };
  const Make times = [&] { return Scalar::Timestamp(number(-far, far)); };
  const Make doubles = [&] {
    return random.Next() % 5 == 0 ? Scalar::Double(std::nan(""))
                                  : Scalar::Double(static_cast<double>(number(-3, 3)));
  };
  const std::vector<std::pair<const char*, Make>> cases = {{"identity", ints},
                                                           {"identity", strings},
                                                           {"identity", doubles},
                                                           {"identity", decimals},
                                                           {"identity", times},
                                                           {"truncate[10]", ints},
                                                           {"truncate[10]", wide_ints},
                                                           {"truncate[10]", extreme_ints},
                                                           {"truncate[10]", extreme_longs},
                                                           {"truncate[50]", decimals},
                                                           {"truncate[2]", strings},
                                                           {"truncate[1]", strings},
                                                           {"truncate[2]", binaries},
                                                           {"year", dates},
                                                           {"month", dates},
                                                           {"day", dates},
                                                           {"year", times},
                                                           {"month", times},
                                                           {"day", times},
                                                           {"hour", times},
                                                           {"bucket[4]", ints},
                                                           {"void", ints}};
  for (const auto& [transform, make] : cases) {
    SCOPED_TRACE(transform);
    const PartitionSpec spec = SpecOf(transform);
    for (int i = 0; i < 400; ++i) {
      const Scalar value = i == 0 ? Scalar::Null(make().type()) : make();
      const Field column{FieldId{1}, "c", value.type(), false, ""};
      const auto find = [&](FieldId) { return &column; };
      const Scalar partition = Must(spec.fields[0].transform.Apply(value));
      EXPECT_TRUE(Holds(BoundsOfTuple(spec, {partition}, 3, find), value))
          << value.ToSql() << " in partition " << partition.ToSql();
      FieldSummary summary;
      summary.contains_null = partition.is_null();
      summary.contains_nan = partition.is_nan();
      if (!partition.is_null() && !partition.is_nan())
        summary.lower = summary.upper = ToSingleValue(partition);
      const auto types = Must(PartitionTypes(spec, find));
      EXPECT_TRUE(Holds(BoundsOfSummaries(spec, {summary}, types, find), value))
          << value.ToSql() << " in summary of " << partition.ToSql();
    }
  }
}

/// Of a column that was an int when the file was written, and is a long now.
TEST(PartitionBounds, HoldValuesFromBeforeAPromotion) {
  const PartitionSpec spec = SpecOf("truncate[10]");
  const Field column{FieldId{1}, "c", Type::Long(), false, ""};
  const auto find = [&](FieldId) { return &column; };
  const auto types = Must(PartitionTypes(spec, find));
  for (const int64_t distance : {0, 1, 7, 8, 9, 10, 30}) {
    for (const int64_t value : {INT32_MIN + distance, INT32_MAX - distance}) {
      const Scalar stored = Must(spec.fields[0].transform.Apply(Scalar::Int(static_cast<int32_t>(value))));
      const Scalar partition = Scalar::Long(stored.integer());
      EXPECT_TRUE(Holds(BoundsOfTuple(spec, {partition}, 3, find), Scalar::Long(value))) << value;
      for (const int64_t other : {int64_t{0}, int64_t{INT32_MAX} + 100, INT64_MIN / 10 * 10}) {
        FieldSummary summary;
        summary.lower = ToSingleValue(Scalar::Long(std::min(other, partition.integer())));
        summary.upper = ToSingleValue(Scalar::Long(std::max(other, partition.integer())));
        EXPECT_TRUE(Holds(BoundsOfSummaries(spec, {summary}, types, find), Scalar::Long(value)))
            << value << " beside " << other;
      }
    }
  }
}

/// A manifest whose upper bound wrapped around holds values below its lower one.
TEST(PartitionBounds, HoldWrappedValuesBesideOthers) {
  const PartitionSpec spec = SpecOf("truncate[10]");
  const Field column{FieldId{1}, "c", Type::Int(), false, ""};
  const auto find = [&](FieldId) { return &column; };
  FieldSummary summary;
  summary.lower = ToSingleValue(Scalar::Int(0));
  summary.upper = ToSingleValue(Must(spec.fields[0].transform.Apply(Scalar::Int(INT32_MIN))));
  const auto types = Must(PartitionTypes(spec, find));
  EXPECT_TRUE(Holds(BoundsOfSummaries(spec, {summary}, types, find), Scalar::Int(INT32_MIN)));
  EXPECT_TRUE(Holds(BoundsOfSummaries(spec, {summary}, types, find), Scalar::Int(5)));
}

TEST(PartitionBounds, AreTight) {
  const Field column{FieldId{1}, "c", Type::Timestamp(), false, ""};
  const auto find = [&](FieldId) { return &column; };
  const auto of = [&](const char* transform, Scalar value) {
    const Bounds bounds = BoundsOfTuple(SpecOf(transform), {std::move(value)}, 1, find);
    const ColumnBounds* found = bounds.Find(ColumnId{1});
    return found->lower->ToString() + " to " + found->upper->ToString();
  };
  EXPECT_EQ(of("day", Scalar::Date(18262)), "2020-01-01 00:00:00 to 2020-01-01 23:59:59.999999");
  EXPECT_EQ(of("month", Scalar::Int(50 * 12 + 1)), "2020-02-01 00:00:00 to 2020-02-29 23:59:59.999999");
  EXPECT_EQ(of("year", Scalar::Int(50)), "2020-01-01 00:00:00 to 2020-12-31 23:59:59.999999");
  EXPECT_EQ(of("hour", Scalar::Int(1)), "1970-01-01 01:00:00 to 1970-01-01 01:59:59.999999");
  // Early writers rounded towards zero, so that a row of the hour before may lie there too.
  EXPECT_EQ(of("hour", Scalar::Int(-1)), "1969-12-31 22:00:00 to 1969-12-31 23:59:59.999999");
}

TEST(Partitioning, PathsAreEncodedAsFormValues) {
  const PartitionSpec spec = {0,
                              {{FieldId{1}, FieldId{1000}, "a b/c", Must(Transform::Parse("identity"))},
                               {FieldId{2}, FieldId{1001}, "ts_day", Must(Transform::Parse("day"))}}};
  EXPECT_EQ(PartitionPath(spec, {Scalar::String("x=y/%\xC3\xA9*~"), Scalar::Date(18262)}),
            "a+b%2Fc=x%3Dy%2F%25%C3%A9*%7E/ts_day=2020-01-01");
  EXPECT_EQ(PartitionPath(spec, {Scalar::Null(Type::String()), Scalar::Null(Type::Date())}),
            "a+b%2Fc=null/ts_day=null");
}

TEST(Partitioning, NewTablesNameFieldsAsIcebergDoes) {
  const auto transform = [](const char* text) { return Must(Transform::Parse(text)); };
  NewTable table;
  table.location = "mem:/t";
  table.schema.fields = {{{}, "id", Type::Long(), true, ""},
                         {{}, "ts", Type::Timestamp(), false, ""},
                         {{}, "s", Type::Struct({{{}, "x", Type::String(), false, ""}}), false, ""}};
  table.partitioning = {
      {{"id"}, transform("bucket[16]"), ""},   {{"id"}, transform("truncate[100]"), ""},
      {{"id"}, transform("identity"), ""},     {{"ts"}, transform("day"), ""},
      {{"s", "x"}, transform("identity"), ""}, {{"s", "x"}, transform("bucket[2]"), "named"}};
  const PartitionSpec spec = Must(MakeTableMetadata(table)).specs[0];
  std::vector<std::string> names;
  for (const auto& field : spec.fields)
    names.push_back(fmt::format("{}:{}", field.name, field.field_id.value));
  EXPECT_THAT(names, testing::ElementsAre("id_bucket:1000", "id_trunc:1001", "id:1002", "ts_day:1003",
                                          "s.x:1004", "named:1005"));
}

TEST(Partitioning, SpecsThatIcebergRefusesAreRefused) {
  struct Case {
    std::vector<NewTable::Partitioning> partitioning;
    const char* message;
  };
  const auto transform = [](const char* text) { return Must(Transform::Parse(text)); };
  const std::vector<Case> cases = {
      {{{{"nope"}, transform("identity"), ""}}, "there is no column nope"},
      {{{{"color"}, transform("day"), ""}}, "cannot be partitioned by day"},
      {{{{"price"}, transform("bucket[4]"), ""}}, "cannot be partitioned by bucket[4]"},
      {{{{"id"}, transform("bucket[4]"), "color"}}, "partition field color has the name of a column"},
      {{{{"id"}, transform("identity"), "color"}}, "name of another column"},
      {{{{"id"}, transform("identity"), ""}, {{"id"}, transform("identity"), "id2"}}, "repeats another one"},
      {{{{"id"}, transform("bucket[4]"), "x"}, {{"color"}, transform("bucket[4]"), "x"}}, "are named x"},
      {{{{"id"}, transform("zorder"), ""}}, "zorder"},
  };
  for (const Case& test : cases) {
    NewTable table;
    table.location = "mem:/t";
    table.schema = SampleMetadata().current_schema();
    table.partitioning = test.partitioning;
    const auto metadata = MakeTableMetadata(table);
    ASSERT_FALSE(metadata) << test.message;
    EXPECT_THAT(metadata.error().message(), testing::HasSubstr(test.message));
  }
}

}  // namespace
}  // namespace weir::iceberg
