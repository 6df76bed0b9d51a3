#include "ops/row_deletes.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <thread>
#include <unordered_map>

#include "base/executor.h"
#include "ops/commit.h"

namespace weir::ops {
namespace {

constexpr size_t kRowsPerBatch = 64 << 10;

/// Spec: Iceberg, "Reserved Field IDs".
const std::vector<Field>& DeleteFields() {
  static const auto& fields = *new std::vector<Field>{
      {FieldId{2147483546}, "file_path", Type::String(), true,
       "Path of a file in which a deleted row is stored"},
      {FieldId{2147483545}, "pos", Type::Long(), true, "Ordinal position of a deleted row in the data file"}};
  return fields;
}

/// Tasks whose deletes go into one file, in the order of their paths.
using TaskGroup = std::vector<size_t>;

std::vector<TaskGroup> GroupTasks(const plan::WriteTarget& target, std::span<const table::ScanTask> tasks,
                                  const RowPlaces& places) {
  std::vector<size_t> order;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (!places.by_task()[i].empty()) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return tasks[a].file->path < tasks[b].file->path; });
  std::vector<TaskGroup> groups;
  std::unordered_map<table::PartitionTuple, size_t, table::PartitionTupleHash> by_partition;
  for (size_t task : order) {
    if (target.snapshot->layout.one_delete_file_per_data_file) {
      groups.push_back({task});
      continue;
    }
    const auto [it, added] = by_partition.emplace(tasks[task].file->partition, groups.size());
    if (added) groups.emplace_back();
    groups[it->second].push_back(task);
  }
  return groups;
}

Batch DeleteBatch(const std::string& path, std::span<const int64_t> positions) {
  auto paths = std::make_shared<ColumnVector>();
  paths->type = Type::String();
  paths->length = static_cast<int64_t>(positions.size());
  paths->bytes.reserve(path.size() * positions.size());
  paths->offsets.reserve(positions.size() + 1);
  paths->offsets.push_back(0);
  for (size_t i = 0; i < positions.size(); ++i) {
    paths->bytes += path;
    paths->offsets.push_back(static_cast<int64_t>(paths->bytes.size()));
  }
  auto pos = std::make_shared<ColumnVector>();
  pos->type = Type::Long();
  pos->length = paths->length;
  pos->values.resize(positions.size_bytes());
  std::memcpy(pos->values.data(), positions.data(), positions.size_bytes());
  return {paths->length, {std::move(paths), std::move(pos)}};
}

/// Exact bounds: readers drop a delete file whose bounds exclude the path of a data file.
void AddBounds(table::NewDeleteFile& file, const Field& field, Scalar lower, Scalar upper) {
  ColumnBounds bounds;
  bounds.lower = lower;
  bounds.upper = upper;
  bounds.null_count = 0;
  bounds.may_have_nan = false;
  bounds.exact = true;
  file.file.bounds.columns.emplace(ColumnOf(field.id), std::move(bounds));
  table::NewDataFile::LeafMetrics metrics;
  metrics.field = field.id;
  metrics.lower = std::move(lower);
  metrics.upper = std::move(upper);
  file.metrics.push_back(std::move(metrics));
}

Result<table::NewDeleteFile> WriteGroup(const plan::WriteTarget& target,
                                        std::span<const table::ScanTask> tasks, const TaskGroup& group,
                                        const RowPlaces& places, const OperationContext& context,
                                        const Account& account) {
  std::vector<Batch> batches;
  int64_t lowest = std::numeric_limits<int64_t>::max(), highest = 0;
  for (size_t task : group) {
    std::span<const int64_t> positions = places.by_task()[task];
    lowest = std::min(lowest, positions.front());
    highest = std::max(highest, positions.back());
    for (; !positions.empty(); positions = positions.subspan(std::min(positions.size(), kRowsPerBatch))) {
      batches.push_back(
          DeleteBatch(tasks[task].file->path, positions.first(std::min(positions.size(), kRowsPerBatch))));
    }
  }
  const table::DataFile& first = *tasks[group.front()].file;
  table::NewDeleteFile file;
  file.file.path = target.table->NewFilePath(*target.snapshot, first.partition, "-deletes.parquet");
  file.file.partition = first.partition;
  if (group.size() == 1) file.file.referenced_data_file = first.path;
  UncommittedFiles unsure(context.stores, account);
  unsure.Add(file.file.path);  // A write whose outcome is not known may have made the file.
  WEIR_TRY(const Location location, context.stores.Find(file.file.path));
  const Store store(location.storage, account.For(Purpose::kDeletes), context.run.cancellation);
  WEIR_TRY_CONTEXT(const table::WrittenRowFile written, "write " + file.file.path,
                   context.engine.row_files()->Write(store, location.path, DeleteFields(), batches));
  unsure.Release();
  file.file.size_bytes = written.size_bytes;
  file.file.row_count = written.row_count;
  file.file.bounds.row_count = written.row_count;
  AddBounds(file, DeleteFields()[0], Scalar::String(first.path),
            Scalar::String(tasks[group.back()].file->path));
  AddBounds(file, DeleteFields()[1], Scalar::Long(lowest), Scalar::Long(highest));
  return file;
}

}  // namespace

Status RowPlaces::Add(int64_t task, int64_t pos) {
  if (task < 0 || static_cast<size_t>(task) >= positions_.size()) {
    return Internal("a scan of {} files returned a row of file {}", positions_.size(), task);
  }
  positions_[static_cast<size_t>(task)].push_back(pos);
  return {};
}

bool RowPlaces::Settle() {
  bool repeated = false;
  for (std::vector<int64_t>& positions : positions_) {
    if (!std::is_sorted(positions.begin(), positions.end())) std::sort(positions.begin(), positions.end());
    const auto end = std::unique(positions.begin(), positions.end());
    repeated = repeated || end != positions.end();
    positions.erase(end, positions.end());
  }
  return repeated;
}

void RowPlaces::Merge(RowPlaces other) {
  for (size_t i = 0; i < positions_.size(); ++i) {
    std::vector<int64_t>& from = other.positions_[i];
    if (positions_[i].empty()) {
      positions_[i] = std::move(from);
    } else {
      positions_[i].insert(positions_[i].end(), from.begin(), from.end());
    }
  }
}

uint64_t RowPlaces::count() const {
  return std::accumulate(positions_.begin(), positions_.end(), uint64_t{0},
                         [](uint64_t sum, const auto& positions) { return sum + positions.size(); });
}

std::vector<std::string> RowPlaces::PathsOf(std::span<const table::ScanTask> tasks) const {
  std::vector<std::string> paths;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (!positions_[i].empty()) paths.push_back(tasks[i].file->path);
  }
  return paths;
}

std::shared_ptr<const plan::RowSelection> RowPlaces::Selection(size_t task_count) const {
  return std::make_shared<const plan::RowSelection>(
      plan::RowSelection{{positions_.begin(), positions_.begin() + static_cast<std::ptrdiff_t>(task_count)}});
}

Status ForEachPlace(const OperationContext& context, const plan::NodePtr& plan, bool with_clause,
                    const PlaceSink& sink) {
  WEIR_TRY(auto stream, RunPlan(plan, context));
  while (true) {
    WEIR_TRY(const std::optional<Batch> batch, stream->Next());
    if (!batch) return {};
    const ColumnVector& task = *batch->columns[0];
    const ColumnVector& pos = *batch->columns[1];
    for (int64_t row = 0; row < batch->row_count; ++row) {
      const int64_t clause = with_clause ? batch->columns[2]->Value<int32_t>(row) : 0;
      WEIR_DO(sink(task.Value<int32_t>(row), pos.Value<int64_t>(row), clause));
    }
  }
}

Result<std::vector<table::NewDeleteFile>> WriteRowDeletes(const plan::WriteTarget& target,
                                                          std::span<const table::ScanTask> tasks,
                                                          const RowPlaces& places,
                                                          const OperationContext& context,
                                                          const Account& account) {
  const std::vector<TaskGroup> groups = GroupTasks(target, tasks, places);
  std::vector<std::optional<table::NewDeleteFile>> files(groups.size());
  const size_t threads = std::max<size_t>(1, std::thread::hardware_concurrency());
  Status status = ParallelFor(groups.size(), threads, [&](size_t i) -> Status {
    WEIR_TRY(files[i], WriteGroup(target, tasks, groups[i], places, context, account));
    return {};
  });
  UncommittedFiles written(context.stores, account);
  std::vector<table::NewDeleteFile> result;
  for (auto& file : files) {
    if (!file) continue;
    written.Add(file->file.path);
    result.push_back(*std::move(file));
  }
  if (!status) return std::move(status).error();
  written.Release();
  account.Count({.deleted = places.count()});
  return result;
}

}  // namespace weir::ops
