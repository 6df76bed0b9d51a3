#pragma once

/// Counters in the summary of a snapshot. Thread rule: pure functions.
/// Spec: Iceberg, Appendix F, "Optional Snapshot Summary Fields".

#include <map>
#include <string>

#include "table/iceberg/manifest_update.h"
#include "table/iceberg/table_metadata.h"
#include "table/table.h"

namespace weir::iceberg {

/// "append", "delete" or "overwrite", by what was added and removed, and by the intent where that was
/// nothing.
std::string OperationOf(const FileChanges& changes, table::Intent intent);

/// Added, removed and total counters, and how many manifests were made, kept and replaced. A total that
/// `parent` (null: no snapshot yet) does not have stays unknown, and what is beyond 64 bits is left out.
std::map<std::string, std::string> SummaryOf(const FileChanges& changes,
                                             const ManifestUpdate::Updated& manifests,
                                             const SnapshotRecord* parent, const TableMetadata& metadata);

}  // namespace weir::iceberg
