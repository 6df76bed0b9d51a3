/// Two writers. While one carries out its statement the other one's runs, whole, before the n-th storage call
/// of the first, for every n. The table must end as after one of the two serial orders, or, if a writer was
/// refused, as after the other alone. Isolation levels that promise less say which other end they allow.
/// WEIR_TEST_LONG=1 tries every n, otherwise every second.

#include <gtest/gtest.h>

#include <optional>

#include "lake.h"
#include "storage/faulty.h"

namespace weir {
namespace {

struct Race {
  std::string name, first, second;
  std::vector<std::string> setup = {};  ///< Run before, after MakeTable.
  bool refuses = true;                  ///< Some meeting must end with one writer refused.
  /// Set for a level that promises less: the end that is no serial order, which some meeting must reach.
  std::optional<Rows> skewed = {};
  session::ConfMap conf = {};
};

class TwoWriters {
 public:
  explicit TwoWriters(Race race) : race_(std::move(race)), table_("interleaving-" + race_.name) {}

  void Run() {
    MakeTable(*table_.Open());
    for (const std::string& statement : race_.setup) {
      const auto done = Ask(*table_.Open(), statement);
      ASSERT_TRUE(done) << done.error().ToString();
    }
    const FolderState before(table_.folder());
    const Rows first_then_second = Serial({race_.first, race_.second}, before);
    const Rows second_then_first = Serial({race_.second, race_.first}, before);
    const Rows only_first = Serial({race_.first}, before), only_second = Serial({race_.second}, before);
    const uint64_t calls = CallsOfFirst();
    before.Restore();
    int refused = 0, skewed = 0;
    for (uint64_t n = 1; n <= calls; n += TestLong() ? 1 : 2) {
      SCOPED_TRACE("before call " + std::to_string(n) + " of " + std::to_string(calls));
      const auto [first_error, second_error] = Interrupted(n);
      const auto rows = Ask(*table_.Open(), kSelect);
      ASSERT_TRUE(rows) << rows.error().ToString();
      refused += first_error || second_error ? 1 : 0;
      if (first_error && second_error) {
        ADD_FAILURE() << "both were refused: " << *first_error << "\n" << *second_error;
      } else if (first_error) {
        EXPECT_EQ(*rows, only_second) << *first_error;
      } else if (second_error) {
        EXPECT_EQ(*rows, only_first) << *second_error;
      } else if (*rows == race_.skewed) {
        ++skewed;
      } else {
        EXPECT_TRUE(*rows == first_then_second || *rows == second_then_first)
            << testing::PrintToString(*rows);
      }
      if (testing::Test::HasFailure()) return;
      before.Restore();
    }
    EXPECT_EQ(refused > 0, race_.refuses) << refused << " of " << calls << " meetings refused a writer";
    EXPECT_EQ(skewed > 0, race_.skewed.has_value());
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
    const auto session = table_.Open(nullptr, race_.conf);
    for (const std::string& statement : statements)
      EXPECT_EQ(Do(*session, statement), std::nullopt) << statement;
    Rows rows = *Ask(*session, kSelect);
    before.Restore();
    return rows;
  }

  uint64_t CallsOfFirst() {
    const auto counting =
        std::make_shared<FaultyStorage>(LakeFolder::Local(), [](const FaultyCall&) { return Fault::kNone; });
    EXPECT_EQ(Do(*table_.Open(counting, race_.conf), race_.first), std::nullopt);
    return counting->call_count();
  }

  std::pair<MaybeError, MaybeError> Interrupted(uint64_t n) {
    const auto other = table_.Open(nullptr, race_.conf);
    MaybeError second_error;
    const auto storage = std::make_shared<FaultyStorage>(LakeFolder::Local(), [&](const FaultyCall& call) {
      if (call.number == n) second_error = Do(*other, race_.second);
      return Fault::kNone;
    });
    MaybeError first_error = Do(*table_.Open(storage, race_.conf), race_.first);
    return {std::move(first_error), std::move(second_error)};
  }

  const Race race_;
  LakeFolder table_;
};

std::string MergeOf(const std::string& rows) {
  return "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES " + rows +
         " AS s(k, p, v)) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *";
}

std::string InsertNewOf(const std::string& rows) {
  return "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES " + rows +
         " AS s(k, p, v)) s ON t.k = s.k WHEN NOT MATCHED THEN INSERT *";
}

std::string Set(const std::string& property, const std::string& value) {
  return "ALTER TABLE cat.db.t SET TBLPROPERTIES ('" + property + "'='" + value + "')";
}
const std::string kMergeLevel = "write.merge.isolation-level";
const std::string kUpdateLevel = "write.update.isolation-level";
const std::string kDeleteLevel = "write.delete.isolation-level";

TEST(Interleaving, TwoInserts) {
  TwoWriters({"inserts",
              "INSERT INTO cat.db.t VALUES (7, 'a', 70)",
              "INSERT INTO cat.db.t VALUES (8, 'a', 80)",
              {},
              false})
      .Run();
}
TEST(Interleaving, MergesOfTheSameNewKey) {
  TwoWriters({"merges", MergeOf("(9L, 'a', 1L), (1L, 'a', 2L)"), MergeOf("(9L, 'b', 3L), (2L, 'b', 4L)")})
      .Run();
}
TEST(Interleaving, MergesThatOnlyInsertTheSameNewKey) {
  TwoWriters({"insert-only", InsertNewOf("(9L, 'a', 1L), (1L, 'a', 2L)"), InsertNewOf("(9L, 'b', 3L)")})
      .Run();
}
TEST(Interleaving, MergesThatOnlyInsertTheSameNewKeyUnderSnapshotIsolation) {
  TwoWriters({"insert-only-snapshot",
              InsertNewOf("(9L, 'a', 1L)"),
              InsertNewOf("(9L, 'b', 3L)"),
              {Set(kMergeLevel, "snapshot")},
              false,
              Rows{"1|a|10", "2|b|20", "3|a|30", "5|c|60", "6|a|55", "9|a|1", "9|b|3", "NULL|b|40"}})
      .Run();
}
TEST(Interleaving, MergesIntoAnEmptyTable) {
  TwoWriters({"empty",
              MergeOf("(9L, 'a', 1L)"),
              MergeOf("(9L, 'b', 3L)"),
              {"DROP TABLE cat.db.t", std::string("CREATE TABLE cat.db.t (k BIGINT, p STRING, v BIGINT) "
                                                  "USING iceberg PARTITIONED BY (bucket(2, k)) ") +
                                          kMergeOnRead}})
      .Run();
}
// The row that kept the MERGE from inserting one key goes, and so would the other key have.
TEST(Interleaving, MergeThatOnlyInsertsAndDeleteOfWhatItSaw) {
  for (const char* key : {"1", "5"}) {  // One of two rows of a file; the only row of a file.
    TwoWriters({std::string("insert-only-delete-") + key,
                InsertNewOf(std::string("(9L, 'a', 1L), (") + key + "L, 'a', 2L)"),
                std::string("DELETE FROM cat.db.t WHERE k IN (9, ") + key + ")"})
        .Run();
  }
}
TEST(Interleaving, MergeAndDeleteOfARowThatItLeavesAlone) {
  const std::string merge =
      "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES (5L, 'c', 1L), (9L, 'c', 2L) AS s(k, p, v)) s "
      "ON t.k = s.k WHEN MATCHED AND t.v > 1000 THEN DELETE WHEN NOT MATCHED THEN INSERT *";
  TwoWriters({"untouched", merge, "DELETE FROM cat.db.t WHERE k IN (5, 9)"}).Run();
}
TEST(Interleaving, MergeAndDeleteOfItsRow) {
  TwoWriters({"merge-delete", MergeOf("(1L, 'b', 2L)"), "DELETE FROM cat.db.t WHERE k = 1"}).Run();
}
TEST(Interleaving, MergeAndDeletingMergeOfTheSameRows) {
  const std::string deleting =
      "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES (1L), (2L) AS s(k)) s ON t.k = s.k "
      "WHEN MATCHED THEN DELETE";
  for (const char* level : {"serializable", "snapshot"}) {
    TwoWriters({std::string("merge-merge-delete-") + level,
                MergeOf("(1L, 'a', 2L), (2L, 'b', 3L)"),
                deleting,
                {Set(kMergeLevel, level)}})
        .Run();
  }
}
TEST(Interleaving, MergeAndInsertOfItsKey) {
  TwoWriters({"merge-insert", MergeOf("(9L, 'b', 2L)"), "INSERT INTO cat.db.t VALUES (9, 'a', 5)"}).Run();
}
TEST(Interleaving, MergeAndInsertOfItsKeyUnderSnapshotIsolation) {
  TwoWriters({"merge-insert-snapshot",
              MergeOf("(9L, 'b', 2L)"),
              "INSERT INTO cat.db.t VALUES (9, 'a', 5)",
              {Set(kMergeLevel, "snapshot")},
              false})  // As after the MERGE and then the INSERT.
      .Run();
}
TEST(Interleaving, MergeAndInsertOfOtherKeys) {
  TwoWriters({"merge-insert-other",
              MergeOf("(1L, 'a', 2L)"),
              "INSERT INTO cat.db.t VALUES (100, 'a', 5)",
              {},
              false})
      .Run();
}
TEST(Interleaving, MergeAndOverwriteOfTheFilesItsDeletesName) {
  for (const char* level : {"serializable", "snapshot"}) {
    TwoWriters({std::string("merge-overwrite-") + level,
                MergeOf("(1L, 'b', 2L), (3L, 'a', 4L)"),
                "INSERT OVERWRITE cat.db.t PARTITION (p = 'a') VALUES (7, 70)",
                {Set(kMergeLevel, level)}})
        .Run();
  }
}
TEST(Interleaving, MergeAndDeleteOfTheFilesItsDeletesName) {
  for (const char* level : {"serializable", "snapshot"}) {
    TwoWriters({std::string("merge-drop-") + level,
                MergeOf("(1L, 'b', 2L), (3L, 'a', 4L)"),
                "DELETE FROM cat.db.t WHERE p = 'a'",
                {Set(kMergeLevel, level)}})
        .Run();
  }
}
TEST(Interleaving, UpdateAndDelete) {
  TwoWriters(
      {"update-delete", "UPDATE cat.db.t SET v = v + 1 WHERE k < 3", "DELETE FROM cat.db.t WHERE v > 15"})
      .Run();
}
TEST(Interleaving, UpdateAndDeleteOfTheSameRowUnderSnapshotIsolation) {
  // The DELETE does not look at rows that came meanwhile, so that the new version of the row stays.
  const std::string update = "UPDATE cat.db.t SET v = v + 1 WHERE k = 1",
                    del = "DELETE FROM cat.db.t WHERE k = 1";
  const Rows skewed = {"1|a|11", "2|b|20", "3|a|30", "5|c|60", "6|a|55", "NULL|b|40"};
  const std::vector<std::string> setup = {Set(kUpdateLevel, "snapshot"), Set(kDeleteLevel, "snapshot")};
  TwoWriters({"delete-update-snapshot", del, update, setup, false, skewed}).Run();
  TwoWriters({"update-delete-snapshot", update, del, setup, true}).Run();
}
TEST(Interleaving, DeletesOfTheSameRow) {
  for (const char* level : {"serializable", "snapshot"}) {
    TwoWriters({std::string("delete-delete-") + level,
                "DELETE FROM cat.db.t WHERE k = 1",
                "DELETE FROM cat.db.t WHERE k IN (1, 2)",
                {Set(kDeleteLevel, level)},
                false})
        .Run();
  }
}
TEST(Interleaving, UpdatesOfTheSameRows) {
  for (const char* level : {"serializable", "snapshot"}) {
    TwoWriters({std::string("updates-") + level,
                "UPDATE cat.db.t SET v = v + 1 WHERE k < 3",
                "UPDATE cat.db.t SET v = v * 2 WHERE k < 3",
                {Set(kUpdateLevel, level)}})
        .Run();
  }
}
// Each moves rows to where the other one looked for them.
TEST(Interleaving, UpdatesThatSwapPartitions) {
  const std::string to_b = "UPDATE cat.db.t SET p = 'b' WHERE p = 'a'",
                    to_a = "UPDATE cat.db.t SET p = 'a' WHERE p = 'b'";
  TwoWriters({"swap", to_b, to_a}).Run();
  TwoWriters({"swap-snapshot",
              to_b,
              to_a,
              {Set(kUpdateLevel, "snapshot")},
              false,
              Rows{"1|b|10", "2|a|20", "3|b|30", "5|c|60", "6|b|55", "NULL|a|40"}})
      .Run();
}
TEST(Interleaving, UpdatesOfDifferentPartitions) {
  TwoWriters({"apart",
              "UPDATE cat.db.t SET v = v + 1 WHERE p = 'a'",
              "UPDATE cat.db.t SET v = v * 2 WHERE p = 'b'",
              {},
              false})
      .Run();
}
TEST(Interleaving, DeleteOfAPartitionAndInsertIntoIt) {
  TwoWriters({"partition", "DELETE FROM cat.db.t WHERE p = 'a'", "INSERT INTO cat.db.t VALUES (7, 'a', 70)"})
      .Run();
}
TEST(Interleaving, DeleteOfAPartitionAndInsertIntoItUnderSnapshotIsolation) {
  TwoWriters({"partition-snapshot",
              "DELETE FROM cat.db.t WHERE p = 'a'",
              "INSERT INTO cat.db.t VALUES (7, 'a', 70)",
              {Set(kDeleteLevel, "snapshot")},
              false})  // As after the DELETE and then the INSERT.
      .Run();
}
TEST(Interleaving, OverwriteAndInsert) {
  TwoWriters({"overwrite", "INSERT OVERWRITE cat.db.t PARTITION (p = 'a') VALUES (7, 70)",
              "INSERT INTO cat.db.t VALUES (8, 'a', 80)"})
      .Run();
}
TEST(Interleaving, OverwriteAndInsertIntoAnotherPartition) {
  TwoWriters({"overwrite-other",
              "INSERT OVERWRITE cat.db.t PARTITION (p = 'a') VALUES (7, 70)",
              "INSERT INTO cat.db.t VALUES (8, 'z', 80)",
              {},
              false})
      .Run();
}
TEST(Interleaving, OverwriteAndUpdate) {
  TwoWriters({"overwrite-update", "INSERT OVERWRITE cat.db.t PARTITION (p = 'a') VALUES (7, 70)",
              "UPDATE cat.db.t SET v = 0 WHERE k = 1"})
      .Run();
}
// Before both there is no file that either could remove.
TEST(Interleaving, OverwritesOfAPartitionWithoutRows) {
  TwoWriters({"overwrites", "INSERT OVERWRITE cat.db.t PARTITION (p = 'z') VALUES (7, 70)",
              "INSERT OVERWRITE cat.db.t PARTITION (p = 'z') VALUES (8, 80)"})
      .Run();
}
TEST(Interleaving, DynamicOverwrites) {
  for (const char* transform : {"p", "bucket(2, k)"}) {
    TwoWriters({std::string("dynamic-overwrites-") + transform,
                "INSERT OVERWRITE cat.db.t VALUES (7, 'z', 70)",
                "INSERT OVERWRITE cat.db.t VALUES (7, 'z', 80)",
                {"DROP TABLE cat.db.t",
                 std::string("CREATE TABLE cat.db.t (k BIGINT, p STRING, v BIGINT) USING iceberg "
                             "PARTITIONED BY (") +
                     transform + ") " + kMergeOnRead,
                 "INSERT INTO cat.db.t VALUES (1, 'a', 10)"},
                true,
                {},
                {{"spark.sql.sources.partitionOverwriteMode", "dynamic"}}})
        .Run();
  }
}
TEST(Interleaving, DynamicOverwriteAndInsertIntoAnotherPartition) {
  TwoWriters({"dynamic-overwrite-other",
              "INSERT OVERWRITE cat.db.t VALUES (7, 'a', 70)",
              "INSERT INTO cat.db.t VALUES (8, 'z', 80)",
              {},
              false,
              {},
              {{"spark.sql.sources.partitionOverwriteMode", "dynamic"}}})
      .Run();
}
TEST(Interleaving, OverwriteAndMergeIntoItsPartition) {
  for (const char* partition : {"a", "z"}) {
    TwoWriters({std::string("overwrite-merge-") + partition,
                std::string("INSERT OVERWRITE cat.db.t PARTITION (p = '") + partition + "') VALUES (9, 70)",
                MergeOf(std::string("(9L, '") + partition + "', 1L)")})
        .Run();
  }
}
TEST(Interleaving, NewPartitioningAndMerge) {
  const std::string merge = MergeOf("(1L, 'b', 2L), (9L, 'b', 3L)"),
                    alter = "ALTER TABLE cat.db.t ADD PARTITION FIELD bucket(2, k)";
  TwoWriters({"merge-evolution", merge, alter, {}, false}).Run();
  TwoWriters({"evolution-merge", alter, merge, {}, false}).Run();
}
TEST(Interleaving, TwoNewPartitionings) {
  TwoWriters({"evolutions", "ALTER TABLE cat.db.t ADD PARTITION FIELD bucket(2, k)",
              "ALTER TABLE cat.db.t DROP PARTITION FIELD p"})
      .Run();
}
TEST(Interleaving, PropertiesAndInsert) {
  TwoWriters({"properties", Set("note", "new"), "INSERT INTO cat.db.t VALUES (8, 'z', 80)", {}, false}).Run();
}

}  // namespace
}  // namespace weir
