#pragma once

/// The table that a statement writes to. Thread rule: one thread.

#include "analyze/scope.h"
#include "plan/command.h"

namespace weir::analyze {

struct Target {
  plan::WriteTarget write;
  Scope scope;              ///< Its columns, under the alias or the full name.
  std::string quoted_name;  ///< "`cat`.`db`.`t`".
};

/// DEFAULT for a column that has none and cannot be NULL.
Error NoDefault(const std::string& column);

/// Errors: TABLE_OR_VIEW_NOT_FOUND; kUnsupported for what is no table (files by path, metadata tables).
Result<Target> ResolveTarget(const unresolved::Name& name, const std::string& alias, Context& context);

/// The position of a top-level column. Errors: UNRESOLVED_COLUMN.
Result<size_t> ColumnPosition(const Target& target, const std::string& name);

/// One assignment of SET or of an INSERT column list: where to, and the value before store assignment (null:
/// DEFAULT).
struct ResolvedAssignment {
  std::vector<size_t> path;  ///< Position of the column, then of struct members.
  unresolved::Name names;    ///< The same path by name.
  ExprPtr value;
};
/// Resolves the left side among `names`, which look into the target's scope. Errors: UNRESOLVED_COLUMN,
/// FIELD_NOT_FOUND; kUnsupported below arrays and maps.
Result<ResolvedAssignment> ResolveAssignmentKey(const unresolved::Name& name, const Names& names,
                                                const Target& target);

/// A value for every column: assigned ones by store assignment, others from `otherwise` (null expressions
/// there mean that a value is needed). Errors: INVALID_ROW_LEVEL_OPERATION_ASSIGNMENTS,
/// INCOMPATIBLE_DATA_FOR_TABLE.
Result<std::vector<ExprPtr>> AssignColumns(const Target& target,
                                           const std::vector<ResolvedAssignment>& assignments,
                                           const std::vector<ExprPtr>& otherwise, Context& context);

/// The value of an assignment; nullptr for DEFAULT.
Result<ExprPtr> ResolveAssignmentValue(const unresolved::Expr& value, const Names& names, Context& context);

}  // namespace weir::analyze
