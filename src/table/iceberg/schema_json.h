#pragma once

/// Schemas, types, partition specs and sort orders as JSON. Private to the codecs of this folder.
/// Thread rule: pure functions. Spec: Iceberg, Appendix C, "Schemas", "Partition Specs", "Sort Orders".

#include "table/iceberg/json_view.h"
#include "table/iceberg/table_metadata.h"

namespace weir::iceberg {

/// Errors: kCorrupt; kUnsupported naming a type that format version 2 does not have.
Result<Schema> ReadSchema(const JsonView& json);
Result<PartitionSpec> ReadPartitionSpec(const JsonView& json);
Result<SortOrder> ReadSortOrder(const JsonView& json);

nlohmann::ordered_json SchemaJson(const Schema& schema);
nlohmann::ordered_json PartitionFieldsJson(const PartitionSpec& spec);
nlohmann::ordered_json PartitionSpecJson(const PartitionSpec& spec);
nlohmann::ordered_json SortOrderJson(const SortOrder& order);

/// The name of a type that is not nested, such as "decimal(9, 2)" or "timestamptz".
std::string PrimitiveTypeName(const Type& type);

}  // namespace weir::iceberg
