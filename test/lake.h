#pragma once

/// A warehouse folder of one test, with a way back to an earlier state, and sessions over it.
/// Thread rule: one thread.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "session/session.h"
#include "storage/local/local.h"

namespace weir {

namespace fs = std::filesystem;

/// The content of a folder, to go back to. Metadata keeps absolute paths, so a copy elsewhere would not do.
class FolderState {
 public:
  explicit FolderState(fs::path folder) : folder_(std::move(folder)) {
    for (const fs::path& path : Files(folder_)) {
      std::ifstream file(path, std::ios::binary);
      files_[path] = std::string(std::istreambuf_iterator<char>(file), {});
    }
  }

  void Restore() const {
    for (const fs::path& path : Files(folder_)) {
      if (!files_.contains(path)) fs::remove(path);
    }
    for (const auto& [path, bytes] : files_) {
      if (fs::exists(path) && fs::file_size(path) == bytes.size() && Same(path, bytes)) continue;
      fs::create_directories(path.parent_path());
      std::ofstream(path, std::ios::binary) << bytes;
    }
  }

  const std::map<fs::path, std::string>& files() const { return files_; }

  /// Files that are not as they were: added, removed, changed.
  std::set<fs::path> Touched() const {
    std::set<fs::path> touched = Added();
    for (const auto& [path, bytes] : files_) {
      if (!fs::exists(path) || !Same(path, bytes)) touched.insert(path);
    }
    return touched;
  }

  /// Files that are there now and were not before.
  std::set<fs::path> Added() const {
    std::set<fs::path> added;
    for (const fs::path& path : Files(folder_)) {
      if (!files_.contains(path)) added.insert(path);
    }
    return added;
  }

 private:
  static std::set<fs::path> Files(const fs::path& folder) {
    std::set<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.insert(entry.path());
    }
    return files;
  }
  static bool Same(const fs::path& path, const std::string& bytes) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {}) == bytes;
  }

  fs::path folder_;
  std::map<fs::path, std::string> files_;
};

using Rows = std::vector<std::string>;

/// Whether to try everything (`scripts/test --long`) rather than a part.
inline bool TestLong() { return std::getenv("WEIR_TEST_LONG") != nullptr; }

class LakeFolder {
 public:
  explicit LakeFolder(const std::string& name)
      : folder_(fs::path(testing::TempDir()) / ("lake-" + std::to_string(::getpid()) + "-" + name)) {
    fs::create_directories(folder_);
  }
  ~LakeFolder() { fs::remove_all(folder_); }

  /// A session over the machine's files, or over `storage`, with catalog `cat` in this folder and `conf` in
  /// addition. Sleeps only advance a clock of its own.
  std::unique_ptr<session::Session> Open(std::shared_ptr<Storage> storage = nullptr,
                                         const session::ConfMap& conf = {}) {
    session::HostOptions options;
    options.conf = {{"spark.sql.catalog.cat", "org.apache.iceberg.spark.SparkCatalog"},
                    {"spark.sql.catalog.cat.type", "hadoop"},
                    {"spark.sql.catalog.cat.warehouse", folder_.string()},
                    {"spark.sql.session.timeZone", "UTC"}};
    for (const auto& [key, value] : conf) options.conf[key] = value;
    options.engine.threads = 1;
    options.local_storage = storage != nullptr ? std::move(storage) : Local();
    options.clock = &clock_;
    auto session = session::Session::Open(options);
    EXPECT_TRUE(session) << session.error().ToString();
    return *std::move(session);
  }

  static std::shared_ptr<Storage> Local() {
    return std::make_shared<LocalStorage>(LocalOptions{.sync = false});
  }

  const fs::path& folder() const { return folder_; }
  Clock& clock() { return clock_; }

 private:
  fs::path folder_;
  ManualClock clock_{1'735'689'600'000'000};
};

/// Runs a statement to its end: its rows as text, sorted.
inline Result<Rows> Ask(session::Session& session, const std::string& statement) {
  WEIR_TRY(auto run, session.Execute(statement));
  Rows rows;
  while (true) {
    WEIR_TRY(auto batch, run->Next());
    if (!batch) break;
    for (int64_t row = 0; row < batch->row_count; ++row) {
      std::string text;
      for (size_t i = 0; i < batch->columns.size(); ++i)
        text += (i == 0 ? "" : "|") + batch->At(row, i).ToString();
      rows.push_back(std::move(text));
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

inline constexpr const char* kMergeOnRead =
    "TBLPROPERTIES ('format-version'='2', 'write.delete.mode'='merge-on-read', "
    "'write.update.mode'='merge-on-read', "
    "'write.merge.mode'='merge-on-read')";

/// cat.db.t(k BIGINT, p STRING, v BIGINT) by p: two data files in partition a, a position delete in one of
/// them, a NULL key.
inline void MakeTable(session::Session& session) {
  const std::string create =
      "CREATE TABLE cat.db.t (k BIGINT, p STRING, v BIGINT) USING iceberg PARTITIONED BY (p) ";
  for (const std::string& statement :
       {std::string("CREATE NAMESPACE cat.db"), create + kMergeOnRead,
        std::string("INSERT INTO cat.db.t VALUES (1, 'a', 10), (2, 'b', 20), (3, 'a', 30), (NULL, 'b', 40)"),
        std::string("INSERT INTO cat.db.t VALUES (4, 'a', 50), (6, 'a', 55), (5, 'c', 60)"),
        std::string("DELETE FROM cat.db.t WHERE k = 4")}) {
    const auto done = Ask(session, statement);
    ASSERT_TRUE(done) << done.error().ToString();
  }
}

inline constexpr const char* kSelect = "SELECT * FROM cat.db.t";

}  // namespace weir
