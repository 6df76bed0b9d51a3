#include "type/text_bounds.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(TextBounds, CountCharactersNotBytes) {
  EXPECT_EQ(TruncateText("a\u00f1\U0001F600b", 3), "a\u00f1\U0001F600");
  EXPECT_EQ(TruncateText("abc", 0), "");
  EXPECT_EQ(TextAbove("ab"), "ac");
  EXPECT_EQ(TextAbove("a\x7f"), "a\u0080");
  EXPECT_EQ(TextAbove("\u07ff"), "\u0800");
  EXPECT_EQ(TextAbove("\ud7ff"), "\ue000");
  EXPECT_EQ(TextAbove("\uffff"), "\U00010000");
  EXPECT_EQ(TextAbove("a\U0010FFFF"), "b");
  EXPECT_EQ(TextAbove("\U0010FFFF"), std::nullopt);
  EXPECT_EQ(TextAbove(""), std::nullopt);
  EXPECT_EQ(TextAbove("a\xff"), std::nullopt);
  EXPECT_EQ(TextAbove("a\xc3"), std::nullopt);
  EXPECT_EQ(TextAbove("\x80"), std::nullopt);
  EXPECT_EQ(BytesAbove("a\xff"), "b");
  EXPECT_EQ(BytesAbove("\xff\xff"), std::nullopt);
}

}  // namespace
}  // namespace weir
