#include "pages/select.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/expr.h"
#include "pages/fixture_storage.h"

namespace weir::pages {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Always by pages, however many match.
constexpr Options kEager = {.max_share = 1.0};

struct Fixture : FixtureStore {
  FooterCache cache;

  FileChoice Choose(const FileRef& file, const std::shared_ptr<const Keys>& keys,
                    const Options& options = kEager) {
    const KeyFile key_file{file, keys};
    auto selection = SelectKeyPages(store, cache, std::span(&key_file, 1), options);
    EXPECT_TRUE(selection.has_value()) << (selection ? "" : selection.error().ToString());
    return selection ? selection->files[0] : FileChoice();
  }
  Avoided BookedAs(AvoidReason reason) const { return ledger->Total()[reason]; }
};

TEST(SelectKeyPages, FindsThePageOfAKey) {
  Fixture f;
  const FileRef spark = f.storage->Add("spark_iceberg.parquet");
  const FileChoice choice = f.Choose(spark, Ids({3 * 250, 3 * 799, 9'999'999}));
  EXPECT_EQ(choice.access, Access::kPages);
  EXPECT_THAT(choice.rows, (ElementsAre(RowRange{200, 200}, RowRange{600, 200})));
  EXPECT_THAT(choice.row_groups, ElementsAre(0u));
  EXPECT_THAT(choice.leaves, ElementsAre(0u));

  const FileRef pyarrow = f.storage->Add("pyarrow_index.parquet");
  EXPECT_THAT(f.Choose(pyarrow, Ids({3 * 320})).rows, ElementsAre(RowRange{300, 50}));
  EXPECT_THAT(f.Choose(pyarrow, Ids({3 * 299, 3 * 300})).rows, ElementsAre(RowRange{250, 100}));
}

TEST(SelectKeyPages, TakesARowGroupAsOnePageWithoutIndex) {
  Fixture f;
  const FileChoice choice = f.Choose(f.storage->Add("duckdb.parquet"), Ids({3 * 2048, 3 * 2049}));
  EXPECT_EQ(choice.access, Access::kPages);
  EXPECT_THAT(choice.rows, ElementsAre(RowRange{2048, 2048}));
  EXPECT_THAT(choice.row_groups, ElementsAre(1u));
}

TEST(SelectKeyPages, SkipsFilesAndNullPages) {
  Fixture f;
  const FileRef pyarrow = f.storage->Add("pyarrow_index.parquet");
  EXPECT_EQ(f.Choose(pyarrow, Ids({5000})).access, Access::kSkip);
  EXPECT_EQ(f.Choose(pyarrow, Ids({})).access, Access::kSkip);
  const auto text = [](const std::string& s) {
    return MakeKeys({{2, Type::String()}}, {{Scalar::String(s)}});
  };
  EXPECT_EQ(f.Choose(pyarrow, text("k150")).access, Access::kSkip) << "between pages, where rows are NULL";
  EXPECT_THAT(f.Choose(pyarrow, text("k205")).rows, ElementsAre(RowRange{200, 50}));
}

TEST(SelectKeyPages, NeedsOneTupleToFitAllColumns) {
  Fixture f;
  const FileRef pyarrow = f.storage->Add("pyarrow_index.parquet");
  const auto keys = [](int64_t id, const std::string& s) {
    return MakeKeys({{1, Type::Long()}, {2, Type::String()}}, {{Scalar::Long(id), Scalar::String(s)}});
  };
  EXPECT_THAT(f.Choose(pyarrow, keys(3 * 10, "k010")).rows, ElementsAre(RowRange{0, 50}));
  EXPECT_EQ(f.Choose(pyarrow, keys(3 * 10, "k299")).access, Access::kSkip);
  EXPECT_EQ(f.Choose(pyarrow, keys(3 * 120, "k120")).access, Access::kSkip) << "s is NULL there";
}

TEST(SelectKeyPages, SaysWhyAFileIsReadPlainly) {
  Fixture f;
  struct Case {
    const char* file;
    std::vector<std::pair<int32_t, Type>> columns;
    std::vector<Scalar> key;
    Access access;
    PlainReason reason;
  };
  const Case cases[] = {
      {"encrypted_footer.parquet",
       {{1, Type::Long()}},
       {Scalar::Long(3)},
       Access::kPlain,
       PlainReason::kEncrypted},
      {"encrypted_column.parquet",
       {{2, Type::String()}},
       {Scalar::String("k001")},
       Access::kPlain,
       PlainReason::kEncrypted},
      {"encrypted_column.parquet",
       {{1, Type::Long()}},
       {Scalar::Long(3)},
       Access::kPages,
       PlainReason::kNone},
      {"pyarrow_types.parquet",
       {{101, Type::Int()}},
       {Scalar::Int(1)},
       Access::kPlain,
       PlainReason::kNestedKey},
      {"pyarrow_types.parquet",
       {{18, Type::Int()}},
       {Scalar::Int(1)},
       Access::kPlain,
       PlainReason::kNestedKey},
      {"pyarrow_types.parquet",
       {{999, Type::Int()}},
       {Scalar::Int(1)},
       Access::kMissingColumn,
       PlainReason::kNone},
      {"spark_int96.parquet",
       {{1, Type::Long()}},
       {Scalar::Long(1)},
       Access::kPlain,
       PlainReason::kNoFieldIds},
  };
  for (const Case& c : cases) {
    const FileChoice choice = f.Choose(f.storage->Add(c.file), MakeKeys(c.columns, {c.key}));
    EXPECT_EQ(choice.access, c.access) << c.file << ": " << choice.detail;
    EXPECT_EQ(choice.reason, c.reason) << c.file << ": " << ToString(choice.reason);
    EXPECT_THAT(choice.missing, SizeIs(c.access == Access::kMissingColumn ? 1 : 0));
  }
}

TEST(SelectKeyPages, UsesMappedNamesInFilesWithoutIds) {
  Fixture f;
  const FileRef file = f.storage->Add("spark_int96.parquet");
  const auto keys = [](std::vector<std::string> names) {
    return *Keys::Make({{FieldId{7}, "renamed", Type::Long(), std::move(names)}}, {{Scalar::Long(2)}});
  };
  EXPECT_THAT(f.Choose(file, keys({"other", "id"})).leaves, ElementsAre(0u));
  EXPECT_EQ(f.Choose(file, keys({"other"})).access, Access::kMissingColumn);
  EXPECT_EQ(f.Choose(file, keys({"id", "ts"})).reason, PlainReason::kNoFieldIds) << "two columns fit";
  EXPECT_EQ(f.Choose(file, keys({"ID"})).access, Access::kMissingColumn);
}

TEST(SelectKeyPages, TakesTimestampsWithoutOrderWhole) {
  Fixture f;
  const auto keys = *Keys::Make({{FieldId{2}, "ts", Type::Timestamp(), {"ts"}}}, {{Scalar::Timestamp(-1)}});
  EXPECT_THAT(f.Choose(f.storage->Add("spark_int96.parquet"), keys).rows, ElementsAre(RowRange{0, 3}));
}

TEST(SelectKeyPages, ReadsPlainlyWhatMostlyMatchesOrDoesNotFit) {
  Fixture f;
  const FileRef pyarrow = f.storage->Add("pyarrow_index.parquet");
  std::vector<int64_t> ids;
  for (int64_t row = 0; row < 400; row += 50) ids.push_back(row * 3);
  EXPECT_EQ(f.Choose(pyarrow, Ids(ids), {.always_select_bytes = 0}).reason, PlainReason::kMostPagesMatch);
  EXPECT_EQ(f.Choose(pyarrow, Ids(ids), {}).access, Access::kPages) << "few bytes";
  const FileChoice no_room = f.Choose(pyarrow, Ids(ids), {.max_selected_bytes = 100});
  EXPECT_EQ(no_room.reason, PlainReason::kMemory);
  EXPECT_THAT(no_room.row_groups, ElementsAre(0u, 1u));
  EXPECT_THAT(no_room.rows, IsEmpty());
}

TEST(SelectKeyPages, DistrustsABadPageIndex) {
  Fixture f;
  FileRef file = f.storage->Add("pyarrow_index.parquet");
  const auto footer = *f.cache.ReadFooter(f.store, file);
  const uint64_t at = footer->row_groups[0].columns[0].offset_index->offset_bytes;
  f.storage->Add("pyarrow_index.parquet", [&](std::string& bytes) { bytes[at + 2] = '\x7f'; });
  const FileChoice choice = f.Choose(file, Ids({3}));
  EXPECT_EQ(choice.access, Access::kPlain);
  EXPECT_EQ(choice.reason, PlainReason::kUnusualLayout);
  EXPECT_THAT(choice.detail, HasSubstr("offset index"));
  EXPECT_THAT(choice.row_groups, ElementsAre(0u));
}

TEST(SelectKeyPages, FailsOnACorruptFooterWithTheFile) {
  Fixture f;
  const FileRef file = f.storage->Add("duckdb.parquet", [](std::string& bytes) { bytes.back() = 'x'; });
  const KeyFile key_file{file, Ids({3})};
  const auto selection = SelectKeyPages(f.store, f.cache, std::span(&key_file, 1), {});
  ASSERT_FALSE(selection.has_value());
  EXPECT_EQ(selection.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(selection.error().message(), HasSubstr("duckdb.parquet"));
}

TEST(SelectKeyPages, BooksEveryByteThatIsNotRead) {
  Fixture f;
  const FileRef file = f.storage->Add("pyarrow_index.parquet");
  const FileChoice choice = f.Choose(file, Ids({3 * 320}));
  const auto footer = *f.cache.ReadFooter(f.store, file);
  const uint64_t key_bytes = 466;  // pyarrow's total_compressed_size of id in row group 1
  EXPECT_EQ(f.BookedAs(AvoidReason::kRowGroup).bytes, footer->row_groups[0].size_bytes());
  EXPECT_EQ(f.BookedAs(AvoidReason::kColumn).bytes, footer->row_groups[1].size_bytes() - key_bytes);
  EXPECT_EQ(f.BookedAs(AvoidReason::kPage).bytes, key_bytes - choice.selected_bytes);
  EXPECT_EQ(f.BookedAs(AvoidReason::kRowGroup).files, 0u);

  Fixture skipped;
  skipped.Choose(skipped.storage->Add("pyarrow_index.parquet"), Ids({5000}));
  EXPECT_EQ(skipped.BookedAs(AvoidReason::kRowGroup).files, 1u);
  EXPECT_EQ(skipped.BookedAs(AvoidReason::kRowGroup).bytes,
            footer->row_groups[0].size_bytes() + footer->row_groups[1].size_bytes());

  Fixture by_page;
  by_page.Choose(
      by_page.storage->Add("pyarrow_index.parquet"),
      MakeKeys({{1, Type::Long()}, {2, Type::String()}}, {{Scalar::Long(3), Scalar::String("k299")}}));
  EXPECT_EQ(by_page.BookedAs(AvoidReason::kPage).files, 1u);
  EXPECT_EQ(by_page.BookedAs(AvoidReason::kPage).bytes, footer->row_groups[0].size_bytes());
}

TEST(MatchingRowGroups, NamesWhatAPlainReadMustLookAt) {
  Fixture f;
  const auto footer = *f.cache.ReadFooter(f.store, f.storage->Add("duckdb.parquet"));
  EXPECT_THAT(MatchingRowGroups(*footer, *Ids({0, 13'000})), ElementsAre(0u, 2u));
  EXPECT_THAT(MatchingRowGroups(*footer, *Ids({-1})), IsEmpty());
  const auto s = MakeKeys({{2, Type::String()}}, {{Scalar::String("a7")}});
  EXPECT_THAT(MatchingRowGroups(*footer, *s), ElementsAre(0u)) << "the others hold NULLs only";
  EXPECT_THAT(MatchingRowGroups(*footer, *MakeKeys({{77, Type::Int()}}, {{Scalar::Int(1)}})), SizeIs(3));
}

}  // namespace
}  // namespace weir::pages
