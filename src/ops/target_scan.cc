#include "ops/target_scan.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_set>

namespace weir::ops {

RowPlace MakeRowPlace(plan::ColumnIds& ids) {
  return {{ids.Next(), "_task", Type::Int(), false}, {ids.Next(), "_pos", Type::Long(), false}};
}

plan::NodePtr ScanRows(const plan::WriteTarget& target, TargetScan scan, const RowPlace& place) {
  plan::FileScan op;
  op.snapshot = target.snapshot;
  op.name = target.name;
  std::vector<plan::Column> output;
  for (size_t position : scan.columns) {
    op.columns.emplace_back(target.snapshot->schema.fields[position].id);
    output.push_back(target.columns[position]);
  }
  op.columns.emplace_back(plan::MetadataColumn::kTask);
  op.columns.emplace_back(plan::MetadataColumn::kPos);
  output.push_back(place.task);
  output.push_back(place.pos);
  op.tasks = std::move(scan.tasks);
  op.predicate = std::move(scan.predicate);
  op.keys = std::move(scan.keys);
  op.selection = std::move(scan.selection);
  return plan::MakeNode(std::move(op), {}, std::move(output));
}

plan::NodePtr ScanKept(const exec::Relation& relation) {
  std::vector<int32_t> all(relation.columns().size());
  std::iota(all.begin(), all.end(), 0);
  return plan::MakeNode(plan::RelationScan{relation.id(), std::move(all)}, {}, relation.columns());
}

plan::NodePtr Pick(plan::NodePtr input, const std::vector<plan::Column>& columns,
                   std::vector<NamedExpr> exprs) {
  plan::Project project;
  std::vector<plan::Column> output = columns;
  for (const plan::Column& column : columns) project.exprs.push_back(plan::ColumnExpr(column));
  for (NamedExpr& named : exprs) {
    project.exprs.push_back(std::move(named.expr));
    output.push_back(std::move(named.column));
  }
  return plan::MakeNode(std::move(project), {std::move(input)}, std::move(output));
}

plan::NodePtr ReadMore(const plan::WriteTarget& target, plan::NodePtr rows, const RowPlace& place,
                       Tasks tasks, const std::vector<size_t>& columns,
                       std::shared_ptr<const plan::RowSelection> selection, plan::ColumnIds& ids) {
  if (columns.empty()) return rows;
  TargetScan scan;
  scan.tasks = std::move(tasks);
  scan.columns = columns;
  scan.selection = std::move(selection);
  const RowPlace read = MakeRowPlace(ids);
  plan::NodePtr payload = ScanRows(target, std::move(scan), read);
  const std::vector<plan::Column> output = Joined(rows->output, ColumnsAt(target, columns));
  const ExprPtr same_place =
      Conjunction({EqualColumns(read.task, place.task), EqualColumns(read.pos, place.pos)});
  return Pick(plan::MakeJoin(std::move(rows), std::move(payload), plan::JoinType::kInner, same_place),
              output);
}

plan::NodePtr MakeRows(const plan::WriteTarget& target, plan::NodePtr input, std::vector<ExprPtr> values,
                       plan::ColumnIds& ids) {
  std::vector<std::string> names;
  for (const plan::Column& column : target.columns) names.push_back(column.name);
  return plan::MakeProject(std::move(input), std::move(values), std::move(names), ids);
}

ExprPtr EqualColumns(const plan::Column& left, const plan::Column& right) {
  return MakePredicate("=", {plan::ColumnExpr(left), plan::ColumnExpr(right)});
}

std::vector<size_t> ColumnsRead(const std::vector<ExprPtr>& exprs, const plan::WriteTarget& target) {
  std::unordered_set<ColumnId> read;
  for (const ExprPtr& expr : exprs) {
    if (expr != nullptr) read.merge(ColumnsOf(*expr));
  }
  std::vector<size_t> positions;
  for (size_t i = 0; i < target.columns.size(); ++i) {
    if (read.contains(target.columns[i].id)) positions.push_back(i);
  }
  return positions;
}

std::vector<plan::Column> ColumnsAt(const plan::WriteTarget& target, const std::vector<size_t>& positions) {
  std::vector<plan::Column> columns;
  for (size_t position : positions) columns.push_back(target.columns[position]);
  return columns;
}

std::vector<plan::Column> Joined(std::vector<plan::Column> a, const std::vector<plan::Column>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<size_t> Without(const std::vector<size_t>& a, const std::vector<size_t>& b) {
  std::vector<size_t> rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

}  // namespace weir::ops
