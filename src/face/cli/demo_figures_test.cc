#include "face/cli/demo_figures.h"

#include <gtest/gtest.h>

#include "face/cli/progress.h"

namespace weir::cli {
namespace {

/// The figures of 10,000,000 rows are what Spark gave for the same statement.
TEST(ExpectedAfterMerge, EqualsSparksSums) {
  DemoFigures all;
  int64_t updated = 0, added = 0;
  for (const auto& [group, figures] : ExpectedAfterMerge(10'000'000)) {
    all.rows += figures.rows;
    all.order_ids += figures.order_ids;
    all.cents += figures.cents;
    if (std::get<2>(group) == "UPDATED") updated += figures.rows;
    if (std::get<2>(group) == "NEW") added += figures.rows;
  }
  EXPECT_EQ(all.rows, 10'001'000);
  EXPECT_EQ(all.order_ids, 50'010'005'500'500);
  EXPECT_EQ(all.cents, 5'753'850'682'692'500);
  EXPECT_EQ(updated, 1000);
  EXPECT_EQ(added, 1000);
}

TEST(BarText, ShowsShareAndSeconds) {
  EXPECT_EQ(BarText(0.5, 12), "[" + std::string(20, '#') + std::string(20, ' ') + "]  50 %  12 s");
  EXPECT_EQ(BarText(7, 1), "[" + std::string(40, '#') + "] 100 %  1 s");
  EXPECT_EQ(BarText(-1, 3), "running  3 s");
}

}  // namespace
}  // namespace weir::cli
