#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

#include "exec/duckdb/test_tables.h"

namespace weir::exec {
namespace {

using testing::Col;
using testing::Row;

/// Scans with conditions; each row's last column tells which it is.
class FileFiltersTest : public testing::FileTest {
 protected:
  /// A file that another writer left in test/fixtures/parquet.
  table::ScanTask Fixture(const std::string& name, uint64_t row_count) {
    std::ifstream file(WEIR_SOURCE_DIR "/test/fixtures/parquet/" + name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_FALSE(bytes.empty()) << name;
    const Store store(raw_, ledger_->Open("test", Purpose::kData), {});
    EXPECT_TRUE(store.Put("mem:/t/data/" + name, AsBytes(bytes), PutIf::Always()));
    table::DataFile data;
    data.path = "mem:/t/data/" + name;
    data.size_bytes = bytes.size();
    data.row_count = row_count;
    return {.file = std::make_shared<const table::DataFile>(data), .deletes = {}};
  }

  /// The column, its i-th member if it is a struct, compared with a value.
  struct Case {
    size_t column;
    const char* function;
    Scalar value;
    std::string rows;
  };

  void Check(const table::SnapshotPtr& snapshot, const table::ScanTask& task,
             const std::vector<Case>& cases) {
    std::vector<int> ids;
    for (const Field& field : snapshot->schema.fields) ids.push_back(field.id.value);
    for (const Case& c : cases) {
      auto scan = Scan(snapshot, {task}, ids);
      ExprPtr operand = plan::ColumnExpr(scan->output[c.column]);
      if (operand->type().kind() == TypeKind::kStruct)
        operand =
            std::make_shared<const Expr>(GetField{operand, 0, "a"}, operand->type().fields()[0].type, true);
      const auto condition = MakePredicate(c.function, {operand, MakeLiteral(c.value)});
      auto rows = Rows(plan::MakeFilter(scan, condition));
      ASSERT_TRUE(rows) << rows.error().ToString();
      std::string found;
      for (const Row& row : *rows) found += (found.empty() ? "" : ",") + row.back().ToString();
      EXPECT_EQ(found, c.rows) << snapshot->schema.fields[c.column].name << " " << c.function << " "
                               << c.value.ToSql();
    }
  }
};

TEST_F(FileFiltersTest, ConstantsThatAPromotedColumnsFileCannotHoldAreComparedExactly) {
  const Type held = Type::Struct({Col(10, "a", Type::Float())});
  const auto before = MakeSnapshot({Col(1, "f", Type::Float()), Col(2, "s", held), Col(3, "i", Type::Int()),
                                    Col(4, "d", Type::Decimal(6, 2)), Col(5, "v", Type::Int())});
  std::vector<Row> rows;
  for (int i = 0; i < 3; ++i) {
    const float value = std::array{0.1f, 0.25f, 1.5f}[i];
    const int32_t number = std::array{INT32_MIN, 7, INT32_MAX}[i];
    const int64_t cents = std::array{-999999, 123, 999999}[i];
    rows.push_back({Scalar::Float(value), Scalar(held, std::vector<Scalar>{Scalar::Float(value)}),
                    Scalar::Int(number), Scalar::Decimal(cents, 6, 2), Scalar::Int(i)});
  }
  auto files =
      Write(Values({Type::Float(), held, Type::Int(), Type::Decimal(6, 2), Type::Int()}, rows), before);
  ASSERT_TRUE(files) << files.error().ToString();
  ASSERT_EQ(files->size(), 1u);
  const auto after =
      MakeSnapshot({Col(1, "f", Type::Double()), Col(2, "s", Type::Struct({Col(10, "a", Type::Double())})),
                    Col(3, "i", Type::Long()), Col(4, "d", Type::Decimal(20, 2)), Col(5, "v", Type::Int())});
  // The float nearest to 0.1 is 0.10000000149...
  std::vector<Case> cases;
  for (const size_t column : {0, 1}) {
    cases.push_back({column, "=", Scalar::Double(0.1), ""});
    cases.push_back({column, ">", Scalar::Double(0.1), "0,1,2"});
    cases.push_back({column, "<=", Scalar::Double(0.1), ""});
    cases.push_back({column, "<", Scalar::Double(0.10000000149), ""});
    cases.push_back({column, "=", Scalar::Double(double{0.1f}), "0"});
    cases.push_back({column, ">=", Scalar::Double(0.25), "1,2"});
  }
  cases.push_back({2, "<", Scalar::Long(int64_t{INT32_MAX} + 1), "0,1,2"});
  cases.push_back({2, "=", Scalar::Long(INT32_MAX), "2"});
  cases.push_back({2, ">", Scalar::Long(int64_t{INT32_MIN} - 1), "0,1,2"});
  cases.push_back({3, "<", Scalar::Decimal(100000000, 20, 2), "0,1,2"});
  cases.push_back({3, "=", Scalar::Decimal(123, 20, 2), "1"});
  Check(after, TaskOf((*files)[0]), cases);
}

TEST_F(FileFiltersTest, EqualityFindsWhatBloomFiltersHashOtherwise) {
  const auto snapshot =
      MakeSnapshot({Col(1, "b", Type::Binary()), Col(2, "f", Type::Float()), Col(3, "d", Type::Double()),
                    Col(4, "s", Type::String()), Col(5, "i", Type::Int()), Col(6, "v", Type::Int())});
  Check(snapshot, Fixture("spark_bloom.parquet", 3),
        {{0, "=", Scalar::Binary("\x80"), "1"},
         {0, "=", Scalar::Binary(std::string("\0\xff", 2)), "2"},
         {0, "=", Scalar::Binary("\\"), "3"},
         {1, "=", Scalar::Float(0), "1"},
         {1, "=", Scalar::Float(NAN), "3"},
         {2, "=", Scalar::Double(0), "1"},
         {2, "=", Scalar::Double(-NAN), "3"},
         {3, "=", Scalar::String("na\u00efve"), "1"},
         {3, "=", Scalar::String("\u20ac"), "2"},
         {4, "=", Scalar::Int(-7), "2"}});
  const auto promoted =
      MakeSnapshot({Col(2, "f", Type::Double()), Col(5, "i", Type::Long()), Col(6, "v", Type::Int())});
  Check(promoted, Fixture("spark_bloom.parquet", 3),
        {{0, "=", Scalar::Double(double{0.1f}), "2"},
         {0, "=", Scalar::Double(0.1), ""},
         {0, "=", Scalar::Double(0), "1"},
         {1, "=", Scalar::Long(-7), "2"}});
}

TEST_F(FileFiltersTest, DeprecatedBoundsOfBytesPruneNothing) {
  const auto snapshot =
      MakeSnapshot({Col(1, "k", Type::String()), Col(2, "b", Type::Binary()), Col(3, "u", Type::Long()),
                    Col(4, "d", Type::Decimal(4, 2)), Col(5, "v", Type::Long())});
  Check(snapshot, Fixture("old_statistics.parquet", 4),
        {{0, "=", Scalar::String("a"), "1"},
         {0, "<", Scalar::String("b"), "1"},
         {0, ">", Scalar::String("z"), "3"},
         {1, "=", Scalar::Binary("a"), "1"},
         {1, "<", Scalar::Binary("b"), "1"},
         {2, "=", Scalar::Long(7), "2"},
         {2, "<", Scalar::Long(9), "1,2"},
         {3, "=", Scalar::Decimal(128, 4, 2), "2"},
         {3, "<", Scalar::Decimal(100, 4, 2), "1,3"},
         {4, ">", Scalar::Long(3), "4"}});
}

/// DuckDB reads 16 KiB at the end of a small file first, and then the whole footer.
TEST_F(FileFiltersTest, AFooterInTwoPartsIsReadOnce) {
  constexpr int kColumns = 500;
  std::vector<Field> fields;
  std::vector<Type> types(kColumns, Type::Long());
  Row row;
  for (int i = 0; i < kColumns; ++i) {
    fields.push_back(Col(i + 1, "a_column_with_a_name_" + std::to_string(i), Type::Long()));
    row.push_back(Scalar::Long(i));
  }
  const auto snapshot = MakeSnapshot(fields);
  auto files = Write(Values(types, {row}), snapshot);
  ASSERT_TRUE(files) << files.error().ToString();
  const uint64_t size_bytes = (*files)[0].file.size_bytes;
  const uint64_t before = ledger_->Total()[Purpose::kFooter].bytes_read;
  Check(snapshot, TaskOf((*files)[0]), {{7, "=", Scalar::Long(7), std::to_string(kColumns - 1)}});
  const uint64_t footer_bytes = ledger_->Total()[Purpose::kFooter].bytes_read - before;
  EXPECT_GT(footer_bytes, size_bytes / 2);
  EXPECT_LT(footer_bytes, size_bytes);
}

TEST_F(FileFiltersTest, TextThatIsNotUtf8IsRefusedByFileAndColumn) {
  const auto snapshot = MakeSnapshot({Col(1, "id", Type::Long()), Col(2, "name", Type::String())});
  const table::ScanTask task = Fixture("bad_text.parquet", 2);
  auto rows = Rows(Scan(snapshot, {task}, {1, 2}));
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), ErrorCode::kCorrupt);
  EXPECT_NE(rows.error().message().find(task.file->path), std::string::npos) << rows.error().ToString();
  EXPECT_NE(rows.error().message().find("column name:"), std::string::npos) << rows.error().ToString();
  EXPECT_EQ(TextOf(Rows(Scan(snapshot, {task}, {1}))), "1;2");
}

}  // namespace
}  // namespace weir::exec
