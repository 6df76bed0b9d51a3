#include "face/cli/row_format.h"

#include <gtest/gtest.h>

#include <sstream>

namespace weir::cli {
namespace {

std::string Print(RowFormat format) {
  std::ostringstream out;
  const auto printer = RowPrinter::Make(format, false, out);
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
  const auto printer = RowPrinter::Make(RowFormat::kTable, false, out);
  printer->Begin({{ColumnId{1}, "v", Type::Int(), true}});
  printer->End();
  EXPECT_EQ(out.str(), "+---+\n|v  |\n+---+\n+---+\n");
}

std::string PrintPlan(RowFormat format, bool is_report) {
  std::ostringstream out;
  const auto printer = RowPrinter::Make(format, is_report, out);
  printer->Begin({{ColumnId{1}, "plan", Type::String(), true}});
  printer->Add(MakeBatch({Type::String()}, {{Scalar::String("one\ntwo\n")}}));
  printer->End();
  return out.str();
}

TEST(RowPrinter, OnlyAReportIsPrintedAsItIs) {
  EXPECT_EQ(PrintPlan(RowFormat::kTable, true), "one\ntwo\n");
  EXPECT_EQ(PrintPlan(RowFormat::kTable, false).substr(0, 5), "+----");
  EXPECT_EQ(PrintPlan(RowFormat::kJson, true), "{\"plan\":\"one\\ntwo\\n\"}\n");
}

std::string PrintOne(RowFormat format, const Scalar& value) {
  std::ostringstream out;
  const auto printer = RowPrinter::Make(format, false, out);
  printer->Begin({{ColumnId{1}, "v", value.type(), true}, {ColumnId{2}, "w", Type::Int(), true}});
  printer->Add(MakeBatch({value.type(), Type::Int()}, {{value, Scalar::Int(1)}}));
  printer->End();
  return out.str();
}

TEST(RowPrinter, WritesBytesAsSparkShowsThem) {
  const Scalar bytes =
      Scalar::Binary(std::string("\x00\xFF"
                                 "A",
                                 3));
  EXPECT_NE(PrintOne(RowFormat::kTable, bytes).find("|[00 FF 41]|1  |"), std::string::npos);
  EXPECT_EQ(PrintOne(RowFormat::kCsv, bytes), "v,w\nAP9B,1\n");
  EXPECT_EQ(PrintOne(RowFormat::kJson, Scalar::Binary("abcd")), "{\"v\":\"YWJjZA==\",\"w\":\"1\"}\n");
  EXPECT_EQ(PrintOne(RowFormat::kJson, Scalar::Binary("")), "{\"v\":\"\",\"w\":\"1\"}\n");
}

TEST(RowPrinter, KeepsCellsInTheirLines) {
  EXPECT_NE(PrintOne(RowFormat::kTable, Scalar::String("a\nb\tc")).find("|a\\nb\\tc|1  |"),
            std::string::npos);
}

}  // namespace
}  // namespace weir::cli
