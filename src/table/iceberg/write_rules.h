#pragma once

/// What table properties say about writing, as data. Thread rule: pure functions.

#include "table/iceberg/table_metadata.h"

namespace weir::iceberg {

/// Errors: kInvalid naming the property.
Status CheckWriteProperties(const TableMetadata& metadata);

/// Errors: kInvalid naming the property.
Result<table::WriteRules> WriteRulesOf(const Properties& properties);
/// The defaults where a property is wrong.
table::WriteLayout LayoutOrDefault(const TableMetadata& metadata);
/// Whether new files are spread over folders named by hashes, and whether those have partition folders below.
struct ObjectStorageLayout {
  bool enabled = false;
  bool partitioned_paths = true;
};
/// Errors: kInvalid naming the property.
Result<ObjectStorageLayout> ObjectStorageLayoutOf(const Properties& properties);

}  // namespace weir::iceberg
