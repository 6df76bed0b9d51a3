#pragma once

/// One commit, from a change to a new current snapshot, through races and faults. Thread rule: one thread.
/// Spec: Iceberg, "Optimistic Concurrency"; table properties commit.retry.*, commit.status-check.*.

#include "base/clock.h"
#include "table/iceberg/committer.h"
#include "table/iceberg/manifest_cache.h"
#include "table/iceberg/manifest_update.h"
#include "table/iceberg/table_files.h"
#include "table/table.h"

namespace weir::iceberg {

struct CommitServices {
  Committer& committer;
  const TableFiles& files;  ///< Charged: metadata for reads, commit for writes.
  ManifestCache& cache;
  Clock& clock;
  Random& random;
};

struct CommitRequest {
  const table::Change& change;
  /// What the change was prepared on; absent: a table that is to be created.
  std::optional<VersionedMetadata> base;
  /// Metadata of the table that is to be created; ignored where `base` is there.
  TableMetadataPtr staged;
};

struct Done {
  VersionedMetadata current;
};
using CommitResult = std::variant<Done, table::Conflicted, table::OutcomeNotKnown>;

/// Commits, retrying lost races after a new validation. Unless it succeeds or the outcome is not known, every
/// file that the change or the commit brought is deleted. Errors: kExists if the table to be created exists;
/// kUnavailable when all tries were lost; kInvalid; of the store.
Result<CommitResult> RunCommit(const CommitServices& services, const CommitRequest& request);

}  // namespace weir::iceberg
