#pragma once

/// Commits files to a table of a lake as another writer could, past SQL. Thread rule: one thread.

#include "exec/engine.h"
#include "lake.h"
#include "table/iceberg/hadoop_committer.h"
#include "table/iceberg/iceberg_table.h"
#include "table/row_files.h"

namespace weir {

class ForeignWriter {
 public:
  /// Of table cat.db.`name`.
  ForeignWriter(LakeFolder& lake, const std::string& name) : folder_(lake.folder() / "db" / name) {
    stores_->Add("file", LakeFolder::Local());
    committer_ = std::make_shared<iceberg::HadoopCommitter>(stores_, folder_.string());
    table_ = std::make_unique<iceberg::IcebergTable>(
        iceberg::IcebergTable::Services{stores_, lake.clock(), random_}, committer_);
    auto loaded = table_->Load({}, account_, {});
    EXPECT_TRUE(loaded) << loaded.error().ToString();
    snapshot_ = *std::move(loaded);
  }

  /// The live data file of that path.
  table::DataFilePtr FindFile(const fs::path& path) {
    const auto plan = table_->Plan(*snapshot_, {}, account_, {});
    EXPECT_TRUE(plan) << plan.error().ToString();
    for (const auto& task : plan->tasks) {
      if (task.file->path == path) return task.file;
    }
    ADD_FAILURE() << path << " is not in the table";
    return nullptr;
  }

  /// Adds a Parquet file, which lies in the table's folder, without statistics.
  void AddData(const fs::path& path, uint64_t rows) {
    table::NewDataFile added;
    added.file.path = path.string();
    added.file.size_bytes = fs::file_size(path);
    added.file.row_count = rows;
    table::Change change;
    change.added.push_back(std::move(added));
    Commit(std::move(change));
  }

  /// Adds a file of position deletes for one data file.
  void AddPositionDeletes(const std::string& name, const table::DataFile& data,
                          const std::vector<int64_t>& positions) {
    table::NewDeleteFile deletes;
    deletes.file.path = (folder_ / "data" / name).string();
    deletes.file.partition = data.partition;
    deletes.file.row_count = positions.size();
    const std::vector<Field> fields = {{FieldId{2147483546}, "file_path", Type::String(), true, ""},
                                       {FieldId{2147483545}, "pos", Type::Long(), true, ""}};
    ColumnVector path, pos;
    path.type = Type::String();
    pos.type = Type::Long();
    path.length = pos.length = static_cast<int64_t>(positions.size());
    path.offsets.push_back(0);
    for (size_t i = 0; i < positions.size(); ++i) {
      path.bytes += data.path;
      path.offsets.push_back(static_cast<int64_t>(path.bytes.size()));
    }
    pos.values.resize(positions.size() * sizeof(int64_t));
    std::memcpy(pos.values.data(), positions.data(), pos.values.size());
    const std::vector<Batch> batches = {
        {pos.length, {std::make_shared<ColumnVector>(path), std::make_shared<ColumnVector>(pos)}}};
    const auto engine = exec::Engine::Open({}, *stores_);
    ASSERT_TRUE(engine) << engine.error().ToString();
    const Store store(LakeFolder::Local(), account_, {});
    const auto written = (*engine)->row_files()->Write(store, deletes.file.path, fields, batches);
    ASSERT_TRUE(written) << written.error().ToString();
    deletes.file.size_bytes = written->size_bytes;
    table::Change change;
    change.intent = table::Intent::kDelete;
    change.added_deletes.push_back(std::move(deletes));
    change.referenced_files.push_back(data.path);
    Commit(std::move(change));
  }

 private:
  void Commit(table::Change change) {
    change.base = snapshot_;
    const auto outcome = table_->Commit(change, account_, {});
    ASSERT_TRUE(outcome) << outcome.error().ToString();
    ASSERT_TRUE(std::holds_alternative<table::Committed>(*outcome));
  }

  const fs::path folder_;
  std::shared_ptr<Ledger> ledger_ = Ledger::Make();
  const Account account_ = ledger_->Open("test", Purpose::kData);
  std::shared_ptr<Stores> stores_ = std::make_shared<Stores>();
  SeededRandom random_{1};
  std::shared_ptr<iceberg::HadoopCommitter> committer_;
  std::unique_ptr<iceberg::IcebergTable> table_;
  table::SnapshotPtr snapshot_;
};

}  // namespace weir
