// Tables of other writers, kept in test/fixtures/iceberg, against what Spark says about them.

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "expr/expr.h"
#include "storage/decorator.h"
#include "storage/local/local.h"
#include "table/deletes.h"
#include "table/iceberg/fixture_for_test.h"
#include "table/iceberg/snapshot_noun.h"
#include "table/iceberg/table_metadata_json.h"

namespace weir::iceberg {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

const std::string kMadeAt = "/tmp/weir-fixtures";
const std::string kKeptAt = std::string(WEIR_SOURCE_DIR) + "/test/fixtures/iceberg";

/// Shows the kept tables where their metadata believes them to be. For reading only.
class Relocated : public Decorator {
 public:
  Relocated() : Decorator(std::make_shared<LocalStorage>()) {}
  Result<ListPage> List(Io& io, std::string_view prefix, const std::optional<std::string>& page) override {
    return Decorator::List(io, Kept(prefix), page);
  }
  Result<ObjectInfo> Head(Io& io, std::string_view path) override {
    WEIR_TRY(ObjectInfo info, Decorator::Head(io, Kept(path)));
    info.path = path;
    return info;
  }
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override {
    return Decorator::ReadRanges(io, Kept(path), ranges, buffers);
  }

 private:
  static std::string Kept(std::string_view path) {
    return kKeptAt + std::string(path.substr(kMadeAt.size()));
  }
};

struct Foreign {
  std::shared_ptr<Stores> stores = std::make_shared<Stores>();
  ManualClock clock{0};
  SeededRandom random{1};
  std::shared_ptr<Ledger> ledger = Ledger::Make();
  std::shared_ptr<HadoopCommitter> committer;
  std::unique_ptr<IcebergTable> table;

  explicit Foreign(const std::string& name) {
    stores->Add("file", std::make_shared<Relocated>());
    committer = std::make_shared<HadoopCommitter>(stores, kMadeAt + "/wh/db/" + name);
    table = std::make_unique<IcebergTable>(IcebergTable::Services{stores, clock, random}, committer);
  }
  Account account() const { return ledger->Open("test", Purpose::kMetadata); }
  table::SnapshotPtr Load(const table::At& at = {}) { return Must(table->Load(at, account(), {}), "load"); }
  table::ScanPlan Plan(const table::Snapshot& snapshot, ExprPtr predicate = nullptr) {
    table::ScanRequest request;
    request.predicate = std::move(predicate);
    return Must(table->Plan(snapshot, request, account(), {}), "plan");
  }
};

json SparkSays() {
  std::ifstream file(kKeptAt + "/spark_says.json");
  return json::parse(file);
}

/// A value in the form that make.py gives to Spark's.
json Plain(const Scalar& value, const Type& type) {
  if (value.is_null()) return nullptr;
  switch (type.kind()) {
    case TypeKind::kStruct: {
      json object = json::object();
      for (size_t i = 0; i < type.fields().size(); ++i) {
        object[type.fields()[i].name] = Plain(value.children()[i], type.fields()[i].type);
      }
      return object;
    }
    case TypeKind::kMap: {
      json object = json::object();
      for (size_t i = 0; i + 1 < value.children().size(); i += 2) {
        object[value.children()[i].ToString()] = Plain(value.children()[i + 1], type.fields()[1].type);
      }
      return object;
    }
    case TypeKind::kArray: {
      json list = json::array();
      for (const Scalar& element : value.children()) list.push_back(Plain(element, type.fields()[0].type));
      return list;
    }
    case TypeKind::kBoolean:
      return value.boolean();
    case TypeKind::kInt:
    case TypeKind::kLong:
      return value.integer();
    case TypeKind::kBinary: {
      std::string hex;
      for (const char byte : value.text()) hex += fmt::format("{:02x}", static_cast<uint8_t>(byte));
      return hex;
    }
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz: {
      std::string text = value.ToString();
      if (const size_t point = text.find('.'); point != std::string::npos) text.resize(point + 7, '0');
      return text;
    }
    default:
      return value.ToString();
  }
}

TEST(ForeignTables, MetadataTablesSayWhatSparkSays) {
  const json spark = SparkSays();
  for (const auto& [name, facts] : spark.items()) {
    Foreign foreign(name);
    const auto snapshot = foreign.Load();
    for (const auto& [part, expected] : facts.items()) {
      if (part == "rows") continue;
      SCOPED_TRACE(name + "." + part);
      const auto rows = Must(foreign.table->Metadata(*snapshot, part, foreign.account(), {}), "metadata");
      const Type row_type = Type::Struct(rows.fields);
      EXPECT_EQ(row_type.ToString(), expected["schema"].get<std::string>());
      json actual = json::array();
      for (const auto& row : rows.rows) {
        actual.push_back(Plain(Scalar(row_type, std::vector<Scalar>(row)), row_type));
      }
      json wanted = expected["rows"];
      const auto by_text = [](const json& a, const json& b) { return a.dump() < b.dump(); };
      std::sort(actual.begin(), actual.end(), by_text);
      std::sort(wanted.begin(), wanted.end(), by_text);
      EXPECT_EQ(actual, wanted) << json::diff(wanted, actual).dump(1);
    }
  }
}

TEST(ForeignTables, MetadataIsWrittenAsItWasRead) {
  for (const char* name : {"evolved", "types", "eq", "py"}) {
    SCOPED_TRACE(name);
    Foreign foreign(name);
    const auto snapshot = foreign.Load();
    const auto& table = DetailOf(*snapshot).table;
    const Store store(std::make_shared<Relocated>(), foreign.account(), {});
    const std::string bytes = Must(store.ReadAll(table.file));
    json before;
    if (table.file.ends_with(".gz.metadata.json")) {
      before = json::parse(TableMetadataToJson(*table.metadata));
    } else {
      before = json::parse(bytes);
    }
    const json after = json::parse(TableMetadataToJson(
        Must(ParseTableMetadata(TableMetadataToJson(Must(ParseTableMetadata(bytes, table.file))), "again"))));
    EXPECT_EQ(after, before) << json::diff(before, after).dump(1);
  }
}

ExprPtr Column(const table::Snapshot& snapshot, const std::string& name) {
  const Field* field = snapshot.schema.FindByName(name);
  return MakeColumn(ColumnOf(field->id), name, field->type, !field->required);
}

std::vector<uint64_t> RowCounts(const table::ScanPlan& plan) {
  std::vector<uint64_t> counts;
  for (const auto& task : plan.tasks) counts.push_back(task.file->row_count);
  return counts;
}

// Each row lies in a partition, and so in a file, of its own, but for two of the second insert.
TEST(ForeignTables, FilesArePrunedUnderBothPartitionSpecs) {
  Foreign foreign("evolved");
  const auto latest = foreign.Load();
  const auto before = foreign.Load({table::At::Kind::kRef, 0, "before_update"});
  const ExprPtr id = Column(*latest, "id"), ts = Column(*latest, "ts"), name = Column(*latest, "name"),
                ratio = Column(*latest, "ratio");
  const auto literal = [](Scalar value) { return MakeLiteral(std::move(value)); };
  struct Case {
    const char* what;
    const table::Snapshot& snapshot;
    ExprPtr predicate;
    size_t files;
  };
  const int64_t year_2022 = 1640995200ll * 1'000'000;
  const std::vector<Case> cases = {
      {"everything, now", *latest, nullptr, 8},
      {"everything, before", *before, nullptr, 6},
      {"a row under the new spec", *latest, MakePredicate("=", {id, literal(Scalar::Long(20))}), 1},
      {"a row under the old spec", *latest, MakePredicate("=", {id, literal(Scalar::Long(13))}), 1},
      {"no such id", *latest, MakePredicate("=", {id, literal(Scalar::Long(500))}), 0},
      {"day of the old spec, year of the new", *latest,
       MakePredicate(">=", {ts, literal(Scalar::Timestamp(year_2022))}), 1},
      {"before 1970", *before, MakePredicate("<", {ts, literal(Scalar::Timestamp(0))}), 1},
      {"before 1970, once the row is deleted", *latest,
       MakePredicate("<", {ts, literal(Scalar::Timestamp(0))}), 0},
      {"NULL partition", *latest, MakePredicate("isnull", {ts}), 1},
      {"truncated name", *before, MakePredicate("=", {name, literal(Scalar::String("b"))}), 1},
      {"NaN is above all numbers", *latest, MakePredicate(">", {ratio, literal(Scalar::Double(1e300))}), 1},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.what);
    EXPECT_EQ(foreign.Plan(test.snapshot, test.predicate).tasks.size(), test.files);
  }
  // A column that old files lack is unknown there, never a reason to skip.
  EXPECT_EQ(foreign.Plan(*latest, MakePredicate("isnull", {Column(*latest, "note")})).tasks.size(), 7u);
}

TEST(ForeignTables, PositionDeletesApplyToTheirFiles) {
  Foreign foreign("evolved");
  size_t with_deletes = 0;
  for (const auto& task : foreign.Plan(*foreign.Load()).tasks) {
    for (const auto& deletes : task.deletes) {
      ++with_deletes;
      EXPECT_EQ(deletes->kind, table::DeleteFile::Kind::kPosition);
      const ColumnBounds* path = deletes->bounds.Find(ColumnOf(table::kDeletePathField));
      ASSERT_NE(path, nullptr);
      EXPECT_EQ(path->lower->text(), task.file->path);
    }
  }
  EXPECT_EQ(with_deletes, SparkSays()["evolved"]["delete_files"]["rows"].size());
}

TEST(ForeignTables, EqualityDeletesApplyToEarlierFilesOnly) {
  Foreign foreign("eq");
  const auto snapshot = foreign.Load();
  const auto plan = foreign.Plan(*snapshot);
  ASSERT_EQ(plan.tasks.size(), 2u);
  EXPECT_EQ(RowCounts(plan), (std::vector<uint64_t>{1, 4}));
  EXPECT_TRUE(plan.tasks[0].deletes.empty());
  ASSERT_EQ(plan.tasks[1].deletes.size(), 2u);
  for (const auto& deletes : plan.tasks[1].deletes) {
    ASSERT_EQ(deletes->equality_fields.size(), 1u);
    // The column of one was renamed, that of the other dropped: both are still known by id.
    const Field* field = snapshot->FindField(deletes->equality_fields[0]);
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->name, deletes->equality_fields[0].value == 2 ? "label" : "region");
  }
}

TEST(ForeignTables, TimeTravelReadsWithTheRightSchema) {
  Foreign foreign("evolved");
  const auto names = [](const table::Snapshot& snapshot) {
    std::vector<std::string> list;
    for (const Field& field : snapshot.schema.fields) list.push_back(field.name);
    return list;
  };
  const std::vector<std::string> old_names = {"id", "name", "price", "ts", "d"};
  const std::vector<std::string> new_names = {"id", "name", "note", "price", "ts", "ratio"};
  const auto latest = foreign.Load();
  const auto& metadata = *DetailOf(*latest).table.metadata;
  EXPECT_EQ(names(*latest), new_names);
  using Kind = table::At::Kind;
  const int64_t first = metadata.snapshots[0].id.value;
  const int64_t second_us = metadata.snapshots[1].timestamp_ms * 1000;
  EXPECT_EQ(names(*foreign.Load({Kind::kVersion, first, ""})), old_names);
  EXPECT_EQ(names(*foreign.Load({Kind::kRef, 0, "before_update"})), old_names);
  // A branch is read with the current schema.
  EXPECT_EQ(names(*foreign.Load({Kind::kRef, 0, "audit"})), new_names);
  EXPECT_EQ(foreign.Load({Kind::kTimestamp, second_us, ""})->id, metadata.snapshots[1].id);
  EXPECT_EQ(foreign.Load({Kind::kTimestamp, second_us - 1, ""})->id, metadata.snapshots[0].id);
  for (const auto& [at, message] : std::vector<std::pair<table::At, std::string>>{
           {{Kind::kVersion, 17, ""}, "the table has no snapshot 17"},
           {{Kind::kRef, 0, "nope"}, "the table has no snapshot, branch or tag nope"},
           {{Kind::kTimestamp, 0, ""}, "the table had no snapshot yet"}}) {
    const auto missing = foreign.table->Load(at, foreign.account(), {});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
    EXPECT_THAT(missing.error().message(), HasSubstr(message));
  }
  EXPECT_EQ(foreign.Plan(*foreign.Load({Kind::kVersion, first, ""})).tasks.size(), 3u);
}

TEST(ForeignTables, TableWithoutHintAndWithCompressedMetadataIsFound) {
  Foreign foreign("py");
  const auto snapshot = foreign.Load();
  EXPECT_EQ(DetailOf(*snapshot).table.file, kMadeAt + "/wh/db/py/metadata/v4.gz.metadata.json");
  const auto plan = foreign.Plan(
      *snapshot, MakePredicate("=", {Column(*snapshot, "color"), MakeLiteral(Scalar::String("blue"))}));
  EXPECT_EQ(RowCounts(plan), std::vector<uint64_t>{1});
}

TEST(ForeignTables, BoundsHaveTheTypesAndValuesOfTheColumns) {
  Foreign foreign("types");
  const auto snapshot = foreign.Load();
  const auto plan = foreign.Plan(*snapshot);
  ASSERT_EQ(plan.tasks.size(), 1u);
  const auto bounds = [&](const char* name) {
    const ColumnBounds* found =
        plan.tasks[0].file->bounds.Find(ColumnOf(snapshot->schema.FindByName(name)->id));
    return found != nullptr ? *found : ColumnBounds();
  };
  EXPECT_EQ(bounds("i").lower, Scalar::Int(-7));
  EXPECT_EQ(bounds("i").upper, Scalar::Int(42));
  EXPECT_EQ(bounds("l").upper, Scalar::Long(9000000000));
  EXPECT_EQ(bounds("dec").lower, Scalar::Decimal(-123456789, 20, 4));
  EXPECT_EQ(bounds("dt").lower, Scalar::Date(-1));
  EXPECT_EQ(bounds("ts").lower->ToString(), "2001-02-03 04:05:06.789012");
  EXPECT_EQ(bounds("tn").lower->ToString(), "1950-01-01 00:00:00");
  EXPECT_EQ(bounds("s").lower, Scalar::String("abcdefghijklmnop"));
  EXPECT_EQ(bounds("s").upper, Scalar::String("b"));
  EXPECT_EQ(bounds("b").lower, Scalar::Binary(std::string("\x00\xff\x10", 3)));
  // Sixteen bytes of 0xff have no successor.
  EXPECT_FALSE(bounds("b").upper.has_value());
  EXPECT_TRUE(bounds("d").may_have_nan);
  EXPECT_EQ(bounds("d").upper, Scalar::Double(1.5));
  EXPECT_FALSE(bounds("f").may_have_nan);
  EXPECT_EQ(bounds("bo").lower, Scalar::Boolean(false));
}

}  // namespace
}  // namespace weir::iceberg
