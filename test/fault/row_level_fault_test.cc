/// Fails the n-th storage call of a statement, for every n, in each way that a store can fail. Afterwards the
/// table is the old one or the new one, whole and readable; a statement that reported success is the new one;
/// a failed one left no file behind. WEIR_LONG=1 tries every n, otherwise every third.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "session/session.h"
#include "storage/faulty.h"
#include "storage/local/local.h"

namespace weir {
namespace {

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

class Table {
 public:
  explicit Table(const std::string& name)
      : folder_(fs::path(testing::TempDir()) / ("fault-" + std::to_string(::getpid()) + "-" + name)) {
    fs::create_directories(folder_);
  }
  ~Table() { fs::remove_all(folder_); }

  /// A session over the machine's files, or over `storage`. Sleeps only advance a clock of its own.
  std::unique_ptr<session::Session> Open(std::shared_ptr<Storage> storage = nullptr) {
    session::SessionOptions options;
    options.conf = {{"spark.sql.catalog.cat", "org.apache.iceberg.spark.SparkCatalog"},
                    {"spark.sql.catalog.cat.type", "hadoop"},
                    {"spark.sql.catalog.cat.warehouse", folder_.string()},
                    {"spark.sql.session.timeZone", "UTC"}};
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

Result<Rows> Ask(session::Session& session, const std::string& statement) {
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

const char* Name(Fault fault) {
  switch (fault) {
    case Fault::kRefused:
      return "refused";
    case Fault::kReplyLost:
      return "reply lost";
    case Fault::kSlow:
      return "slow";
    case Fault::kDiskFull:
      return "disk full";
    case Fault::kDenied:
      return "denied";
    case Fault::kNone:
      break;
  }
  return "none";
}

constexpr const char* kSelect = "SELECT * FROM cat.db.t";

class FaultRun {
 public:
  FaultRun(const std::string& name, std::string statement) : table_(name), statement_(std::move(statement)) {}

  void Run() {
    Prepare();
    const FolderState before(table_.folder());
    const uint64_t calls = CleanRun();
    ASSERT_GT(calls, 0u);
    before.Restore();
    ASSERT_NE(old_, new_) << "the statement must change something";
    const uint64_t step = std::getenv("WEIR_LONG") != nullptr ? 1 : 3;
    for (Fault fault : {Fault::kRefused, Fault::kReplyLost, Fault::kSlow, Fault::kDiskFull, Fault::kDenied}) {
      for (uint64_t n = 1; n <= calls; n += step) {
        SCOPED_TRACE(std::string(Name(fault)) + ", call " + std::to_string(n) + " of " +
                     std::to_string(calls));
        RunWithFault(n, fault, before);
        if (testing::Test::HasFailure()) return;
        before.Restore();
      }
    }
  }

 private:
  void Prepare() {
    const auto session = table_.Open();
    for (const char* statement :
         {"CREATE NAMESPACE cat.db",
          "CREATE TABLE cat.db.t (k BIGINT, p STRING, v BIGINT) USING iceberg PARTITIONED BY (p) "
          "TBLPROPERTIES "
          "('format-version'='2', 'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read', "
          "'write.merge.mode'='merge-on-read')",
          "INSERT INTO cat.db.t VALUES (1, 'a', 10), (2, 'b', 20), (3, 'a', 30), (NULL, 'b', 40)",
          "INSERT INTO cat.db.t VALUES (4, 'a', 50), (5, 'c', 60)", "DELETE FROM cat.db.t WHERE k = 4"}) {
      const auto done = Ask(*session, statement);
      ASSERT_TRUE(done) << done.error().ToString();
    }
    old_ = *Ask(*session, kSelect);
  }

  uint64_t CleanRun() {
    const auto counting =
        std::make_shared<FaultyStorage>(Table::Local(), [](const FaultyCall&) { return Fault::kNone; });
    uint64_t calls = 0;
    {
      const auto session = table_.Open(counting);
      const auto done = Ask(*session, statement_);
      EXPECT_TRUE(done) << done.error().ToString();
      calls = counting->call_count();
    }
    new_ = *Ask(*table_.Open(), kSelect);
    return calls;
  }

  void RunWithFault(uint64_t n, Fault fault, const FolderState& before) {
    bool succeeded = false;
    std::string error;
    {
      const auto session =
          table_.Open(std::make_shared<FaultyStorage>(Table::Local(), FailNth(n, fault), &table_.clock()));
      const auto done = Ask(*session, statement_);
      succeeded = done.has_value();
      if (!succeeded) error = done.error().ToString();
    }
    const auto rows = Ask(*table_.Open(), kSelect);
    ASSERT_TRUE(rows) << "unreadable: " << rows.error().ToString() << "\nafter: " << error;
    if (succeeded) {
      EXPECT_EQ(*rows, new_) << "reported success";
    } else {
      EXPECT_TRUE(*rows == old_ || *rows == new_) << "half done after: " << error;
      if (*rows == old_) {
        for (const fs::path& stray : before.Added())
          ADD_FAILURE() << "left behind: " << stray << "\nafter: " << error;
      }
    }
    if (fault == Fault::kSlow) EXPECT_TRUE(succeeded) << error;
  }

  Table table_;
  std::string statement_;
  Rows old_, new_;
};

TEST(Fault, Merge) {
  FaultRun("merge",
           "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES (1L, 'c', 11L), (5L, 'c', 61L), (9L, 'd', 90L) "
           "AS s(k, p, v)) s "
           "ON t.k = s.k WHEN MATCHED AND s.v > 60 THEN DELETE WHEN MATCHED THEN UPDATE SET * WHEN NOT "
           "MATCHED THEN INSERT *")
      .Run();
}
TEST(Fault, Update) { FaultRun("update", "UPDATE cat.db.t SET v = v + 1, p = 'z' WHERE k < 3").Run(); }
TEST(Fault, Delete) { FaultRun("delete", "DELETE FROM cat.db.t WHERE k = 1 OR p = 'c'").Run(); }
TEST(Fault, Insert) { FaultRun("insert", "INSERT INTO cat.db.t VALUES (7, 'a', 70), (8, 'q', 80)").Run(); }
TEST(Fault, Overwrite) {
  FaultRun("overwrite", "INSERT OVERWRITE cat.db.t PARTITION (p = 'a') VALUES (7, 70)").Run();
}

}  // namespace
}  // namespace weir
