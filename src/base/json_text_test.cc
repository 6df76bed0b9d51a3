#include "base/json_text.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(QuotedJson, EscapesWhatJsonDemands) {
  EXPECT_EQ(QuotedJson("a\"\\\n\r\t\x01"), "\"a\\\"\\\\\\n\\r\\t\\u0001\"");
  EXPECT_EQ(QuotedJson(""), "\"\"");
  EXPECT_EQ(QuotedJson(std::string_view("\0", 1)), "\"\\u0000\"");
}

TEST(QuotedJson, KeepsUtf8AndReplacesOtherBytes) {
  EXPECT_EQ(QuotedJson("h\xC3\xA9 \xE4\xB8\xAD \xF0\x9F\x98\x80"),
            "\"h\xC3\xA9 \xE4\xB8\xAD \xF0\x9F\x98\x80\"");
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(QuotedJson("\xFFx"), '"' + bad + "x\"");
  EXPECT_EQ(QuotedJson("\xC3"), '"' + bad + '"');                                // Cut.
  EXPECT_EQ(QuotedJson("\xC0\x80"), '"' + bad + bad + '"');                      // Longer than needed.
  EXPECT_EQ(QuotedJson("\xED\xA0\x80"), '"' + bad + bad + bad + '"');            // Half of a pair.
  EXPECT_EQ(QuotedJson("\xF4\x90\x80\x80"), '"' + bad + bad + bad + bad + '"');  // Behind U+10FFFF.
}

}  // namespace
}  // namespace weir
