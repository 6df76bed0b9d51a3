#pragma once

/// Result rows of commands: DESCRIBE, SHOW, SET. Thread rule: values.

#include <string_view>
#include <vector>

#include "plan/logical.h"
#include "session/conf.h"
#include "table/table.h"

namespace weir::session {

/// Rows that are known in full.
struct Listing {
  std::vector<plan::Column> columns;
  std::vector<std::vector<Scalar>> rows;
  bool is_report = false;  ///< One value, a text of several lines.
};
Batch ToBatch(const Listing& listing);

/// As Spark 4.1 describes an Iceberg table: col_name, data_type, comment.
Listing DescribeTable(const table::Snapshot& snapshot, std::string_view name, bool extended);
Listing ListTables(const std::vector<std::vector<std::string>>& tables, std::string_view pattern);
Listing ListNamespaces(const std::vector<std::vector<std::string>>& namespaces, std::string_view pattern);
/// key, value: one key (with "<undefined>" if it has no value), or all that are set for an empty key.
Listing ListSettings(const Conf& conf, std::string_view key);
/// One row `plan`.
Listing PlanText(std::string text);

/// SHOW's LIKE: * matches any text, | separates alternatives, case does not matter.
bool MatchesPattern(std::string_view name, std::string_view pattern);

}  // namespace weir::session
