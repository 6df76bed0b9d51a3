#pragma once

/// Every file that a table's metadata reaches. Thread rule: pure but for reads.

#include <string>
#include <vector>

#include "table/iceberg/committer.h"
#include "table/iceberg/table_files.h"

namespace weir::iceberg {

/// Locations of data and delete files, manifests, manifest lists, statistics and metadata files of all
/// snapshots, each once, files before what names them. Errors: of reading any of them.
Result<std::vector<std::string>> ReachableFiles(const VersionedMetadata& table, const TableFiles& files);

}  // namespace weir::iceberg
