#pragma once

/// Builds the scans of row-level operations: some columns of some files of a table, and where each row lies.
/// Thread rule: pure functions.

#include <memory>
#include <vector>

#include "exec/engine.h"
#include "plan/command.h"
#include "plan/logical.h"

namespace weir::ops {

using Tasks = std::shared_ptr<const std::vector<table::ScanTask>>;

/// The place of a row: index of its task, position in its file.
struct RowPlace {
  plan::Column task;
  plan::Column pos;
};
RowPlace MakeRowPlace(plan::ColumnIds& ids);

struct TargetScan {
  Tasks tasks;
  std::vector<size_t> columns;  ///< Positions in the target's columns.
  ExprPtr predicate;            ///< Over ColumnOf(field id), or null.
  std::shared_ptr<const table::KeySet> keys;
  std::shared_ptr<const plan::RowSelection> selection;
};
/// Output: the wanted columns under the target's own ids, then the place.
plan::NodePtr ScanRows(const plan::WriteTarget& target, TargetScan scan, const RowPlace& place);

/// All columns of kept rows, under the ids they had when they were kept.
plan::NodePtr ScanKept(const exec::Relation& relation);
/// A column and what it is computed by.
struct NamedExpr {
  plan::Column column;
  ExprPtr expr;
};
/// The given columns and expressions of `input`: columns keep their ids, each expression gets the id beside
/// it.
plan::NodePtr Pick(plan::NodePtr input, const std::vector<plan::Column>& columns,
                   std::vector<NamedExpr> exprs = {});

/// The rows of `rows`, which have the place `place`, with further target columns read from `tasks` by
/// position. `selection` holds the places of the rows, task by task.
plan::NodePtr ReadMore(const plan::WriteTarget& target, plan::NodePtr rows, const RowPlace& place,
                       Tasks tasks, const std::vector<size_t>& columns,
                       std::shared_ptr<const plan::RowSelection> selection, plan::ColumnIds& ids);

/// New rows of the table: one value per target column, named as the columns.
plan::NodePtr MakeRows(const plan::WriteTarget& target, plan::NodePtr input, std::vector<ExprPtr> values,
                       plan::ColumnIds& ids);

/// left = right, for two columns of one type.
ExprPtr EqualColumns(const plan::Column& left, const plan::Column& right);

/// Positions of target columns that an expression reads, in order, each once.
std::vector<size_t> ColumnsRead(const std::vector<ExprPtr>& exprs, const plan::WriteTarget& target);
/// The columns at `positions`.
std::vector<plan::Column> ColumnsAt(const plan::WriteTarget& target, const std::vector<size_t>& positions);
/// a followed by b.
std::vector<plan::Column> Joined(std::vector<plan::Column> a, const std::vector<plan::Column>& b);
/// a without what is in b; both sorted.
std::vector<size_t> Without(const std::vector<size_t>& a, const std::vector<size_t>& b);

}  // namespace weir::ops
