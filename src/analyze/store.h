#pragma once

/// Store assignment under the ANSI policy: what may be written into which column. Thread rule: pure
/// functions. Spec: Spark SQL, "ANSI Compliance": store assignment.

#include "analyze/scope.h"

namespace weir::analyze {

/// Where a value goes, for errors.
struct StoreTarget {
  std::string table;      ///< "`cat`.`db`.`t`".
  unresolved::Name path;  ///< Column, and members below it.
  bool by_name = false;   ///< Struct members are matched by name, else by position.
};

/// The value cast to the column's type. A cast that may lose something checks it when it runs.
/// Errors: INCOMPATIBLE_DATA_FOR_TABLE.* naming table and column.
Result<ExprPtr> StoreAs(const ExprPtr& value, const Type& type, const StoreTarget& target, Context& context);

/// INCOMPATIBLE_DATA_FOR_TABLE.<kind> for the target's column, with more parameters.
Error IncompatibleData(std::string_view kind, const StoreTarget& target,
                       std::vector<std::pair<std::string, std::string>> more, std::string message);

}  // namespace weir::analyze
