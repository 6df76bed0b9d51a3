#pragma once

/// The shared noun for a state of an Iceberg table: metadata translated into rules. Thread rule: pure
/// functions.

#include <optional>

#include "table/iceberg/committer.h"
#include "table/table.h"

namespace weir::iceberg {

/// What this format keeps behind table::Snapshot.
struct SnapshotDetail : table::FormatDetail {
  VersionedMetadata table;
  bool exists = true;  ///< False: the table is staged and has no metadata file yet.
  std::optional<SnapshotRecord> record;
};
/// Precondition: the snapshot was made by this format.
const SnapshotDetail& DetailOf(const table::Snapshot& snapshot);

/// Errors: kNotFound for a version, time or reference that does not exist.
Result<table::SnapshotPtr> MakeSnapshot(const VersionedMetadata& table, bool exists, const table::At& at);

}  // namespace weir::iceberg
