#pragma once

/// Values as Spark's show draws them in a table. Thread rule: pure functions.

#include <string>
#include <string_view>

#include "type/scalar.h"

namespace weir {

/// What stands in a cell: NULL as "NULL" at any depth, bytes as "[00 FF]", control characters escaped,
/// anything else as CAST(.. AS STRING) in UTC. Spec: Dataset.show.
std::string CellText(const Scalar& value);

/// Columns that a text takes in a terminal: one per character, two for wide East Asian ones.
size_t DisplayWidth(std::string_view text);

}  // namespace weir
