#include "face/cli/statements.h"

#include <gtest/gtest.h>

namespace weir::cli {
namespace {

TEST(ErrorText, MarksThePlaceAndCountsLinesOfTheScript) {
  const std::string statement = "SELECT a,\n  nosuch FROM t";
  const Error error =
      Invalid("no such column").WithCondition({"UNRESOLVED_COLUMN", "42703", {}, std::nullopt, ""});
  const Error placed = Error(error).WithSpan({.start = 12, .stop = 18, .line = 2, .position = 2}, statement);
  EXPECT_EQ(ErrorText(placed, statement, 11),
            "[UNRESOLVED_COLUMN] no such column SQLSTATE: 42703; line 12 pos 2\n  nosuch FROM t\n  ^^^^^^");
  EXPECT_EQ(ErrorText(error, statement, 11), "[UNRESOLVED_COLUMN] no such column SQLSTATE: 42703");
  EXPECT_EQ(ErrorText(NotFound("x"), statement, 1), "not found: x");
}

TEST(ErrorText, MarksWideCharactersAndTabsWhereTheTerminalShowsThem) {
  const std::string statement = "SELECT\t'\xE4\xB8\xAD\xC3\xA9', \xE4\xB8\xAD";
  const Error error = Invalid("m").WithCondition({"C", "", {}, SourceSpan{16, 19, 1, 13}, ""});
  EXPECT_EQ(ErrorText(error, statement, 1), "[C] m; line 1 pos 13\n" + statement + "\n      \t       ^^");
}

TEST(ErrorText, SurvivesPlacesBehindTheText) {
  const Error error = Invalid("m").WithCondition({"C", "", {}, SourceSpan{50, 60, 1, 50}, ""});
  EXPECT_EQ(ErrorText(error, "SELECT", 1), "[C] m; line 1 pos 50\nSELECT\n      ^");
}

}  // namespace
}  // namespace weir::cli
