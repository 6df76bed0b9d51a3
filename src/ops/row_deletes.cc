#include "ops/row_deletes.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <unordered_map>

#include "base/executor.h"
#include "ops/commit.h"
#include "table/deletes.h"

namespace weir::ops {
namespace {

constexpr size_t kRowsPerBatch = 64 << 10;

/// Tasks whose deletes may share a file, in the order of their paths.
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
  std::unordered_map<table::PartitionTuple, size_t, table::PartitionTupleHash, table::SamePartition>
      by_partition;
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

/// Hands out the places of a group as batches, in order.
class GroupReader {
 public:
  GroupReader(std::span<const table::ScanTask> tasks, const TaskGroup& group, const RowPlaces& places)
      : tasks_(tasks), group_(group), places_(places) {}

  bool ended() const { return next_task_ == group_.size(); }
  /// The file of the next place. Precondition: not ended.
  const std::string& NextPath() const { return tasks_[group_[next_task_]].file->path; }

  /// What has been handed out since the last call of StartFile.
  struct Range {
    std::string first_path, last_path;
    int64_t lowest = std::numeric_limits<int64_t>::max(), highest = 0;
  };
  void StartFile() { range_ = {}; }
  const Range& range() const { return range_; }

  std::optional<Batch> Next() {
    if (ended()) return std::nullopt;
    const std::vector<int64_t>& all = places_.by_task()[group_[next_task_]];
    const std::string& path = NextPath();
    const std::span<const int64_t> rest = std::span(all).subspan(next_place_);
    const std::span<const int64_t> part = rest.first(std::min(rest.size(), kRowsPerBatch));
    if (range_.first_path.empty()) range_.first_path = path;
    range_.last_path = path;
    range_.lowest = std::min(range_.lowest, part.front());
    range_.highest = std::max(range_.highest, part.back());
    next_place_ += part.size();
    if (next_place_ == all.size()) {
      ++next_task_;
      next_place_ = 0;
    }
    return DeleteBatch(path, part);
  }

 private:
  std::span<const table::ScanTask> tasks_;
  const TaskGroup& group_;
  const RowPlaces& places_;
  size_t next_task_ = 0, next_place_ = 0;
  Range range_;
};

/// One file, of as many of the reader's places as make the target size.
Result<table::NewDeleteFile> WriteFile(const plan::WriteTarget& target,
                                       const table::PartitionTuple& partition, GroupReader& places,
                                       const OperationContext& context, const Account& account) {
  table::NewDeleteFile file;
  file.file.path = target.table->NewFilePath(*target.snapshot, partition, "-deletes.parquet");
  file.file.partition = partition;
  UncommittedFiles unsure(context.stores, account);
  unsure.Add(file.file.path);  // A write whose outcome is not known may have made the file.
  WEIR_TRY(const Location location, context.stores.Find(file.file.path));
  const Store store(location.storage, account.For(Purpose::kDeletes), context.run.cancellation);
  const std::vector<Field> columns = table::PositionDeleteFields();
  places.StartFile();
  WEIR_TRY_CONTEXT(const table::WrittenRowFile written, "write " + file.file.path,
                   context.engine.row_files()->Write(
                       store, location.path, columns,
                       [&]() -> Result<std::optional<Batch>> {
                         WEIR_DO(context.run.cancellation.Check());
                         return places.Next();
                       },
                       target.snapshot->layout.target_delete_file_size_bytes));
  unsure.Release();
  const GroupReader::Range& range = places.range();
  if (range.first_path == range.last_path) file.file.referenced_data_file = range.first_path;
  file.file.size_bytes = written.size_bytes;
  file.file.row_count = written.row_count;
  file.file.bounds.row_count = written.row_count;
  AddBounds(file, columns[0], Scalar::String(range.first_path), Scalar::String(range.last_path));
  AddBounds(file, columns[1], Scalar::Long(range.lowest), Scalar::Long(range.highest));
  return file;
}

/// The files of a group; on an error none is left.
Result<std::vector<table::NewDeleteFile>> WriteGroup(const plan::WriteTarget& target,
                                                     std::span<const table::ScanTask> tasks,
                                                     const TaskGroup& group, const RowPlaces& places,
                                                     const OperationContext& context,
                                                     const Account& account) {
  const table::PartitionTuple& partition = tasks[group.front()].file->partition;
  GroupReader reader(tasks, group, places);
  UncommittedFiles written(context.stores, account);
  std::vector<table::NewDeleteFile> files;
  while (!reader.ended()) {
    WEIR_TRY(table::NewDeleteFile file, WriteFile(target, partition, reader, context, account));
    written.Add(file.file.path);
    files.push_back(std::move(file));
  }
  written.Release();
  return files;
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
  std::vector<std::vector<table::NewDeleteFile>> files(groups.size());
  Status status = ParallelFor(groups.size(), context.engine.threads(), [&](size_t i) -> Status {
    WEIR_TRY(files[i], WriteGroup(target, tasks, groups[i], places, context, account));
    return {};
  });
  UncommittedFiles written(context.stores, account);
  std::vector<table::NewDeleteFile> result;
  for (std::vector<table::NewDeleteFile>& of_group : files) {
    for (table::NewDeleteFile& file : of_group) {
      written.Add(file.file.path);
      result.push_back(std::move(file));
    }
  }
  if (!status) return std::move(status).error();
  written.Release();
  account.Count({.deleted = places.count()});
  return result;
}

}  // namespace weir::ops
