#include "table/iceberg/commit.h"

#include <algorithm>
#include <set>

#include "table/iceberg/metadata_update.h"
#include "table/iceberg/metrics.h"
#include "table/iceberg/summary.h"
#include "table/iceberg/validation.h"
#include "table/iceberg/write_rules.h"

namespace weir::iceberg {

namespace {

constexpr int64_t kWaitSliceMs = 100;
constexpr int64_t kLongestWaitMs = 24 * 60 * 60'000;

struct RetryPolicy {
  int64_t retries = 4;
  int64_t min_wait_ms = 100;
  int64_t max_wait_ms = 60'000;
  int64_t total_ms = 30 * 60'000;
};

Result<RetryPolicy> ReadRetryPolicy(const Properties& properties) {
  RetryPolicy policy;
  WEIR_TRY(policy.retries, IntegerProperty(properties, "commit.retry.num-retries", policy.retries));
  WEIR_TRY(policy.min_wait_ms, IntegerProperty(properties, "commit.retry.min-wait-ms", policy.min_wait_ms));
  WEIR_TRY(policy.max_wait_ms, IntegerProperty(properties, "commit.retry.max-wait-ms", policy.max_wait_ms));
  WEIR_TRY(policy.total_ms, IntegerProperty(properties, "commit.retry.total-timeout-ms", policy.total_ms));
  return policy;
}

/// Spark's values of uuid and fixed columns are of other types, and the transforms of those differ.
Status CheckPartitionSources(const PartitionSpec& spec, const TableMetadata& metadata) {
  for (const PartitionField& field : spec.fields) {
    if (field.transform.kind == Transform::Kind::kUnknown) {
      return Unsupported("partition transform '{}' is not supported for writing", field.transform.name);
    }
    const Field* source = metadata.FindField(field.source_id);
    if (source == nullptr || field.transform.kind == Transform::Kind::kVoid) continue;
    if (source->type.kind() == TypeKind::kUuid || source->type.kind() == TypeKind::kFixed) {
      return Unsupported("partition field {}: type {} is not supported for writing", field.name,
                         source->type.ToString());
    }
  }
  return {};
}

Result<const PartitionSpec*> SpecOf(const PartitionTuple& partition, const std::string& path,
                                    const TableMetadata& metadata) {
  const PartitionSpec* spec = metadata.FindSpec(partition.spec_id);
  if (spec == nullptr || spec->fields.size() != partition.values.size()) {
    return Internal("new file {}: {} partition values for spec {}", path, partition.values.size(),
                    partition.spec_id);
  }
  return spec;
}

Result<ContentFile> ToContentFile(const table::NewDataFile& added, const MetricsConfig& config,
                                  const TableMetadata& metadata) {
  const table::DataFile& file = added.file;
  WEIR_TRY(const PartitionSpec* spec, SpecOf(file.partition, file.path, metadata));
  WEIR_DO(CheckPartitionSources(*spec, metadata));
  ContentFile content;
  content.path = file.path;
  content.format = file.format;
  content.partition = file.partition;
  content.row_count = static_cast<int64_t>(file.row_count);
  content.size_bytes = static_cast<int64_t>(file.size_bytes);
  if (!file.split_offsets.empty()) content.split_offsets = file.split_offsets;
  content.sort_order_id = file.sort_order_id.value_or(0);
  SetDataMetrics(added.metrics, config, metadata.current_schema(), content);
  return content;
}

Result<ContentFile> ToContentFile(const table::NewDeleteFile& added, const TableMetadata& metadata) {
  const table::DeleteFile& file = added.file;
  if (file.kind != table::DeleteFile::Kind::kPosition) {
    return Unsupported("new file {}: equality deletes are not supported for writing", file.path);
  }
  WEIR_TRY([[maybe_unused]] const PartitionSpec* spec, SpecOf(file.partition, file.path, metadata));
  ContentFile content;
  content.kind = ContentFile::Kind::kPositionDeletes;
  content.path = file.path;
  content.format = file.format;
  content.partition = file.partition;
  content.row_count = static_cast<int64_t>(file.row_count);
  content.size_bytes = static_cast<int64_t>(file.size_bytes);
  content.referenced_data_file = file.referenced_data_file;
  SetDeleteMetrics(added.metrics, content);
  return content;
}

/// What new files of the table would have to be and are not here: at their places, encrypted, in its order.
Status CheckWritable(const TableMetadata& metadata) {
  for (const std::string_view name :
       {std::string_view("write.location-provider.impl"), std::string_view("write.object-storage.path"),
        std::string_view("write.folder-storage.path"), kEncryptionKey}) {
    if (metadata.properties.contains(name))
      return Unsupported("table property {} is not supported for writing", name);
  }
  const int32_t order_id = metadata.default_sort_order_id;
  const bool known = order_id == 0 || std::ranges::any_of(metadata.sort_orders, [&](const SortOrder& order) {
                       return order.order_id == order_id;
                     });
  if (!known) {
    return Corrupt("{}: its metadata names default-sort-order-id {}, which is not in sort-orders",
                   metadata.location, order_id);
  }
  return CheckWriteProperties(metadata);
}

class CommitRun {
 public:
  CommitRun(const CommitServices& services, const CommitRequest& request)
      : services_(services),
        change_(request.change),
        request_(request),
        metadata_files_(services.files.For(Purpose::kMetadata)),
        commit_files_(services.files.For(Purpose::kCommit)),
        commit_uuid_(services.random.Uuid()) {}

  Result<CommitResult> Run() {
    auto result = TryUntilDecided();
    const bool keep_files = result && (std::holds_alternative<Done>(*result) ||
                                       std::holds_alternative<table::OutcomeNotKnown>(*result));
    if (!keep_files) DeleteEverything();
    return result;
  }

 private:
  const TableMetadata& base() const { return request_.base ? *request_.base->metadata : *request_.staged; }

  /// A snapshot is made unless only metadata changes.
  bool MakesSnapshot() const {
    return !change_.metadata || !change_.added.empty() || !change_.added_deletes.empty() ||
           !change_.removed.empty();
  }

  Status Prepare() {
    if (request_.base && change_.base->id != base().current_snapshot_id) {
      return Unsupported(
          "a commit to {} on a snapshot that is not current: branches are not supported for writing",
          base().location);
    }
    std::set<std::string> referenced(change_.referenced_files.begin(), change_.referenced_files.end());
    for (const auto& file : change_.removed) {
      if (referenced.contains(file->path)) {
        return Internal("data file {} is to be removed, and new delete files name it", file->path);
      }
    }
    // A change of properties in the same commit decides about its statistics.
    TableMetadata written_with = base();
    if (change_.metadata) WEIR_DO(ApplySchemaChange(*change_.metadata, written_with));
    if (MakesSnapshot()) WEIR_DO(CheckWritable(written_with));
    WEIR_TRY(policy_, ReadRetryPolicy(written_with.properties));
    const MetricsConfig config = MetricsConfig::For(written_with);
    for (const auto& file : change_.added) {
      WEIR_TRY(ContentFile content, ToContentFile(file, config, written_with));
      files_.added.push_back(std::move(content));
    }
    for (const auto& file : change_.added_deletes) {
      WEIR_TRY(ContentFile content, ToContentFile(file, written_with));
      files_.deletes.push_back(std::move(content));
    }
    files_.removed = change_.removed;
    return {};
  }

  Result<CommitResult> TryUntilDecided() {
    WEIR_DO(Prepare());
    const int64_t started_us = services_.clock.NowMicros();
    const int64_t longest_ms = std::clamp<int64_t>(policy_.max_wait_ms, 1, kLongestWaitMs);
    int64_t wait_ms = std::clamp<int64_t>(policy_.min_wait_ms, 1, longest_ms);
    for (int64_t attempt = 0;; ++attempt) {
      WEIR_DO(services_.files.cancellation().Check());
      WEIR_TRY(auto decided, Attempt(attempt + 1));
      if (decided) return *std::move(decided);
      const int64_t waited_ms = (services_.clock.NowMicros() - started_us) / 1000;
      if (attempt >= policy_.retries || waited_ms >= policy_.total_ms) {
        return Unavailable("commit to {} lost {} races in {} ms and gives up", base().location, attempt + 1,
                           waited_ms);
      }
      // Up to a tenth more, so that two losers do not meet again.
      const auto jitter =
          static_cast<int64_t>(services_.random.Next() % static_cast<uint64_t>(wait_ms / 10 + 1));
      WEIR_DO(Wait(wait_ms + jitter));
      wait_ms = std::min(longest_ms, wait_ms * 2);
    }
  }

  /// In slices, so that a cancellation is noticed.
  Status Wait(int64_t total_ms) {
    for (int64_t left_ms = total_ms; left_ms > 0; left_ms -= kWaitSliceMs) {
      WEIR_DO(services_.files.cancellation().Check());
      services_.clock.SleepMicros(std::min(left_ms, kWaitSliceMs) * 1000);
    }
    return {};
  }

  /// Nothing if the race was lost.
  Result<std::optional<CommitResult>> Attempt(int64_t attempt) {
    WEIR_TRY(const auto current,
             services_.committer.Current(services_.files.account(), services_.files.cancellation()));
    WEIR_TRY(auto conflict, FindConflictWith(current));
    if (conflict) return std::optional<CommitResult>(table::Conflicted{*std::move(conflict)});
    TableMetadata next = current ? *current->metadata : *request_.staged;
    const int64_t now_ms = std::max(services_.clock.NowMicros() / 1000, next.last_updated_ms);
    if (change_.metadata) {
      WEIR_DO(ApplySchemaChange(*change_.metadata, next));
      WEIR_DO(CheckWriteProperties(next));
    }
    next.last_updated_ms = now_ms;
    if (MakesSnapshot()) {
      WEIR_TRY(conflict, MakeSnapshot(attempt, now_ms, next));
      if (conflict) return std::optional<CommitResult>(table::Conflicted{*std::move(conflict)});
    }
    std::vector<std::string> outdated;
    if (current) {
      WEIR_TRY(outdated, LogMetadataFile({current->metadata->last_updated_ms, current->file}, next));
    }
    WEIR_TRY(ReplaceOutcome outcome, services_.committer.Replace(current, next, services_.files.account(),
                                                                 services_.files.cancellation()));
    if (auto* unknown = std::get_if<NotKnown>(&outcome)) {
      return std::optional<CommitResult>(table::OutcomeNotKnown{std::move(unknown->reason)});
    }
    auto* replaced = std::get_if<Replaced>(&outcome);
    if (replaced == nullptr) return std::optional<CommitResult>();
    CleanUp(next, outdated);
    return std::optional<CommitResult>(Done{std::move(replaced->current)});
  }

  Result<std::optional<std::string>> FindConflictWith(const std::optional<VersionedMetadata>& current) {
    using Conflict = std::optional<std::string>;
    if (!request_.base) {
      if (current) return Exists("table {} exists already", base().location);
      return Conflict();
    }
    if (!current) return NotFound("table {} does not exist any more", base().location);
    const TableMetadata& now = *current->metadata;
    if (now.table_uuid != base().table_uuid) return Conflict("the table was dropped and created again");
    if (change_.metadata && change_.metadata->spec &&
        (now.default_spec_id != base().default_spec_id ||
         now.current_schema_id != base().current_schema_id)) {
      return Conflict(fmt::format(
          "another commit changed the partition spec: this change was made for spec {}, now it is {}",
          base().default_spec_id, now.default_spec_id));
    }
    // Replacing a table keeps ids of columns by name, whatever their types.
    if (!change_.added.empty() && now.current_schema_id != base().current_schema_id) {
      const Status fits = CheckEvolution(base().current_schema(), now.current_schema());
      if (!fits) {
        return Conflict(
            fmt::format("the new files do not fit the table's current schema: {}", fits.error().message()));
      }
    }
    return FindConflict(change_, change_.base->id, now, metadata_files_, services_.cache);
  }

  /// Writes manifests and their list, and adds the snapshot to `next`. Returns a conflict if removed files
  /// are gone.
  Result<std::optional<std::string>> MakeSnapshot(int64_t attempt, int64_t now_ms, TableMetadata& next) {
    if (!manifests_) {
      snapshot_id_ = NewSnapshotId(next);
      manifests_.emplace(files_, snapshot_id_, commit_uuid_, services_.committer.metadata_location(),
                         metadata_files_, services_.cache, services_.random);
    }
    WEIR_TRY(const ManifestUpdate::Updated updated, manifests_->Apply(next));
    if (!updated.missing.empty()) {
      return std::optional<std::string>(
          fmt::format("files to remove are no longer in the table: {}", fmt::join(updated.missing, ", ")));
    }
    if (next.last_sequence_number.value == INT64_MAX) {
      return Corrupt("{}: no sequence number is left after {}", services_.committer.metadata_location(),
                     next.last_sequence_number.value);
    }
    const SnapshotRecord* parent = next.current_snapshot();
    SnapshotRecord snapshot;
    snapshot.id = snapshot_id_;
    if (parent != nullptr) snapshot.parent = parent->id;
    snapshot.sequence_number = SequenceNumber{next.last_sequence_number.value + 1};
    snapshot.timestamp_ms = now_ms;
    snapshot.manifest_list = fmt::format("{}/snap-{}-{}-{}.avro", services_.committer.metadata_location(),
                                         snapshot_id_.value, attempt, commit_uuid_);
    snapshot.operation = OperationOf(files_, change_.intent);
    snapshot.summary = SummaryOf(files_, updated, parent, next);
    snapshot.summary["engine-name"] = "weir";
    for (const auto& [name, value] : change_.summary) snapshot.summary[name] = value;
    snapshot.schema_id = next.current_schema_id;
    WEIR_TRY(const std::string bytes,
             WriteManifestList(updated.manifests, {snapshot.id, snapshot.parent, snapshot.sequence_number},
                               services_.random));
    lists_.push_back(snapshot.manifest_list);
    used_manifests_.clear();
    for (const ManifestFile& manifest : updated.manifests) used_manifests_.insert(manifest.path);
    WEIR_DO(commit_files_.Write(snapshot.manifest_list, bytes));
    AddSnapshot(std::move(snapshot), next);
    return std::optional<std::string>();
  }

  SnapshotId NewSnapshotId(const TableMetadata& metadata) const {
    while (true) {
      const SnapshotId id{static_cast<int64_t>(services_.random.Next() & INT64_MAX)};
      if (id.value != 0 && metadata.FindSnapshot(id) == nullptr) return id;
    }
  }

  /// After success: what other attempts left behind, and metadata files that fell out of the log. A failure
  /// leaves garbage, which is no reason to report the commit as failed.
  void CleanUp(const TableMetadata& committed, const std::vector<std::string>& outdated) {
    std::vector<std::string> garbage;
    if (manifests_) {
      for (const std::string& path : manifests_->written()) {
        if (!used_manifests_.contains(path)) garbage.push_back(path);
      }
    }
    for (size_t i = 0; i + 1 < lists_.size(); ++i) garbage.push_back(lists_[i]);
    const auto files_go_away = DeletesOldMetadata(committed.properties);
    if (files_go_away && *files_go_away) garbage.insert(garbage.end(), outdated.begin(), outdated.end());
    if (!garbage.empty()) static_cast<void>(commit_files_.Delete(garbage));
  }

  void DeleteEverything() {
    std::vector<std::string> garbage = lists_;
    if (manifests_) garbage.insert(garbage.end(), manifests_->written().begin(), manifests_->written().end());
    for (const auto& file : change_.added) garbage.push_back(file.file.path);
    for (const auto& file : change_.added_deletes) garbage.push_back(file.file.path);
    if (garbage.empty()) return;
    // Even a cancelled commit cleans up.
    const TableFiles files = commit_files_.With(Cancellation());
    static_cast<void>(files.Delete(garbage));
  }

  const CommitServices& services_;
  const table::Change& change_;
  const CommitRequest& request_;
  const TableFiles metadata_files_;
  const TableFiles commit_files_;
  const std::string commit_uuid_;
  RetryPolicy policy_;
  FileChanges files_;
  SnapshotId snapshot_id_;
  std::optional<ManifestUpdate> manifests_;
  std::vector<std::string> lists_;
  std::set<std::string> used_manifests_;
};

}  // namespace

Result<CommitResult> RunCommit(const CommitServices& services, const CommitRequest& request) {
  return CommitRun(services, request).Run();
}

}  // namespace weir::iceberg
