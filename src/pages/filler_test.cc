#include "pages/filler.h"

#include <gtest/gtest.h>

#include "codec/parquet/page_index.h"

namespace weir::pages {
namespace {

using parquet::PhysicalType;

parquet::SchemaElement Element(PhysicalType physical, int32_t type_length = 0) {
  parquet::SchemaElement element;
  element.name = "c";
  element.physical = physical;
  element.type_length = type_length;
  return element;
}

TEST(Filler, IsOnePageOfNullsWhereNullIsPossible) {
  const auto pages = MakeFiller(Element(PhysicalType::kInt64), 1, 20'000);
  ASSERT_TRUE(pages.has_value());
  ASSERT_EQ(pages->size(), 1u);
  const auto header = parquet::ParsePageHeader(AsBytes(*(*pages)[0].header), 0);
  ASSERT_TRUE(header.has_value());
  EXPECT_EQ(header->type, parquet::PageType::kDataV2);
  EXPECT_EQ(header->value_count, 20'000);
  EXPECT_EQ(header->row_count, 20'000);
  EXPECT_TRUE((*pages)[0].body.empty());
  // A run of 20,000 times level 0: varint(20000 * 2), then the level.
  EXPECT_EQ((*pages)[0].header->substr(static_cast<size_t>(header->header_size_bytes)),
            std::string("\xc0\xb8\x02\0", 4));
}

TEST(Filler, IsZerosWhereAValueIsRequired) {
  struct Case {
    PhysicalType physical;
    int32_t type_length;
    int64_t body_bytes;  // of 999 rows
  };
  const Case cases[] = {{PhysicalType::kBoolean, 0, 125},    {PhysicalType::kInt32, 0, 3996},
                        {PhysicalType::kInt64, 0, 7992},     {PhysicalType::kInt96, 0, 11988},
                        {PhysicalType::kFloat, 0, 3996},     {PhysicalType::kDouble, 0, 7992},
                        {PhysicalType::kByteArray, 0, 3996}, {PhysicalType::kFixedLenByteArray, 5, 4995}};
  for (const Case& c : cases) {
    const auto pages = MakeFiller(Element(c.physical, c.type_length), 0, 999);
    ASSERT_TRUE(pages.has_value());
    ASSERT_EQ(pages->size(), 1u);
    EXPECT_EQ(static_cast<int64_t>((*pages)[0].body.size()), c.body_bytes);
    const auto header = parquet::ParsePageHeader(AsBytes(*(*pages)[0].header), 0);
    ASSERT_TRUE(header.has_value());
    EXPECT_EQ(header->compressed_size_bytes, c.body_bytes);
    EXPECT_EQ(header->header_size_bytes, static_cast<int64_t>((*pages)[0].header->size()));
  }
}

TEST(Filler, SplitsWhatIsLong) {
  for (const int32_t level : {0, 1}) {
    const auto pages = MakeFiller(Element(PhysicalType::kInt64), level, 3'000'000);
    ASSERT_TRUE(pages.has_value());
    int64_t rows = 0;
    for (const FillerPage& page : *pages)
      rows += parquet::ParsePageHeader(AsBytes(*page.header), 0)->value_count;
    EXPECT_EQ(rows, 3'000'000);
  }
  EXPECT_TRUE(MakeFiller(Element(PhysicalType::kInt64), 1, 0)->empty());
}

TEST(Filler, RefusesValuesWithoutLength) {
  EXPECT_FALSE(MakeFiller(Element(PhysicalType::kFixedLenByteArray, 0), 0, 1).has_value());
  EXPECT_FALSE(MakeFiller(Element(PhysicalType::kFixedLenByteArray, 1 << 30), 0, 1).has_value());
  EXPECT_TRUE(MakeFiller(Element(PhysicalType::kFixedLenByteArray, 1 << 30), 1, 1).has_value());
}

}  // namespace
}  // namespace weir::pages
