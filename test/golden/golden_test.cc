/// Runs the golden files of this folder; README.md describes them.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "session/session.h"

namespace weir {
namespace {

namespace fs = std::filesystem;

struct Block {
  int line = 0;
  std::string head;
  std::string sql;
  std::vector<std::string> expected;
};

std::vector<Block> ReadBlocks(const fs::path& path) {
  std::ifstream file(path);
  std::vector<Block> blocks;
  std::vector<std::string>* part = nullptr;
  Block block;
  const auto finish = [&] {
    if (!block.head.empty()) blocks.push_back(std::move(block));
    block = {};
    part = nullptr;
  };
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty()) {
      finish();
    } else if (block.head.empty()) {
      if (line[0] == '#') continue;
      block.head = line;
      block.line = number;
    } else if (line == "----") {
      part = &block.expected;
    } else if (part != nullptr) {
      part->push_back(line);
    } else {
      block.sql += (block.sql.empty() ? "" : "\n") + line;
    }
  }
  finish();
  return blocks;
}

std::string Escape(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '|':
        out += "\\|";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string Join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

/// One file: a session of its own over an empty warehouse.
class GoldenFile {
 public:
  explicit GoldenFile(const fs::path& path) : path_(path) {
    warehouse_ = fs::path(testing::TempDir()) / ("golden-" + std::to_string(::getpid())) / path.stem();
    fs::remove_all(warehouse_);
    fs::create_directories(warehouse_);
  }
  ~GoldenFile() { fs::remove_all(warehouse_); }

  void Run() {
    session::HostOptions options;
    options.conf = {{"spark.sql.catalog.cat", "org.apache.iceberg.spark.SparkCatalog"},
                    {"spark.sql.catalog.cat.type", "hadoop"},
                    {"spark.sql.catalog.cat.warehouse", warehouse_.string()},
                    {"spark.sql.session.timeZone", "UTC"}};
    options.engine.threads = 2;
    auto opened = session::Session::Open(options);
    ASSERT_TRUE(opened) << opened.error().ToString();
    session_ = *std::move(opened);
    ASSERT_TRUE(session_->Execute("CREATE NAMESPACE cat.db"));
    ASSERT_TRUE(session_->Execute("USE cat.db"));
    for (const Block& block : ReadBlocks(path_)) {
      SCOPED_TRACE(path_.string() + ":" + std::to_string(block.line) + "\n" + block.sql);
      RunBlock(block);
    }
  }

 private:
  struct Answer {
    std::string header;
    std::vector<std::string> rows;
  };

  Result<Answer> Ask(const std::string& sql) {
    WEIR_TRY(auto run, session_->Execute(sql));
    Answer answer;
    std::vector<std::string> names;
    for (const plan::Column& column : run->columns())
      names.push_back(Escape(column.name) + ":" + column.type.ToString());
    answer.header = Join(names, "|");
    while (true) {
      WEIR_TRY(auto batch, run->Next());
      if (!batch) break;
      for (int64_t row = 0; row < batch->row_count; ++row) answer.rows.push_back(RowText(*batch, row));
    }
    return answer;
  }

  std::string RowText(const Batch& batch, int64_t row) const {
    std::vector<std::string> values;
    for (size_t column = 0; column < batch.column_count(); ++column) {
      Scalar value = batch.At(row, column);
      if (value.type().kind() == TypeKind::kTimestamp && !value.is_null()) {
        value = Scalar::Timestamp(value.integer() + zone_offset_us_);
      }
      values.push_back(value.is_null() ? "NULL" : Escape(value.ToString()));
    }
    return Join(values, "|");
  }

  void RunBlock(const Block& block) {
    std::istringstream words(block.head);
    std::string kind, argument;
    words >> kind >> argument;
    if (kind == "only") return;
    if (kind == "conf") return SetConf(block.head.substr(5));
    Result<Answer> answer = Ask(block.sql);
    if (kind == "statement" && argument == "error") {
      std::string condition;
      words >> condition;
      ASSERT_FALSE(answer) << "expected " << condition;
      EXPECT_NE(answer.error().code(), ErrorCode::kInternal) << answer.error().ToString();
      // Spark's unnamed and temporary conditions have no meaning of their own.
      if (condition == "*" || condition.starts_with("_LEGACY")) return;
      ASSERT_NE(answer.error().condition(), nullptr)
          << "expected " << condition << ", got " << answer.error().ToString();
      EXPECT_EQ(answer.error().condition()->name, condition) << answer.error().ToString();
      return;
    }
    ASSERT_TRUE(answer) << answer.error().ToString();
    if (kind == "query") CheckRows(block, *std::move(answer), argument == "ordered");
  }

  void CheckRows(const Block& block, Answer answer, bool ordered) {
    if (!ordered) std::sort(answer.rows.begin(), answer.rows.end());
    std::vector<std::string> got = {answer.header};
    got.insert(got.end(), answer.rows.begin(), answer.rows.end());
    EXPECT_EQ(Join(got, "\n"), Join(block.expected, "\n"));
  }

  void SetConf(const std::string& setting) {
    const size_t equals = setting.find('=');
    const std::string key = setting.substr(0, equals), value = setting.substr(equals + 1);
    Result<Answer> answer = Ask("SET " + key + " = " + value);
    ASSERT_TRUE(answer) << answer.error().ToString();
    if (key == "spark.sql.session.timeZone") {
      ASSERT_TRUE(value == "UTC" || value == "Asia/Tokyo") << "the runner knows no other zone's offset";
      zone_offset_us_ = value == "UTC" ? 0 : 9 * 3'600'000'000LL;
    }
  }

  fs::path path_;
  fs::path warehouse_;
  std::unique_ptr<session::Session> session_;
  int64_t zone_offset_us_ = 0;
};

std::vector<std::string> Files() {
  std::vector<std::string> files;
  const fs::path root = fs::path(WEIR_SOURCE_DIR) / "test/golden";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".slt") files.push_back(fs::relative(entry.path(), root).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, EqualsSpark) { GoldenFile(fs::path(WEIR_SOURCE_DIR) / "test/golden" / GetParam()).Run(); }

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(Files()), [](const auto& file) {
  std::string name = file.param.substr(0, file.param.size() - 4);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace weir
