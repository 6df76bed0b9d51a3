#include "exec/duckdb/test_plans.h"

namespace weir::exec {
namespace {

using testing::EngineTest;

// Values seen on Spark 4.1.
class TextTest : public EngineTest {
 protected:
  std::string Of(std::string_view function, std::vector<ExprPtr> args, const char* type = "string") {
    auto result = ParseType(type);
    EXPECT_TRUE(result) << type;
    return Value(Call(function, std::move(args), *result));
  }
  std::string Matches(const char* text, const char* pattern, const char* function = "rlike") {
    return Of(function, {Str(text), Str(pattern)}, "boolean");
  }
  std::string Pieces(const char* text, const char* pattern, int32_t limit = -1) {
    return Of("split", {Str(text), Str(pattern), Int(limit)}, "array<string>");
  }
  std::string Replaced(const char* text, const char* pattern, const char* by, int32_t position = 1) {
    return Of("regexp_replace", {Str(text), Str(pattern), Str(by), Int(position)});
  }
};

TEST_F(TextTest, CharactersAreCodePoints) {
  EXPECT_EQ(Of("length", {Str("\xF0\x9D\x84\x9E\xC3\xA9")}, "int"), "2");
  EXPECT_EQ(Of("octet_length", {Str("\xF0\x9D\x84\x9E")}, "int"), "4");
  EXPECT_EQ(Of("reverse", {Str("h\xC3\xA9l")}), "l\xC3\xA9h");
  EXPECT_EQ(Of("ascii", {Str("\xF0\x9D\x84\x9E")}, "int"), "119070");
  EXPECT_EQ(Of("chr", {Long(321)}), "A");
  EXPECT_EQ(Of("chr", {Long(-1)}), "");
  EXPECT_EQ(Of("upper", {Str("\xC3\x9F")}), "SS");
  EXPECT_EQ(Of("lower", {Str("\xCE\x91\xCE\xA3")}), "\xCE\xB1\xCF\x82");
  EXPECT_EQ(Of("initcap", {Str("hello-world foo_bar  x")}), "Hello-world Foo_bar  X");
  EXPECT_EQ(Of("initcap", {Str("\xC3\x9F"
                               "ab")}),
            "Ssab");
}

TEST_F(TextTest, Substrings) {
  struct Case {
    int32_t position, length;
    const char* value;
  };
  for (const Case& c : {Case{0, 1, "a"},
                        {2, -1, ""},
                        {-5, 3, "a"},
                        {-5, 2, ""},
                        {-2, 10, "bc"},
                        {3, INT32_MAX, "c"},
                        {INT32_MIN, INT32_MAX, "ab"},
                        {INT32_MAX, INT32_MAX, ""}}) {
    EXPECT_EQ(Of("substring", {Str("abc"), Int(c.position), Int(c.length)}), c.value)
        << c.position << ' ' << c.length;
  }
  EXPECT_EQ(Of("left", {Str("abc"), Int(-1)}), "");
  EXPECT_EQ(Of("right", {Str("abc"), Int(10)}), "abc");
  EXPECT_EQ(Of("lpad", {Str(""), Int(3), Str("ab")}), "aba");
  EXPECT_EQ(Of("lpad", {Str("hi"), Int(5), Str("")}), "hi");
  EXPECT_EQ(Of("rpad", {Str("hello"), Int(3), Str(" ")}), "hel");
  EXPECT_EQ(Of("substring_index", {Str("a.b.c"), Str("."), Int(-2)}), "b.c");
  EXPECT_EQ(Of("substring_index", {Str("a.b.c"), Str(""), Int(1)}), "");
}

TEST_F(TextTest, PlacesAndReplacement) {
  EXPECT_EQ(Of("instr", {Str(""), Str("")}, "int"), "1");
  EXPECT_EQ(Of("locate", {Str(""), Str("abc"), Int(5)}, "int"), "1");
  EXPECT_EQ(Of("locate", {Str(""), Str("abc"), Int(0)}, "int"), "0");
  EXPECT_EQ(Of("locate", {Str("l"), Str("hello"), MakeLiteral(Scalar::Null(Type::Int()))}, "int"), "0");
  EXPECT_EQ(Of("translate", {Str("abab"), Str("aa"), Str("xy")}), "xbxb");
  EXPECT_EQ(Of("replace", {Str("abc"), Str(""), Str("x")}), "abc");
  EXPECT_EQ(Of("trim", {Str("xy"), Str("xyaxyx")}), "a");
  EXPECT_EQ(Of("trim", {Str("\t a \n")}), "\t a \n");
}

TEST_F(TextTest, Like) {
  EXPECT_EQ(Matches("a%c", "a\\%c", "like"), "true");
  EXPECT_EQ(Matches("abc", "a\\%c", "like"), "false");
  EXPECT_EQ(Matches("a\nb", "a_b", "like"), "true");
  EXPECT_EQ(Matches("\xC3\xA9", "_", "like"), "true");
  EXPECT_EQ(Matches("\xC3\x89", "\xC3\xA9", "ilike"), "true");
  EXPECT_EQ(Matches("abc", "a\\bc", "like"), "[INVALID_FORMAT.ESC_IN_THE_MIDDLE]");
  EXPECT_EQ(Matches("abc", "abc\\", "like"), "[INVALID_FORMAT.ESC_AT_THE_END]");
}

TEST_F(TextTest, Splitting) {
  EXPECT_EQ(Pieces("a,b,,", ","), "[a, b, , ]");
  EXPECT_EQ(Pieces("a,b,,", ",", 0), "[a, b, , ]");
  EXPECT_EQ(Pieces("a,b,c", ",", 2), "[a, b,c]");
  EXPECT_EQ(Pieces("", ","), "[]");
  EXPECT_EQ(Pieces("x", "x"), "[, ]");
  EXPECT_EQ(Pieces("  a b ", " "), "[, , a, b, ]");
  EXPECT_EQ(Pieces("abc", ""), "[a, b, c]");
  EXPECT_EQ(Pieces("abc", "", 2), "[a, bc]");
  EXPECT_EQ(Pieces("abc", "b*"), "[a, , c, ]");
}

TEST_F(TextTest, PatternsMeanWhatTheyMeanInJava) {
  EXPECT_EQ(Matches("a\nb", "a.b"), "false");
  EXPECT_EQ(Matches("a\rb", "a.b"), "false");
  EXPECT_EQ(Matches("a\nb", "(?s)a.b"), "true");
  EXPECT_EQ(Matches("\xC3\xA9", "\\w"), "false");
  EXPECT_EQ(Matches("\xC3\xA9", "^.$"), "true");
  EXPECT_EQ(Matches("a.b", "\\Qa.b\\E"), "true");
  EXPECT_EQ(Matches("axb", "\\Qa.b\\E"), "false");
  EXPECT_EQ(Matches("a", "\\u0061"), "true");
  EXPECT_EQ(Matches("\t", "\\h"), "true");
  EXPECT_EQ(Matches("ABC", "^\\p{Upper}+$"), "true");
  EXPECT_EQ(Matches("!", "\\p{Punct}"), "true");
  EXPECT_EQ(Matches("\xC3\xA9", "\\p{IsLatin}"), "true");
  EXPECT_EQ(Matches("abc", "["), "[INVALID_PARAMETER_VALUE.PATTERN]");
  EXPECT_EQ(Replaced("abc", "", "-"), "-a-b-c-");
  EXPECT_EQ(Replaced("abc", "x*", "-"), "-a-b-c-");
  EXPECT_EQ(Replaced("a.b", "\\.", "\\\\"), "a\\b");
  EXPECT_EQ(Replaced("ab12", "(?<n>[0-9])", "<${n}>"), "ab<1><2>");
  EXPECT_EQ(Replaced("aaa", "a", "b", 2), "abb");
  EXPECT_EQ(Of("regexp_extract", {Str("xz"), Str("x(y)?z"), Int(1)}), "");
  EXPECT_EQ(Of("regexp_extract", {Str("abc"), Str("(b)"), Int(2)}),
            "[INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX]");
}

TEST_F(TextTest, WhatRe2CannotTellIsRefused) {
  for (const char* pattern : {"(a)\\1", "(?=b)b", "(?<!a)c", "a++b", "[a-c&&[^b]]", "(?>a)", "(?x)a",
                              "[[:alpha:]]", "(ab){2}+", "(?i)\xC3\xA9"}) {
    EXPECT_EQ(Matches("abc", pattern).substr(0, 11), "unsupported") << pattern;
  }
  EXPECT_EQ(Matches("foo\n", "o$").substr(0, 11), "unsupported");
  EXPECT_EQ(Matches("foo", "o$"), "true");
  EXPECT_EQ(Matches("\xC3\xA9"
                    "a",
                    "\\ba")
                .substr(0, 11),
            "unsupported");
  EXPECT_EQ(Matches("a b", "\\bb"), "true");
}

}  // namespace
}  // namespace weir::exec
