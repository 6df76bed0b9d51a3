#include "type/display_text.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(DisplayWidth, CountsCharactersAndWideOnesTwice) {
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("h\xC3\xA9"), 2u);
  EXPECT_EQ(DisplayWidth("\xE4\xB8\xAD\xE6\x96\x87"), 4u);
  EXPECT_EQ(DisplayWidth("\xF0\x9F\x98\x80"), 2u);
  EXPECT_EQ(DisplayWidth("\xF0"), 1u);
}

TEST(CellText, ShowsNullsAtAnyDepth) {
  const Type ints = Type::Array({{}, "element", Type::Int(), false, {}});
  EXPECT_EQ(CellText(Scalar::Null(ints)), "NULL");
  EXPECT_EQ(CellText(Scalar(ints, std::vector<Scalar>{Scalar::Int(1), Scalar::Null(Type::Int())})),
            "[1, NULL]");
  EXPECT_EQ(CellText(Scalar::Binary(std::string("\0\xFF", 2))), "[00 FF]");
  EXPECT_EQ(CellText(Scalar::String("a\tb")), "a\\tb");
}

}  // namespace
}  // namespace weir
