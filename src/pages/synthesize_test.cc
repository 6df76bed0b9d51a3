#include "pages/synthesize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/parquet/footer.h"
#include "codec/parquet/page_index.h"
#include "pages/fixture_storage.h"

namespace weir::pages {
namespace {

using parquet::PageType;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr Options kEager = {.max_share = 1.0};

struct Fixture : FixtureStore {
  FooterCache cache;

  Synthesis Make(const std::vector<KeyFile>& files, const Options& options = kEager) {
    auto selection = SelectKeyPages(store, cache, files, options);
    EXPECT_TRUE(selection.has_value()) << (selection ? "" : selection.error().ToString());
    storage->TakeReads();
    auto synthesis = Synthesize(store, files, *selection, options);
    EXPECT_TRUE(synthesis.has_value()) << (synthesis ? "" : synthesis.error().ToString());
    return std::move(*synthesis);
  }
};

std::string Bytes(const SynthesizedFile& file) {
  std::string bytes(file.size_bytes(), '\0');
  const Status status = file.ReadAt(0, {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()});
  EXPECT_TRUE(status.has_value());
  return bytes;
}

/// Walks every chunk as a reader does and returns the footer.
parquet::Footer CheckLayout(const SynthesizedFile& file) {
  const std::string bytes = Bytes(file);
  EXPECT_TRUE(bytes.starts_with("PAR1"));
  auto footer = parquet::ParseFooterTail(AsBytes(bytes), bytes.size());
  EXPECT_TRUE(footer.has_value()) << (footer ? "" : footer.error().ToString());
  EXPECT_EQ(footer->row_count, file.rows().row_count());
  uint64_t next_chunk = 4;
  int64_t rows = 0;
  for (const parquet::RowGroup& group : footer->row_groups) {
    rows += group.row_count;
    for (const parquet::ColumnChunk& chunk : group.columns) {
      EXPECT_EQ(chunk.start_bytes(), next_chunk) << "chunks neither overlap nor leave gaps";
      next_chunk += static_cast<uint64_t>(chunk.compressed_size_bytes);
      int64_t values = 0, uncompressed = 0;
      for (uint64_t at = chunk.start_bytes(); at < next_chunk;) {
        const auto page = parquet::ParsePageHeader(AsBytes(bytes).subspan(at), at);
        if (!page) ADD_FAILURE() << page.error().ToString();
        if (!page) return *footer;
        EXPECT_EQ(page->type == PageType::kDictionary,
                  at != static_cast<uint64_t>(chunk.data_page_offset) && values == 0);
        if (page->type != PageType::kDictionary) values += page->value_count;
        uncompressed += page->header_size_bytes + page->uncompressed_size_bytes;
        at += static_cast<uint64_t>(page->header_size_bytes + page->compressed_size_bytes);
      }
      EXPECT_EQ(values, chunk.value_count);
      EXPECT_EQ(values, group.row_count);
      EXPECT_EQ(uncompressed, chunk.uncompressed_size_bytes);
      EXPECT_FALSE(chunk.statistics.min_value.has_value());
    }
  }
  EXPECT_EQ(rows, footer->row_count);
  return *footer;
}

TEST(Synthesize, MakesOneFileOfPagesOfSeveral) {
  Fixture f;
  const std::vector<KeyFile> files = {{f.storage->Add("spark_iceberg.parquet"), Ids({3 * 250, 3 * 700})},
                                      {f.storage->Add("duckdb.parquet"), Ids({-1})},
                                      {f.storage->Add("pyarrow_index.parquet"), Ids({3 * 299, 3 * 300})}};
  const Synthesis synthesis = f.Make(files);
  ASSERT_THAT(synthesis.files, SizeIs(1));
  EXPECT_THAT(synthesis.plain, SizeIs(0));
  const SynthesizedFile& file = *synthesis.files[0];
  using Run = RowMap::Run;
  EXPECT_THAT(file.rows().runs(), (ElementsAre(Run{0, 200, 0, RowPos{200}}, Run{200, 200, 0, RowPos{600}},
                                               Run{400, 100, 2, RowPos{250}})));
  const parquet::Footer footer = CheckLayout(file);
  EXPECT_THAT(footer.row_groups, SizeIs(3)) << "one per row group with selected rows";
  EXPECT_EQ(file.row_group_count(), 3u);
  ASSERT_THAT(footer.leaves, SizeIs(1));
  EXPECT_EQ(footer.schema[1].name, "c1");
  EXPECT_EQ(footer.schema[1].field_id, FieldId{1});
  EXPECT_EQ(footer.row_groups[0].columns[0].codec, parquet::Codec::kZstd);
  EXPECT_EQ(footer.row_groups[1].columns[0].codec, parquet::Codec::kSnappy);
  for (const auto& read : f.storage->TakeReads()) EXPECT_EQ(read.purpose, Purpose::kData);
}

TEST(Synthesize, SeparatesShapes) {
  Fixture f;
  const Synthesis synthesis = f.Make(
      {{f.storage->Add("duckdb.parquet"), Ids({0})}, {f.storage->Add("pyarrow_index.parquet"), Ids({0})}});
  ASSERT_THAT(synthesis.files, SizeIs(2)) << "id is optional in one file, required in the other";
  EXPECT_NE(synthesis.files[0]->path(), synthesis.files[1]->path());
  EXPECT_EQ(CheckLayout(*synthesis.files[0]).schema[1].repetition, parquet::Repetition::kOptional);
  EXPECT_EQ(CheckLayout(*synthesis.files[1]).schema[1].repetition, parquet::Repetition::kRequired);
  EXPECT_EQ(synthesis.files[1]->rows().Find(0)->file, 1u);
}

TEST(Synthesize, GivesEachRowGroupItsDictionary) {
  Fixture f;
  const auto keys = MakeKeys({{2, Type::String()}}, {{Scalar::String("k010")}, {Scalar::String("k210")}});
  const Synthesis synthesis =
      f.Make({{f.storage->Add("pyarrow_index.parquet"), keys}}, {.max_share = 1, .row_group_rows = 50});
  const parquet::Footer footer = CheckLayout(*synthesis.files[0]);
  ASSERT_THAT(footer.row_groups, SizeIs(2));
  for (const parquet::RowGroup& group : footer.row_groups) {
    EXPECT_EQ(group.row_count, 50);
    EXPECT_TRUE(group.columns[0].dictionary_page_offset.has_value());
  }
}

TEST(Synthesize, KeepsColumnsOfAKeyAligned) {
  Fixture f;
  const auto keys =
      MakeKeys({{2, Type::String()}, {1, Type::Long()}}, {{Scalar::String("k320"), Scalar::Long(3 * 320)}});
  const Synthesis synthesis = f.Make({{f.storage->Add("pyarrow_index.parquet"), keys}});
  const parquet::Footer footer = CheckLayout(*synthesis.files[0]);
  EXPECT_THAT(footer.row_groups, SizeIs(1));
  EXPECT_EQ(footer.schema[1].name, "c2");
  EXPECT_EQ(footer.schema[2].name, "c1");
  EXPECT_EQ(synthesis.files[0]->rows().Find(0), (RealRow{0, RowPos{300}}));
}

TEST(Synthesize, ReadsAtAnyOffset) {
  Fixture f;
  const Synthesis synthesis = f.Make({{f.storage->Add("duckdb.parquet"), Ids({0, 13'000})}});
  const SynthesizedFile& file = *synthesis.files[0];
  const std::string bytes = Bytes(file);
  for (uint64_t offset = 0; offset <= file.size_bytes(); offset += 97) {
    std::string part(std::min<uint64_t>(1000, file.size_bytes() - offset), '\0');
    ASSERT_TRUE(file.ReadAt(offset, {reinterpret_cast<uint8_t*>(part.data()), part.size()}).has_value());
    EXPECT_EQ(part, bytes.substr(offset, part.size()));
  }
  uint8_t byte;
  EXPECT_EQ(file.ReadAt(file.size_bytes(), {&byte, 1}).error().code(), ErrorCode::kInvalid);
  EXPECT_EQ(file.ReadAt(UINT64_MAX, {&byte, 1}).error().code(), ErrorCode::kInvalid);
}

TEST(Synthesize, ReadsPlainlyWhatIsNotAsTheIndexSays) {
  struct Case {
    const char* file;
    std::function<void(std::string&)> edit;
  };
  const Case cases[] = {
      // The first page of id: its number of values (50, zigzag 100) in the header.
      {"pyarrow_index.parquet", [](std::string& bytes) { bytes[bytes.find("\x15\x64")] = '\x17'; }},
      {"pyarrow_index.parquet", [](std::string& bytes) { bytes[4] = '\x7f'; }},
      {"duckdb.parquet", [](std::string& bytes) { bytes[4] = '\x7f'; }},
  };
  for (const Case& c : cases) {
    Fixture f;
    const std::vector<KeyFile> files = {{f.storage->Add(c.file, c.edit), Ids({0})},
                                        {f.storage->Add("spark_iceberg.parquet"), Ids({0})}};
    const Synthesis synthesis = f.Make(files);
    ASSERT_THAT(synthesis.plain, SizeIs(1)) << c.file;
    EXPECT_EQ(synthesis.plain[0].file, 0u);
    EXPECT_EQ(synthesis.plain[0].choice.reason, PlainReason::kUnusualLayout);
    EXPECT_THAT(synthesis.plain[0].choice.row_groups, ElementsAre(0u));
    ASSERT_THAT(synthesis.files, SizeIs(1));
    EXPECT_EQ(synthesis.files[0]->rows().Find(0)->file, 1u);
  }
}

TEST(Synthesize, GivesNothingForNothing) {
  Fixture f;
  const Synthesis synthesis = f.Make({{f.storage->Add("duckdb.parquet"), Ids({-1})}});
  EXPECT_THAT(synthesis.files, SizeIs(0));
  EXPECT_THAT(f.storage->TakeReads(), SizeIs(0));
}

}  // namespace
}  // namespace weir::pages
