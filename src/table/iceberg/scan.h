#pragma once

/// From a snapshot and a request to the files that have to be read. Thread rule: pure but for reads.
/// Spec: Iceberg v2, "Scan Planning".

#include <vector>

#include "table/iceberg/delete_index.h"
#include "table/iceberg/manifest_cache.h"
#include "table/iceberg/pruning.h"
#include "table/iceberg/table_files.h"
#include "table/table.h"

namespace weir::iceberg {

struct ScanInput {
  const TableMetadata& metadata;
  const SnapshotRecord& snapshot;
  FindFieldById find;  ///< Of the schema that is read with, else of any.
};

/// Tasks in manifest order. Manifests are read in parallel and charged as metadata; what is left out is
/// booked as avoided. Errors: kCorrupt, kUnsupported naming the file.
Result<table::ScanPlan> PlanScan(const ScanInput& input, const table::ScanRequest& request,
                                 const TableFiles& files, ManifestCache& cache);

}  // namespace weir::iceberg
