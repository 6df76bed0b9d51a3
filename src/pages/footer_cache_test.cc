#include "pages/footer_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pages/fixture_storage.h"

namespace weir::pages {
namespace {

using ::testing::SizeIs;

std::vector<ChunkRef> FirstChunk(const parquet::Footer&) { return {{0, 0}}; }

TEST(FooterCache, ReadsTheTailOnceAndThenNothing) {
  FixtureStore f;
  FooterCache cache;
  const FileRef file = f.storage->Add("pyarrow_index.parquet");
  const auto first = cache.Read(f.store, file, FirstChunk);
  ASSERT_TRUE(first.has_value());
  ASSERT_NE(first->Find({0, 0}), nullptr);
  EXPECT_EQ(first->Find({0, 1}), nullptr);
  EXPECT_THAT(first->Find({0, 0})->pages.pages, SizeIs(6));
  const auto reads = f.storage->TakeReads();
  ASSERT_THAT(reads, SizeIs(1)) << "the tail holds the page index";
  EXPECT_EQ(reads[0].purpose, Purpose::kFooter);
  EXPECT_EQ(reads[0].ranges[0].end_bytes(), file.size_bytes);

  const auto again = cache.Read(f.store, file, FirstChunk);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->footer, first->footer);
  EXPECT_THAT(f.storage->TakeReads(), SizeIs(0));
  EXPECT_EQ(f.ledger->Total()[AvoidReason::kCache].bytes, reads[0].ranges[0].size_bytes);
}

TEST(FooterCache, ReadsOnWhenTheGuessWasTooShort) {
  FixtureStore f;
  FooterCache cache;
  FileRef file = f.storage->Add("spark_iceberg.parquet");
  file.footer_size_bytes = 100;
  const auto index = cache.Read(f.store, file, FirstChunk);
  ASSERT_TRUE(index.has_value());
  EXPECT_NE(index->Find({0, 0}), nullptr);
  const auto reads = f.storage->TakeReads();
  ASSERT_THAT(reads, SizeIs(3)) << "tail, rest of the footer, page index";
  EXPECT_EQ(reads[1].ranges[0].end_bytes(), reads[0].ranges[0].offset_bytes);
  EXPECT_THAT(reads[2].ranges, SizeIs(2));
}

TEST(FooterCache, ForgetsTheLeastRecentlyUsed) {
  FixtureStore f;
  const FileRef a = f.storage->Add("pyarrow_index.parquet"), b = f.storage->Add("duckdb.parquet"),
                c = f.storage->Add("spark_iceberg.parquet");
  FooterCache large;
  for (const FileRef& file : {a, b, c}) ASSERT_TRUE(large.ReadFooter(f.store, file).has_value());
  FooterCache cache(large.size_bytes() - 1);
  ASSERT_TRUE(cache.ReadFooter(f.store, a).has_value());
  ASSERT_TRUE(cache.ReadFooter(f.store, b).has_value());
  ASSERT_TRUE(cache.ReadFooter(f.store, a).has_value());
  ASSERT_TRUE(cache.ReadFooter(f.store, c).has_value());
  EXPECT_LE(cache.size_bytes(), large.size_bytes() - 1);
  f.storage->TakeReads();
  ASSERT_TRUE(cache.ReadFooter(f.store, a).has_value());
  EXPECT_THAT(f.storage->TakeReads(), SizeIs(0));
  ASSERT_TRUE(cache.ReadFooter(f.store, b).has_value());
  EXPECT_THAT(f.storage->TakeReads(), SizeIs(1));
}

TEST(FooterCache, KeepsNothingBeyondItsBudget) {
  FixtureStore f;
  FooterCache cache(10);
  ASSERT_TRUE(cache.ReadFooter(f.store, f.storage->Add("duckdb.parquet")).has_value());
  EXPECT_EQ(cache.size_bytes(), 0u);
}

TEST(FooterCache, NamesTheFileInErrors) {
  FixtureStore f;
  FooterCache cache;
  const FileRef tiny = f.storage->Add("duckdb.parquet", [](std::string& bytes) { bytes.resize(11); });
  const auto footer = cache.ReadFooter(f.store, tiny);
  ASSERT_FALSE(footer.has_value());
  EXPECT_EQ(footer.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(footer.error().message(), ::testing::StartsWith("duckdb.parquet: "));
}

}  // namespace
}  // namespace weir::pages
