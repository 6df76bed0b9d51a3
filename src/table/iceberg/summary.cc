#include "table/iceberg/summary.h"

#include <charconv>
#include <set>

#include "table/iceberg/partitioning.h"

namespace weir::iceberg {

namespace {

/// A sum of foreign numbers; nothing once it went beyond 64 bits.
class Sum {
 public:
  void Add(int64_t number) {
    int64_t sum = 0;
    value_ = value_ && !__builtin_add_overflow(*value_, number, &sum) ? std::optional(sum) : std::nullopt;
  }
  const std::optional<int64_t>& value() const { return value_; }

 private:
  std::optional<int64_t> value_ = 0;
};

/// What happened to one counter of the table.
struct Counter {
  std::string_view total, added, removed;
  Sum added_count = {};
  Sum removed_count = {};
};

std::optional<int64_t> TotalBefore(const SnapshotRecord* parent, std::string_view name) {
  if (parent == nullptr) return 0;
  const auto it = parent->summary.find(std::string(name));
  if (it == parent->summary.end()) return std::nullopt;
  int64_t number = 0;
  const char* end = it->second.data() + it->second.size();
  const auto parsed = std::from_chars(it->second.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

std::optional<int64_t> TotalAfter(const SnapshotRecord* parent, const Counter& counter) {
  const auto before = TotalBefore(parent, counter.total);
  const auto added = counter.added_count.value(), removed = counter.removed_count.value();
  int64_t total = 0;
  if (!before || !added || !removed) return std::nullopt;
  if (__builtin_add_overflow(*before, *added, &total) || __builtin_sub_overflow(total, *removed, &total)) {
    return std::nullopt;
  }
  return total;
}

int64_t ChangedPartitions(const FileChanges& changes, const TableMetadata& metadata) {
  std::set<std::string> partitions;
  const auto add = [&](const PartitionTuple& tuple) {
    const PartitionSpec* spec = metadata.FindSpec(tuple.spec_id);
    if (spec != nullptr) partitions.insert(PartitionPath(*spec, tuple.values));
  };
  for (const ContentFile& file : changes.added) add(file.partition);
  for (const ContentFile& file : changes.deletes) add(file.partition);
  for (const auto& file : changes.removed) add(file->partition);
  return static_cast<int64_t>(partitions.size());
}

}  // namespace

std::string OperationOf(const FileChanges& changes, table::Intent intent) {
  const bool removes = !changes.removed.empty() || !changes.deletes.empty();
  const bool adds = !changes.added.empty();
  const bool rewrites_rows = intent == table::Intent::kUpdate || intent == table::Intent::kMerge;
  // What a statement did not find is still what it was for, as Iceberg's Java library has it.
  if (!removes && !adds && rewrites_rows) return "overwrite";
  if (!removes && (intent == table::Intent::kAppend || rewrites_rows)) return "append";
  return adds ? "overwrite" : "delete";
}

std::map<std::string, std::string> SummaryOf(const FileChanges& changes,
                                             const ManifestUpdate::Updated& manifests,
                                             const SnapshotRecord* parent, const TableMetadata& metadata) {
  Counter records{"total-records", "added-records", "deleted-records"};
  Counter sizes{"total-files-size", "added-files-size", "removed-files-size"};
  Counter files{"total-data-files", "added-data-files", "deleted-data-files"};
  Counter deletes{"total-delete-files", "added-delete-files", "removed-delete-files"};
  Counter positions{"total-position-deletes", "added-position-deletes", "removed-position-deletes"};
  const Counter equality{"total-equality-deletes", "added-equality-deletes", "removed-equality-deletes"};
  for (const ContentFile& file : changes.added) {
    files.added_count.Add(1);
    records.added_count.Add(file.row_count);
    sizes.added_count.Add(file.size_bytes);
  }
  for (const ContentFile& file : changes.deletes) {
    deletes.added_count.Add(1);
    positions.added_count.Add(file.row_count);
    sizes.added_count.Add(file.size_bytes);
  }
  for (const auto& file : changes.removed) {
    files.removed_count.Add(1);
    records.removed_count.Add(static_cast<int64_t>(file->row_count));
    sizes.removed_count.Add(static_cast<int64_t>(file->size_bytes));
  }
  std::map<std::string, std::string> summary;
  for (const Counter& counter : {records, sizes, files, deletes, positions, equality}) {
    const auto put = [&](std::string_view name, std::optional<int64_t> count, int64_t smallest) {
      if (count && *count >= smallest) summary.emplace(name, fmt::to_string(*count));
    };
    put(counter.added, counter.added_count.value(), 1);
    put(counter.removed, counter.removed_count.value(), 1);
    put(counter.total, TotalAfter(parent, counter), 0);
  }
  if (!changes.deletes.empty())
    summary["added-position-delete-files"] = fmt::to_string(changes.deletes.size());
  summary["changed-partition-count"] = fmt::to_string(ChangedPartitions(changes, metadata));
  summary["manifests-created"] = fmt::to_string(manifests.created);
  summary["manifests-kept"] = fmt::to_string(manifests.kept);
  summary["manifests-replaced"] = fmt::to_string(manifests.replaced);
  return summary;
}

}  // namespace weir::iceberg
