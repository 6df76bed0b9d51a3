#pragma once

/// Rows to delete, by place, and the position delete files that delete them. Thread rule: one thread.
/// Spec: Iceberg, "Position Delete Files".

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ops/operation.h"
#include "ops/target_scan.h"

namespace weir::ops {

/// Collects places of rows, task by task.
class RowPlaces {
 public:
  explicit RowPlaces(size_t task_count) : positions_(task_count) {}

  /// Errors: kInternal for a task that does not exist.
  Status Add(int64_t task, int64_t pos);
  /// Sorts. Returns true if some place was added more than once; it counts once from then on.
  bool Settle();
  /// Moves all places of `other`, which has the same tasks, in here.
  void Merge(RowPlaces other);

  uint64_t count() const;
  bool empty() const { return count() == 0; }
  const std::vector<std::vector<int64_t>>& by_task() const { return positions_; }
  /// Paths of the files that have a place, in task order.
  std::vector<std::string> PathsOf(std::span<const table::ScanTask> tasks) const;
  /// The places of the first `task_count` tasks. Precondition: settled.
  std::shared_ptr<const plan::RowSelection> Selection(size_t task_count) const;

 private:
  std::vector<std::vector<int64_t>> positions_;
};

/// Takes one place; `clause` is 0 where the plan yields none.
using PlaceSink = std::function<Status(int64_t task, int64_t pos, int64_t clause)>;
/// Runs a plan whose first columns are a place and, if `with_clause`, an INT clause; calls `sink` for each
/// row.
Status ForEachPlace(const OperationContext& context, const plan::NodePtr& plan, bool with_clause,
                    const PlaceSink& sink);

/// Writes position delete files for settled `places`, sorted by path and position, each under its data file's
/// own spec and partition, and of about the layout's target size at most. On an error every file it wrote is
/// deleted.
Result<std::vector<table::NewDeleteFile>> WriteRowDeletes(const plan::WriteTarget& target,
                                                          std::span<const table::ScanTask> tasks,
                                                          const RowPlaces& places,
                                                          const OperationContext& context,
                                                          const Account& account);

}  // namespace weir::ops
