#include "sql/lexer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sql/characters.h"

namespace weir::sql {
namespace {

/// The tokens' texts with a letter for their kind: w word, q quoted name, s string, y symbol, u unrecognized,
/// and for numbers i d e l s y f D B.
std::string Shown(std::string_view text) {
  static constexpr std::string_view kKinds[] = {"w", "q", "s", "i", "d", "e", "L",
                                                "S", "Y", "F", "D", "B", "y", "u"};
  std::string shown;
  for (const Token& token : Tokenize(text).list) {
    if (token.kind == TokenKind::kEnd) break;
    if (!shown.empty()) shown += ' ';
    shown += fmt::format("{}:{}", kKinds[static_cast<size_t>(token.kind)], token.text);
  }
  return shown;
}

TEST(Lexer, TakesTheLongestToken) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"SELECT a.b", "w:SELECT w:a y:. w:b"},
      {"a<=>b<>c!=d!>e", "w:a y:<=> w:b y:<> w:c y:!= w:d y:!> w:e"},
      {"a>>>b>>c>d", "w:a y:>>> w:b y:>> w:c y:> w:d"},
      {"array<array<int>>", "w:array y:< w:array y:< w:int y:> y:>"},
      {"1 1L 1s 1Y 1.5 1. .5 1e3 1.5E-3 1D 1.5f 2bd",
       "i:1 L:1L S:1s Y:1Y d:1.5 d:1. d:.5 e:1e3 e:1.5E-3 D:1D F:1.5f B:2bd"},
      {"1e3D 1e3L 1e 1abc 1_000", "D:1e3D w:1e3L w:1e w:1abc w:1_000"},
      {"1.2abc 1.5L", "i:1 y:. w:2abc i:1 y:. L:5L"},
      {"'a' \"b\" r'\\' R\"'\" 'a''b' 'a\\'b'", "s:'a' s:\"b\" s:r'\\' s:R\"'\" s:'a''b' s:'a\\'b'"},
      {"'a''", "s:'a' u:'"},
      {"'a", "u:' w:a"},
      {"`a``b` `` `c", "q:`a``b` q:`` u:` w:c"},
      {"a -- b\nc", "w:a w:c"},
      {"a -- b \\\n c", "w:a"},
      {"a /* b /* c */ d */ e", "w:a w:e"},
      {"a /*+ b */ c", "w:a y:/*+ w:b y:*/ w:c"},
      {"a || b | c :: d : e -> f => g", "w:a y:|| w:b y:| w:c y::: w:d y:: w:e y:-> w:f y:=> w:g"},
      {"\u00e9t\u00e9 \u20ac #", "w:\u00e9t\u00e9 u:\u20ac u:#"},
      {"a\u00a0b\u3000c", "w:a w:b w:c"},
      {"file://x/y.z?a=1", "w:file://x/y.z?a=1"},
      {"", ""},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Shown(text), expected) << text;
}

TEST(Lexer, CountsLinesAndCharacters) {
  const Tokens tokens = Tokenize("a\n \u00e9\u00e9 b\r\nc");
  ASSERT_EQ(tokens.list.size(), 5u);
  const auto place = [&](size_t i) {
    return std::tuple(tokens.list[i].line, tokens.list[i].position, tokens.list[i].start);
  };
  EXPECT_EQ(place(0), std::tuple(1, 0, 0));
  EXPECT_EQ(place(1), std::tuple(2, 1, 3));
  EXPECT_EQ(place(2), std::tuple(2, 4, 8));
  EXPECT_EQ(place(3), std::tuple(3, 0, 11));
  EXPECT_EQ(place(4), std::tuple(3, 1, 12));
}

TEST(Lexer, FindsAnOpenComment) {
  EXPECT_EQ(Tokenize("a /* b /* c */").unclosed_comment, 2);
  EXPECT_EQ(Tokenize("a /* b */").unclosed_comment, -1);
  EXPECT_EQ(Tokenize("'/*'").unclosed_comment, -1);
}

TEST(Lexer, KeepsEveryByteOfBadText) {
  for (std::string_view text : {"\xff", "\xc3", "a\xe2\x82", "\xf0\x9f", "'\xff"}) {
    size_t bytes = 0;
    for (const Token& token : Tokenize(text).list) bytes += token.text.size();
    EXPECT_EQ(bytes, text.size());
  }
}

}  // namespace
}  // namespace weir::sql
