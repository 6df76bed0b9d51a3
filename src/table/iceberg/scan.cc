#include "table/iceberg/scan.h"

#include "base/executor.h"
#include "table/deletes.h"
#include "table/iceberg/metrics.h"

namespace weir::iceberg {

namespace {

constexpr size_t kParallelReads = 8;

/// What one manifest gives.
struct Listed {
  std::vector<table::DataFilePtr> data;
  std::vector<table::DeleteFilePtr> deletes;
  table::PruneReport pruned;
};

class Planner {
 public:
  Planner(const ScanInput& input, const table::ScanRequest& request, const TableFiles& files,
          ManifestCache& cache)
      : input_(input),
        pruner_(request.predicate, request.keys, input.metadata.specs, input.find),
        files_(files),
        cache_(cache) {}

  Result<table::ScanPlan> Plan() {
    WEIR_TRY(const auto manifests, files_.ReadManifestList(input_.snapshot));
    table::ScanPlan plan;
    WEIR_TRY(const auto wanted, SelectManifests(manifests, plan.pruned));
    std::vector<Listed> listed(wanted.size());
    const auto read = [&](size_t i) -> Status {
      WEIR_DO(files_.cancellation().Check());
      return ReadManifest(*wanted[i].first, *wanted[i].second, listed[i]);
    };
    WEIR_DO(ParallelFor(wanted.size(), kParallelReads, read));
    DeleteIndex index;
    for (Listed& part : listed) {
      for (auto& file : part.deletes) {
        const PartitionSpec* spec = input_.metadata.FindSpec(file->partition.spec_id);
        index.Add(std::move(file), spec == nullptr || IsUnpartitioned(*spec));
      }
    }
    for (Listed& part : listed) {
      for (auto& file : part.data) {
        auto deletes = index.Find(*file);
        plan.tasks.push_back({std::move(file), std::move(deletes)});
      }
      AddUp(plan.pruned, part.pruned);
    }
    Book(plan.pruned);
    return plan;
  }

 private:
  using Selected = std::vector<std::pair<const ManifestFile*, const PartitionSpec*>>;

  Result<Selected> SelectManifests(const std::vector<ManifestFile>& manifests, table::PruneReport& pruned) {
    Selected selected;
    for (const ManifestFile& manifest : manifests) {
      if (!manifest.has_live_files()) continue;
      const PartitionSpec* spec = input_.metadata.FindSpec(manifest.spec_id);
      if (spec == nullptr) {
        return Corrupt("{}: manifest {} has partition spec {}, which the table does not have",
                       input_.snapshot.manifest_list, manifest.path, manifest.spec_id);
      }
      const bool is_data = manifest.content == Content::kData;
      if (is_data) ++pruned.manifests_total;
      if (pruner_.MayMatchManifest(*spec, manifest)) {
        selected.emplace_back(&manifest, spec);
      } else if (is_data) {
        ++pruned.manifests_skipped;
        skipped_manifest_bytes_ += static_cast<uint64_t>(manifest.size_bytes);
        const auto live =
            static_cast<uint64_t>(manifest.added_files.value_or(0) + manifest.existing_files.value_or(0));
        pruned.files_by_manifest += live;
        pruned.files_total += live;
      }
    }
    return selected;
  }

  Status ReadManifest(const ManifestFile& manifest, const PartitionSpec& spec, Listed& listed) {
    WEIR_TRY(const ManifestEntries entries, cache_.Read(manifest, spec, input_.find, files_));
    for (const ManifestEntry& entry : *entries) {
      if (!entry.is_live()) continue;
      if (manifest.content == Content::kData) {
        AddData(entry, manifest, spec, listed);
      } else {
        AddDelete(entry, manifest, spec, listed);
      }
    }
    return {};
  }

  void AddData(const ManifestEntry& entry, const ManifestFile& manifest, const PartitionSpec& spec,
               Listed& listed) {
    const auto size_bytes = static_cast<uint64_t>(entry.file.size_bytes);
    ++listed.pruned.files_total;
    listed.pruned.table_bytes += size_bytes;
    const Bounds partition = BoundsOfTuple(spec, entry.file.partition.values,
                                           static_cast<uint64_t>(entry.file.row_count), input_.find);
    if (!pruner_.MayMatch(partition) || !pruner_.MayMatchPartition(spec, entry.file.partition.values)) {
      ++listed.pruned.files_by_partition;
      listed.pruned.bytes_by_partition += size_bytes;
      return;
    }
    Bounds bounds = BoundsOf(entry.file, input_.find);
    Intersect(bounds, partition);
    if (!pruner_.MayMatch(bounds)) {
      ++listed.pruned.files_by_bounds;
      listed.pruned.bytes_by_bounds += size_bytes;
      return;
    }
    listed.data.push_back(ToDataFile(entry, manifest.path, std::move(bounds)));
  }

  void AddDelete(const ManifestEntry& entry, const ManifestFile& manifest, const PartitionSpec& spec,
                 Listed& listed) {
    // A file that applies to its own partition only is not needed when nothing of the partition is.
    if (!IsUnpartitioned(spec)) {
      const Bounds partition = BoundsOfTuple(spec, entry.file.partition.values, 1, input_.find);
      if (!pruner_.MayMatch(partition) || !pruner_.MayMatchPartition(spec, entry.file.partition.values))
        return;
    }
    listed.deletes.push_back(ToDeleteFile(entry, manifest.path, DeleteBounds(entry.file)));
  }

  Bounds DeleteBounds(const ContentFile& file) const {
    if (file.kind == ContentFile::Kind::kEqualityDeletes) return BoundsOf(file, input_.find);
    static const std::vector<Field> fields = table::PositionDeleteFields();
    return BoundsOf(file, [](FieldId id) -> const Field* {
      for (const Field& field : fields) {
        if (field.id == id) return &field;
      }
      return nullptr;
    });
  }

  static void AddUp(table::PruneReport& total, const table::PruneReport& part) {
    total.files_total += part.files_total;
    total.files_by_partition += part.files_by_partition;
    total.bytes_by_partition += part.bytes_by_partition;
    total.files_by_bounds += part.files_by_bounds;
    total.bytes_by_bounds += part.bytes_by_bounds;
    total.table_bytes += part.table_bytes;
  }

  void Book(const table::PruneReport& pruned) const {
    const Account& account = files_.account();
    if (pruned.files_by_manifest > 0) {
      account.Avoid(AvoidReason::kManifest, pruned.files_by_manifest, skipped_manifest_bytes_);
    }
    if (pruned.files_by_partition > 0) {
      account.Avoid(AvoidReason::kPartition, pruned.files_by_partition, pruned.bytes_by_partition);
    }
    if (pruned.files_by_bounds > 0) {
      account.Avoid(AvoidReason::kBounds, pruned.files_by_bounds, pruned.bytes_by_bounds);
    }
  }

  const ScanInput& input_;
  Pruner pruner_;
  const TableFiles& files_;
  ManifestCache& cache_;
  uint64_t skipped_manifest_bytes_ = 0;
};

}  // namespace

Result<table::ScanPlan> PlanScan(const ScanInput& input, const table::ScanRequest& request,
                                 const TableFiles& files, ManifestCache& cache) {
  return Planner(input, request, files, cache).Plan();
}

}  // namespace weir::iceberg
