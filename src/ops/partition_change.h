#pragma once

/// ALTER TABLE .. PARTITION FIELD as a new partition spec. Thread rule: pure functions.
/// Spec: Iceberg, "Partition Evolution".

#include "plan/unresolved.h"
#include "table/table.h"

namespace weir::ops {

/// The default spec with the field added, dropped or replaced. New fields have field id 0; a name that the
/// statement does not give is the one Iceberg's own evolution gives: "id_bucket_16", "data_trunc_4",
/// "ts_day", "category". Errors: kInvalid naming the field: no such column, no such partition field, a name
/// or transform that exists.
Result<table::PartitionSpec> AddField(const table::Snapshot& base,
                                      const unresolved::AlterTable::AddPartitionField& add);
Result<table::PartitionSpec> DropField(const table::Snapshot& base,
                                       const unresolved::AlterTable::DropPartitionField& drop);
Result<table::PartitionSpec> ReplaceField(const table::Snapshot& base,
                                          const unresolved::AlterTable::ReplacePartitionField& replace);

}  // namespace weir::ops
