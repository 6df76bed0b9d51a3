#include "table/table.h"

namespace weir::table {

const PartitionSpec* Snapshot::FindSpec(int32_t spec_id) const {
  for (const PartitionSpec& spec : specs) {
    if (spec.spec_id == spec_id) return &spec;
  }
  return nullptr;
}

const PartitionSpec& Snapshot::default_spec() const {
  static const PartitionSpec unpartitioned;
  const PartitionSpec* spec = FindSpec(default_spec_id);
  return spec != nullptr ? *spec : unpartitioned;
}

const Field* Snapshot::FindField(FieldId field_id) const { return FindNested(all_fields, field_id); }

}  // namespace weir::table
