#pragma once

/// Table metadata files. Thread rule: pure functions. Spec: Iceberg v2, Appendix C, "Table Metadata and
/// Snapshots".

#include <string>
#include <string_view>

#include "table/iceberg/table_metadata.h"

namespace weir::iceberg {

/// Reads and validates a metadata file; bytes that begin like gzip are uncompressed first.
/// Errors: kCorrupt naming `file` and the JSON pointer; kUnsupported for a format version other than 2 and
/// for types that it does not have.
Result<TableMetadata> ParseTableMetadata(std::string_view bytes, std::string_view file);

/// The JSON text, members in the order of the spec's other implementations.
std::string TableMetadataToJson(const TableMetadata& metadata);

/// Schema and partition fields as manifests carry them in their header.
std::string SchemaToJson(const Schema& schema);
std::string PartitionFieldsToJson(const PartitionSpec& spec);

}  // namespace weir::iceberg
