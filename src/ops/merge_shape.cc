#include "ops/merge_shape.h"

#include <unordered_set>

#include "ops/clauses.h"
#include "ops/target_scan.h"

namespace weir::ops {
namespace {

std::vector<plan::MergeAction> Reachable(const std::vector<plan::MergeAction>& actions) {
  std::vector<plan::MergeAction> reachable;
  for (const plan::MergeAction& action : actions) {
    reachable.push_back(action);
    if (action.condition == nullptr) break;
  }
  return reachable;
}

bool ChecksCardinality(const std::vector<plan::MergeAction>& matched) {
  if (matched.empty()) return false;
  return matched.size() > 1 || matched[0].kind != plan::MergeAction::Kind::kDelete ||
         matched[0].condition != nullptr;
}

template <typename... Lists>
std::vector<ExprPtr> Together(const Lists&... lists) {
  std::vector<ExprPtr> all;
  (all.insert(all.end(), lists.begin(), lists.end()), ...);
  return all;
}

std::vector<plan::Column> SourceColumnsRead(const plan::MergeCommand& command, const MergeShape& shape) {
  std::unordered_set<ColumnId> read = ColumnsOf(*command.condition);
  for (const auto* actions : {&shape.matched, &shape.not_matched}) {
    for (const ExprPtr& expr : Together(ConditionsOf(*actions), ValuesOf(*actions)))
      read.merge(ColumnsOf(*expr));
  }
  std::vector<plan::Column> columns;
  for (const plan::Column& column : command.source->output) {
    if (read.contains(column.id)) columns.push_back(column);
  }
  return columns;
}

}  // namespace

MergeShape ShapeOf(const plan::MergeCommand& command) {
  MergeShape shape;
  const plan::WriteTarget& target = command.target;
  shape.on = SplitOn(command.condition, target);
  shape.matched = Reachable(command.matched);
  shape.not_matched = Reachable(command.not_matched);
  shape.by_source = Reachable(command.not_matched_by_source);
  // Spark looks at the clauses as written, reachable or not.
  shape.check_cardinality = ChecksCardinality(command.matched);

  shape.join_columns = ColumnsRead({command.condition}, target);
  shape.clause_columns = Without(ColumnsRead(ConditionsOf(shape.matched), target), shape.join_columns);
  shape.update_columns = Without(Without(ColumnsRead(ValuesOf(shape.matched), target), shape.join_columns),
                                 shape.clause_columns);
  shape.by_source_columns =
      ColumnsRead(Together(ConditionsOf(shape.by_source), ValuesOf(shape.by_source)), target);
  shape.source_columns = SourceColumnsRead(command, shape);
  return shape;
}

}  // namespace weir::ops
