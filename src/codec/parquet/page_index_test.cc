#include "codec/parquet/page_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/parquet/bounds.h"
#include "codec/parquet/fixture.h"
#include "codec/parquet/thrift.h"

namespace weir::parquet {
namespace {

using ::testing::HasSubstr;

/// A fixture with its footer and the page index of one chunk.
struct Fixture {
  std::string bytes;
  Footer footer;
  OffsetIndex offsets;
  ColumnIndex bounds;

  Fixture(const std::string& name, size_t group, size_t leaf)
      : bytes(ReadFixture(name)), footer(ParseFixture(name)) {
    const ColumnChunk& chunk = footer.row_groups[group].columns[leaf];
    const ByteRange o = *chunk.offset_index, c = *chunk.column_index;
    auto parsed = ParseOffsetIndex(AsBytes(bytes).subspan(o.offset_bytes, o.size_bytes), o.offset_bytes,
                                   bytes.size(), footer.row_groups[group].row_count);
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().ToString());
    offsets = *parsed;
    auto columns = ParseColumnIndex(AsBytes(bytes).subspan(c.offset_bytes, c.size_bytes), c.offset_bytes,
                                    offsets.pages.size());
    EXPECT_TRUE(columns.has_value()) << (columns ? "" : columns.error().ToString());
    bounds = *columns;
  }
};

TEST(PageIndex, ReadsPyarrowPagesOfFiftyRows) {
  const Fixture f("pyarrow_index.parquet", 0, 0);
  ASSERT_EQ(f.offsets.pages.size(), 6u);
  const BoundsDecoder decoder(f.footer, 0, Type::Long());
  for (size_t i = 0; i < 6; ++i) {
    const auto first = static_cast<int64_t>(i) * 50;
    EXPECT_EQ(f.offsets.pages[i].first_row, first);
    const ValueBounds bounds = decoder.OfPage(f.bounds, i);
    EXPECT_EQ(bounds.lower, Scalar::Long(first * 3));
    EXPECT_EQ(bounds.upper, Scalar::Long((first + 49) * 3));
    EXPECT_EQ(bounds.null_count, 0u);
  }
}

TEST(PageIndex, KnowsPagesOfNullsOnly) {
  const Fixture f("pyarrow_index.parquet", 0, 1);
  const BoundsDecoder decoder(f.footer, 1, Type::String());
  for (size_t i = 0; i < 6; ++i) {
    const ValueBounds bounds = decoder.OfPage(f.bounds, i);
    const bool null_page = i == 2 || i == 3;
    EXPECT_EQ(bounds.all_null, null_page) << i;
    EXPECT_EQ(bounds.null_count, null_page ? 50u : 0u);
    EXPECT_EQ(bounds.lower.has_value(), !null_page);
  }
  EXPECT_EQ(decoder.OfPage(f.bounds, 4).lower, Scalar::String("k200"));
}

TEST(PageIndex, ReadsSparkPagesWithCutStrings) {
  const Fixture f("spark_iceberg.parquet", 0, 1);
  ASSERT_EQ(f.offsets.pages.size(), 4u);
  const BoundsDecoder decoder(f.footer, 1, Type::String());
  const Scalar lowest = Scalar::String(std::string(70, 'p') + "000400");
  const Scalar highest = Scalar::String(std::string(70, 'p') + "000599");
  const ValueBounds page = decoder.OfPage(f.bounds, 2);
  EXPECT_LT(page.lower->text().size(), 70u);
  EXPECT_TRUE(Compare(*page.lower, lowest) <= 0);
  EXPECT_TRUE(Compare(*page.upper, highest) >= 0);
  EXPECT_TRUE(decoder.OfPage(f.bounds, 1).all_null);
}

TEST(PageIndex, PageHeadersAgreeWithTheIndex) {
  for (const size_t leaf : {0u, 1u, 2u, 4u}) {
    const Fixture f("pyarrow_index.parquet", 0, leaf);
    for (const PageLocation& page : f.offsets.pages) {
      const auto header = ParsePageHeader(AsBytes(f.bytes).subspan(page.offset_bytes), page.offset_bytes);
      ASSERT_TRUE(header.has_value());
      EXPECT_EQ(header->type, PageType::kData);
      EXPECT_EQ(header->value_count, 50);
      EXPECT_EQ(header->header_size_bytes + header->compressed_size_bytes,
                static_cast<int64_t>(page.size_bytes));
      EXPECT_EQ(header->encoding, leaf == 1 ? Encoding::kRleDictionary : Encoding::kPlain);
    }
  }
}

TEST(PageHeader, ReadsDictionaryAndV2Pages) {
  const std::string v2 = ReadFixture("pyarrow_v2.parquet");
  const auto page = ParsePageHeader(AsBytes(v2).subspan(4), 4);
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->type, PageType::kDataV2);
  EXPECT_EQ(page->row_count, 100);
  EXPECT_EQ(page->value_count, 100);
  const std::string indexed = ReadFixture("pyarrow_index.parquet");
  const auto dictionary = ParsePageHeader(AsBytes(indexed).subspan(1403), 1403);
  ASSERT_TRUE(dictionary.has_value());
  EXPECT_EQ(dictionary->type, PageType::kDictionary);
  EXPECT_EQ(dictionary->value_count, 200);
  EXPECT_EQ(dictionary->header_size_bytes + dictionary->compressed_size_bytes, 2235 - 1403);
}

TEST(PageHeader, RefusesWhatIsNoPage) {
  const std::string negative("\x15\x00\x15\x01\x15\x02\x2c\x15\x02\x15\x00\x15\x06\x15\x06\x00\x00", 17);
  EXPECT_FALSE(ParsePageHeader(AsBytes(negative), 0).has_value());
  const std::string wrong_detail("\x15\x04\x15\x02\x15\x02\x2c\x15\x02\x15\x00\x15\x06\x15\x06\x00\x00", 17);
  EXPECT_FALSE(ParsePageHeader(AsBytes(wrong_detail), 0).has_value());
  EXPECT_FALSE(ParsePageHeader({}, 0).has_value());
}

struct PageSpec {
  int64_t offset, size, row;
};

std::string OffsetIndexOf(const std::vector<PageSpec>& pages) {
  ThriftWriter out;
  out.BeginStruct();
  out.BeginList(1, WireType::kStruct, pages.size());
  for (const PageSpec& page : pages) {
    out.BeginStruct();
    out.I64(1, page.offset);
    out.I32(2, static_cast<int32_t>(page.size));
    out.I64(3, page.row);
    out.EndStruct();
  }
  out.EndStruct();
  return out.Take();
}

TEST(PageIndex, RefusesPagesThatCannotBe) {
  const auto parse = [](const std::vector<PageSpec>& pages) {
    const std::string bytes = OffsetIndexOf(pages);
    const auto index = ParseOffsetIndex(AsBytes(bytes), 70, 1000, 10);
    return index ? "no error" : index.error().ToString();
  };
  EXPECT_EQ(parse({{4, 10, 0}, {14, 20, 5}}), "no error");
  EXPECT_EQ(parse({{4, 10, 0}, {100, 20, 5}}), "no error");
  EXPECT_THAT(parse({}), HasSubstr("no pages for 10 rows"));
  EXPECT_THAT(parse({{4, 10, 1}}), HasSubstr("expected 0 and below"));
  EXPECT_THAT(parse({{4, 10, 0}, {14, 10, 0}}), HasSubstr("expected at least 1"));
  EXPECT_THAT(parse({{4, 10, 0}, {14, 10, 10}}), HasSubstr("below the row group's 10 rows"));
  EXPECT_THAT(parse({{4, 10, 0}, {13, 10, 5}}), HasSubstr("expected it behind offset 14"));
  EXPECT_THAT(parse({{995, 10, 0}}), HasSubstr("within the file's 1000 bytes"));
  EXPECT_THAT(parse({{-4, 10, 0}}), HasSubstr("none below 0"));
  EXPECT_THAT(parse({{INT64_MAX, 10, 0}}), HasSubstr("within the file's 1000 bytes"));
}

TEST(PageIndex, RefusesListsOfAnotherLength) {
  const Fixture f("pyarrow_index.parquet", 0, 0);
  const ByteRange c = *f.footer.row_groups[0].columns[0].column_index;
  const Bytes bytes = AsBytes(f.bytes).subspan(c.offset_bytes, c.size_bytes);
  const auto index = ParseColumnIndex(bytes, c.offset_bytes, 5);
  ASSERT_FALSE(index.has_value());
  EXPECT_EQ(index.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(index.error().message(), HasSubstr("null_pages has 6 entries for 5 pages"));
}

}  // namespace
}  // namespace weir::parquet
