#pragma once

/// For tests of this folder: a table in memory, and files that exist in name only. Thread rule: one thread.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "storage/memory/memory.h"
#include "table/iceberg/hadoop_committer.h"
#include "table/iceberg/iceberg_table.h"
#include "table/iceberg/metadata_update.h"

namespace weir::iceberg {

/// Unwraps, or fails the test with the error.
template <typename T>
T Must(Result<T> result, const char* what = "") {
  if (!result) {
    ADD_FAILURE() << what << ": " << result.error().ToString();
    std::abort();
  }
  return *std::move(result);
}
inline void Must(Status status) {
  if (!status) ADD_FAILURE() << status.error().ToString();
}

inline const std::string kTableLocation = "mem:/wh/db/t";
inline std::string Path(const std::string& name) { return kTableLocation + "/data/" + name; }

/// A store, a clock that only sleeps forward, and numbers that repeat.
struct World {
  std::shared_ptr<MemoryStorage> memory = std::make_shared<MemoryStorage>();
  std::shared_ptr<Stores> stores = std::make_shared<Stores>();
  ManualClock clock{1'700'000'000'000'000};
  SeededRandom random;
  std::shared_ptr<Ledger> ledger = Ledger::Make();
  Cancellation cancellation;

  /// `storage` stands in for the memory store, such as a faulty one over it.
  explicit World(uint64_t seed = 1, std::shared_ptr<Storage> storage = nullptr) : random(seed) {
    stores->Add("mem", storage != nullptr ? std::move(storage) : memory);
  }
  Account account() const { return ledger->Open("test", Purpose::kMetadata); }
  Store store() const { return {memory, account(), cancellation}; }

  /// All objects of the store.
  std::set<std::string> Paths() const {
    std::set<std::string> paths;
    for (const ObjectInfo& object : Must(store().List("mem:/"))) paths.insert(object.path);
    return paths;
  }
  void Touch(const std::string& path) { Must(store().Put(path, AsBytes("x"), PutIf::Always())); }
};

/// (id long required 1, color string 2, price double 3), partitioned by `partitioning`.
inline TableMetadata SampleMetadata(std::vector<NewTable::Partitioning> partitioning = {},
                                    Properties properties = {}) {
  NewTable table;
  table.uuid = "00000000-0000-4000-8000-000000000001";
  table.location = kTableLocation;
  table.schema.fields = {{{}, "id", Type::Long(), true, ""},
                         {{}, "color", Type::String(), false, ""},
                         {{}, "price", Type::Double(), false, ""}};
  table.partitioning = std::move(partitioning);
  table.properties = std::move(properties);
  table.properties.try_emplace("write.delete.mode", "merge-on-read");
  table.now_ms = 1'700'000'000'000;
  return Must(MakeTableMetadata(table));
}

/// One client of a table: its own committer and caches.
struct Client {
  World& world;
  std::shared_ptr<HadoopCommitter> committer;
  IcebergTable table;

  explicit Client(World& w)
      : world(w),
        committer(std::make_shared<HadoopCommitter>(w.stores, kTableLocation)),
        table({w.stores, w.clock, w.random}, committer) {}

  void Create(const TableMetadata& metadata) {
    const auto outcome =
        Must(committer->Replace(std::nullopt, metadata, world.account(), world.cancellation));
    ASSERT_TRUE(std::holds_alternative<Replaced>(outcome));
  }
  table::SnapshotPtr Load(const table::At& at = {}) {
    return Must(table.Load(at, world.account(), world.cancellation), "load");
  }
  table::ScanPlan Plan(const table::Snapshot& snapshot, table::ScanRequest request = {}) {
    return Must(table.Plan(snapshot, request, world.account(), world.cancellation), "plan");
  }
  Result<table::CommitOutcome> Commit(const table::Change& change) {
    return table.Commit(change, world.account(), world.cancellation);
  }
  table::SnapshotPtr MustCommit(const table::Change& change) {
    auto outcome = Must(Commit(change), "commit");
    if (const auto* lost = std::get_if<table::Conflicted>(&outcome)) ADD_FAILURE() << lost->reason;
    if (const auto* unknown = std::get_if<table::OutcomeNotKnown>(&outcome)) ADD_FAILURE() << unknown->reason;
    return std::get<table::Committed>(outcome).snapshot;
  }
  std::vector<std::string> LivePaths() {
    std::vector<std::string> paths;
    for (const auto& task : Plan(*Load()).tasks) paths.push_back(task.file->path);
    std::sort(paths.begin(), paths.end());
    return paths;
  }
};

/// A file of `rows` rows with ids in [low, high], that exists in the store.
inline table::NewDataFile NewFile(World& world, const std::string& name, int64_t low, int64_t high,
                                  std::vector<Scalar> partition = {}, int32_t spec_id = 0) {
  table::NewDataFile added;
  added.file.path = Path(name);
  added.file.size_bytes = 100;
  added.file.row_count = static_cast<uint64_t>(high - low + 1);
  added.file.partition = {spec_id, std::move(partition)};
  table::NewDataFile::LeafMetrics id;
  id.field = FieldId{1};
  id.size_bytes = 40;
  id.value_count = added.file.row_count;
  id.null_count = 0;
  id.lower = Scalar::Long(low);
  id.upper = Scalar::Long(high);
  added.metrics.push_back(std::move(id));
  world.Touch(added.file.path);
  return added;
}

/// A position delete file for one data file.
inline table::NewDeleteFile NewDeletes(World& world, const std::string& name, const table::DataFile& data,
                                       uint64_t rows = 1) {
  table::NewDeleteFile added;
  added.file.path = Path(name);
  added.file.size_bytes = 10;
  added.file.row_count = rows;
  added.file.partition = data.partition;
  added.file.referenced_data_file = data.path;
  world.Touch(added.file.path);
  return added;
}

inline table::Change Append(table::SnapshotPtr base, std::vector<table::NewDataFile> files) {
  table::Change change;
  change.base = std::move(base);
  change.added = std::move(files);
  return change;
}

/// Removes whole files that are live in `base`.
inline table::Change Removal(Client& client, const table::SnapshotPtr& base,
                             const std::set<std::string>& names, table::Intent intent) {
  table::Change change;
  change.base = base;
  change.intent = intent;
  for (const auto& task : client.Plan(*base).tasks) {
    for (const std::string& name : names) {
      if (task.file->path == Path(name)) change.removed.push_back(task.file);
    }
  }
  EXPECT_EQ(change.removed.size(), names.size());
  return change;
}

/// Deletes rows of one live file by position.
inline table::Change PositionDelete(Client& client, const table::SnapshotPtr& base, const std::string& data,
                                    const std::string& deletes, table::Intent intent) {
  table::Change change;
  change.base = base;
  change.intent = intent;
  for (const auto& task : client.Plan(*base).tasks) {
    if (task.file->path != Path(data)) continue;
    change.added_deletes.push_back(NewDeletes(client.world, deletes, *task.file));
    change.referenced_files.push_back(task.file->path);
  }
  EXPECT_EQ(change.added_deletes.size(), 1u);
  return change;
}

inline std::string ConflictOf(const table::CommitOutcome& outcome) {
  const auto* lost = std::get_if<table::Conflicted>(&outcome);
  return lost != nullptr ? lost->reason : "";
}

/// Another engine changes the metadata, in ways that no Change here can.
inline void ChangeMetadata(Client& client, const std::function<void(TableMetadata&)>& change) {
  const auto current = Must(client.committer->Current(client.world.account(), client.world.cancellation));
  TableMetadata next = *current->metadata;
  change(next);
  const auto outcome =
      Must(client.committer->Replace(current, next, client.world.account(), client.world.cancellation));
  ASSERT_TRUE(std::holds_alternative<Replaced>(outcome));
}

}  // namespace weir::iceberg
