#pragma once

/// A table over a memory store for tests: it names files and knows a schema; snapshots are made by hand.

#include <filesystem>

#include "base/clock.h"
#include "exec/duckdb/test_plans.h"
#include "storage/memory/memory.h"
#include "storage/stack.h"
#include "table/table.h"

namespace weir::exec::testing {

class FakeTable : public table::Table {
 public:
  Result<table::SnapshotPtr> Load(const table::At&, Account, Cancellation) override {
    return Unsupported("fake");
  }
  Result<table::ScanPlan> Plan(const table::Snapshot&, const table::ScanRequest&, Account,
                               Cancellation) override {
    return Unsupported("fake");
  }
  std::string NewFilePath(const table::Snapshot& snapshot, const table::PartitionTuple&,
                          std::string_view suffix) override {
    return fmt::format("{}/{}{}", snapshot.layout.data_location, ++count_, suffix);
  }
  Result<table::CommitOutcome> Commit(const table::Change&, Account, Cancellation) override {
    return Unsupported("fake");
  }
  Result<MetadataRows> Metadata(const table::Snapshot&, std::string_view, Account, Cancellation) override {
    return Unsupported("fake");
  }

 private:
  int count_ = 0;
};

inline Field Col(int id, std::string name, Type type, bool required = false) {
  return Field{.id = {id}, .name = std::move(name), .type = std::move(type), .required = required, .doc = {}};
}

/// An engine over a memory store whose traffic is charged.
class FileTest : public EngineTest {
 protected:
  void SetUp() override {
    raw_ = std::make_shared<MemoryStorage>();
    stores_.Add("mem", Stacked(raw_, SystemClock(), random_));
    EngineTest::SetUp();
  }

  std::shared_ptr<table::Snapshot> MakeSnapshot(std::vector<Field> fields) {
    auto snapshot = std::make_shared<table::Snapshot>();
    snapshot->schema.fields = fields;
    snapshot->all_fields = std::move(fields);
    snapshot->specs = {table::PartitionSpec{}};
    snapshot->layout.data_location = "mem:/t/data";
    snapshot->location = "mem:/t";
    return snapshot;
  }

  Result<std::vector<table::NewDataFile>> Write(const plan::NodePtr& plan,
                                                const table::SnapshotPtr& snapshot) {
    return engine_->Write(plan, {.table = table_, .snapshot = snapshot, .operator_name = "write"}, Context());
  }

  static table::ScanTask TaskOf(const table::NewDataFile& file) {
    return {.file = std::make_shared<const table::DataFile>(file.file), .deletes = {}};
  }

  /// Scans columns by field id, then metadata columns.
  plan::NodePtr Scan(const table::SnapshotPtr& snapshot, std::vector<table::ScanTask> tasks,
                     const std::vector<int>& ids, std::vector<plan::MetadataColumn> metadata = {}) {
    plan::FileScan scan;
    scan.snapshot = snapshot;
    scan.name = "cat.db.t";
    scan.tasks = std::make_shared<const std::vector<table::ScanTask>>(std::move(tasks));
    return ScanNode(std::move(scan), ids, std::move(metadata));
  }
  plan::NodePtr ScanNode(plan::FileScan scan, const std::vector<int>& ids,
                         const std::vector<plan::MetadataColumn>& metadata = {}) {
    std::vector<plan::Column> output;
    for (int id : ids) {
      const Field* field = scan.snapshot->schema.Find({id});
      output.push_back(
          {.id = ids_.Next(), .name = field->name, .type = SparkType(field->type), .nullable = true});
      scan.columns.push_back(FieldId{id});
    }
    for (plan::MetadataColumn column : metadata) {
      Type type = Type::Int();
      if (column == plan::MetadataColumn::kFile) type = Type::String();
      if (column == plan::MetadataColumn::kPos) type = Type::Long();
      output.push_back({.id = ids_.Next(), .name = "m", .type = type, .nullable = true});
      scan.columns.push_back(column);
    }
    return plan::MakeNode(std::move(scan), {}, std::move(output));
  }

  SeededRandom random_{1};
  std::shared_ptr<MemoryStorage> raw_;
  std::shared_ptr<FakeTable> table_ = std::make_shared<FakeTable>();
};

}  // namespace weir::exec::testing
