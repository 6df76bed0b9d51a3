// Statements whose meaning was asked of Spark: see test/golden/analyze_oracle.py for the files' form.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

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
        EXPECT_NE(answer, one.answer)
            << one.place << ": " << one.statement << "\nno longer deviates: " << one.deviation;
      }
    }
  }
  EXPECT_GT(count, 1000u);
}

}  // namespace
}  // namespace weir::analyze
