#include "ledger/amounts.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(BytesText, PicksTheUnit) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(999), "999 B");
  EXPECT_EQ(BytesText(1'300'000), "1.3 MB");
  EXPECT_EQ(BytesText(999'960), "1.0 MB");
  EXPECT_EQ(BytesText(530'000'000'000), "530.0 GB");
}

TEST(CountText, GroupsDigits) {
  EXPECT_EQ(CountText(7), "7");
  EXPECT_EQ(CountText(1000), "1,000");
  EXPECT_EQ(CountText(10'000'000), "10,000,000");
  EXPECT_EQ(CountText(123'456), "123,456");
}

}  // namespace
}  // namespace weir
