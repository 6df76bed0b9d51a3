#include "table/deletes.h"

#include <gmock/gmock.h>

#include <atomic>
#include <map>

#include "base/executor.h"
#include "storage/memory/memory.h"

namespace weir::table {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Files of rows that exist in memory only, by path.
class FakeRowFiles : public RowFiles {
 public:
  std::map<std::string, std::vector<std::vector<Scalar>>> files;
  std::atomic<int> reads{0};
  std::optional<Error> failure;

  Status Read(const Store&, std::string_view path, uint64_t, FileFormat, std::span<const Field> fields,
              const std::function<Status(const Batch&)>& sink) override {
    ++reads;
    if (failure) return *failure;
    std::vector<Type> types;
    for (const Field& field : fields) types.push_back(field.type);
    const auto it = files.find(std::string(path));
    if (it == files.end()) return NotFound("{}", path);
    // One batch per row, so that every seam between batches is crossed.
    for (const auto& row : it->second) WEIR_DO(sink(MakeBatch(types, {row})));
    return {};
  }
  Result<WrittenRowFile> Write(const Store&, std::string_view, std::span<const Field>, const BatchSource&,
                               uint64_t) override {
    return Unsupported("not needed");
  }
};

std::vector<Scalar> Position(const char* path, int64_t position) {
  return {Scalar::String(path), Scalar::Long(position)};
}

DeleteFilePtr Deletes(const char* path, DeleteFile::Kind kind = DeleteFile::Kind::kPosition,
                      std::vector<FieldId> fields = {}) {
  auto file = std::make_shared<DeleteFile>();
  file->path = path;
  file->kind = kind;
  file->equality_fields = std::move(fields);
  return file;
}

ScanTask Task(const char* path, uint64_t rows, std::vector<DeleteFilePtr> deletes) {
  auto file = std::make_shared<DataFile>();
  file->path = path;
  file->row_count = rows;
  return {std::move(file), std::move(deletes)};
}

struct Fixture {
  Stores stores;
  FakeRowFiles row_files;
  std::shared_ptr<Ledger> ledger = Ledger::Make();
  Fixture() { stores.Add("mem", std::make_shared<MemoryStorage>()); }
  DeleteLoader Loader() { return {stores, row_files, ledger->Open("t", Purpose::kMetadata), Cancellation()}; }
};

const Field kId{FieldId{1}, "id", Type::Long(), true, ""};
const Field kGone{FieldId{2}, "gone", Type::String(), false, ""};
const Field* FindField(FieldId id) { return id == kId.id ? &kId : id == kGone.id ? &kGone : nullptr; }

TEST(DeleteLoader, PositionsOfOtherFilesAreLeftOutAndTheRestIsSortedAndDistinct) {
  Fixture f;
  f.row_files.files["mem:/d1"] = {Position("mem:/a", 7), Position("mem:/b", 3), Position("mem:/a", 2)};
  f.row_files.files["mem:/d2"] = {Position("mem:/a", 2), Position("mem:/a", 0)};
  auto loader = f.Loader();
  const auto a = loader.Load(Task("mem:/a", 8, {Deletes("mem:/d1"), Deletes("mem:/d2")}), FindField);
  ASSERT_TRUE(a) << a.error().ToString();
  EXPECT_THAT((*a)->positions, ElementsAre(0, 2, 7));
  EXPECT_THAT((*a)->equality, IsEmpty());
  const auto b = loader.Load(Task("mem:/b", 8, {Deletes("mem:/d1")}), FindField);
  EXPECT_THAT((*b)->positions, ElementsAre(3));
  // Paths are compared byte by byte.
  const auto other = loader.Load(Task("mem://a", 8, {Deletes("mem:/d1")}), FindField);
  EXPECT_TRUE((*other)->empty());
}

TEST(DeleteLoader, EachFileIsReadOnceForAllTasks) {
  Fixture f;
  f.row_files.files["mem:/d1"] = {Position("mem:/a", 1)};
  f.row_files.files["mem:/e1"] = {{Scalar::Long(1)}};
  auto loader = f.Loader();
  const auto task =
      Task("mem:/a", 8, {Deletes("mem:/d1"), Deletes("mem:/e1", DeleteFile::Kind::kEquality, {kId.id})});
  const Status done = ParallelFor(20, 4, [&](size_t) -> Status {
    WEIR_TRY(const auto deletes, loader.Load(task, FindField));
    if (deletes->positions.size() != 1 || deletes->equality.size() != 1) return Internal("wrong deletes");
    return {};
  });
  EXPECT_TRUE(done) << done.error().ToString();
  EXPECT_EQ(f.row_files.reads, 2);
}

TEST(DeleteLoader, EqualityRowsAreDistinctAndKeepNulls) {
  Fixture f;
  f.row_files.files["mem:/e"] = {{Scalar::Long(1), Scalar::Null(Type::String())},
                                 {Scalar::Long(1), Scalar::Null(Type::String())},
                                 {Scalar::Long(2), Scalar::String("x")}};
  auto loader = f.Loader();
  const auto deletes = loader.Load(
      Task("mem:/a", 8, {Deletes("mem:/e", DeleteFile::Kind::kEquality, {kId.id, kGone.id})}), FindField);
  ASSERT_TRUE(deletes) << deletes.error().ToString();
  ASSERT_EQ((*deletes)->equality.size(), 1u);
  const EqualityDeleteSet& set = *(*deletes)->equality[0];
  EXPECT_EQ(set.rows.size(), 2u);
  ASSERT_EQ(set.fields.size(), 2u);
  EXPECT_EQ(set.fields[1].name, "gone");
}

TEST(DeleteLoader, BrokenDeletesAreErrorsAndNeverSkipped) {
  struct Case {
    const char* what;
    std::vector<std::vector<Scalar>> rows;
    DeleteFilePtr file;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"behind the file",
       {Position("mem:/a", 8)},
       Deletes("mem:/d"),
       "deletes row 8 of mem:/a, which has 8 rows"},
      {"negative", {Position("mem:/a", -1)}, Deletes("mem:/d"), "deletes row -1"},
      {"no path",
       {{Scalar::Null(Type::String()), Scalar::Long(1)}},
       Deletes("mem:/d"),
       "without file_path or pos"},
      {"no columns", {}, Deletes("mem:/d", DeleteFile::Kind::kEquality), "no equality columns"},
      {"unknown column",
       {},
       Deletes("mem:/d", DeleteFile::Kind::kEquality, {FieldId{99}}),
       "equality column 99"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.what);
    Fixture f;
    f.row_files.files["mem:/d"] = test.rows;
    auto loader = f.Loader();
    const auto deletes = loader.Load(Task("mem:/a", 8, {test.file}), FindField);
    ASSERT_FALSE(deletes);
    EXPECT_EQ(deletes.error().code(), ErrorCode::kCorrupt);
    EXPECT_THAT(deletes.error().message(), HasSubstr("mem:/d"));
    EXPECT_THAT(deletes.error().message(), HasSubstr(test.message));
  }
}

TEST(DeleteLoader, AFailedReadIsTriedAgain) {
  Fixture f;
  f.row_files.files["mem:/d"] = {Position("mem:/a", 1)};
  f.row_files.failure = Unavailable("later");
  auto loader = f.Loader();
  const auto task = Task("mem:/a", 8, {Deletes("mem:/d")});
  EXPECT_FALSE(loader.Load(task, FindField));
  f.row_files.failure.reset();
  EXPECT_THAT((*loader.Load(task, FindField))->positions, ElementsAre(1));
}

}  // namespace
}  // namespace weir::table
