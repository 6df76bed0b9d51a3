// Statements whose meaning was asked of Spark: see test/golden/analyze_oracle.py for the files' form.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "analyze/fake_tables.h"
#include "base/json_text.h"
#include "sql/parser.h"

namespace weir::analyze {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(WEIR_SOURCE_DIR) / "test/golden/analyze";

std::string Answer(const Error& error) {
  if (error.code() == ErrorCode::kUnsupported) return "unsupported: " + error.message();
  if (error.condition() == nullptr) return "! " + error.message();
  auto parameters = error.condition()->parameters;
  std::ranges::sort(parameters);
  std::string json;
  for (const auto& [name, value] : parameters)
    json += fmt::format("{}{}: {}", json.empty() ? "" : ", ", QuotedJson(name), QuotedJson(value));
  return fmt::format("! {} {{{}}}", error.condition()->name, json);
}

std::string Answer(const plan::Command& command) {
  const auto* query = std::get_if<plan::QueryCommand>(&command.node);
  if (query == nullptr) return "ok";
  std::string json;
  for (const plan::Column& column : query->plan->output) {
    json += fmt::format("{}[{}, {}, {}]", json.empty() ? "" : ", ", QuotedJson(column.name),
                        QuotedJson(column.type.ToString()), column.nullable ? "true" : "false");
  }
  return "[" + json + "]";
}

std::string AnswerTo(const std::string& statement, FakeTables& tables) {
  auto parsed = sql::ParseStatement(statement);
  if (!parsed) return Answer(parsed.error());
  Settings settings;
  plan::ColumnIds ids;
  auto command = Analyze(*parsed, tables, settings, ids, statement);
  return command ? Answer(*command) : Answer(command.error());
}

void CreateTables(FakeTables& tables) {
  std::ifstream file(kFolder / "tables.sql");
  std::string script{std::istreambuf_iterator<char>(file), {}};
  for (const sql::StatementText& statement : sql::SplitStatements(script)) {
    auto parsed = sql::ParseStatement(statement.text);
    ASSERT_TRUE(parsed) << parsed.error().ToString();
    auto created = tables.Create(*parsed, statement.text);
    ASSERT_TRUE(created) << created.error().ToString();
  }
}

struct Case {
  std::string place, statement, answer, deviation;
};

std::vector<Case> ReadCases(const std::filesystem::path& path) {
  std::vector<Case> cases;
  std::ifstream file(path);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.starts_with("=> ")) {
      cases.back().answer = line.substr(3);
    } else if (line.starts_with("~> ")) {
      cases.back().deviation = line.substr(3);
    } else if (!line.empty() && !line.starts_with("#")) {
      cases.push_back({fmt::format("{}:{}", path.filename().string(), number), line, {}, {}});
    }
  }
  return cases;
}

/// The types and nullability of `["name", "type", nullable]`, ..., without the names.
std::vector<std::string> TypesOf(const std::string& answer) {
  static const std::regex column(R"re(\["(?:[^"\\]|\\.)*", ("[^"]*", (?:true|false))\])re");
  return {std::sregex_token_iterator(answer.begin(), answer.end(), column, 1), std::sregex_token_iterator()};
}

/// A mark says that Weir answers otherwise, and most marks say how.
bool DeviatesAs(const std::string& mark, const std::string& ours, const std::string& sparks) {
  if (ours == sparks) return false;
  const bool refused = ours.starts_with("! ");
  const std::string condition = ours.substr(0, ours.find(" {"));
  if (mark == "not implemented, refused by name") return ours.starts_with("unsupported: ");
  if (mark == "not implemented: there is no such function") return condition == "! UNRESOLVED_ROUTINE";
  if (mark == "the same condition with other parameters")
    return condition == sparks.substr(0, sparks.find(" {"));
  if (mark == "refused with another condition") return refused && sparks.starts_with("! ");
  if (mark == "accepted") return !refused && sparks.starts_with("! ");
  if (mark == "nullable where Spark sees that it is not") {
    return std::regex_replace(ours, std::regex(", true\\]"), ", false]") ==
           std::regex_replace(sparks, std::regex(", true\\]"), ", false]");
  }
  if (mark == "shown in another way") return ours.starts_with("[") && TypesOf(ours) == TypesOf(sparks);
  return true;
}

TEST(Golden, StatementsMeanWhatSparkSays) {
  FakeTables tables;
  CreateTables(tables);
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".txt") continue;
    for (const Case& one : ReadCases(entry.path())) {
      ++count;
      std::string answer = AnswerTo(one.statement, tables);
      if (one.deviation.empty()) {
        EXPECT_EQ(answer, one.answer) << one.place << ": " << one.statement;
      } else {
        EXPECT_TRUE(DeviatesAs(one.deviation, answer, one.answer))
            << one.place << ": " << one.statement << "\nis not so: " << one.deviation << "\nWeir: " << answer;
      }
    }
  }
  EXPECT_GT(count, 1000u);
}

}  // namespace
}  // namespace weir::analyze
