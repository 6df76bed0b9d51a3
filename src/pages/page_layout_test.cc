#include "pages/page_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "pages/synthesize.h"

namespace weir::pages {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<PageSpan> Pages(const std::vector<int64_t>& first_rows, int64_t row_count) {
  std::vector<PageSpan> pages;
  for (size_t i = 0; i < first_rows.size(); ++i) {
    const int64_t end = i + 1 < first_rows.size() ? first_rows[i + 1] : row_count;
    pages.push_back({{100 * i, 100}, {first_rows[i], end - first_rows[i]}, false});
  }
  return pages;
}

TEST(PageLayout, WidensToBoundariesOfEveryColumn) {
  const auto a = Pages({0, 10, 20, 30, 40}, 50);
  const auto b = Pages({0, 15, 20, 25, 40}, 50);
  using Rows = std::vector<RowRange>;
  EXPECT_THAT(WidenToPages({}, {&a}), IsEmpty());
  EXPECT_THAT(WidenToPages({{10, 10}}, {&a}), ElementsAre(RowRange{10, 10}));
  EXPECT_THAT(WidenToPages({{10, 5}}, {&a, &b}), ElementsAre(RowRange{0, 20}));
  EXPECT_THAT(WidenToPages({{0, 10}, {15, 5}}, {&a, &b}), ElementsAre(RowRange{0, 20}));
  EXPECT_THAT(WidenToPages({{0, 10}, {25, 5}}, {&a, &b}), ElementsAre(RowRange{0, 40}));
  EXPECT_THAT(WidenToPages({{0, 10}, {40, 10}}, {&a, &b}), (ElementsAre(RowRange{0, 20}, RowRange{40, 10})));
  EXPECT_THAT(CutBetweenPages({0, 50}, {&a, &b}),
              (ElementsAre(RowRange{0, 20}, RowRange{20, 20}, RowRange{40, 10})));
  EXPECT_EQ(BytesOf(b, Rows{{0, 20}, {40, 10}}), 300u);
}

/// Against a set of rows, computed one by one.
TEST(PageLayout, CoversExactlyTheNeededRows) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 500; ++round) {
    const int64_t row_count = 1 + static_cast<int64_t>(random() % 60);
    std::vector<std::vector<PageSpan>> columns;
    for (size_t c = 0; c < 1 + random() % 3; ++c) {
      std::vector<int64_t> first_rows = {0};
      for (int64_t row = 1; row < row_count; ++row) {
        if (random() % 4 == 0) first_rows.push_back(row);
      }
      columns.push_back(Pages(first_rows, row_count));
    }
    std::vector<const std::vector<PageSpan>*> pointers;
    for (const auto& column : columns) pointers.push_back(&column);
    std::set<int64_t> wanted;
    std::vector<RowRange> ranges;
    for (int64_t row = 0; row < row_count; ++row) {
      if (random() % 15 != 0) continue;
      wanted.insert(row);
      AppendRows(ranges, {row, 1});
    }
    // Rows grow until no page of any column is cut.
    for (size_t before = 0; before != wanted.size();) {
      before = wanted.size();
      for (const auto& column : columns) {
        for (const PageSpan& page : column) {
          const auto hit = wanted.lower_bound(page.rows.first_row);
          if (hit == wanted.end() || *hit >= page.rows.end_row()) continue;
          for (int64_t row = page.rows.first_row; row < page.rows.end_row(); ++row) wanted.insert(row);
        }
      }
    }
    std::set<int64_t> found;
    int64_t last_end = -1;
    for (const RowRange& range : WidenToPages(ranges, pointers)) {
      EXPECT_GT(range.first_row, last_end) << "sorted, disjoint, not adjacent";
      last_end = range.end_row();
      for (int64_t row = range.first_row; row < range.end_row(); ++row) found.insert(row);
    }
    ASSERT_EQ(found, wanted) << "round " << round;
  }
}

TEST(RowMap, MapsRunsBothWays) {
  RowMap map;
  map.Append(3, RowPos{100}, 10);
  map.Append(3, RowPos{110}, 5);
  map.Append(3, RowPos{200}, 2);
  map.Append(4, RowPos{202}, 3);
  ASSERT_EQ(map.runs().size(), 3u);
  EXPECT_EQ(map.row_count(), 20);
  EXPECT_EQ(map.Find(0), (RealRow{3, RowPos{100}}));
  EXPECT_EQ(map.Find(14), (RealRow{3, RowPos{114}}));
  EXPECT_EQ(map.Find(15), (RealRow{3, RowPos{200}}));
  EXPECT_EQ(map.Find(19), (RealRow{4, RowPos{204}}));
  EXPECT_EQ(map.Find(20), std::nullopt);
  EXPECT_EQ(map.Find(-1), std::nullopt);
  for (int64_t first = 0; first < 20; ++first) {
    for (int64_t count = 0; first + count <= 20; ++count) {
      int64_t next = first;
      map.ForEachRun(first, count, [&](const RowMap::Run& run) {
        EXPECT_EQ(run.virtual_row, next);
        EXPECT_GT(run.row_count, 0);
        for (int64_t i = 0; i < run.row_count; ++i) {
          EXPECT_EQ(map.Find(next++), (RealRow{run.file, RowPos{run.first.value + i}}));
        }
      });
      EXPECT_EQ(next, first + count);
    }
  }
}

}  // namespace
}  // namespace weir::pages
