#include "session/listing.h"

#include <gtest/gtest.h>

namespace weir::session {
namespace {

std::vector<std::string> Lines(const Listing& listing) {
  std::vector<std::string> lines;
  for (const auto& row : listing.rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) line += (i == 0 ? "" : "|") + row[i].ToString();
    lines.push_back(line);
  }
  return lines;
}

/// What Spark 4.1 with Iceberg 1.12 prints for the same table.
TEST(DescribeTable, EqualsSpark) {
  table::Snapshot snapshot;
  snapshot.schema.fields = {{FieldId{1}, "id", Type::Long(), true, "the id"},
                            {FieldId{2}, "p", Type::String(), false, ""},
                            {FieldId{3}, "d", Type::Decimal(12, 2), false, ""},
                            {FieldId{4}, "ts", Type::Timestamp(), false, ""}};
  table::PartitionSpec spec;
  spec.fields = {{FieldId{1}, FieldId{1000}, "id_bucket", {Transform::Kind::kBucket, 10, ""}},
                 {FieldId{2}, FieldId{1001}, "p", {}},
                 {FieldId{4}, FieldId{1002}, "ts_day", {Transform::Kind::kDay, 0, ""}}};
  snapshot.specs = {spec};
  EXPECT_EQ(Lines(DescribeTable(snapshot, "cat.db.t", false)),
            (std::vector<std::string>{"id|bigint|the id", "p|string|NULL", "d|decimal(12,2)|NULL",
                                      "ts|timestamp|NULL", "||", "# Partitioning||", "Part 0|bucket(10, id)|",
                                      "Part 1|p|", "Part 2|days(ts)|"}));
}

TEST(MatchesPattern, StarsAndAlternatives) {
  struct Case {
    const char *name, *pattern;
    bool expected;
  };
  const Case cases[] = {{"t", "t*", true},    {"t", "T*|u", true},       {"u", "T*|u", true},
                        {"v", "T*|u", false}, {"orders", "*der*", true}, {"orders", "*derx", false},
                        {"", "*", true},      {"a", "", false},          {"aaab", "*a*b", true},
                        {"aaa", "**", true},  {"a.b", "a.b", true},      {"axb", "a.b", false}};
  for (const Case& c : cases)
    EXPECT_EQ(MatchesPattern(c.name, c.pattern), c.expected) << c.name << " " << c.pattern;
}

TEST(ListTables, SplitsNamespaceAndName) {
  EXPECT_EQ(Lines(ListTables({{"db", "t"}, {"db", "sub", "u"}}, "")),
            (std::vector<std::string>{"db|t|false", "db.sub|u|false"}));
  EXPECT_EQ(Lines(ListTables({{"db", "t"}, {"db", "u"}}, "U")), (std::vector<std::string>{"db|u|false"}));
}

TEST(ListSettings, ShowsUndefined) {
  const Conf conf = *Conf::Make({{"k", "v"}});
  EXPECT_EQ(Lines(ListSettings(conf, "x")), (std::vector<std::string>{"x|<undefined>"}));
  EXPECT_EQ(Lines(ListSettings(conf, "")), (std::vector<std::string>{"k|v"}));
}

}  // namespace
}  // namespace weir::session
