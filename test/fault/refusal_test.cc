/// Statements that must be refused after they have begun: values that do not fit, rows that match twice, a
/// full disk, folders without permission. The error says what and where; the folder is as it was, byte by
/// byte.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>

#include "lake.h"
#include "storage/faulty.h"

namespace weir {
namespace {

using testing::HasSubstr;

struct Refusal {
  std::string statement;
  ErrorCode code;
  std::vector<std::string> says;
};

void ExpectRefused(LakeFolder& lake, session::Session& session, const Refusal& refusal) {
  SCOPED_TRACE(refusal.statement);
  const FolderState before(lake.folder());
  const auto done = Ask(session, refusal.statement);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), refusal.code) << done.error().ToString();
  for (const std::string& part : refusal.says) EXPECT_THAT(done.error().ToString(), HasSubstr(part));
  EXPECT_EQ(before.Touched(), std::set<fs::path>()) << done.error().ToString();
  EXPECT_TRUE(Ask(session, kSelect));
}

// The value that does not fit is the last of many rows, so that files have been begun.
TEST(Refusal, ValuesThatDoNotFit) {
  LakeFolder lake("values");
  const auto session = lake.Open();
  ASSERT_TRUE(Ask(*session, "CREATE NAMESPACE cat.db"));
  ASSERT_TRUE(Ask(*session, std::string("CREATE TABLE cat.db.t (k BIGINT NOT NULL, n INT, d DECIMAL(5,2)) "
                                        "USING iceberg PARTITIONED BY (bucket(3, k)) ") +
                                kMergeOnRead));
  ASSERT_TRUE(Ask(*session, "INSERT INTO cat.db.t SELECT id, int(id % 100), 1.5 FROM range(0, 5000)"));
  // Rows (k, n, d) of which the last does not fit.
  const std::string wide_n =
      "(SELECT id AS k, IF(id = 4999, 3000000000L, id % 9) AS n, 1.5BD AS d FROM range(0, 5000))";
  const std::string wide_d =
      "(SELECT id AS k, 1 AS n, IF(id = 4999, 1000.5BD, 1.5BD) AS d FROM range(0, 5000))";
  const std::string no_key = "(SELECT IF(id = 4999, NULL, id) AS k, 1 AS n, 1.5BD AS d FROM range(0, 5000))";
  const std::string overflow = "CAST_OVERFLOW_IN_TABLE_INSERT", null = "NOT_NULL_ASSERT_VIOLATION";
  const auto merge = [](const std::string& source) {
    return "MERGE INTO cat.db.t t USING " + source +
           " s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *";
  };
  for (const Refusal& refusal : std::vector<Refusal>{
           {"INSERT INTO cat.db.t SELECT * FROM " + wide_n,
            ErrorCode::kInvalid,
            {overflow, "\"INT\"", "`n`"}},
           {"INSERT OVERWRITE cat.db.t SELECT * FROM " + wide_n,
            ErrorCode::kInvalid,
            {overflow, "\"INT\"", "`n`"}},
           {"INSERT INTO cat.db.t SELECT * FROM " + wide_d,
            ErrorCode::kInvalid,
            {overflow, "\"DECIMAL(5,2)\""}},
           {"INSERT INTO cat.db.t SELECT * FROM " + no_key, ErrorCode::kInvalid, {null, "k"}},
           {merge(wide_n), ErrorCode::kInvalid, {overflow, "\"INT\"", "`n`"}},
           {merge(wide_d), ErrorCode::kInvalid, {overflow, "\"DECIMAL(5,2)\""}},
           {merge(no_key), ErrorCode::kInvalid, {null, "k"}},
           {"UPDATE cat.db.t SET n = k * 1000000", ErrorCode::kInvalid, {overflow, "\"INT\"", "`n`"}},
           {"UPDATE cat.db.t SET d = k", ErrorCode::kInvalid, {overflow, "\"DECIMAL(5,2)\""}},
           {"UPDATE cat.db.t SET k = NULLIF(k, 4999)", ErrorCode::kInvalid, {null, "k"}},
           {"DELETE FROM cat.db.t WHERE CAST(k AS TINYINT) = 1",
            ErrorCode::kInvalid,
            {"CAST_OVERFLOW", "TINYINT"}},
           {"CREATE TABLE cat.db.copy USING iceberg AS SELECT CAST(k AS TINYINT) AS k FROM cat.db.t",
            ErrorCode::kInvalid,
            {"CAST_OVERFLOW", "TINYINT"}},
           {"INSERT INTO cat.db.t VALUES ('x', 1, 1)", ErrorCode::kInvalid, {"CANNOT_SAFELY_CAST", "`k`"}},
       }) {
    ExpectRefused(lake, *session, refusal);
  }
}

TEST(Refusal, RowsThatMatchTwice) {
  LakeFolder lake("duplicates");
  const auto session = lake.Open();
  MakeTable(*session);
  const std::string source =
      "(SELECT * FROM VALUES (1L, 'a', 5L), (1L, 'b', 6L), (9L, 'a', 7L) AS s(k, p, v)) s";
  for (const std::string action : {"UPDATE SET *", "UPDATE SET v = s.v", "DELETE"}) {
    const std::string condition = action == "DELETE" ? " AND s.v > 0" : "";
    ExpectRefused(lake, *session,
                  {"MERGE INTO cat.db.t t USING " + source + " ON t.k = s.k WHEN MATCHED" + condition +
                       " THEN " + action + " WHEN NOT MATCHED THEN INSERT *",
                   ErrorCode::kInvalid,
                   {"MERGE_CARDINALITY_VIOLATION"}});
  }
}

const std::vector<std::string>& Writers() {
  static const auto& statements = *new std::vector<std::string>{
      "INSERT INTO cat.db.t SELECT id, 'a', id FROM range(100, 200)",
      "INSERT OVERWRITE cat.db.t PARTITION (p = 'a') SELECT id, id FROM range(100, 200)",
      "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES (1L, 'b', 11L), (6L, 'a', 56L), (9L, 'd', 90L) "
      "AS s(k, p, v)) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
      "UPDATE cat.db.t SET v = v + 1",
      "DELETE FROM cat.db.t WHERE v IN (10, 55)",
      "CREATE TABLE cat.db.copy USING iceberg AS SELECT * FROM cat.db.t",
      "CREATE TABLE cat.db.copy (k INT) USING iceberg",
      "ALTER TABLE cat.db.t ADD PARTITION FIELD bucket(2, k)"};
  return statements;
}

/// Restores who we are. As root nothing is denied, so that the statements run as somebody else.
class AsNobody {
 public:
  AsNobody() : was_(::geteuid()) {
    if (was_ == 0) changed_ = ::seteuid(65534) == 0;
  }
  ~AsNobody() {
    if (changed_) {
      EXPECT_EQ(::seteuid(was_), 0);
    }
  }
  bool denies() const { return was_ != 0 || changed_; }

 private:
  const uid_t was_;
  bool changed_ = false;
};

void SetModes(const fs::path& folder, mode_t of_folders, mode_t of_files) {
  ASSERT_EQ(::chmod(folder.c_str(), of_folders), 0);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    ASSERT_EQ(::chmod(entry.path().c_str(), entry.is_directory() ? of_folders : of_files), 0);
  }
}

TEST(Refusal, FoldersWithoutPermission) {
  LakeFolder lake("permission");
  MakeTable(*lake.Open());
  const Rows rows = *Ask(*lake.Open(), kSelect);
  const fs::path table = lake.folder() / "db" / "t";
  for (const char* closed : {"db", "db/t/data", "db/t/metadata"}) {
    for (const std::string& statement : Writers()) {
      SCOPED_TRACE(statement);
      const bool creates = statement.starts_with("CREATE");
      if (creates != (std::string(closed) == "db")) continue;
      if (statement.starts_with("ALTER") && std::string(closed) == "db/t/data") continue;
      SetModes(lake.folder(), 0777, 0666);
      ASSERT_EQ(::chmod((lake.folder() / closed).c_str(), 0555), 0);
      for (const auto& entry : fs::recursive_directory_iterator(lake.folder() / closed)) {
        if (entry.is_directory()) fs::permissions(entry.path(), fs::perms(0555));
      }
      const AsNobody nobody;
      if (!nobody.denies()) GTEST_SKIP() << "cannot become another user";
      const auto session = lake.Open();
      ExpectRefused(lake, *session, {statement, ErrorCode::kDenied, {(lake.folder() / closed).string()}});
      EXPECT_EQ(*Ask(*session, kSelect), rows);
    }
  }
  SetModes(lake.folder(), 0777, 0666);
}

TEST(Refusal, FilesWithoutPermission) {
  LakeFolder lake("unreadable");
  MakeTable(*lake.Open());
  SetModes(lake.folder(), 0777, 0666);
  const std::string data = (*Ask(*lake.Open(), "SELECT _file FROM cat.db.t WHERE k = 1"))[0];
  ASSERT_EQ(::chmod(data.c_str(), 0), 0);
  const FolderState before(lake.folder());
  for (const char* statement :
       {kSelect, "UPDATE cat.db.t SET v = v + 1 WHERE k = 1", "DELETE FROM cat.db.t WHERE v = 10",
        "CREATE TABLE cat.db.copy USING iceberg AS SELECT * FROM cat.db.t"}) {
    const AsNobody nobody;
    if (!nobody.denies()) GTEST_SKIP() << "cannot become another user";
    const auto done = Ask(*lake.Open(), statement);
    ASSERT_FALSE(done) << statement;
    EXPECT_EQ(done.error().code(), ErrorCode::kDenied) << done.error().ToString();
    EXPECT_THAT(done.error().ToString(), HasSubstr(data));
  }
  EXPECT_EQ(before.Touched(), std::set<fs::path>());
}

/// A small file system of this thread and of those it starts, in a folder; gone at the end.
class SmallDisk {
 public:
  SmallDisk(const fs::path& folder, const char* size) : folder_(folder) {
    // Mounts of this thread alone, so that the machine does not see them.
    home_ = ::open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
    root_ = ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    here_ = ::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (home_ < 0 || root_ < 0 || here_ < 0 || ::unshare(CLONE_NEWNS) != 0) return;
    unshared_ = true;
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return;
    mounted_ = ::mount("tmpfs", folder.c_str(), "tmpfs", 0, size) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
    if (unshared_) {
      // Going home also goes to the root of the machine, which need not be ours.
      EXPECT_EQ(::setns(home_, CLONE_NEWNS), 0);
      EXPECT_EQ(::fchdir(root_), 0);
      EXPECT_EQ(::chroot("."), 0);
      EXPECT_EQ(::fchdir(here_), 0);
    }
    for (const int file : {home_, root_, here_}) {
      if (file >= 0) ::close(file);
    }
  }
  bool mounted() const { return mounted_; }

 private:
  fs::path folder_;
  int home_ = -1, root_ = -1, here_ = -1;
  bool unshared_ = false, mounted_ = false;
};

TEST(Refusal, ADiskThatFillsUp) {
  LakeFolder lake("disk");
  const SmallDisk disk(lake.folder(), "size=1m");
  if (!disk.mounted()) GTEST_SKIP() << "a small file system needs root, and a root folder that is a mount";
  const auto session = lake.Open();
  MakeTable(*session);
  const Rows rows = *Ask(*session, kSelect);
  const std::string many =
      "SELECT id AS k, 'a' AS p, hash(id, 1) * 4294967296 + hash(id) AS v FROM range(0, 300000)";
  for (const std::string& statement :
       {"INSERT INTO cat.db.t " + many,
        "INSERT OVERWRITE cat.db.t PARTITION (p = 'a') SELECT k, v FROM (" + many + ")",
        "MERGE INTO cat.db.t t USING (" + many +
            ") s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * "
            "WHEN NOT MATCHED THEN INSERT *",
        "CREATE TABLE cat.db.copy USING iceberg AS " + many}) {
    ExpectRefused(lake, *session,
                  {statement, ErrorCode::kUnavailable, {lake.folder().string(), "the disk is full"}});
    EXPECT_EQ(*Ask(*session, kSelect), rows);
  }
  // There is room again.
  EXPECT_TRUE(Ask(*session, "INSERT INTO cat.db.t VALUES (7, 'a', 70)"));
}

// From each write of each statement on, the disk is full or the folder is closed.
TEST(Refusal, WritesThatFailOneByOne) {
  for (const auto& [fault, code, says] :
       {std::tuple{Fault::kDiskFull, ErrorCode::kUnavailable, "disk is full"},
        std::tuple{Fault::kDenied, ErrorCode::kDenied, "denied"}}) {
    LakeFolder lake("writes");
    MakeTable(*lake.Open());
    const FolderState before(lake.folder());
    for (const std::string& statement : Writers()) {
      SCOPED_TRACE(statement);
      bool failed = true;
      for (uint64_t n = 1; failed; n += TestLong() ? 1 : 2) {
        std::mutex mutex;  // Files of deletes are written side by side.
        uint64_t writes = 0;
        failed = false;
        std::set<std::string> paths;
        const auto storage =
            std::make_shared<FaultyStorage>(LakeFolder::Local(), [&](const FaultyCall& call) {
              const std::lock_guard lock(mutex);
              // The hint is written when the commit is done.
              if (call.call < StoreCall::kPut || call.call >= StoreCall::kAbort ||
                  call.path.ends_with("hint.text") || ++writes < n) {
                return Fault::kNone;
              }
              paths.insert(call.path);
              failed = true;
              return fault;
            });
        const auto done = Ask(*lake.Open(storage), statement);
        if (failed) {
          ASSERT_FALSE(done) << testing::PrintToString(paths);
          EXPECT_EQ(done.error().code(), code) << done.error().ToString();
          EXPECT_THAT(done.error().ToString(), HasSubstr(says));
          const std::string message = done.error().ToString();
          EXPECT_TRUE(std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
            return message.find(path) != std::string::npos;
          })) << message;
          EXPECT_EQ(before.Touched(), std::set<fs::path>()) << done.error().ToString();
        } else {
          EXPECT_TRUE(done) << done.error().ToString();
        }
        before.Restore();
      }
    }
  }
}

}  // namespace
}  // namespace weir
