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
#include "foreign.h"
#include "lake.h"
#include "storage/decorator.h"
#include "storage/memory/memory.h"

namespace weir {
namespace {

constexpr const char* kMadeAt = "/tmp/weir-fixtures";
constexpr int64_t kMoreKilobytes = 768 << 10;
constexpr unsigned kSecondsPerTry = 120;

using Contents = std::map<std::string, std::string>;

/// A store in memory whose paths look like those of files.
class FilesInMemory final : public Decorator {
 public:
  explicit FilesInMemory(const Contents& files) : Decorator(std::make_shared<MemoryStorage>()) {
    Io io{Ledger::Make()->Open("test", Purpose::kData), {}};
    for (const auto& [path, bytes] : files) EXPECT_TRUE(Put(io, path, AsBytes(bytes), PutIf::Always()));
  }

  std::set<std::string> Paths() {
    Io io{Ledger::Make()->Open("test", Purpose::kListing), {}};
    std::set<std::string> paths;
    const auto page = List(io, "/", std::nullopt);
    EXPECT_TRUE(page && !page->next_page);
    if (page) {
      for (const ObjectInfo& object : page->objects) paths.insert(object.path);
    }
    return paths;
  }

  Result<ListPage> List(Io& io, std::string_view prefix, const std::optional<std::string>& page) override {
    WEIR_TRY(ListPage found, Decorator::List(io, In(prefix), page));
    for (ObjectInfo& object : found.objects) object.path = object.path.substr(kScheme.size());
    return found;
  }
  Result<ObjectInfo> Head(Io& io, std::string_view path) override {
    WEIR_TRY(ObjectInfo info, Decorator::Head(io, In(path)));
    info.path = path;
    return info;
  }
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override {
    return Decorator::ReadRanges(io, In(path), ranges, buffers);
  }
  Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) override {
    return Decorator::Put(io, In(path), bytes, condition);
  }
  Result<std::unique_ptr<Upload>> StartUpload(Io& io, std::string_view path,
                                              const PutIf& condition) override {
    return Decorator::StartUpload(io, In(path), condition);
  }
  Status Delete(Io& io, std::span<const std::string> paths) override {
    std::vector<std::string> in;
    for (const std::string& path : paths) in.push_back(In(path));
    return Decorator::Delete(io, in);
  }

 private:
  static constexpr std::string_view kScheme = "mem:";
  static std::string In(std::string_view path) { return std::string(kScheme).append(path); }
};

/// A table, in memory, where its metadata believes it to be.
struct Sample {
  std::string name;
  std::string warehouse;
  Contents files;
  std::vector<std::string> statements;
};

Contents Load(const fs::path& folder, const std::string& as) {
  Contents files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[as + entry.path().string().substr(folder.string().size())] =
        std::string(std::istreambuf_iterator<char>(file), {});
  }
  return files;
}

Sample Foreign(const std::string& name, std::vector<std::string> statements) {
  const std::string table = "/wh/db/" + name;
  return {name, std::string(kMadeAt) + "/wh",
          Load(std::string(WEIR_SOURCE_DIR) + "/test/fixtures/iceberg" + table, kMadeAt + table),
          std::move(statements)};
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
  const int64_t at_first = PeakKilobytes();
  for (uint64_t seed = first; seed < first + count && !testing::Test::HasFailure(); ++seed) {
    current_seed = seed;
    ::alarm(kSecondsPerTry);
    run(seed);
    EXPECT_LT(PeakKilobytes(), at_first + kMoreKilobytes) << "WEIR_SEED=" << seed;
  }
  ::alarm(0);
}

TEST(Flip, DamageGivesRowsOrErrors) {
  const std::vector<Sample> samples = Samples();
  ForEachSeed(TestLong() ? 5000 : 300, [&](uint64_t seed) { Try(seed, samples); });
}

// Where pages lie, how long they are and which rows they hold: bytes that decide which rows a MERGE changes.
// Bounds are another matter; no reader can tell that they lie.
TEST(Flip, ADamagedOffsetIndexNeverChangesOtherRows) {
  LakeFolder lake("index");
  const auto session = lake.Open();
  ASSERT_TRUE(Ask(*session, "CREATE NAMESPACE cat.db"));
  ASSERT_TRUE(
      Ask(*session, std::string("CREATE TABLE cat.db.t (id BIGINT, s STRING, d DECIMAL(12,2), day DATE, "
                                "ts TIMESTAMP) USING iceberg ") +
                        kMergeOnRead));
  const fs::path file = lake.folder() / "db/t/data/foreign.parquet";
  fs::create_directories(file.parent_path());
  fs::copy_file(std::string(WEIR_SOURCE_DIR) + "/test/fixtures/parquet/pyarrow_index.parquet", file);
  ForeignWriter(lake, "t").AddData(file, 400);
  const Contents files = Load(lake.folder(), lake.folder().string());
  const std::string& whole = files.at(file.string());
  const auto footer = parquet::ParseFooterTail(AsBytes(whole), whole.size());
  ASSERT_TRUE(footer) << footer.error().ToString();
  constexpr const char* kMerge =
      "MERGE INTO cat.db.t t USING (SELECT * FROM VALUES (21L), (1041L) AS s(id)) s ON t.id = s.id "
      "WHEN MATCHED THEN UPDATE SET s = 'hit'";
  const auto run = [&](const std::string& bytes) -> Result<Rows> {
    Contents contents = files;
    contents[file.string()] = bytes;
    const auto memory = std::make_shared<FilesInMemory>(contents);
    WEIR_TRY([[maybe_unused]] const Rows done, Ask(*lake.Open(memory), kMerge));
    // The table as it is then, read through the whole file.
    Io io{Ledger::Make()->Open("test", Purpose::kData), {}};
    EXPECT_TRUE(memory->Put(io, file.string(), AsBytes(whole), PutIf::Always()));
    return Ask(*lake.Open(memory), "SELECT id, s FROM cat.db.t");
  };
  const auto expected = run(whole);
  ASSERT_TRUE(expected) << expected.error().ToString();
  ASSERT_EQ(expected->size(), 400u);
  ASSERT_EQ(std::count_if(expected->begin(), expected->end(),
                          [](const std::string& row) { return row.ends_with("|hit"); }),
            2);
  int refused = 0;
  ForEachSeed(TestLong() ? 2000 : 150, [&](uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string bytes = whole;
    const auto& group = footer->row_groups[random() % footer->row_groups.size()];
    const auto& index = group.columns[random() % 2].offset_index;
    ASSERT_TRUE(index);
    for (size_t i = 0, n = 1 + random() % 3; i < n; ++i) {
      bytes[index->offset_bytes + random() % index->size_bytes] = static_cast<char>(random());
    }
    SCOPED_TRACE("WEIR_SEED=" + std::to_string(seed));
    const auto rows = run(bytes);
    if (rows) {
      EXPECT_EQ(*rows, *expected);
    } else {
      ++refused;
      EXPECT_EQ(rows.error().code(), ErrorCode::kCorrupt) << rows.error().ToString();
      EXPECT_NE(rows.error().ToString().find("foreign.parquet"), std::string::npos)
          << rows.error().ToString();
    }
  });
  RecordProperty("refused", refused);
}

}  // namespace
}  // namespace weir
