/// Two writers. While one carries out its statement the other one's runs, whole, before the n-th storage call
/// of the first, for every n. The table must end as after one of the two serial orders, or, if a writer was
/// refused, as after the other alone. WEIR_TEST_LONG=1 tries every n, otherwise every second.

#include <gtest/gtest.h>

#include <atomic>
#include <optional>

#include "lake.h"
#include "storage/faulty.h"

namespace weir {
namespace {

class TwoWriters {
 public:
  TwoWriters(const std::string& name, std::string first, std::string second)
      : table_("interleaving-" + name), first_(std::move(first)), second_(std::move(second)) {}

  void Run() {
    MakeTable(*table_.Open());
    const FolderState before(table_.folder());
    const Rows first_then_second = Serial({first_, second_}, before);
    const Rows second_then_first = Serial({second_, first_}, before);
    const Rows only_first = Serial({first_}, before), only_second = Serial({second_}, before);
    const uint64_t calls = CallsOfFirst();
    before.Restore();
    const uint64_t step = TestLong() ? 1 : 2;
    for (uint64_t n = 1; n <= calls; n += step) {
      SCOPED_TRACE("before call " + std::to_string(n) + " of " + std::to_string(calls));
      const auto [first_error, second_error] = Interrupted(n);
      const auto rows = Ask(*table_.Open(), kSelect);
      ASSERT_TRUE(rows) << rows.error().ToString();
      if (first_error && second_error) {
        ADD_FAILURE() << "both were refused: " << *first_error << "\n" << *second_error;
      } else if (first_error) {
        EXPECT_EQ(*rows, only_second) << *first_error;
      } else if (second_error) {
        EXPECT_EQ(*rows, only_first) << *second_error;
      } else {
        EXPECT_TRUE(*rows == first_then_second || *rows == second_then_first)
            << testing::PrintToString(*rows);
      }
      if (testing::Test::HasFailure()) return;
      before.Restore();
    }
  }

 private:
  using MaybeError = std::optional<std::string>;

  static MaybeError Do(session::Session& session, const std::string& statement) {
    const auto done = Ask(session, statement);
    if (done) return std::nullopt;
    // A conflict says that the statement may be run again; any other error is a failure of its own.
    EXPECT_EQ(done.error().code(), ErrorCode::kUnavailable) << done.error().ToString();
    return done.error().ToString();
  }

  Rows Serial(const std::vector<std::string>& statements, const FolderState& before) {
    const auto session = table_.Open();
    for (const std::string& statement : statements)
      EXPECT_EQ(Do(*session, statement), std::nullopt) << statement;
    Rows rows = *Ask(*session, kSelect);
    before.Restore();
    return rows;
  }

  uint64_t CallsOfFirst() {
    const auto counting =
        std::make_shared<FaultyStorage>(LakeFolder::Local(), [](const FaultyCall&) { return Fault::kNone; });
    EXPECT_EQ(Do(*table_.Open(counting), first_), std::nullopt);
    return counting->call_count();
  }

  std::pair<MaybeError, MaybeError> Interrupted(uint64_t n) {
    const auto other = table_.Open();
    MaybeError second_error;
    const auto storage = std::make_shared<FaultyStorage>(LakeFolder::Local(), [&](const FaultyCall& call) {
      if (call.number == n) second_error = Do(*other, second_);
      return Fault::kNone;
    });
    MaybeError first_error = Do(*table_.Open(storage), first_);
    return {std::move(first_error), std::move(second_error)};
  }

  LakeFolder table_;
  std::string first_, second_;
};

std::string MergeOf(const std::string& rows) {
  return "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES " + rows +
         " AS s(k, p, v)) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *";
}

TEST(Interleaving, TwoInserts) {
  TwoWriters("inserts", "INSERT INTO cat.db.t VALUES (7, 'a', 70)",
             "INSERT INTO cat.db.t VALUES (8, 'a', 80)")
      .Run();
}
TEST(Interleaving, MergesOfTheSameNewKey) {
  TwoWriters("merges", MergeOf("(9L, 'a', 1L), (1L, 'a', 2L)"), MergeOf("(9L, 'b', 3L), (2L, 'b', 4L)"))
      .Run();
}
TEST(Interleaving, MergeAndDeleteOfItsRow) {
  TwoWriters("merge-delete", MergeOf("(1L, 'b', 2L)"), "DELETE FROM cat.db.t WHERE k = 1").Run();
}
TEST(Interleaving, MergeAndInsertOfItsKey) {
  TwoWriters("merge-insert", MergeOf("(9L, 'b', 2L)"), "INSERT INTO cat.db.t VALUES (9, 'a', 5)").Run();
}
TEST(Interleaving, UpdateAndDelete) {
  TwoWriters("update-delete", "UPDATE cat.db.t SET v = v + 1 WHERE k < 3",
             "DELETE FROM cat.db.t WHERE v > 15")
      .Run();
}
TEST(Interleaving, UpdatesOfTheSameRows) {
  TwoWriters("updates", "UPDATE cat.db.t SET v = v + 1 WHERE k < 3",
             "UPDATE cat.db.t SET v = v * 2 WHERE k < 3")
      .Run();
}
TEST(Interleaving, DeleteOfAPartitionAndInsertIntoIt) {
  TwoWriters("partition", "DELETE FROM cat.db.t WHERE p = 'a'", "INSERT INTO cat.db.t VALUES (7, 'a', 70)")
      .Run();
}
TEST(Interleaving, OverwriteAndInsert) {
  TwoWriters("overwrite", "INSERT OVERWRITE cat.db.t PARTITION (p = 'a') VALUES (7, 70)",
             "INSERT INTO cat.db.t VALUES (8, 'a', 80)")
      .Run();
}
TEST(Interleaving, OverwriteAndUpdate) {
  TwoWriters("overwrite-update", "INSERT OVERWRITE cat.db.t PARTITION (p = 'a') VALUES (7, 70)",
             "UPDATE cat.db.t SET v = 0 WHERE k = 1")
      .Run();
}
TEST(Interleaving, NewPartitioningAndMerge) {
  TwoWriters("evolution", MergeOf("(1L, 'b', 2L), (9L, 'b', 3L)"),
             "ALTER TABLE cat.db.t ADD PARTITION FIELD bucket(2, k)")
      .Run();
}

}  // namespace
}  // namespace weir
