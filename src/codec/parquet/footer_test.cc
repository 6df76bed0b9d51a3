#include "codec/parquet/footer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/parquet/file_stats.h"
#include "codec/parquet/fixture.h"
#include "codec/parquet/thrift.h"

namespace weir::parquet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = LogicalType::Kind;

std::string ErrorOf(const Result<Footer>& result) { return result ? "no error" : result.error().ToString(); }

/// The numbers are pyarrow's own, from its FileMetaData.
TEST(Footer, ReadsWhatPyarrowWrote) {
  const Footer footer = ParseFixture("pyarrow_index.parquet");
  EXPECT_EQ(footer.row_count, 400);
  EXPECT_EQ(footer.created_by, "parquet-cpp-arrow version 26.0.1");
  ASSERT_EQ(footer.row_groups.size(), 2u);
  ASSERT_EQ(footer.leaves.size(), 5u);
  EXPECT_EQ(footer.row_groups[0].row_count, 300);
  const ColumnChunk& s = footer.row_groups[0].columns[1];
  EXPECT_EQ(s.physical, PhysicalType::kByteArray);
  EXPECT_EQ(s.codec, Codec::kSnappy);
  EXPECT_EQ(s.value_count, 300);
  EXPECT_EQ(s.dictionary_page_offset, 1403);
  EXPECT_EQ(s.data_page_offset, 2235);
  EXPECT_EQ(s.start_bytes(), 1403u);
  EXPECT_EQ(s.compressed_size_bytes, 1201);
  EXPECT_EQ(s.statistics.null_count, 100);
  EXPECT_EQ(s.statistics.min_value, "k000");
  EXPECT_EQ(s.statistics.max_value, "k299");
  EXPECT_TRUE(s.offset_index.has_value());
  EXPECT_TRUE(s.column_index.has_value());
  EXPECT_FALSE(footer.row_groups[1].columns[0].dictionary_page_offset.has_value());
  EXPECT_EQ(footer.leaves[0].max_definition_level, 0);
  EXPECT_EQ(footer.leaves[1].max_definition_level, 1);
  EXPECT_EQ(footer.element(footer.leaves[1]).field_id, FieldId{2});
  EXPECT_THAT(footer.column_orders, ::testing::Each(ColumnOrder::kTypeDefined));
}

TEST(Footer, ReadsWhatSparkWroteForIceberg) {
  const Footer footer = ParseFixture("spark_iceberg.parquet");
  EXPECT_EQ(footer.row_count, 800);
  ASSERT_EQ(footer.leaves.size(), 11u);
  EXPECT_THAT(footer.created_by, HasSubstr("parquet-mr version 1.17"));
  EXPECT_EQ(FindLeaf(footer, FieldId{5}), 4u);
  EXPECT_EQ(FindLeaf(footer, FieldId{99}), std::nullopt);
  const std::vector<Kind> kinds = {Kind::kNone, Kind::kString,    Kind::kDecimal,   Kind::kDecimal,
                                   Kind::kDate, Kind::kTimestamp, Kind::kTimestamp, Kind::kNone,
                                   Kind::kNone, Kind::kNone,      Kind::kNone};
  for (size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(footer.element(footer.leaves[i]).logical.kind, kinds[i]) << i;
  }
  EXPECT_TRUE(footer.element(footer.leaves[5]).logical.adjusted_to_utc);
  EXPECT_FALSE(footer.element(footer.leaves[6]).logical.adjusted_to_utc);
  EXPECT_EQ(footer.element(footer.leaves[3]).logical.scale, 4);
}

TEST(Footer, ReadsNestedLevelsAndPaths) {
  const Footer footer = ParseFixture("pyarrow_types.parquet");
  const auto a = FindLeaf(footer, FieldId{101});
  ASSERT_TRUE(a.has_value());
  EXPECT_THAT(footer.PathOf(footer.leaves[*a]), ElementsAre("st", "a"));
  EXPECT_FALSE(footer.is_top_level(footer.leaves[*a]));
  EXPECT_EQ(footer.leaves[*a].max_definition_level, 2);
  const Leaf& element = footer.leaves[*a + 1];
  EXPECT_THAT(footer.PathOf(element), ElementsAre("li", "list", "element"));
  EXPECT_EQ(element.max_definition_level, 3);
  EXPECT_EQ(element.max_repetition_level, 1);
}

TEST(Footer, ReadsFilesWithoutPageIndexOrFieldIds) {
  const Footer duckdb = ParseFixture("duckdb.parquet");
  ASSERT_EQ(duckdb.row_groups.size(), 3u);
  EXPECT_FALSE(duckdb.row_groups[0].columns[0].offset_index.has_value());
  EXPECT_EQ(duckdb.row_groups[2].row_count, 404);
  EXPECT_TRUE(duckdb.has_field_ids());
  const Footer spark = ParseFixture("spark_int96.parquet");
  EXPECT_FALSE(spark.has_field_ids());
  EXPECT_EQ(spark.row_groups[0].columns[1].physical, PhysicalType::kInt96);
  EXPECT_EQ(spark.row_groups[0].columns[1].codec, Codec::kGzip);
}

TEST(Footer, RefusesEncryptionByName) {
  const std::string bytes = ReadFixture("encrypted_footer.parquet");
  const auto footer = ParseFooterTail(AsBytes(bytes), bytes.size());
  ASSERT_FALSE(footer.has_value());
  EXPECT_EQ(footer.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(footer.error().message(), HasSubstr("encrypted footer"));

  const Footer plain_footer = ParseFixture("encrypted_column.parquet");
  EXPECT_TRUE(plain_footer.has_encrypted_columns);
  EXPECT_FALSE(plain_footer.row_groups[0].columns[0].is_encrypted);
  EXPECT_TRUE(plain_footer.row_groups[0].columns[1].is_encrypted);
}

TEST(Footer, NamesThePlaceOfDamage) {
  std::string bytes = ReadFixture("pyarrow_v2.parquet");
  const auto parse = [](const std::string& b) { return ErrorOf(ParseFooterTail(AsBytes(b), b.size())); };
  EXPECT_THAT(parse(bytes.substr(0, 11)), HasSubstr("expected at least 12 bytes"));
  EXPECT_THAT(parse(bytes.substr(0, 500)), HasSubstr("at file offset 496: expected the magic PAR1"));
  std::string long_footer = bytes;
  long_footer.replace(bytes.size() - 8, 4, "\xff\xff\xff\x7f");
  EXPECT_THAT(parse(long_footer), HasSubstr("a footer of 2147483647 bytes does not fit"));
  std::string no_footer = bytes;
  no_footer.replace(bytes.size() - 8, 4, std::string(4, '\0'));
  EXPECT_THAT(parse(no_footer), HasSubstr("a footer of 0 bytes"));
  std::string cut = bytes.substr(0, bytes.size() - 40) + bytes.substr(bytes.size() - 8);
  EXPECT_THAT(parse(cut), HasSubstr("at file offset"));
}

/// Every single-byte change is refused or gives a footer; sanitizers watch.
TEST(Footer, SurvivesAnyChangedByte) {
  const std::string bytes = ReadFixture("pyarrow_v2.parquet");
  const uint64_t tail = *FooterTailSize(AsBytes(bytes), bytes.size());
  for (size_t i = bytes.size() - tail; i < bytes.size(); ++i) {
    for (const char value : {'\0', '\x15', '\x7f', '\xff'}) {
      std::string changed = bytes;
      changed[i] = value;
      const auto footer = ParseFooterTail(AsBytes(changed), changed.size());
      EXPECT_TRUE(!footer || footer->column_orders.size() == footer->leaves.size());
    }
  }
}

/// A footer of one required INT64 column "a", made by hand; `edit` breaks it.
struct HandMade {
  int64_t row_count = 10;
  int64_t value_count = 10;
  int64_t data_page_offset = 4;
  int64_t compressed_size_bytes = 90;
  int32_t child_count = 1;
  int chunks = 1;
  int64_t offset_index = 50;
  int32_t offset_index_size = 10;

  std::string Bytes() const {
    ThriftWriter out;
    out.BeginStruct();
    out.I32(1, 1);
    out.BeginList(2, WireType::kStruct, 2);
    out.BeginStruct();
    out.Binary(4, "root");
    out.I32(5, child_count);
    out.EndStruct();
    out.BeginStruct();
    out.I32(1, 2);
    out.I32(3, 0);
    out.Binary(4, "a");
    out.EndStruct();
    out.I64(3, row_count);
    out.BeginList(4, WireType::kStruct, 1);
    out.BeginStruct();
    out.BeginList(1, WireType::kStruct, static_cast<size_t>(chunks));
    for (int i = 0; i < chunks; ++i) WriteChunk(out);
    out.I64(2, 100);
    out.I64(3, row_count);
    out.EndStruct();
    out.EndStruct();
    return out.Take();
  }

  void WriteChunk(ThriftWriter& out) const {
    out.BeginStruct();
    out.I64(2, 0);
    out.BeginStructField(3);
    out.I32(1, 2);
    out.BeginList(2, WireType::kI32, 1);
    out.ElementI32(0);
    out.BeginList(3, WireType::kBinary, 1);
    out.ElementBinary("a");
    out.I32(4, 0);
    out.I64(5, value_count);
    out.I64(6, 90);
    out.I64(7, compressed_size_bytes);
    out.I64(9, data_page_offset);
    out.EndStruct();
    out.I64(4, offset_index);
    out.I32(5, offset_index_size);
    out.EndStruct();
  }
};

TEST(Footer, RefusesImpossibleNumbers) {
  const auto parse = [](const HandMade& made) {
    const std::string bytes = made.Bytes();
    return ErrorOf(ParseFooter(AsBytes(bytes), 100, 1000));
  };
  EXPECT_EQ(parse({}), "no error");
  EXPECT_THAT(parse({.row_count = -1}), HasSubstr("a row count of at least 0, found -1"));
  EXPECT_THAT(parse({.value_count = -5}), HasSubstr("a value count of at least 0"));
  EXPECT_THAT(parse({.data_page_offset = -4}), HasSubstr("a data page offset of at least 0"));
  EXPECT_THAT(parse({.data_page_offset = 990}), HasSubstr("does not fit in the file of 1000 bytes"));
  EXPECT_THAT(parse({.compressed_size_bytes = INT64_MAX}), HasSubstr("does not fit in the file"));
  EXPECT_THAT(parse({.child_count = 2}), HasSubstr("the schema lacks 1 of its elements"));
  EXPECT_THAT(parse({.child_count = 0}), HasSubstr("has no parent"));
  EXPECT_THAT(parse({.chunks = 0}), HasSubstr("has 0 columns, the schema 1 leaves"));
  EXPECT_THAT(parse({.chunks = 2}), HasSubstr("has 2 columns, the schema 1 leaves"));
  EXPECT_THAT(parse({.offset_index = 995}), HasSubstr("its page index of 10 bytes at offset 995"));
  EXPECT_THAT(parse({.offset_index_size = -1}), HasSubstr("a size of the offset index"));
  EXPECT_EQ(parse({.offset_index = 0, .offset_index_size = 0}), "no error");
}

TEST(Footer, RefusesHostileLengths) {
  // A list of 2^31 schema elements in a few bytes.
  const std::string list("\x15\x02\x19\xfc\xff\xff\xff\xff\x07", 9);
  EXPECT_THAT(ErrorOf(ParseFooter(AsBytes(list), 0, 100)), HasSubstr("a list of 2147483647 elements"));
  // Structs in structs without end.
  const std::string deep = "\xec" + std::string(10000, '\x1c');
  EXPECT_THAT(ErrorOf(ParseFooter(AsBytes(deep), 0, 100)), HasSubstr("40 nested values"));
  EXPECT_THAT(ErrorOf(ParseFooter({}, 7, 100)), HasSubstr("at file offset 7: expected one more byte"));
}

TEST(Footer, WritesWhatItReads) {
  Footer footer = ParseFixture("spark_iceberg.parquet");
  const std::string tail = SerializeFooterTail(footer);
  const uint64_t file_size = 100'000;
  const auto again = ParseFooterTail(AsBytes(tail), file_size);
  ASSERT_TRUE(again.has_value()) << again.error().ToString();
  ASSERT_EQ(again->schema.size(), footer.schema.size());
  for (size_t i = 0; i < footer.schema.size(); ++i) {
    EXPECT_EQ(again->schema[i].name, footer.schema[i].name);
    EXPECT_EQ(again->schema[i].logical, footer.schema[i].logical) << footer.schema[i].name;
    EXPECT_EQ(again->schema[i].physical, footer.schema[i].physical);
    EXPECT_EQ(again->schema[i].repetition, footer.schema[i].repetition);
    EXPECT_EQ(again->schema[i].field_id, footer.schema[i].field_id);
    EXPECT_EQ(again->schema[i].type_length, footer.schema[i].physical == PhysicalType::kFixedLenByteArray
                                                ? footer.schema[i].type_length
                                                : 0);
  }
  const ColumnChunk& chunk = again->row_groups[0].columns[1];
  EXPECT_EQ(chunk.data_page_offset, footer.row_groups[0].columns[1].data_page_offset);
  EXPECT_EQ(chunk.compressed_size_bytes, footer.row_groups[0].columns[1].compressed_size_bytes);
  EXPECT_EQ(again->row_count, 800);
}

}  // namespace
}  // namespace weir::parquet
