#include "table/iceberg/iceberg_table.h"

#include <bitset>

#include "table/iceberg/commit.h"
#include "table/iceberg/metadata_tables.h"
#include "table/iceberg/partitioning.h"
#include "table/iceberg/scan.h"
#include "table/iceberg/snapshot_noun.h"
#include "table/iceberg/write_rules.h"
#include "type/murmur3.h"

namespace weir::iceberg {

namespace {

/// The folders that spread files over an object store: "0110/1100/0011/10101010".
std::string HashFolders(std::string_view name) {
  const std::string bits = std::bitset<20>(static_cast<uint32_t>(Murmur3(name))).to_string();
  return fmt::format("{}/{}/{}/{}", bits.substr(0, 4), bits.substr(4, 4), bits.substr(8, 4), bits.substr(12));
}

/// "db/t" for ".../db/t".
std::string LastTwoFolders(const std::string& location) {
  const size_t last = location.rfind('/');
  if (last == std::string::npos || last == 0) return location.substr(last == 0 ? 1 : 0);
  const size_t before = location.rfind('/', last - 1);
  return before == std::string::npos ? location.substr(last + 1) : location.substr(before + 1);
}

std::string SpreadPath(const table::Snapshot& snapshot, bool with_partition,
                       const std::string& partition_path, const std::string& name) {
  const std::string& root = snapshot.layout.data_location;
  const std::string file = with_partition && !partition_path.empty() ? partition_path + "/" + name : name;
  const std::string folders = HashFolders(file);
  // A location that several tables may share needs the table's name.
  if (!root.starts_with(snapshot.location)) {
    return fmt::format("{}/{}/{}/{}", root, folders, LastTwoFolders(snapshot.location), file);
  }
  return with_partition ? fmt::format("{}/{}/{}", root, folders, file)
                        : fmt::format("{}/{}-{}", root, folders, file);
}

}  // namespace

IcebergTable::IcebergTable(Services services, std::shared_ptr<Committer> committer, TableMetadataPtr staged)
    : services_(std::move(services)), committer_(std::move(committer)), staged_(std::move(staged)) {
  if (services_.manifests == nullptr) {
    services_.manifests = std::make_shared<ManifestCache>(kManifestCacheBytes);
  }
}

Result<table::SnapshotPtr> IcebergTable::Load(const table::At& at, Account account,
                                              Cancellation cancellation) {
  WEIR_TRY(const auto current, committer_->Current(account, cancellation));
  if (current) return MakeSnapshot(*current, true, at);
  if (staged_ == nullptr) return NotFound("{} holds no table", committer_->metadata_location());
  return MakeSnapshot({staged_, "", 0}, false, at);
}

Result<table::ScanPlan> IcebergTable::Plan(const table::Snapshot& snapshot, const table::ScanRequest& request,
                                           Account account, Cancellation cancellation) {
  const SnapshotDetail& detail = DetailOf(snapshot);
  if (!detail.record) return table::ScanPlan();
  const TableMetadata& metadata = *detail.table.metadata;
  const TableFiles files(services_.stores, account.For(Purpose::kMetadata), std::move(cancellation));
  const ScanInput input{metadata, *detail.record, [&](FieldId id) -> const Field* {
                          const Field* field = snapshot.schema.Find(id);
                          return field != nullptr ? field : metadata.FindField(id);
                        }};
  return PlanScan(input, request, files, *services_.manifests);
}

std::string IcebergTable::NewFilePath(const table::Snapshot& snapshot, const table::PartitionTuple& partition,
                                      std::string_view suffix) {
  const PartitionSpec* spec = snapshot.FindSpec(partition.spec_id);
  const std::string partition_path = spec != nullptr && spec->fields.size() == partition.values.size()
                                         ? PartitionPath(*spec, partition.values)
                                         : "";
  const std::string name = services_.random.Uuid() + std::string(suffix);
  // Where a property is wrong the commit is refused.
  const auto object_storage = ObjectStorageLayoutOf(snapshot.properties);
  if (object_storage && object_storage->enabled) {
    return SpreadPath(snapshot, object_storage->partitioned_paths, partition_path, name);
  }
  const std::string& root = snapshot.layout.data_location;
  return partition_path.empty() ? fmt::format("{}/{}", root, name)
                                : fmt::format("{}/{}/{}", root, partition_path, name);
}

Result<table::CommitOutcome> IcebergTable::Commit(const table::Change& change, Account account,
                                                  Cancellation cancellation) {
  if (change.base == nullptr) return Internal("a change without a base snapshot");
  const SnapshotDetail& detail = DetailOf(*change.base);
  const TableFiles files(services_.stores, account, cancellation);
  CommitRequest request{change, {}, detail.table.metadata};
  if (detail.exists) request.base = detail.table;
  const CommitServices services{*committer_, files, *services_.manifests, services_.clock, services_.random};
  WEIR_TRY(CommitResult result, RunCommit(services, request));
  if (auto* lost = std::get_if<table::Conflicted>(&result)) return table::CommitOutcome(std::move(*lost));
  if (auto* unknown = std::get_if<table::OutcomeNotKnown>(&result))
    return table::CommitOutcome(std::move(*unknown));
  WEIR_TRY(auto snapshot, MakeSnapshot(std::get<Done>(result).current, true, table::At()));
  return table::CommitOutcome(table::Committed{std::move(snapshot)});
}

Result<table::Table::MetadataRows> IcebergTable::Metadata(const table::Snapshot& snapshot,
                                                          std::string_view name, Account account,
                                                          Cancellation cancellation) {
  const SnapshotDetail& detail = DetailOf(snapshot);
  const TableFiles files(services_.stores, account.For(Purpose::kMetadata), std::move(cancellation));
  return MetadataTable({detail.table, detail.record ? &*detail.record : nullptr}, name, files,
                       *services_.manifests);
}

}  // namespace weir::iceberg
