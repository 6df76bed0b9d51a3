#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pages/fixture_storage.h"
#include "pages/synthesize.h"

namespace weir::pages {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr Options kEager = {.max_share = 1.0};

struct Fixture : FixtureStore {
  FooterCache cache;
  std::vector<KeyColumn> columns = {{FieldId{2}, "s", Type::String(), {}},
                                    {FieldId{1}, "id", Type::Long(), {}}};

  Result<KeySelection> Select(const FileRef& file, std::vector<RowRange> rows,
                              const Options& options = kEager) {
    files = {{file, std::move(rows)}};
    return SelectRows(store, cache, files, columns, options);
  }
  std::vector<RowFile> files;
};

TEST(SelectRows, ReadsThePagesOfTheRowsAndMapsTheRowsOnly) {
  Fixture f;
  const FileRef file = f.storage->Add("pyarrow_index.parquet");
  const auto selection = f.Select(file, {{10, 2}, {45, 1}, {320, 1}});
  ASSERT_TRUE(selection.has_value());
  EXPECT_EQ(selection->files[0].access, Access::kPages);
  EXPECT_EQ(selection->row_count, 100u) << "two pages of 50 rows";
  EXPECT_THAT(selection->files[0].row_groups, ElementsAre(0u, 1u));
  const auto synthesis = Synthesize(f.store, f.files, f.columns, *selection, kEager);
  ASSERT_TRUE(synthesis.has_value());
  ASSERT_THAT(synthesis->files, SizeIs(1));
  const RowMap& rows = synthesis->files[0]->rows();
  using Run = RowMap::Run;
  EXPECT_THAT(rows.runs(), (ElementsAre(Run{10, 2, 0, RowPos{10}}, Run{45, 1, 0, RowPos{45}},
                                        Run{70, 1, 0, RowPos{320}})));
  EXPECT_EQ(rows.row_count(), 100);
  EXPECT_TRUE(rows.has_gaps());
  EXPECT_EQ(rows.Find(9), std::nullopt);
  EXPECT_EQ(rows.Find(12), std::nullopt);
  EXPECT_EQ(rows.Find(70), (RealRow{0, RowPos{320}}));
  std::vector<int64_t> kept;
  rows.ForEachRun(0, 100, [&](const Run& run) { kept.push_back(run.virtual_row); });
  EXPECT_THAT(kept, ElementsAre(10, 45, 70));
}

TEST(SelectRows, BooksRowGroupsPagesAndColumns) {
  Fixture f;
  const auto selection = f.Select(f.storage->Add("pyarrow_index.parquet"), {{320, 1}});
  ASSERT_TRUE(selection.has_value());
  const auto footer = *f.cache.ReadFooter(f.store, f.files[0].file);
  const MovementTotals total = f.ledger->Total();
  const uint64_t column_bytes = 466 + 574;  // pyarrow's sizes of id and s in row group 1
  EXPECT_EQ(total[AvoidReason::kRowGroup].bytes, footer->row_groups[0].size_bytes());
  EXPECT_EQ(total[AvoidReason::kColumn].bytes, footer->row_groups[1].size_bytes() - column_bytes);
  EXPECT_EQ(total[AvoidReason::kPage].bytes, column_bytes - selection->files[0].selected_bytes);
}

TEST(SelectRows, SkipsFilesWithoutRows) {
  Fixture f;
  const auto selection = f.Select(f.storage->Add("pyarrow_index.parquet"), {});
  EXPECT_EQ(selection->files[0].access, Access::kSkip);
  const auto synthesis = Synthesize(f.store, f.files, f.columns, *selection, kEager);
  EXPECT_THAT(synthesis->files, SizeIs(0));
}

TEST(SelectRows, RefusesRowsBehindTheEnd) {
  Fixture f;
  for (const RowRange& rows : {RowRange{400, 1}, RowRange{399, 2}, RowRange{-1, 1}}) {
    const auto selection = f.Select(f.storage->Add("pyarrow_index.parquet"), {rows});
    ASSERT_FALSE(selection.has_value());
    EXPECT_EQ(selection.error().code(), ErrorCode::kCorrupt);
    EXPECT_THAT(selection.error().message(), HasSubstr("pyarrow_index.parquet: rows"));
  }
}

TEST(SelectRows, ReadsPlainlyWhatNeedsMostPages) {
  Fixture f;
  std::vector<RowRange> rows;
  for (int64_t row = 0; row < 400; row += 50) rows.push_back({row, 1});
  const FileRef file = f.storage->Add("pyarrow_index.parquet");
  EXPECT_EQ(f.Select(file, rows, {.always_select_bytes = 0})->files[0].reason, PlainReason::kMostPagesMatch);
  EXPECT_THAT(f.Select(file, {{0, 1}}, {.max_selected_bytes = 10})->files[0].row_groups, ElementsAre(0u));
}

}  // namespace
}  // namespace weir::pages
