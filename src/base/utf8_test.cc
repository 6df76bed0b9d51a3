#include "base/utf8.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

constexpr uint32_t kLastCharacter = 0x10FFFF;

TEST(Utf8, EveryCharacterComesBack) {
  size_t characters = 0;
  for (char32_t c = 0; c <= kLastCharacter; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text = "-";
    AppendUtf8(c, text);
    const Utf8Character decoded = DecodeUtf8(text, 1);
    ASSERT_EQ(decoded.code_point, c);
    ASSERT_EQ(decoded.size_bytes, text.size() - 1);
    ASSERT_EQ(Utf8Length(text), 2u);
    ++characters;
  }
  EXPECT_EQ(characters, 1'112'064u);  // Unicode 15, section 3.9: the scalar values.
}

TEST(Utf8, WhatIsNoCharacterHasNoSize) {
  // Unicode 15, table 3-7: these are ill-formed.
  for (const std::string_view bytes :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xE2\x82",
        "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF0\x9F\x98", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(DecodeUtf8(bytes, 0).size_bytes, 0u) << ::testing::PrintToString(bytes);
    EXPECT_FALSE(IsUtf8(bytes));
    EXPECT_FALSE(IsUtf8("twelve bytes" + std::string(bytes) + "twelve bytes"));
  }
}

TEST(Utf8, ARunOfCharactersIsUtf8WhereverTheyBegin) {
  std::string text;
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(IsUtf8(text));
    EXPECT_TRUE(IsUtf8(text + "\u00e9\U0001F600" + text));
    EXPECT_FALSE(IsUtf8(text + "\xC3"));
    text += 'x';
  }
}

TEST(Utf8, SurrogatesAreWrittenAsJavaDoes) {
  std::string text;
  for (const char32_t c : {0xD800u, 0xDFFFu, kLastCharacter + 1u}) AppendUtf8(c, text);
  EXPECT_EQ(text, "???");
}

}  // namespace
}  // namespace weir
