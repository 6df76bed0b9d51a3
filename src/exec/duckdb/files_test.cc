#include <cmath>

#include "exec/duckdb/test_tables.h"

namespace weir::exec {
namespace {

using plan::ColumnExpr;
using plan::MetadataColumn;
using testing::Col;
using testing::FileTest;
using testing::Row;

class WriteTest : public FileTest {};
class ScanTest : public FileTest {
 protected:
  /// One file of (id long, name string) with ids 0..n-1.
  table::NewDataFile Numbers(int64_t n) {
    auto rows = RangeOf(0, n);
    auto id = ColumnExpr(rows->output[0]);
    auto name = MakeCast(id, Type::String(), CastMode::kAnsi);
    auto project = plan::MakeProject(rows, {id, name}, {"id", "name"}, ids_);
    auto files = Write(project, numbers_);
    EXPECT_TRUE(files) << files.error().ToString();
    EXPECT_EQ(files->size(), 1u);
    return (*files)[0];
  }
  std::shared_ptr<table::Snapshot> numbers_ =
      MakeSnapshot({Col(1, "id", Type::Long()), Col(2, "name", Type::String())});
};

const table::NewDataFile::LeafMetrics* MetricsOf(const table::NewDataFile& file, int id) {
  for (const auto& metrics : file.metrics) {
    if (metrics.field.value == id) return &metrics;
  }
  return nullptr;
}

TEST_F(WriteTest, EveryTypeComesBack) {
  const Type list = Type::Array(Col(20, "element", Type::Int()));
  const Type map = Type::Map(Col(21, "key", Type::String(), true), Col(22, "value", Type::Double()));
  const Type pair = Type::Struct({Col(23, "a", Type::Int()), Col(24, "b", list.fields()[0].type)});
  const std::vector<Field> fields = {
      Col(1, "b", Type::Boolean()),
      Col(2, "i", Type::Int()),
      Col(3, "l", Type::Long()),
      Col(4, "f", Type::Float()),
      Col(5, "d", Type::Double()),
      Col(6, "dec9", Type::Decimal(9, 2)),
      Col(7, "dec18", Type::Decimal(18, 3)),
      Col(8, "dec38", Type::Decimal(38, 10)),
      Col(9, "date", Type::Date()),
      Col(10, "ts", Type::Timestamp()),
      Col(11, "ntz", Type::TimestampNtz()),
      Col(12, "s", Type::String()),
      Col(13, "bin", Type::Binary()),
      Col(14, "list", list),
      Col(15, "map", map),
      Col(16, "struct", pair),
  };
  std::vector<Type> types;
  Row values, nulls;
  for (const Field& field : fields) {
    types.push_back(field.type);
    nulls.push_back(Scalar::Null(field.type));
  }
  values = {Scalar::Boolean(true),
            Scalar::Int(-5),
            Scalar::Long(INT64_MIN),
            Scalar::Float(1.5f),
            Scalar::Double(-2.25),
            Scalar::Decimal(-12345, 9, 2),
            Scalar::Decimal(123456789012345, 18, 3),
            Scalar::Decimal(PowerOfTen(37) * 3 + 7, 38, 10),
            Scalar::Date(-719162),
            Scalar::Timestamp(1'234'567'890'123'456),
            Scalar::TimestampNtz(-1),
            Scalar::String("na\xc3\xafve"),
            Scalar::Binary(std::string("\0\xff", 2)),
            Scalar(list, std::vector<Scalar>{Scalar::Int(1), Scalar::Null(Type::Int())}),
            Scalar(map, std::vector<Scalar>{Scalar::String("k"), Scalar::Double(0.5)}),
            Scalar(pair, std::vector<Scalar>{Scalar::Null(Type::Int()), Scalar::Int(7)})};
  const auto snapshot = MakeSnapshot(fields);
  auto files = Write(Values(types, {values, nulls}), snapshot);
  ASSERT_TRUE(files) << files.error().ToString();
  ASSERT_EQ(files->size(), 1u);
  EXPECT_EQ((*files)[0].file.row_count, 2u);
  std::vector<int> ids;
  for (const Field& field : fields) ids.push_back(field.id.value);
  auto rows = Rows(Scan(snapshot, {TaskOf((*files)[0])}, ids));
  ASSERT_TRUE(rows) << rows.error().ToString();
  ASSERT_EQ(rows->size(), 2u);
  for (size_t i = 0; i < fields.size(); ++i) {
    EXPECT_EQ((*rows)[0][i], values[i]) << fields[i].name;
    EXPECT_TRUE((*rows)[1][i].is_null()) << fields[i].name;
  }
}

TEST_F(WriteTest, MetricsAreExact) {
  const auto snapshot =
      MakeSnapshot({Col(1, "l", Type::Long()), Col(2, "d", Type::Double()), Col(3, "s", Type::String()),
                    Col(4, "dec", Type::Decimal(20, 2)), Col(5, "all_null", Type::Int())});
  const Scalar none = Scalar::Null(Type::Int());
  auto plan =
      Values({Type::Long(), Type::Double(), Type::String(), Type::Decimal(20, 2), Type::Int()},
             {{Scalar::Long(5), Scalar::Double(NAN), Scalar::String("b"), Scalar::Decimal(-150, 20, 2), none},
              {Scalar::Long(-3), Scalar::Double(0.0), Scalar::Null(Type::String()),
               Scalar::Decimal(1000, 20, 2), none},
              {Scalar::Null(Type::Long()), Scalar::Double(-1.5), Scalar::String("abc"),
               Scalar::Decimal(0, 20, 2), none}});
  auto files = Write(plan, snapshot);
  ASSERT_TRUE(files) << files.error().ToString();
  const table::NewDataFile& file = (*files)[0];
  struct Expected {
    int id;
    const char *lower, *upper;
    uint64_t nulls;
    std::optional<uint64_t> nans;
  };
  for (const Expected& e :
       {Expected{1, "-3", "5", 1, {}}, Expected{2, "-1.5", "0.0", 0, 1}, Expected{3, "abc", "b", 1, {}},
        Expected{4, "-1.50", "10.00", 0, {}}, Expected{5, nullptr, nullptr, 3, {}}}) {
    SCOPED_TRACE(e.id);
    const auto* metrics = MetricsOf(file, e.id);
    ASSERT_NE(metrics, nullptr);
    EXPECT_EQ(metrics->value_count, 3u);
    EXPECT_EQ(metrics->null_count, e.nulls);
    EXPECT_EQ(metrics->nan_count, e.nans);
    EXPECT_GT(metrics->size_bytes.value_or(0), 0u);
    EXPECT_EQ(metrics->lower ? metrics->lower->ToString() : "none", e.lower ? e.lower : "none");
    EXPECT_EQ(metrics->upper ? metrics->upper->ToString() : "none", e.upper ? e.upper : "none");
  }
  EXPECT_FALSE(file.file.split_offsets.empty());
  EXPECT_EQ(file.file.split_offsets[0], 4);
}

TEST_F(WriteTest, PartitionsGetFilesOfTheirOwn) {
  auto snapshot = MakeSnapshot({Col(1, "id", Type::Long()), Col(2, "day", Type::Date())});
  snapshot->specs = {table::PartitionSpec{
      .spec_id = 3,
      .fields = {{.source_id = {1},
                  .field_id = {1000},
                  .name = "id_bucket",
                  .transform = {Transform::Kind::kBucket, 4, ""}},
                 {.source_id = {2}, .field_id = {1001}, .name = "day", .transform = {}}}}};
  snapshot->default_spec_id = 3;
  std::vector<Row> rows;
  for (int i = 0; i < 100; ++i) rows.push_back({Scalar::Long(i), Scalar::Date(i % 2)});
  rows.push_back({Scalar::Null(Type::Long()), Scalar::Null(Type::Date())});
  auto files = Write(Values({Type::Long(), Type::Date()}, rows), snapshot);
  ASSERT_TRUE(files) << files.error().ToString();
  EXPECT_EQ(files->size(), 9u);  // 4 buckets x 2 days, and the NULLs.
  uint64_t total = 0;
  for (const table::NewDataFile& file : *files) {
    total += file.file.row_count;
    EXPECT_EQ(file.file.partition.spec_id, 3);
    ASSERT_EQ(file.file.partition.values.size(), 2u);
    auto read = Rows(Scan(snapshot, {TaskOf(file)}, {1, 2}));
    ASSERT_TRUE(read);
    int64_t last = INT64_MIN;
    for (const Row& row : *read) {
      auto bucket = snapshot->specs[0].fields[0].transform.Apply(row[0]);
      ASSERT_TRUE(bucket);
      EXPECT_EQ(*bucket, file.file.partition.values[0]);
      EXPECT_EQ(row[1], file.file.partition.values[1]);
      // Without a table order files are sorted by what the bucket hides.
      if (!row[0].is_null()) {
        EXPECT_LT(last, row[0].integer());
        last = row[0].integer();
      }
    }
  }
  EXPECT_EQ(total, 101u);
}

TEST_F(WriteTest, FilesAreCutAtTheTargetSize) {
  auto snapshot = MakeSnapshot({Col(1, "id", Type::Long()), Col(2, "hash", Type::Double())});
  snapshot->layout.target_file_size_bytes = 1_MiB;
  auto rows = RangeOf(0, 1'000'000);
  auto id = ColumnExpr(rows->output[0]);
  // Numbers that do not compress.
  auto noise = Call("/",
                    {MakeCast(Call("%", {Call("*", {id, Long(2'654'435'761)}, Type::Long()), Long(1'000'003)},
                                   Type::Long()),
                              Type::Double(), CastMode::kAnsi),
                     Dbl(7)},
                    Type::Double());
  auto files = Write(plan::MakeProject(rows, {id, noise}, {"id", "h"}, ids_), snapshot);
  ASSERT_TRUE(files) << files.error().ToString();
  EXPECT_GE(files->size(), 3u);
  uint64_t total = 0;
  for (const auto& file : *files) {
    total += file.file.row_count;
    EXPECT_LT(file.file.size_bytes, 3_MiB);
  }
  EXPECT_EQ(total, 1'000'000u);
}

TEST_F(WriteTest, NullInARequiredColumnIsRefusedAndNothingIsLeft) {
  const auto snapshot = MakeSnapshot({Col(1, "id", Type::Long(), true)});
  auto files = Write(Values({Type::Long()}, {{Scalar::Long(1)}, {Scalar::Null(Type::Long())}}), snapshot);
  ASSERT_FALSE(files);
  ASSERT_NE(files.error().condition(), nullptr);
  EXPECT_EQ(files.error().condition()->name, "NOT_NULL_ASSERT_VIOLATION");
  Io io{ledger_->Open("check", Purpose::kListing), {}};
  auto left = raw_->List(io, "mem:", {});
  ASSERT_TRUE(left);
  EXPECT_TRUE(left->objects.empty());
}

TEST_F(WriteTest, ACancelledWriteLeavesNothing) {
  auto snapshot = MakeSnapshot({Col(1, "id", Type::Long())});
  snapshot->layout.target_file_size_bytes = 64_KiB;
  RunContext context = Context();
  context.progress = [&](double) { context.cancellation.Request(); };
  auto files = engine_->Write(RangeOf(0, 1'000'000'000),
                              {.table = table_, .snapshot = snapshot, .operator_name = "w"}, context);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code(), ErrorCode::kCancelled);
  Io io{ledger_->Open("check", Purpose::kListing), {}};
  EXPECT_TRUE(raw_->List(io, "mem:", {})->objects.empty());
}

TEST_F(WriteTest, NoRowsGiveNoFiles) {
  auto files = Write(Values({Type::Long()}, {}), MakeSnapshot({Col(1, "id", Type::Long())}));
  ASSERT_TRUE(files);
  EXPECT_TRUE(files->empty());
}

TEST_F(WriteTest, SortOrderOfTheTableIsKept) {
  auto snapshot = MakeSnapshot({Col(1, "x", Type::Double()), Col(2, "y", Type::Long())});
  snapshot->sort_order = {
      .order_id = 7,
      .fields = {{.source_id = {1}, .transform = {}, .ascending = false, .nulls_first = false}}};
  auto files =
      Write(Values({Type::Double(), Type::Long()}, {{Scalar::Double(-0.0), Scalar::Long(1)},
                                                    {Scalar::Double(5), Scalar::Long(2)},
                                                    {Scalar::Null(Type::Double()), Scalar::Long(3)}}),
            snapshot);
  ASSERT_TRUE(files) << files.error().ToString();
  EXPECT_EQ((*files)[0].file.sort_order_id, 7);
  EXPECT_EQ(Text(Scan(snapshot, {TaskOf((*files)[0])}, {1, 2})), "5.0,2;-0.0,1;NULL,3");
}

TEST_F(ScanTest, MetadataColumnsTellFilePositionAndTask) {
  auto a = Numbers(3), b = Numbers(2);
  auto scan =
      Scan(numbers_, {TaskOf(a), TaskOf(b)}, {1},
           {MetadataColumn::kFile, MetadataColumn::kPos, MetadataColumn::kTask, MetadataColumn::kSpecId});
  auto sorted = plan::MakeSort(scan, {{ColumnExpr(scan->output[3])}, {ColumnExpr(scan->output[2])}});
  EXPECT_EQ(Text(sorted), fmt::format("0,{0},0,0,0;1,{0},1,0,0;2,{0},2,0,0;0,{1},0,1,0;1,{1},1,1,0",
                                      a.file.path, b.file.path));
}

TEST_F(ScanTest, ColumnsAreFoundByFieldIdThroughRenamesAdditionsAndPromotion) {
  auto written = MakeSnapshot({Col(1, "a", Type::Int()), Col(2, "b", Type::Float()),
                               Col(3, "c", Type::Decimal(5, 2)), Col(4, "gone", Type::Int())});
  auto files =
      Write(Values({Type::Int(), Type::Float(), Type::Decimal(5, 2), Type::Int()},
                   {{Scalar::Int(1), Scalar::Float(1.5f), Scalar::Decimal(250, 5, 2), Scalar::Int(9)}}),
            written);
  ASSERT_TRUE(files) << files.error().ToString();
  auto now = MakeSnapshot({Col(3, "a", Type::Decimal(12, 2)), Col(1, "renamed", Type::Long()),
                           Col(2, "b", Type::Double()), Col(5, "gone", Type::String())});
  auto scan = Scan(now, {TaskOf((*files)[0])}, {1, 2, 3, 5});
  EXPECT_EQ(Text(scan), "1,1.5,2.50,NULL");
  // Filters on promoted columns, also with values that the file's type cannot hold.
  auto filtered = [&](ExprPtr condition) { return Text(plan::MakeFilter(scan, std::move(condition))); };
  EXPECT_EQ(filtered(MakePredicate("=", {ColumnExpr(scan->output[0]), Long(1)})), "1,1.5,2.50,NULL");
  EXPECT_EQ(filtered(MakePredicate("<", {ColumnExpr(scan->output[0]), Long(5'000'000'000)})),
            "1,1.5,2.50,NULL");
  EXPECT_EQ(filtered(MakePredicate("isnull", {ColumnExpr(scan->output[3])})), "1,1.5,2.50,NULL");
  EXPECT_EQ(filtered(MakePredicate("isnotnull", {ColumnExpr(scan->output[3])})), "");
}

TEST_F(ScanTest, KeysOfAJoinSkipFilesByTheirBounds) {
  auto part = [&](int64_t from, int64_t to) {
    auto rows = RangeOf(from, to);
    auto id = ColumnExpr(rows->output[0]);
    auto files = Write(
        plan::MakeProject(rows, {id, MakeCast(id, Type::String(), CastMode::kAnsi)}, {"id", "name"}, ids_),
        numbers_);
    return TaskOf((*files)[0]);
  };
  const table::ScanTask first = part(0, 1000), second = part(1000, 2000);
  auto target = Scan(numbers_, {first, second}, {1, 2});
  auto source = Longs({5, 7});
  auto join =
      plan::MakeJoin(target, source, plan::JoinType::kInner,
                     MakePredicate("=", {ColumnExpr(target->output[0]), ColumnExpr(source->output[0])}));
  EXPECT_EQ(Text(plan::MakeSort(join, {{ColumnExpr(target->output[0])}})), "5,5,5;7,7,7");
  const Avoided avoided = ledger_->Total()[AvoidReason::kBounds];
  EXPECT_EQ(avoided.files, 1u);
  EXPECT_EQ(avoided.bytes, second.file->size_bytes);
}

TEST_F(ScanTest, JoinFiltersReachPromotedAndMissingColumns) {
  auto write = [&](const table::SnapshotPtr& snapshot, const Type& type) {
    auto rows = RangeOf(0, 50'000);
    auto id = ColumnExpr(rows->output[0]);
    auto key = snapshot->schema.fields.size() == 1
                   ? std::vector<ExprPtr>{id}
                   : std::vector<ExprPtr>{id, MakeCast(id, type, CastMode::kAnsi)};
    auto files =
        Write(plan::MakeProject(rows, key, std::vector<std::string>(key.size(), "x"), ids_), snapshot);
    EXPECT_TRUE(files) << files.error().ToString();
    return TaskOf((*files)[0]);
  };
  const table::ScanTask as_int =
      write(MakeSnapshot({Col(1, "id", Type::Long()), Col(2, "k", Type::Int())}), Type::Int());
  const table::ScanTask as_long =
      write(MakeSnapshot({Col(1, "id", Type::Long()), Col(2, "k", Type::Long())}), Type::Long());
  const table::ScanTask without = write(MakeSnapshot({Col(1, "id", Type::Long())}), Type::Long());
  auto now = MakeSnapshot({Col(1, "id", Type::Long()), Col(2, "k", Type::Long())});
  // Few keys become a list of values, many a range and a bloom filter; some fit no int.
  for (int64_t keys : {2, 2'000, 30'000}) {
    SCOPED_TRACE(keys);
    auto target = Scan(now, {as_int, as_long, without}, {1, 2});
    auto numbers = RangeOf(0, keys);
    auto shifted =
        Call("*", {ColumnExpr(numbers->output[0]), Long(keys == 2 ? 5'000'000'000 : 1)}, Type::Long());
    auto source = plan::MakeProject(numbers, {shifted}, {"k"}, ids_);
    auto join =
        plan::MakeJoin(target, source, plan::JoinType::kInner,
                       MakePredicate("=", {ColumnExpr(target->output[1]), ColumnExpr(source->output[0])}));
    auto rows = Rows(join);
    ASSERT_TRUE(rows) << rows.error().ToString();
    EXPECT_EQ(rows->size(), keys == 2 ? 2u : 2u * static_cast<size_t>(keys));
  }
}

TEST_F(ScanTest, NestedColumnsEvolveByFieldId) {
  const Type old_struct = Type::Struct({Col(11, "x", Type::Int()), Col(12, "y", Type::String())});
  const Type old_element = Type::Struct({Col(15, "x", Type::Int()), Col(16, "y", Type::String())});
  auto written =
      MakeSnapshot({Col(1, "s", old_struct), Col(2, "l", Type::Array(Col(13, "element", old_element)))});
  const Scalar element(old_element, std::vector<Scalar>{Scalar::Int(5), Scalar::String("r")});
  const Scalar value(old_struct, std::vector<Scalar>{Scalar::Int(4), Scalar::String("q")});
  auto files = Write(Values({old_struct, written->schema.fields[1].type},
                            {{value, Scalar(written->schema.fields[1].type, std::vector<Scalar>{element})},
                             {Scalar::Null(old_struct), Scalar::Null(written->schema.fields[1].type)}}),
                     written);
  ASSERT_TRUE(files) << files.error().ToString();
  const Type new_struct =
      Type::Struct({Col(12, "yy", Type::String()), Col(14, "z", Type::Long()), Col(11, "x", Type::Long())});
  const Type new_element = Type::Struct({Col(16, "yy", Type::String()), Col(15, "x", Type::Long())});
  auto now =
      MakeSnapshot({Col(1, "s", new_struct), Col(2, "l", Type::Array(Col(13, "element", new_element)))});
  auto rows = Rows(Scan(now, {TaskOf((*files)[0])}, {1, 2}));
  ASSERT_TRUE(rows) << rows.error().ToString();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0][0].ToString(), "{q, null, 4}");
  EXPECT_EQ((*rows)[0][1].ToString(), "[{r, 5}]");
  EXPECT_TRUE((*rows)[1][0].is_null());
  EXPECT_TRUE((*rows)[1][1].is_null());
  const Type grown =
      Type::Struct({Col(15, "x", Type::Long()), Col(17, "z", Type::Struct({Col(18, "q", Type::Int())}))});
  auto later = MakeSnapshot({Col(1, "s", new_struct), Col(2, "l", Type::Array(Col(13, "element", grown)))});
  rows = Rows(Scan(later, {TaskOf((*files)[0])}, {1, 2}));
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ((*rows)[0][1].ToString(), "[{5, null}]");
  EXPECT_TRUE((*rows)[1][1].is_null());
}

TEST_F(ScanTest, MissingColumnTakesTheIdentityPartitionValue) {
  auto snapshot =
      MakeSnapshot({Col(1, "id", Type::Long()), Col(2, "name", Type::String()), Col(3, "p", Type::Int())});
  snapshot->specs = {table::PartitionSpec{
      .spec_id = 1, .fields = {{.source_id = {3}, .field_id = {1000}, .name = "p", .transform = {}}}}};
  table::ScanTask task = TaskOf(Numbers(1));
  auto file = std::make_shared<table::DataFile>(*task.file);
  file->partition = {.spec_id = 1, .values = {Scalar::Int(42)}};
  task.file = file;
  EXPECT_EQ(Text(Scan(snapshot, {task}, {1, 3})), "0,42");
}

TEST_F(ScanTest, SelectionReturnsOnlyTheNamedRows) {
  auto file = Numbers(300'000);
  plan::FileScan scan;
  scan.snapshot = numbers_;
  scan.name = "cat.db.t";
  scan.tasks = std::make_shared<const std::vector<table::ScanTask>>(std::vector{TaskOf(file)});
  scan.selection = std::make_shared<const plan::RowSelection>(plan::RowSelection{{{7, 8, 250'000}}});
  EXPECT_EQ(Text(ScanNode(scan, {1, 2}, {MetadataColumn::kPos})), "7,7,7;8,8,8;250000,250000,250000");
  // Row groups without a selected row are not decoded.
  EXPECT_LT(ledger_->Total().rows.decoded, 200'000u);
}

TEST_F(ScanTest, SelectionOfNestedColumnsSkipsRowGroupsAndDeletedRows) {
  const Type list = Type::Array(Col(5, "element", Type::Long()));
  auto snapshot = MakeSnapshot({Col(1, "id", Type::Long()), Col(4, "list", list)});
  auto rows = RangeOf(0, 200'000);
  auto id = ColumnExpr(rows->output[0]);
  auto files =
      Write(plan::MakeProject(rows, {id, Call("array", {id, id}, list)}, {"id", "list"}, ids_), snapshot);
  ASSERT_TRUE(files) << files.error().ToString();
  const std::vector<Field> fields = {Col(2147483546, "file_path", Type::String(), true),
                                     Col(2147483545, "pos", Type::Long(), true)};
  auto store = stores_.Open("mem:/x", ledger_->Open("w", Purpose::kDeletes), {});
  const Batch batch =
      MakeBatch({Type::String(), Type::Long()}, {{Scalar::String((*files)[0].file.path), Scalar::Long(8)}});
  auto written = engine_->row_files()->Write(*store, "mem:/t/d.parquet", fields, std::span(&batch, 1));
  ASSERT_TRUE(written);
  table::DeleteFile deletes;
  deletes.path = "mem:/t/d.parquet";
  deletes.size_bytes = written->size_bytes;
  deletes.row_count = 1;
  table::ScanTask task = TaskOf((*files)[0]);
  task.deletes = {std::make_shared<const table::DeleteFile>(deletes)};
  for (bool nested : {true, false}) {
    plan::FileScan scan;
    scan.snapshot = snapshot;
    scan.name = nested ? "nested" : "flat";
    scan.tasks = std::make_shared<const std::vector<table::ScanTask>>(std::vector{task});
    scan.selection = std::make_shared<const plan::RowSelection>(plan::RowSelection{{{7, 8, 199'999}}});
    auto node = ScanNode(scan, nested ? std::vector<int>{1, 4} : std::vector<int>{1}, {MetadataColumn::kPos});
    EXPECT_EQ(Text(node), nested ? "7,[7, 7],7;199999,[199999, 199999],199999" : "7,7;199999,199999");
  }
  for (const auto& entry : ledger_->Entries()) {
    if (entry.operator_name != "scan nested") continue;
    EXPECT_LT(entry.totals.rows.decoded, 150'000u);
  }
}

TEST_F(ScanTest, EmptyScanGivesNoRows) { EXPECT_EQ(Text(Scan(numbers_, {}, {1, 2})), ""); }

TEST_F(ScanTest, CountNeedsNoBytesWithoutDeletes) {
  auto scan = Scan(numbers_, {TaskOf(Numbers(1000))}, {});
  auto count =
      plan::MakeNode(plan::Aggregate{.keys = {}, .aggregates = {Call("count", {Long(1)}, Type::Long())}},
                     {scan}, {{.id = ids_.Next(), .name = "n", .type = Type::Long(), .nullable = false}});
  const uint64_t before = ledger_->Total().Traffics().bytes_read;
  EXPECT_EQ(Text(count), "1000");
  EXPECT_EQ(ledger_->Total().Traffics().bytes_read, before);
  EXPECT_EQ(Rows(scan)->size(), 1000u);
}

TEST_F(ScanTest, OneFieldMayBeOutputTwice) {
  EXPECT_EQ(
      Text(Scan(numbers_, {TaskOf(Numbers(3))}, {1, 2, 1}, {MetadataColumn::kPos, MetadataColumn::kPos})),
      "0,0,0,0,0;1,1,1,1,1;2,2,2,2,2");
}

TEST_F(ScanTest, PositionDeletesAreApplied) {
  auto file = Numbers(10);
  // A position delete file as formats write it.
  const std::vector<Field> fields = {Col(2147483546, "file_path", Type::String(), true),
                                     Col(2147483545, "pos", Type::Long(), true)};
  auto store = stores_.Open("mem:/x", ledger_->Open("w", Purpose::kDeletes), {});
  ASSERT_TRUE(store);
  std::vector<Row> rows;
  for (int64_t pos : {0, 3, 9}) rows.push_back({Scalar::String(file.file.path), Scalar::Long(pos)});
  const Batch batch = MakeBatch({Type::String(), Type::Long()}, rows);
  auto written = engine_->row_files()->Write(*store, "mem:/t/d.parquet", fields, std::span(&batch, 1));
  ASSERT_TRUE(written) << written.error().ToString();
  table::DeleteFile deletes;
  deletes.kind = table::DeleteFile::Kind::kPosition;
  deletes.path = "mem:/t/d.parquet";
  deletes.size_bytes = written->size_bytes;
  deletes.row_count = written->row_count;
  table::ScanTask task = TaskOf(file);
  task.deletes = {std::make_shared<const table::DeleteFile>(deletes)};
  EXPECT_EQ(Text(Scan(numbers_, {task}, {1})), "1;2;4;5;6;7;8");
  EXPECT_GE(ledger_->Total()[Purpose::kDeletes].bytes_read, written->size_bytes);
  auto scan = Scan(numbers_, {task}, {1}, {MetadataColumn::kPos});
  auto filtered = plan::MakeFilter(scan, MakePredicate(">", {ColumnExpr(scan->output[0]), Long(6)}));
  EXPECT_EQ(Text(filtered), "7,7;8,8");
}

TEST_F(ScanTest, EqualityDeletesAreAppliedByFieldIdAndNullSafe) {
  auto snapshot =
      MakeSnapshot({Col(1, "id", Type::Long()), Col(2, "d", Type::Double()), Col(3, "name", Type::String())});
  const Scalar null = Scalar::Null(Type::Double());
  auto files = Write(Values({Type::Long(), Type::Double(), Type::String()},
                            {{Scalar::Long(1), Scalar::Double(NAN), Scalar::String("a")},
                             {Scalar::Long(2), null, Scalar::String("b")},
                             {Scalar::Long(3), Scalar::Double(-0.0), Scalar::String("c")},
                             {Scalar::Long(4), Scalar::Double(4), Scalar::String("d")}}),
                     snapshot);
  ASSERT_TRUE(files);
  auto store = stores_.Open("mem:/x", ledger_->Open("w", Purpose::kDeletes), {});
  const std::vector<Field> fields = {Col(2, "d", Type::Double())};
  const Batch batch = MakeBatch({Type::Double()}, {{Scalar::Double(NAN)}, {null}, {Scalar::Double(0.0)}});
  auto written = engine_->row_files()->Write(*store, "mem:/t/e.parquet", fields, std::span(&batch, 1));
  ASSERT_TRUE(written) << written.error().ToString();
  table::DeleteFile deletes;
  deletes.kind = table::DeleteFile::Kind::kEquality;
  deletes.path = "mem:/t/e.parquet";
  deletes.size_bytes = written->size_bytes;
  deletes.row_count = written->row_count;
  deletes.equality_fields = {{2}};
  table::ScanTask task = TaskOf((*files)[0]);
  task.deletes = {std::make_shared<const table::DeleteFile>(deletes)};
  // -0.0 is not 0.0, as Iceberg on Spark compares (test/interop).
  EXPECT_EQ(Text(Scan(snapshot, {task}, {3})), "c;d");
  EXPECT_EQ(Text(Scan(snapshot, {task}, {1}, {MetadataColumn::kPos})), "3,2;4,3");
}

TEST_F(ScanTest, LedgerHoldsExactlyTheStoresBytes) {
  auto file = Numbers(100'000);
  auto scan = Scan(numbers_, {TaskOf(file)}, {1});
  ASSERT_TRUE(Rows(scan));
  const MovementTotals total = ledger_->Total();
  EXPECT_EQ(total[Purpose::kData].bytes_written, file.file.size_bytes);
  EXPECT_GT(total[Purpose::kFooter].bytes_read, 0u);
  EXPECT_GT(total[Purpose::kData].bytes_read, 0u);
  EXPECT_LT(total[Purpose::kData].bytes_read, file.file.size_bytes);
  EXPECT_EQ(total.rows.decoded, 100'000u);
  EXPECT_EQ(total.rows.into_join, 100'000u);
  EXPECT_EQ(total.rows.written, 100'000u);
}

TEST_F(ScanTest, KeysReadOnlyPagesThatMayHoldThem) {
  auto file = Numbers(300'000);
  for (bool pages : {false, true}) {
    SCOPED_TRACE(pages);
    plan::FileScan scan;
    scan.snapshot = numbers_;
    scan.name = pages ? "pages" : "plain";
    scan.tasks = std::make_shared<const std::vector<table::ScanTask>>(std::vector{TaskOf(file)});
    table::KeySet keys;
    keys.fields = {{1}};
    keys.keys = {{Scalar::Long(5)}, {Scalar::Long(299'999)}};
    keys.lower = {Scalar::Long(5)};
    keys.upper = {Scalar::Long(299'999)};
    if (pages) scan.keys = std::make_shared<const table::KeySet>(keys);
    auto target = ScanNode(scan, {1}, {MetadataColumn::kTask, MetadataColumn::kPos, MetadataColumn::kFile});
    auto source = Longs({5, 299'999, 1'000'000});
    auto join =
        plan::MakeJoin(target, source, plan::JoinType::kInner,
                       MakePredicate("=", {ColumnExpr(target->output[0]), ColumnExpr(source->output[0])}));
    auto sorted = plan::MakeSort(join, {{ColumnExpr(target->output[0])}});
    EXPECT_EQ(Text(sorted), fmt::format("5,0,5,{0},5;299999,0,299999,{0},299999", file.file.path));
  }
  for (const auto& entry : ledger_->Entries()) {
    if (entry.operator_name != "scan pages") continue;
    EXPECT_LT(entry.totals.rows.decoded, 200'000u);
    EXPECT_EQ(entry.totals.rows.into_join, 2u);
  }
}

TEST_F(ScanTest, DamagedAndMissingFilesAreNamed) {
  auto file = Numbers(100'000);
  Io io{ledger_->Open("check", Purpose::kListing), {}};
  std::string bytes(file.file.size_bytes, 0);
  const ByteRange all{0, bytes.size()};
  const MutableBytes into(reinterpret_cast<uint8_t*>(bytes.data()), bytes.size());
  ASSERT_TRUE(raw_->ReadRanges(io, file.file.path, std::span(&all, 1), std::span(&into, 1)));
  auto broken = [&](const std::string& path, std::string content) {
    EXPECT_TRUE(raw_->Put(io, path, AsBytes(content), PutIf::Always()));
    table::NewDataFile copy = file;
    copy.file.path = path;
    copy.file.size_bytes = content.size();
    auto rows = Rows(Scan(numbers_, {TaskOf(copy)}, {1, 2}));
    EXPECT_FALSE(rows) << path;
    return rows ? std::string() : rows.error().ToString();
  };
  std::string flipped = bytes;
  for (size_t i = 1000; i < 3000; ++i) flipped[i] = static_cast<char>(~flipped[i]);
  std::string footer = bytes;
  for (size_t i = footer.size() - 200; i < footer.size() - 8; ++i) footer[i] = static_cast<char>(~footer[i]);
  for (const auto& [name, content] :
       {std::pair{"mem:/truncated.parquet", bytes.substr(0, bytes.size() / 2)},
        std::pair{"mem:/empty.parquet", std::string()}, std::pair{"mem:/flipped.parquet", flipped},
        std::pair{"mem:/footer.parquet", footer}}) {
    const std::string message = broken(name, content);
    SCOPED_TRACE(name);
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_EQ(message.find("weir:"), std::string::npos) << message;
    EXPECT_EQ(message.find("corrupt"), 0u) << message;
  }
  table::NewDataFile missing = file;
  missing.file.path = "mem:/missing.parquet";
  auto rows = Rows(Scan(numbers_, {TaskOf(missing)}, {1}));
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), ErrorCode::kNotFound) << rows.error().ToString();
  EXPECT_NE(rows.error().ToString().find("missing.parquet"), std::string::npos);
  // The engine still works.
  EXPECT_EQ(Text(Longs({1})), "1");
}

TEST_F(ScanTest, AFileOfOtherTypesIsRefused) {
  auto file = Numbers(3);
  for (const Type& type : {Type::Int(), Type::String(), Type::Decimal(20, 0), Type::Double()}) {
    auto wrong = MakeSnapshot({Col(1, "id", type)});
    auto rows = Rows(Scan(wrong, {TaskOf(file)}, {1}));
    ASSERT_FALSE(rows) << type.ToString();
    EXPECT_EQ(rows.error().code(), ErrorCode::kCorrupt);
    EXPECT_NE(rows.error().message().find(file.file.path), std::string::npos) << rows.error().message();
  }
}

TEST_F(ScanTest, OtherFormatsAreRefusedByName) {
  table::ScanTask task = TaskOf(Numbers(1));
  auto file = std::make_shared<table::DataFile>(*task.file);
  file->format = table::FileFormat::kOrc;
  task.file = file;
  auto rows = Rows(Scan(numbers_, {task}, {1}));
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(rows.error().message().find(file->path), std::string::npos);
}

TEST_F(ScanTest, FilesByPathAreReadByName) {
  auto file = Numbers(3);
  auto fields = engine_->DescribeParquet({file.file.path}, Context());
  ASSERT_TRUE(fields) << fields.error().ToString();
  ASSERT_EQ(fields->size(), 2u);
  EXPECT_EQ((*fields)[0].name, "id");
  EXPECT_EQ((*fields)[0].type.ToString(), "bigint");
  EXPECT_EQ((*fields)[1].type.ToString(), "string");
  plan::PathScan scan{.paths = {file.file.path}, .columns = {"NAME", "missing"}};
  std::vector<plan::Column> output = {
      {.id = ids_.Next(), .name = "name", .type = Type::String(), .nullable = true},
      {.id = ids_.Next(), .name = "missing", .type = Type::Int(), .nullable = true}};
  const plan::NodePtr node = plan::MakeNode(scan, {}, output);
  EXPECT_EQ(Text(node), "0,NULL;1,NULL;2,NULL");
  const auto one = MakePredicate("=", {ColumnExpr(output[0]), MakeLiteral(Scalar::String("1"))});
  EXPECT_EQ(Text(plan::MakeFilter(node, one)), "1,NULL");
  EXPECT_FALSE(engine_->DescribeParquet({}, Context()));
}

}  // namespace
}  // namespace weir::exec
