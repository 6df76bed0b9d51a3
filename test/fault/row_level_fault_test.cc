/// Fails the n-th storage call of a statement, for every n, in each way that a store can fail. Afterwards the
/// table is the old one or the new one, whole and readable; a statement that reported success is the new one;
/// a failed one left no file behind. WEIR_TEST_LONG=1 tries every n, otherwise every third.

#include <gtest/gtest.h>

#include "lake.h"
#include "storage/faulty.h"

namespace weir {
namespace {

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

class FaultRun {
 public:
  /// `look` shows what the statement changes.
  FaultRun(const std::string& name, std::string statement, std::string look = kSelect)
      : table_(name), statement_(std::move(statement)), look_(std::move(look)) {}

  void Run() {
    Prepare();
    const FolderState before(table_.folder());
    const uint64_t calls = CleanRun();
    ASSERT_GT(calls, 0u);
    before.Restore();
    ASSERT_NE(old_, new_) << "the statement must change something";
    const uint64_t step = TestLong() ? 1 : 3;
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
    MakeTable(*table_.Open());
    old_ = *Look();
  }

  /// A table that is not there is a state too.
  Result<Rows> Look() {
    auto rows = Ask(*table_.Open(), look_);
    if (!rows && rows.error().condition() != nullptr &&
        rows.error().condition()->name == "TABLE_OR_VIEW_NOT_FOUND") {
      return Rows{"no table"};
    }
    return rows;
  }

  uint64_t CleanRun() {
    const auto counting =
        std::make_shared<FaultyStorage>(LakeFolder::Local(), [](const FaultyCall&) { return Fault::kNone; });
    uint64_t calls = 0;
    {
      const auto session = table_.Open(counting);
      const auto done = Ask(*session, statement_);
      EXPECT_TRUE(done) << done.error().ToString();
      calls = counting->call_count();
    }
    new_ = *Look();
    return calls;
  }

  void RunWithFault(uint64_t n, Fault fault, const FolderState& before) {
    bool succeeded = false;
    std::string error;
    {
      const auto session = table_.Open(
          std::make_shared<FaultyStorage>(LakeFolder::Local(), FailNth(n, fault), &table_.clock()));
      const auto done = Ask(*session, statement_);
      succeeded = done.has_value();
      if (!succeeded) error = done.error().ToString();
    }
    const auto rows = Look();
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
    if (fault == Fault::kSlow) {
      EXPECT_TRUE(succeeded) << error;
    }
  }

  LakeFolder table_;
  const std::string statement_, look_;
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
TEST(Fault, CreateTable) {
  FaultRun("create", "CREATE TABLE cat.db.copy (k INT) USING iceberg", "SELECT * FROM cat.db.copy").Run();
}
TEST(Fault, CreateTableAsSelect) {
  FaultRun("ctas", "CREATE TABLE cat.db.copy USING iceberg AS SELECT * FROM cat.db.t",
           "SELECT * FROM cat.db.copy")
      .Run();
}
TEST(Fault, NewPartitioning) {
  FaultRun("alter", "ALTER TABLE cat.db.t ADD PARTITION FIELD bucket(2, k)", "DESCRIBE cat.db.t").Run();
}

}  // namespace
}  // namespace weir
