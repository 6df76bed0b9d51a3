#pragma once

/// Whether commits that came in between make a change wrong. Thread rule: pure but for reads.
/// Spec: Iceberg, "Optimistic Concurrency"; the rules are those of the Java library's row-level operations.

#include <optional>
#include <string>

#include "table/iceberg/manifest_cache.h"
#include "table/iceberg/table_files.h"
#include "table/table.h"

namespace weir::iceberg {

/// The reason why `change`, prepared on snapshot `base` (absent: an empty table), must not be applied to
/// `current`; nothing if it may. Data files in Change::removed are looked for elsewhere (ManifestUpdate).
/// Cost: manifest lists and new manifests of the snapshots in between.
Result<std::optional<std::string>> FindConflict(const table::Change& change,
                                                const std::optional<SnapshotId>& base,
                                                const TableMetadata& current, const TableFiles& files,
                                                ManifestCache& cache);

}  // namespace weir::iceberg
