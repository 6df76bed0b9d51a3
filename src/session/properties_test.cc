#include "session/properties.h"

#include <gmock/gmock.h>

namespace weir::session {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// As java.util.Properties reads them.
TEST(ParseProperties, ReadsSparkDefaults) {
  const auto conf = ParseProperties(
      "# comment\n"
      "  ! another\n"
      "\n"
      "spark.a  one two \r\n"
      "spark.b=x=y\n"
      "spark.c : z\n"
      "spark.d\n"
      "spark.e one,\\\n"
      "    two\n"
      "spark.f\\ g\\:h=C:\\\\tmp\\u00e9\\t.\n"
      "spark.i== j\n"
      "spark.k=#l\n"
      "spark.a second",
      "f");
  ASSERT_TRUE(conf) << conf.error().ToString();
  EXPECT_THAT(*conf, ElementsAre(Pair("spark.a", "second"), Pair("spark.b", "x=y"), Pair("spark.c", "z"),
                                 Pair("spark.d", ""), Pair("spark.e", "one,two"),
                                 Pair("spark.f g:h", "C:\\tmp\xC3\xA9\t."), Pair("spark.i", "= j"),
                                 Pair("spark.k", "#l")));
}

TEST(ParseProperties, NamesTheLineThatIsWrong) {
  for (const char* text : {"a 1\n=x", "a 1\nb \\u12", "a 1\nb \\uD800"}) {
    const auto conf = ParseProperties(text, "my.conf");
    ASSERT_FALSE(conf) << text;
    EXPECT_EQ(conf.error().message().substr(0, 17), "my.conf: line 2: ") << text;
  }
}

}  // namespace
}  // namespace weir::session
