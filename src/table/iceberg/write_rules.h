#pragma once

/// What table properties say about writing, as data. Thread rule: pure functions.

#include "table/iceberg/table_metadata.h"

namespace weir::iceberg {

/// Errors: kInvalid naming the property.
Status CheckWriteProperties(const TableMetadata& metadata);

/// A part with a wrong property has its defaults: the safest isolation, and no form of delete that needs a
/// choice.
table::WriteRules RulesOrDefault(const Properties& properties);
table::WriteLayout LayoutOrDefault(const TableMetadata& metadata);

}  // namespace weir::iceberg
