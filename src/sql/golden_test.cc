// Runs test/golden/parser/*.txt: Spark's answers to statements, written by parser_oracle.py.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/json_text.h"
#include "sql/parser.h"
#include "sql/printer.h"

namespace weir::sql {
namespace {

struct Case {
  std::string file;
  int line = 0;
  std::string sql;
  std::vector<std::string> answer;  ///< As in the file: "ok", or "error .." and its parameters.
  std::string refused;              ///< The feature that Weir refuses, else empty.
  std::string differs;              ///< How Weir answers otherwise, else empty.
};

/// The text of a JSON string; only the escapes that the files use.
std::string FromJson(const std::string& json) {
  std::string text;
  for (size_t i = 1; i + 1 < json.size(); ++i) {
    if (json[i] != '\\') {
      text += json[i];
      continue;
    }
    switch (json[++i]) {
      case 'n':
        text += '\n';
        break;
      case 't':
        text += '\t';
        break;
      case 'r':
        text += '\r';
        break;
      case 'f':
        text += '\f';
        break;
      case 'b':
        text += '\b';
        break;
      case 'u':
        text += static_cast<char>(std::stoi(json.substr(i + 1, 4), nullptr, 16));
        i += 4;
        break;
      default:
        text += json[i];
    }
  }
  return text;
}

std::vector<Case> ReadCases(const std::filesystem::path& path) {
  std::vector<Case> cases;
  std::ifstream in(path);
  std::string line;
  bool is_json = false;
  enum { kOutside, kText, kAnswer } state = kOutside;
  for (int number = 1; std::getline(in, line); ++number) {
    if (state != kText && (line == "statement" || line == "statement json")) {
      is_json = line != "statement";
      cases.push_back({.file = path.filename(), .line = number, .sql = {}, .answer = {}, .refused = {}});
      state = kText;
    } else if (state == kText && line == "----") {
      if (!cases.back().sql.empty()) cases.back().sql.pop_back();
      if (is_json) cases.back().sql = FromJson(cases.back().sql);
      state = kAnswer;
    } else if (state == kText) {
      cases.back().sql += line + "\n";
    } else if (state == kAnswer && line.substr(0, 14) == "weir refuses: ") {
      cases.back().refused = line.substr(14);
    } else if (state == kAnswer && line.substr(0, 14) == "weir differs: ") {
      cases.back().differs = line.substr(14);
    } else if (state == kAnswer && !line.empty()) {
      cases.back().answer.push_back(line);
    }
  }
  return cases;
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (const auto& entry : std::filesystem::directory_iterator(WEIR_SOURCE_DIR "/test/golden/parser")) {
    if (entry.path().extension() != ".txt") continue;
    for (Case& one : ReadCases(entry.path())) cases.push_back(std::move(one));
  }
  return cases;
}

/// Our answer in the form of the files. `with_place`: as Spark's answer, which sometimes has none.
std::vector<std::string> Answer(const Result<unresolved::Statement>& result, bool with_place) {
  if (result) return {"ok"};
  const ErrorCondition* condition = result.error().condition();
  if (condition == nullptr) return {"error without a condition: " + result.error().message()};
  std::string place = "-";
  if (with_place && condition->span)
    place = fmt::format("{}:{}", condition->span->line, condition->span->position);
  std::vector<std::string> lines = {fmt::format(
      "error {} {} {}", condition->name, condition->sql_state.empty() ? "-" : condition->sql_state, place)};
  auto parameters = condition->parameters;
  std::sort(parameters.begin(), parameters.end());
  for (const auto& [key, value] : parameters)
    lines.push_back(fmt::format("  {} = {}", key, QuotedJson(value)));
  return lines;
}

/// Spark's answer as we are expected to give it.
std::vector<std::string> Expected(const Case& one, const std::vector<std::string>& ours) {
  // Iceberg's parser gives the place alone.
  if (one.answer[0].substr(0, 10) != "error - - " || ours[0].substr(0, 5) != "error") return one.answer;
  const std::string place = one.answer[0].substr(10);
  std::vector<std::string> expected = ours;
  expected[0] = "error PARSE_SYNTAX_ERROR 42601 " + place;
  return expected;
}

/// "error CONDITION SQLSTATE" without the place.
std::string ConditionOf(const std::string& answer) { return answer.substr(0, answer.rfind(' ')); }

std::vector<std::string> WithoutHint(std::vector<std::string> answer) {
  std::erase_if(answer, [](const std::string& line) { return line.starts_with("  hint = "); });
  return answer;
}

TEST(GoldenParser, AnswersAsSparkDoes) {
  const std::vector<Case> cases = AllCases();
  ASSERT_GT(cases.size(), 500u);
  for (const Case& one : cases) {
    SCOPED_TRACE(fmt::format("{}:{}\n{}", one.file, one.line, one.sql));
    const Result<unresolved::Statement> result = ParseStatement(one.sql);
    if (!one.refused.empty()) {
      ASSERT_FALSE(result) << "no longer refused: take the line away";
      EXPECT_EQ(result.error().code(), ErrorCode::kUnsupported) << result.error().ToString();
      ASSERT_NE(result.error().condition(), nullptr);
      EXPECT_EQ(result.error().condition()->parameters[0].second, one.refused);
      continue;
    }
    ASSERT_FALSE(one.answer.empty());
    const std::vector<std::string> ours =
        Answer(result, one.answer[0].substr(one.answer[0].size() - 2) != " -");
    const std::vector<std::string> expected = Expected(one, ours);
    if (!one.differs.empty()) {
      EXPECT_NE(ours, expected) << "no longer differs: take the line away";
      if (one.differs.starts_with("both are syntax errors")) {
        EXPECT_EQ(ConditionOf(ours[0]), ConditionOf(expected[0]));
      }
      if (one.differs == "the hint only") {
        EXPECT_EQ(WithoutHint(ours), WithoutHint(expected));
      }
    } else {
      EXPECT_EQ(ours, expected) << (result ? "" : result.error().ToString());
    }
  }
}

TEST(GoldenParser, PrintedStatementsParseToThemselves) {
  for (const Case& one : AllCases()) {
    const Result<unresolved::Statement> first = ParseStatement(one.sql);
    if (!first) continue;
    SCOPED_TRACE(fmt::format("{}:{}\n{}", one.file, one.line, one.sql));
    const std::string printed = ToSql(*first);
    const Result<unresolved::Statement> second = ParseStatement(printed);
    ASSERT_TRUE(second) << printed << "\n" << second.error().ToString();
    EXPECT_EQ(ToSql(*second), printed);
  }
}

}  // namespace
}  // namespace weir::sql
