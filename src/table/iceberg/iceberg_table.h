#pragma once

/// An Iceberg table of format version 2 behind the shared interface. Thread rule: any thread.

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "storage/stores.h"
#include "table/iceberg/committer.h"
#include "table/iceberg/manifest_cache.h"
#include "table/table.h"

namespace weir::iceberg {

class IcebergTable : public table::Table {
 public:
  struct Services {
    std::shared_ptr<const Stores> stores;
    Clock& clock;
    Random& random;
    /// Shared by the tables of a catalog; null: the table gets its own.
    std::shared_ptr<ManifestCache> manifests = nullptr;
  };
  /// With `staged` metadata the table need not exist: Load then gives an empty snapshot, and the first Commit
  /// creates the table together with its rows, or fails with kExists.
  IcebergTable(Services services, std::shared_ptr<Committer> committer, TableMetadataPtr staged = nullptr);

  Result<table::SnapshotPtr> Load(const table::At& at, Account account, Cancellation cancellation) override;
  Result<table::ScanPlan> Plan(const table::Snapshot& snapshot, const table::ScanRequest& request,
                               Account account, Cancellation cancellation) override;
  std::string NewFilePath(const table::Snapshot& snapshot, const table::PartitionTuple& partition,
                          std::string_view suffix) override;
  Result<table::CommitOutcome> Commit(const table::Change& change, Account account,
                                      Cancellation cancellation) override;
  Result<MetadataRows> Metadata(const table::Snapshot& snapshot, std::string_view name, Account account,
                                Cancellation cancellation) override;

 private:
  Services services_;
  std::shared_ptr<Committer> committer_;
  TableMetadataPtr staged_;
};

}  // namespace weir::iceberg
