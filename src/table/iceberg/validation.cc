#include "table/iceberg/validation.h"

#include <algorithm>
#include <functional>
#include <set>

#include "table/iceberg/delete_index.h"
#include "table/iceberg/metrics.h"
#include "table/iceberg/pruning.h"

namespace weir::iceberg {

namespace {

using Conflict = std::optional<std::string>;
using Operations = std::set<std::string_view>;

class Validator {
 public:
  Validator(const table::Change& change, const TableMetadata& current, const TableFiles& files,
            ManifestCache& cache)
      : change_(change),
        current_(current),
        files_(files),
        cache_(cache),
        find_([&current](FieldId id) { return current.FindField(id); }),
        pruner_(change.read ? change.read->predicate : kNoPredicate, kNoKeys, current.specs, find_) {}

  Result<Conflict> Validate(const std::optional<SnapshotId>& base) {
    if (!change_.read && change_.removed.empty() && change_.added_deletes.empty()) return Conflict();
    Conflict conflict = CollectHistory(base);
    if (conflict || history_.empty()) return conflict;
    WEIR_TRY(conflict, FindRemovedReferences());
    if (conflict) return conflict;
    WEIR_TRY(conflict, FindNewDeletes());
    if (conflict || !is_serializable()) return conflict;
    WEIR_TRY(conflict, FindRemovedData());
    if (conflict) return conflict;
    return FindNewData();
  }

 private:
  bool is_serializable() const {
    return change_.read && change_.read->isolation == table::Isolation::kSerializable;
  }

  /// Whether rows that were there decided about rows that are added: a key that a MERGE found is not
  /// inserted, even if nothing happens to the row itself. The Java library does not look at such rows.
  bool DependsOnRowsThatStay() const {
    return is_serializable() &&
           (change_.intent == table::Intent::kMerge || change_.intent == table::Intent::kAppend);
  }

  /// Fills history_ with the snapshots after `base`, newest first.
  Conflict CollectHistory(const std::optional<SnapshotId>& base) {
    std::optional<SnapshotId> id = current_.current_snapshot_id;
    while (id != base) {
      const SnapshotRecord* snapshot = id ? current_.FindSnapshot(*id) : nullptr;
      if (snapshot == nullptr || history_.size() > current_.snapshots.size()) {
        return fmt::format(
            "snapshot {}, which this change was made from, is not an ancestor of the current snapshot {}",
            base ? fmt::to_string(base->value) : "none",
            current_.current_snapshot_id ? fmt::to_string(current_.current_snapshot_id->value) : "none");
      }
      history_.push_back(snapshot);
      id = snapshot->parent;
    }
    return std::nullopt;
  }

  /// Calls `visit` for each entry of the manifests that a snapshot of `operations` added.
  Status ForEachNewEntry(
      Content content, const Operations& operations, const std::function<bool(const ManifestFile&)>& wanted,
      const std::function<void(const ManifestEntry&, const ManifestFile&, const PartitionSpec&)>& visit) {
    for (const SnapshotRecord* snapshot : history_) {
      // A snapshot without a summary may have done anything.
      if (!snapshot->operation.empty() && !operations.contains(snapshot->operation)) continue;
      WEIR_TRY(const auto manifests, files_.ReadManifestList(*snapshot));
      for (const ManifestFile& manifest : manifests) {
        if (manifest.content != content || manifest.added_snapshot_id != snapshot->id || !wanted(manifest))
          continue;
        const PartitionSpec* spec = current_.FindSpec(manifest.spec_id);
        if (spec == nullptr)
          return Corrupt("manifest {}: unknown partition spec {}", manifest.path, manifest.spec_id);
        WEIR_TRY(const ManifestEntries entries, cache_.Read(manifest, *spec, find_, files_));
        for (const ManifestEntry& entry : *entries) {
          if (entry.snapshot_id == snapshot->id) visit(entry, manifest, *spec);
        }
      }
    }
    return {};
  }

  Result<Conflict> FindRemovedReferences() {
    std::set<std::string> referenced(change_.referenced_files.begin(), change_.referenced_files.end());
    for (const auto& deletes : change_.added_deletes) {
      if (deletes.file.referenced_data_file) referenced.insert(*deletes.file.referenced_data_file);
    }
    if (referenced.empty()) return Conflict();
    // Rows of a file that a concurrent DELETE dropped are gone, which is what this DELETE wants too.
    Operations operations = {"overwrite", "replace"};
    if (change_.intent != table::Intent::kDelete) operations.insert("delete");
    Conflict conflict;
    WEIR_DO(ForEachNewEntry(
        Content::kData, operations, [](const ManifestFile& manifest) { return manifest.has_deleted_files(); },
        [&](const ManifestEntry& entry, const ManifestFile&, const PartitionSpec&) {
          if (entry.status != ManifestEntry::Status::kDeleted || !referenced.contains(entry.file.path))
            return;
          conflict = fmt::format("another commit removed data file {}, of which this change deletes rows",
                                 entry.file.path);
        }));
    return conflict;
  }

  Result<Conflict> FindNewDeletes() {
    const bool any_matters = DependsOnRowsThatStay() || change_.intent == table::Intent::kUpdate ||
                             change_.intent == table::Intent::kMerge ||
                             (change_.intent == table::Intent::kOverwrite && change_.read);
    if (change_.removed.empty() && !any_matters) return Conflict();
    DeleteIndex index;
    Conflict conflict;
    WEIR_DO(ForEachNewEntry(
        Content::kDeletes, {"overwrite", "delete"},
        [](const ManifestFile& manifest) { return manifest.has_added_files(); },
        [&](const ManifestEntry& entry, const ManifestFile& manifest, const PartitionSpec& spec) {
          if (!entry.is_live()) return;
          if (any_matters && MayMatch(entry, spec, IsUnpartitioned(spec))) {
            conflict = fmt::format("another commit deleted rows that this change may have read ({}): {}",
                                   PredicateText(), entry.file.path);
          }
          Bounds bounds = BoundsOf(entry.file, find_);
          index.Add(ToDeleteFile(entry, manifest.path, std::move(bounds)), IsUnpartitioned(spec));
        }));
    if (conflict) return conflict;
    for (const auto& file : change_.removed) {
      if (!index.Find(*file).empty()) {
        return Conflict(fmt::format("another commit deleted rows of data file {}, which this change replaces",
                                    file->path));
      }
    }
    return Conflict();
  }

  Result<Conflict> FindRemovedData() {
    if (!DependsOnRowsThatStay()) return Conflict();
    Conflict conflict;
    WEIR_DO(ForEachNewEntry(
        Content::kData, {"overwrite", "delete"},
        [](const ManifestFile& manifest) { return manifest.has_deleted_files(); },
        [&](const ManifestEntry& entry, const ManifestFile&, const PartitionSpec& spec) {
          if (entry.status != ManifestEntry::Status::kDeleted || !MayMatch(entry, spec, false)) return;
          conflict =
              fmt::format("another commit removed files with rows that this change may have read ({}): {}",
                          PredicateText(), entry.file.path);
        }));
    return conflict;
  }

  Result<Conflict> FindNewData() {
    std::vector<std::string> paths;
    WEIR_DO(ForEachNewEntry(
        Content::kData, {"append", "overwrite"},
        [](const ManifestFile& manifest) { return manifest.has_added_files(); },
        [&](const ManifestEntry& entry, const ManifestFile&, const PartitionSpec& spec) {
          if (entry.status == ManifestEntry::Status::kAdded && MayMatch(entry, spec, false)) {
            paths.push_back(entry.file.path);
          }
        }));
    if (paths.empty()) return Conflict();
    return Conflict(
        fmt::format("another commit added files with rows that this change may have had to read ({}): {}",
                    PredicateText(), fmt::join(paths, ", ")));
  }

  /// Whether the file may hold or touch rows that were read. `everywhere`: it applies to all partitions.
  bool MayMatch(const ManifestEntry& entry, const PartitionSpec& spec, bool everywhere) const {
    if (change_.read && change_.read->partitions && !everywhere) {
      const auto& partitions = *change_.read->partitions;
      if (std::find(partitions.begin(), partitions.end(), entry.file.partition) == partitions.end())
        return false;
    }
    Bounds bounds;
    if (entry.file.kind != ContentFile::Kind::kPositionDeletes) bounds = BoundsOf(entry.file, find_);
    if (everywhere) return pruner_.MayMatch(bounds);
    Intersect(bounds,
              BoundsOfTuple(spec, entry.file.partition.values,
                            static_cast<uint64_t>(std::max<int64_t>(1, entry.file.row_count)), find_));
    return pruner_.MayMatch(bounds) && pruner_.MayMatchPartition(spec, entry.file.partition.values);
  }

  std::string PredicateText() const {
    if (change_.read && change_.read->partitions)
      return fmt::format("{} partitions", change_.read->partitions->size());
    return change_.read && change_.read->predicate ? ToString(*change_.read->predicate) : "true";
  }

  static inline const ExprPtr kNoPredicate;
  static inline const std::optional<table::KeySet> kNoKeys;

  const table::Change& change_;
  const TableMetadata& current_;
  const TableFiles& files_;
  ManifestCache& cache_;
  FindFieldById find_;
  Pruner pruner_;
  std::vector<const SnapshotRecord*> history_;
};

}  // namespace

Result<std::optional<std::string>> FindConflict(const table::Change& change,
                                                const std::optional<SnapshotId>& base,
                                                const TableMetadata& current, const TableFiles& files,
                                                ManifestCache& cache) {
  return Validator(change, current, files, cache).Validate(base);
}

}  // namespace weir::iceberg
