/// Small tables of four writers whose files are damaged at random: bits turned, bytes overwritten, ends cut
/// off. Every statement ends with rows or with an error that is not our own fault, in bounded time and
/// memory, and one that fails leaves the store as it was. A failure prints WEIR_SEED, which runs one try
/// alone; WEIR_TEST_LONG=1 tries some thousands, otherwise some hundreds.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <random>

#include "codec/parquet/footer.h"
#include "files_in_memory.h"
#include "foreign.h"

namespace weir {
namespace {

constexpr int64_t kMoreKilobytes = 512 << 10;
constexpr unsigned kSecondsPerTry = 120;

/// A table, in memory, where its metadata believes it to be.
struct Sample {
  std::string name;
  std::string warehouse;
  Contents files;
  std::vector<std::string> statements;
};

Sample Foreign(const std::string& name, std::vector<std::string> statements) {
  return {name, std::string(kMadeAt) + "/wh", LoadFixture(name), std::move(statements)};
}

std::vector<Sample> Samples() {
  std::vector<Sample> samples = {
      Foreign(
          "evolved",
          {"SELECT * FROM cat.db.evolved",
           "MERGE INTO cat.db.evolved t USING (SELECT * FROM VALUES (1L, 'x'), (12L, 'y'), (99L, 'z') AS "
           "s(id, n)) "
           "s ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = s.n WHEN NOT MATCHED THEN INSERT (id, name) "
           "VALUES (s.id, s.n)"}),
      Foreign("types",
              {"SELECT * FROM cat.db.types", "SELECT count(*) FROM cat.db.types WHERE s > 'b' AND d < 2"}),
      Foreign("eq", {"SELECT * FROM cat.db.eq", "SELECT count(*) FROM cat.db.eq"}),
      Foreign("py", {"SELECT * FROM cat.db.py WHERE color = 'red'", "SELECT * FROM cat.db.py.files"})};
  LakeFolder lake("flip");
  MakeTable(*lake.Open());
  samples.push_back(
      {"weir",
       lake.folder().string(),
       Load(lake.folder(), lake.folder().string()),
       {kSelect,
        "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES (1L, 'b', 11L), (6L, 'a', 56L), (9L, 'd', 90L) AS "
        "s(k, p, v)) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        "DELETE FROM cat.db.t WHERE v IN (10, 55)"}});
  return samples;
}

void Damage(std::mt19937_64& random, std::string& bytes) {
  const auto below = [&](size_t n) { return n == 0 ? size_t{0} : static_cast<size_t>(random() % n); };
  switch (below(6)) {
    case 0:
      bytes.resize(below(bytes.size()));
      break;
    case 1:  // Numbers at their limits are what sizes and offsets are read from.
      for (size_t at = below(bytes.size()), i = 0; i < 1 + below(8) && at + i < bytes.size(); ++i)
        bytes[at + i] = static_cast<char>(random() % 2 == 0 ? 0xff : 0x7f);
      break;
    case 2:
      if (!bytes.empty()) bytes.erase(below(bytes.size()), 1 + below(16));
      break;
    case 3:  // Near the end, where footers are.
      if (!bytes.empty())
        bytes[bytes.size() - 1 - below(std::min<size_t>(bytes.size(), 1024))] = static_cast<char>(random());
      break;
    default:
      for (size_t i = 0, n = 1 + below(4); i < n && !bytes.empty(); ++i)
        bytes[below(bytes.size())] ^= static_cast<char>(1 << below(8));
  }
}

int64_t PeakKilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

uint64_t current_seed = 0;  // For the handler of a try that does not end.
void OnAlarm(int) {
  char text[] = "a try does not end: WEIR_SEED=                    \n";
  uint64_t seed = current_seed;
  for (size_t at = sizeof(text) - 3; seed > 0; seed /= 10) text[at--] = static_cast<char>('0' + seed % 10);
  static_cast<void>(!::write(STDERR_FILENO, text, sizeof(text) - 1));
  ::_exit(1);
}

void Try(uint64_t seed, const std::vector<Sample>& samples) {
  std::mt19937_64 random(seed);
  const Sample& sample = samples[random() % samples.size()];
  auto damaged = sample.files.begin();
  std::advance(damaged, static_cast<ptrdiff_t>(random() % sample.files.size()));
  std::string bytes = damaged->second;
  Damage(random, bytes);
  SCOPED_TRACE("WEIR_SEED=" + std::to_string(seed) + " damages " + damaged->first);
  for (const std::string& statement : sample.statements) {
    SCOPED_TRACE(statement);
    Contents files = sample.files;
    files[damaged->first] = bytes;
    const auto memory = std::make_shared<FilesInMemory>(files);
    const auto before = memory->Paths();
    LakeFolder lake("flip-session");
    const auto done =
        Ask(*lake.Open(memory, {{"spark.sql.catalog.cat.warehouse", sample.warehouse}}), statement);
    if (done) continue;
    EXPECT_NE(done.error().code(), ErrorCode::kInternal) << done.error().ToString();
    EXPECT_EQ(memory->Paths(), before) << done.error().ToString();
  }
}

/// Runs tries with seeds from 1, or the one that WEIR_SEED names.
void ForEachSeed(uint64_t count, const std::function<void(uint64_t)>& run) {
  const char* only = std::getenv("WEIR_SEED");
  const uint64_t first = only != nullptr ? std::strtoull(only, nullptr, 10) : 1;
  if (only != nullptr) count = 1;
  std::signal(SIGALRM, OnAlarm);
  run(first);  // Whatever is allocated once.
  for (uint64_t seed = first; seed < first + count && !testing::Test::HasFailure(); ++seed) {
    current_seed = seed;
    ::alarm(kSecondsPerTry);
    const int64_t before = PeakKilobytes();
    run(seed);
    EXPECT_LT(PeakKilobytes(), before + kMoreKilobytes) << "WEIR_SEED=" << seed;
  }
  ::alarm(0);
}

TEST(Flip, DamageGivesRowsOrErrors) {
  const std::vector<Sample> samples = Samples();
  ForEachSeed(TestLong() ? 5000 : 200, [&](uint64_t seed) { Try(seed, samples); });
}

constexpr const char* kMerge =
    "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES (21L), (1041L) AS s(id)) s ON t.id = s.id "
    "WHEN MATCHED THEN UPDATE SET s = 'hit'";

/// A data file of pyarrow with a page index, in a table; and a MERGE that finds two of its rows through the
/// index.
class IndexedTable {
 public:
  IndexedTable() : lake_("index"), file_(lake_.folder() / "db/t/data/foreign.parquet") {
    const auto session = lake_.Open();
    EXPECT_TRUE(Ask(*session, "CREATE NAMESPACE cat.db"));
    EXPECT_TRUE(
        Ask(*session, std::string("CREATE TABLE cat.db.t (id BIGINT, s STRING, d DECIMAL(12,2), day DATE, "
                                  "ts TIMESTAMP) USING iceberg ") +
                          kMergeOnRead));
    fs::create_directories(file_.parent_path());
    fs::copy_file(std::string(WEIR_SOURCE_DIR) + "/test/fixtures/parquet/pyarrow_index.parquet", file_);
    ForeignWriter(lake_, "t").AddData(file_, 400);
    files_ = Load(lake_.folder(), lake_.folder().string());
    auto footer = parquet::ParseFooterTail(AsBytes(whole()), whole().size());
    EXPECT_TRUE(footer) << footer.error().ToString();
    footer_ = *std::move(footer);
    const auto plan = Ask(*session, std::string("EXPLAIN ") + kMerge);
    EXPECT_TRUE(plan && plan->front().find("by page: 1 files") != std::string::npos) << plan->front();
    const auto rows = Merge(whole());
    EXPECT_TRUE(rows) << rows.error().ToString();
    expected_ = *rows;
    EXPECT_EQ(expected_.size(), 400u);
    EXPECT_EQ(std::count_if(expected_.begin(), expected_.end(),
                            [](const std::string& row) { return row.ends_with("|hit"); }),
              2);
  }

  const std::string& whole() const { return files_.at(file_.string()); }
  const parquet::Footer& footer() const { return footer_; }

  /// The right rows, or an error that names the file.
  void ExpectRightRowsOrError(const std::string& bytes) {
    const auto rows = Merge(bytes);
    if (rows) {
      EXPECT_EQ(*rows, expected_);
      return;
    }
    EXPECT_EQ(rows.error().code(), ErrorCode::kCorrupt) << rows.error().ToString();
    EXPECT_NE(rows.error().ToString().find("foreign.parquet"), std::string::npos) << rows.error().ToString();
  }

 private:
  /// All rows, read through the whole file, after a MERGE that saw `bytes`.
  Result<Rows> Merge(const std::string& bytes) {
    Contents contents = files_;
    contents[file_.string()] = bytes;
    const auto memory = std::make_shared<FilesInMemory>(contents);
    WEIR_TRY([[maybe_unused]] const Rows done, Ask(*lake_.Open(memory), kMerge));
    Io io{Ledger::Make()->Open("test", Purpose::kData), {}};
    EXPECT_TRUE(memory->Put(io, file_.string(), AsBytes(whole()), PutIf::Always()));
    return Ask(*lake_.Open(memory), "SELECT id, s FROM cat.db.t");
  }

  LakeFolder lake_;
  const fs::path file_;
  Contents files_;
  parquet::Footer footer_;
  Rows expected_;
};

// Where pages lie, how long they are and which rows they hold: bytes that decide which rows a MERGE changes.
// Bounds are another matter; no reader can tell that they lie.
TEST(Flip, ADamagedOffsetIndexNeverChangesOtherRows) {
  IndexedTable table;
  ForEachSeed(TestLong() ? 2000 : 80, [&](uint64_t seed) {
    SCOPED_TRACE("WEIR_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::string bytes = table.whole();
    const auto& groups = table.footer().row_groups;
    const auto& index = groups[random() % groups.size()].columns[random() % 2].offset_index;
    for (size_t i = 0, n = 1 + random() % 3; i < n; ++i) {
      bytes[index->offset_bytes + random() % index->size_bytes] = static_cast<char>(random());
    }
    table.ExpectRightRowsOrError(bytes);
  });
}

/// One page of an offset index: offset, size with header, first row. Values are as in the file: zigzag
/// varints.
using PageLocation = std::array<int64_t, 3>;

/// The index of one column chunk, of at most 14 pages, and back in the same number of bytes.
std::vector<PageLocation> ReadLocations(std::string_view bytes) {
  size_t at = 0;
  EXPECT_EQ(bytes[at++], 0x19);  // Field 1, a list.
  std::vector<PageLocation> pages(static_cast<uint8_t>(bytes[at++]) >> 4);
  for (PageLocation& page : pages) {
    for (int64_t& value : page) {
      ++at;  // The field's header.
      uint64_t zigzag = 0;
      for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<uint8_t>(bytes[at++]);
        zigzag |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      value = static_cast<int64_t>(zigzag >> 1) ^ -static_cast<int64_t>(zigzag & 1);
    }
    ++at;  // The struct's end.
  }
  return pages;
}
std::string WriteLocations(const std::vector<PageLocation>& pages) {
  std::string bytes = {0x19, static_cast<char>(pages.size() << 4 | 0xc)};
  for (const PageLocation& page : pages) {
    for (size_t i = 0; i < page.size(); ++i) {
      bytes += i == 1 ? '\x15' : '\x16';
      auto zigzag = (static_cast<uint64_t>(page[i]) << 1) ^ static_cast<uint64_t>(page[i] >> 63);
      for (; zigzag >= 0x80; zigzag >>= 7) bytes += static_cast<char>(zigzag | 0x80);
      bytes += static_cast<char>(zigzag);
    }
    bytes += '\0';
  }
  return bytes + '\0';
}

TEST(Flip, AnOffsetIndexThatLiesIsNotBelieved) {
  IndexedTable table;
  const auto index = *table.footer().row_groups[0].columns[0].offset_index;
  const std::string before = table.whole().substr(index.offset_bytes, index.size_bytes);
  const std::vector<PageLocation> pages = ReadLocations(before);
  ASSERT_EQ(pages.size(), 6u);
  ASSERT_EQ(WriteLocations(pages), before);
  const std::vector<std::pair<std::string, std::function<void(std::vector<PageLocation>&)>>> lies = {
      {"a page starts at another row", [](auto& p) { p[1][2] = 40; }},
      {"pages start at rows that do not grow", [](auto& p) { std::swap(p[1][2], p[0][2]); }},
      {"rows behind the row group", [](auto& p) { p[5][2] = 8000; }},
      {"a negative row", [](auto& p) { p[1][2] = -50; }},
      {"pages swapped", [](auto& p) { std::swap(p[0][0], p[1][0]); }},
      {"all pages are the first",
       [](auto& p) {
         for (auto& page : p) page[0] = p[0][0];
       }},
      {"a page begins a byte later", [](auto& p) { p[0][0] += 1; }},
      {"a page begins in another column", [](auto& p) { p[1][0] += 3000; }},
      {"a page before the file", [](auto& p) { p[1][0] = -p[1][0]; }},
      {"a page reaches too far", [](auto& p) { p[0][1] = 8000; }},
      {"a page ends early", [](auto& p) { p[0][1] -= 70; }},
      {"a page of negative size", [](auto& p) { p[0][1] = -p[0][1]; }},
  };
  for (const auto& [name, lie] : lies) {
    SCOPED_TRACE(name);
    std::vector<PageLocation> told = pages;
    lie(told);
    const std::string index_bytes = WriteLocations(told);
    if (index_bytes.size() > before.size()) {
      ADD_FAILURE() << index_bytes.size() << " bytes do not fit into " << before.size();
      continue;
    }
    std::string bytes = table.whole();
    bytes.replace(index.offset_bytes, index_bytes.size(), index_bytes);
    table.ExpectRightRowsOrError(bytes);
  }
}

}  // namespace
}  // namespace weir
