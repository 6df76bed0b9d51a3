/// What statements read and write beside their answer: rows into the join, pages, delete files, spill.

#include <gtest/gtest.h>

#include "lake.h"

namespace weir {
namespace {

constexpr const char* kCreate = "CREATE TABLE cat.db.t (id BIGINT, p STRING, v DOUBLE) USING iceberg ";
constexpr const char* kMergeThree =
    "MERGE INTO cat.db.t AS t USING (SELECT id * 149999 + 1 AS id FROM range(3)) AS s ON t.id = s.id "
    "WHEN MATCHED THEN UPDATE SET t.v = 0.5D WHEN NOT MATCHED THEN INSERT (id, p, v) VALUES (s.id, 'new', "
    "1D)";

class MovementTest : public testing::Test {
 protected:
  /// 300,000 rows of ids in order, in partitions a and b by halves.
  void MakeHalves(session::Session& session) {
    Do(session, "CREATE NAMESPACE cat.db");
    Do(session, std::string(kCreate) + "PARTITIONED BY (p) " + kMergeOnRead);
    Do(session,
       "INSERT INTO cat.db.t SELECT id, CASE WHEN id < 150000 THEN 'a' ELSE 'b' END, CAST(id AS DOUBLE) "
       "FROM range(300000)");
  }

  static void Do(session::Session& session, const std::string& statement) {
    const auto done = Ask(session, statement);
    ASSERT_TRUE(done) << statement << ": " << done.error().ToString();
  }

  /// The totals of an operator of a statement that runs to its end.
  static MovementTotals Moved(session::Session& session, const std::string& statement,
                              std::string_view name) {
    auto run = session.Execute(statement);
    EXPECT_TRUE(run) << run.error().ToString();
    while (run) {
      const auto batch = (*run)->Next();
      EXPECT_TRUE(batch) << batch.error().ToString();
      if (!batch || !*batch) break;
    }
    for (const Ledger::Entry& entry : (*run)->ledger().Entries()) {
      if (entry.operator_name == name) return entry.totals;
    }
    return {};
  }

  LakeFolder lake_{"movement"};
};

TEST_F(MovementTest, OnlyRowsWithAKeyGoIntoTheJoin) {
  const auto session = lake_.Open();
  MakeHalves(*session);
  const FolderState before(lake_.folder());
  // Keys 1, 150,000 and 299,999: one range over them would take every row.
  const MovementTotals pruned = Moved(*session, kMergeThree, "scan cat.db.t");
  EXPECT_EQ(pruned.rows.into_join, 3u);
  const auto rows = Ask(*session, "SELECT count(*), sum(v), count_if(v = 0.5D) FROM cat.db.t");
  before.Restore();
  const auto plain = lake_.Open(nullptr, {{"spark.weir.pruning.pages", "false"}});
  Do(*plain, kMergeThree);
  const auto plain_rows = Ask(*plain, "SELECT count(*), sum(v), count_if(v = 0.5D) FROM cat.db.t");
  ASSERT_TRUE(rows && plain_rows);
  EXPECT_EQ(*rows, *plain_rows);
  EXPECT_EQ(rows->front().substr(0, 7), "300000|");
}

// Loaded twice, a table could be seen at two snapshots in one statement.
TEST_F(MovementTest, AStatementLoadsATableOnce) {
  const auto session = lake_.Open();
  Do(*session, "CREATE NAMESPACE cat.db");
  Do(*session, std::string(kCreate) + kMergeOnRead);
  Do(*session, "INSERT INTO cat.db.t VALUES (1, 'a', 1)");
  const auto requests = [&](const std::string& statement) {
    return Moved(*session, statement, "table cat.db.t")[Purpose::kMetadata].requests;
  };
  requests("SELECT * FROM cat.db.t");  // Its metadata stays in memory.
  const uint64_t once = requests("SELECT * FROM cat.db.t");
  EXPECT_GT(once, 0u);
  EXPECT_EQ(
      requests(
          "SELECT * FROM cat.db.t a JOIN cat.db.t b ON a.id = b.id WHERE a.id IN (SELECT id FROM cat.db.t)"),
      once);
  EXPECT_EQ(requests("MERGE INTO cat.db.t t USING (SELECT * FROM cat.db.t) s ON t.id = s.id "
                     "WHEN NOT MATCHED THEN INSERT *"),
            once);
}

TEST_F(MovementTest, ExplainOfMergeSaysWhatIsLeftOutAndWhy) {
  const auto session = lake_.Open();
  MakeHalves(*session);
  Do(*session, "INSERT INTO cat.db.t SELECT id, 'c', 0D FROM range(1000000, 1000010)");
  const auto text = Ask(*session, std::string("EXPLAIN ") + kMergeThree);
  ASSERT_TRUE(text) << text.error().ToString();
  for (const char* line : {"key from the source: target id = id, from 1L to 299999L", "distinct keys: 3",
                           "files to join: 2 of 3", "avoided by bounds: 1 files", "by page: 2 files, "}) {
    EXPECT_NE(text->front().find(line), std::string::npos) << line << " in\n" << text->front();
  }
}

TEST_F(MovementTest, DeleteFilesRollAtTheirTargetSize) {
  const auto session = lake_.Open();
  Do(*session, "CREATE NAMESPACE cat.db");
  Do(*session, std::string(kCreate) + kMergeOnRead);
  Do(*session, "ALTER TABLE cat.db.t SET TBLPROPERTIES ('write.delete.target-file-size-bytes'='50000')");
  Do(*session, "INSERT INTO cat.db.t SELECT id, 'a', 0D FROM range(600000)");
  Do(*session, "DELETE FROM cat.db.t WHERE pmod(id * 7919, 1009) < 600");
  const auto files = Ask(*session, "SELECT record_count FROM cat.db.t.files WHERE content = 1");
  ASSERT_TRUE(files) << files.error().ToString();
  EXPECT_GE(files->size(), 3u);
  const auto left =
      Ask(*session,
          "SELECT count(*), count_if(pmod(id * 7919, 1009) < 600), (SELECT sum(record_count) FROM "
          "cat.db.t.files WHERE content = 1) FROM cat.db.t");
  ASSERT_TRUE(left) << left.error().ToString();
  const std::string& counts = left->front();
  const size_t first = counts.find('|'), second = counts.find('|', first + 1);
  EXPECT_EQ(counts.substr(first, second - first), "|0");
  EXPECT_EQ(std::stoll(counts.substr(0, first)) + std::stoll(counts.substr(second + 1)), 600'000);
}

TEST_F(MovementTest, AWriteBeyondMemorySpillsAndSays) {
  const auto session =
      lake_.Open(nullptr, {{"spark.driver.memory", "64m"}, {"spark.local.dir", lake_.folder().string()}});
  Do(*session, "CREATE NAMESPACE cat.db");
  Do(*session, std::string(kCreate) + "PARTITIONED BY (bucket(4, id)) " + kMergeOnRead);
  const MovementTotals spilled =
      Moved(*session,
            "INSERT INTO cat.db.t SELECT pmod(id * 7919, 1500000), lpad(CAST(id AS "
            "STRING), 40, 'x'), 0D FROM range(1500000)",
            "spill");
  EXPECT_GT(spilled[Purpose::kSpill].bytes_written, 1u << 20);
  const auto rows = Ask(*session, "SELECT count(*), sum(id) FROM cat.db.t");
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ(rows->front(), "1500000|1124999250000");
}

}  // namespace
}  // namespace weir
