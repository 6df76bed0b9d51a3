#pragma once

/// A table's metadata as rows, with the columns that Spark shows. Thread rule: pure but for reads.

#include <string_view>

#include "table/iceberg/committer.h"
#include "table/iceberg/manifest_cache.h"
#include "table/iceberg/table_files.h"
#include "table/table.h"

namespace weir::iceberg {

struct MetadataInput {
  const VersionedMetadata& table;
  const SnapshotRecord* snapshot;  ///< The one that files are listed of; null: no files.
};

/// Rows of "snapshots", "history", "refs", "metadata_log_entries", "manifests", "files", "data_files",
/// "delete_files", "entries" or "partitions". Errors: kNotFound for a name that is no metadata table;
/// kUnsupported for the others.
Result<table::Table::MetadataRows> MetadataTable(const MetadataInput& input, std::string_view name,
                                                 const TableFiles& files, ManifestCache& cache);

}  // namespace weir::iceberg
