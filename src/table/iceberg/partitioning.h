#pragma once

/// Partition specs: names, ids, types, paths, and what a partition value says about its source column.
/// Thread rule: pure functions. Spec: Iceberg, "Partitioning", "Partition Evolution", "Scan Planning".

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "expr/bounds.h"
#include "table/iceberg/manifest.h"
#include "table/iceberg/table_metadata.h"

namespace weir::iceberg {

using FindFieldById = std::function<const Field*(FieldId)>;

/// Type of each partition value. A source column that `find` does not know gives kVoid, except where the
/// transform alone decides. Errors: kCorrupt for a transform that its column does not allow.
Result<std::vector<Type>> PartitionTypes(const PartitionSpec& spec, const FindFieldById& find);

/// "id_bucket=3/ts_day=2020-01-01", each name and value encoded as a form value; empty for no fields.
/// Precondition: one value per field.
std::string PartitionPath(const PartitionSpec& spec, const std::vector<Scalar>& values);

/// "ts_day", "id_bucket", ..: names in CREATE TABLE. With `numbered`, as ALTER TABLE names them:
/// "id_bucket_16".
std::string DefaultPartitionName(const std::string& column_path, const Transform& transform, bool numbered);

/// Checks a spec against the schema that it will be used with. `creating` applies the stricter rules of
/// CREATE TABLE: one time transform per column, and no name that a column has. Errors: kInvalid for a column
/// that is missing, nested or repeated, a transform that does not fit it, a name that is empty, used twice or
/// taken, and redundant fields; kUnsupported for unknown transforms.
Status CheckSpec(const PartitionSpec& spec, const Schema& schema, bool creating);

/// What a partition tuple says about the source columns of all `row_count` rows of a file, as Spark's types.
Bounds BoundsOfTuple(const PartitionSpec& spec, const std::vector<Scalar>& values, uint64_t row_count,
                     const FindFieldById& find);
/// The same for all rows of all files of a manifest; `types` as PartitionTypes. What does not decode says
/// nothing.
Bounds BoundsOfSummaries(const PartitionSpec& spec, const std::vector<FieldSummary>& summaries,
                         const std::vector<Type>& types, const FindFieldById& find);

/// The tighter of both for each column; knowledge of either counts.
void Intersect(Bounds& into, const Bounds& other);

}  // namespace weir::iceberg
