#include "ops/file_match.h"

#include "ops/key_derivation.h"

namespace weir::ops {

Bounds BoundsOf(const table::DataFile& file, const table::Snapshot& snapshot) {
  Bounds bounds = file.bounds;
  bounds.row_count = file.row_count;
  const table::PartitionSpec* spec = snapshot.FindSpec(file.partition.spec_id);
  if (spec == nullptr) return bounds;
  for (size_t i = 0; i < spec->fields.size() && i < file.partition.values.size(); ++i) {
    const table::PartitionField& field = spec->fields[i];
    const Field* source = snapshot.schema.Find(field.source_id);
    if (field.transform.kind != Transform::Kind::kIdentity || source == nullptr) continue;
    // A column may have been widened since the file was written.
    const Result<Scalar> value = WidenTo(file.partition.values[i], source->type);
    if (!value || value->is_nan()) continue;
    ColumnBounds& column = bounds.columns[ColumnOf(field.source_id)];
    column.value_count = file.row_count;
    column.may_have_nan = false;
    column.null_count = value->is_null() ? file.row_count : 0;
    if (value->is_null()) continue;
    column.lower = *value;
    column.upper = *value;
    column.exact = true;
  }
  return bounds;
}

Result<FileMatch> MatchFile(const ExprPtr& condition, const table::DataFile& file,
                            const plan::WriteTarget& target) {
  if (condition == nullptr) return FileMatch::kAll;
  if (!CanPrune(*condition, target)) return FileMatch::kSome;
  WEIR_TRY(const ExprPtr predicate, OverFields(condition, target));
  const Outcomes outcomes = Evaluate(*predicate, BoundsOf(file, *target.snapshot));
  if (!outcomes.CanBe(Outcomes::kTrue)) return FileMatch::kNone;
  return outcomes.Only(Outcomes::kTrue) ? FileMatch::kAll : FileMatch::kSome;
}

}  // namespace weir::ops
