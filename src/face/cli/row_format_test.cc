#include "face/cli/row_format.h"

#include <gtest/gtest.h>

#include <sstream>

namespace weir::cli {
namespace {

std::string Print(RowFormat format) {
  std::ostringstream out;
  const auto printer = RowPrinter::Make(format, out);
  printer->Begin({{ColumnId{1}, "id", Type::Int(), true}, {ColumnId{2}, "a name", Type::String(), true}});
  printer->Add(MakeBatch({Type::Int(), Type::String()}, {{Scalar::Int(1), Scalar::String("a,\"b\"")},
                                                         {Scalar::Null(Type::Int()), Scalar::String("")}}));
  printer->Add(
      MakeBatch({Type::Int(), Type::String()}, {{Scalar::Int(-1234567), Scalar::Null(Type::String())}}));
  printer->End();
  return out.str();
}

TEST(RowPrinter, DrawsTablesAsSparkDoes) {
  EXPECT_EQ(Print(RowFormat::kTable),
            "+--------+------+\n"
            "|id      |a name|\n"
            "+--------+------+\n"
            "|1       |a,\"b\" |\n"
            "|NULL    |      |\n"
            "|-1234567|NULL  |\n"
            "+--------+------+\n");
}

TEST(RowPrinter, TellsNullFromEmptyInCsv) {
  EXPECT_EQ(Print(RowFormat::kCsv), "id,a name\n1,\"a,\"\"b\"\"\"\n,\"\"\n-1234567,\n");
}

TEST(RowPrinter, PrintsOneJsonObjectALine) {
  EXPECT_EQ(Print(RowFormat::kJson),
            "{\"id\":\"1\",\"a name\":\"a,\\\"b\\\"\"}\n{\"id\":null,\"a "
            "name\":\"\"}\n{\"id\":\"-1234567\",\"a name\":null}\n");
}

TEST(RowPrinter, AnEmptyResultStillHasAHeader) {
  std::ostringstream out;
  const auto printer = RowPrinter::Make(RowFormat::kTable, out);
  printer->Begin({{ColumnId{1}, "v", Type::Int(), true}});
  printer->End();
  EXPECT_EQ(out.str(), "+---+\n|v  |\n+---+\n+---+\n");
}

TEST(DisplayWidth, CountsCharactersAndWideOnesTwice) {
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("h\xC3\xA9"), 2u);
  EXPECT_EQ(DisplayWidth("\xE4\xB8\xAD\xE6\x96\x87"), 4u);
  EXPECT_EQ(DisplayWidth("\xF0\x9F\x98\x80"), 2u);
  EXPECT_EQ(DisplayWidth("\xF0"), 1u);
}

TEST(JsonText, EscapesWhatJsonDemands) { EXPECT_EQ(JsonText("a\"\\\n\x01"), "\"a\\\"\\\\\\n\\u0001\""); }

}  // namespace
}  // namespace weir::cli
