#include <algorithm>

#include "plan/rewrite.h"

namespace weir::plan {
namespace {

using Wanted = std::unordered_set<ColumnId>;

void Want(Wanted& wanted, const ExprPtr& expr) {
  if (expr != nullptr) wanted.merge(ColumnsOf(*expr));
}

Wanted AllOf(const std::vector<Column>& columns) {
  Wanted wanted;
  for (const Column& column : columns) wanted.insert(column.id);
  return wanted;
}

Result<NodePtr> Prune(const NodePtr& node, Wanted wanted);

/// Positions of the output columns that are wanted.
std::vector<size_t> Kept(const Node& node, const Wanted& wanted) {
  std::vector<size_t> kept;
  for (size_t i = 0; i < node.output.size(); ++i) {
    if (wanted.contains(node.output[i].id)) kept.push_back(i);
  }
  return kept;
}

template <typename T>
std::vector<T> Select(const std::vector<T>& from, const std::vector<size_t>& positions, size_t first = 0) {
  std::vector<T> selected;
  for (size_t position : positions) selected.push_back(from[position - first]);
  return selected;
}

/// Bytes that a column of the type is likely to cost per row; rows are counted with the cheapest.
int Cost(const Type& type) {
  if (type.is_nested()) return 100;
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return 1;
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kDate:
      return 4;
    case TypeKind::kString:
    case TypeKind::kBinary:
      return 30;
    default:
      return 8;
  }
}

/// Rows without columns cannot be counted.
void KeepOne(const Node& node, std::vector<size_t>& kept) {
  if (!kept.empty() || node.output.empty()) return;
  auto cheapest =
      std::ranges::min_element(node.output, {}, [](const Column& column) { return Cost(column.type); });
  kept.push_back(static_cast<size_t>(cheapest - node.output.begin()));
}

template <typename Scan>
NodePtr PruneScan(const NodePtr& node, const Wanted& wanted) {
  std::vector<size_t> kept = Kept(*node, wanted);
  KeepOne(*node, kept);
  if (kept.size() == node->output.size()) return node;
  Scan scan = *node->As<Scan>();
  scan.columns = Select(scan.columns, kept);
  return MakeNode(std::move(scan), {}, Select(node->output, kept));
}

Result<NodePtr> PruneProject(const NodePtr& node, const Wanted& wanted) {
  std::vector<size_t> kept = Kept(*node, wanted);
  KeepOne(*node, kept);
  Project project{Select(node->As<Project>()->exprs, kept)};
  Wanted below;
  for (const ExprPtr& expr : project.exprs) Want(below, expr);
  WEIR_TRY(NodePtr input, Prune(node->inputs[0], std::move(below)));
  return MakeNode(std::move(project), {std::move(input)}, Select(node->output, kept));
}

Result<NodePtr> PruneAggregate(const NodePtr& node, const Wanted& wanted) {
  const Aggregate& aggregate = *node->As<Aggregate>();
  size_t key_count = aggregate.keys.size();
  Aggregate pruned{aggregate.keys, {}};
  std::vector<Column> output(node->output.begin(), node->output.begin() + static_cast<ptrdiff_t>(key_count));
  for (size_t i = 0; i < aggregate.aggregates.size(); ++i) {
    const Column& column = node->output[key_count + i];
    // Without keys and aggregates there would be no row at all.
    bool last_resort = key_count == 0 && pruned.aggregates.empty() && i + 1 == aggregate.aggregates.size();
    if (!wanted.contains(column.id) && !last_resort) continue;
    pruned.aggregates.push_back(aggregate.aggregates[i]);
    output.push_back(column);
  }
  pruned.sets = aggregate.sets;
  if (!pruned.sets.empty()) output.push_back(node->output.back());
  Wanted below;
  for (const ExprPtr& key : pruned.keys) Want(below, key);
  for (const ExprPtr& expr : pruned.aggregates) Want(below, expr);
  WEIR_TRY(NodePtr input, Prune(node->inputs[0], std::move(below)));
  return MakeNode(std::move(pruned), {std::move(input)}, std::move(output));
}

/// A column that is added to the input's is computed only if it is wanted.
Result<NodePtr> PruneWindow(const NodePtr& node, Wanted wanted) {
  const Window& window = *node->As<Window>();
  const size_t passed = node->output.size() - window.calls.size();
  Window pruned;
  std::vector<Column> added;
  for (size_t i = 0; i < window.calls.size(); ++i) {
    const Column& column = node->output[passed + i];
    if (!wanted.contains(column.id)) continue;
    pruned.calls.push_back(window.calls[i]);
    added.push_back(column);
  }
  for (const ExprPtr& call : pruned.calls) Want(wanted, call);
  WEIR_TRY(NodePtr input, Prune(node->inputs[0], std::move(wanted)));
  if (pruned.calls.empty()) return input;
  std::vector<Column> output = input->output;
  output.insert(output.end(), added.begin(), added.end());
  return MakeNode(std::move(pruned), {std::move(input)}, std::move(output));
}

/// The generated columns come together.
Result<NodePtr> PruneGenerate(const NodePtr& node, Wanted wanted) {
  const size_t passed = node->inputs[0]->output.size();
  Want(wanted, node->As<Generate>()->generator);
  WEIR_TRY(NodePtr input, Prune(node->inputs[0], std::move(wanted)));
  std::vector<Column> output = input->output;
  output.insert(output.end(), node->output.begin() + static_cast<ptrdiff_t>(passed), node->output.end());
  return MakeNode(node->op, {std::move(input)}, std::move(output));
}

Result<NodePtr> PruneJoin(const NodePtr& node, Wanted wanted) {
  const Join& join = *node->As<Join>();
  Want(wanted, join.condition);
  WEIR_TRY(NodePtr left, Prune(node->inputs[0], wanted));
  WEIR_TRY(NodePtr right, Prune(node->inputs[1], wanted));
  return MakeJoin(std::move(left), std::move(right), join.type, join.condition);
}

Result<NodePtr> PruneUnion(const NodePtr& node, const Wanted& wanted) {
  std::vector<size_t> kept = Kept(*node, wanted);
  KeepOne(*node, kept);
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : node->inputs) {
    std::vector<Column> columns = Select(input->output, kept);
    WEIR_TRY(NodePtr pruned, Prune(input, AllOf(columns)));
    if (pruned->output.size() != columns.size()) {
      // The input could not drop all of them; columns of a union pair up by position.
      Project project;
      for (const Column& column : columns) project.exprs.push_back(ColumnExpr(column));
      pruned = MakeNode(std::move(project), {std::move(pruned)}, columns);
    }
    inputs.push_back(std::move(pruned));
  }
  return MakeNode(node->op, std::move(inputs), Select(node->output, kept));
}

/// Nodes that pass their input's columns through and read some of them.
Result<NodePtr> PrunePassing(const NodePtr& node, Wanted wanted) {
  for (const ExprPtr& expr : ExprsOf(*node)) Want(wanted, expr);
  WEIR_TRY(NodePtr input, Prune(node->inputs[0], std::move(wanted)));
  std::vector<Column> output = input->output;
  if (node->As<RowNumber>()) output.push_back(node->output.back());
  return MakeNode(node->op, {std::move(input)}, std::move(output));
}

Result<NodePtr> Prune(const NodePtr& node, Wanted wanted) {
  if (node->As<TableScan>()) return PruneScan<TableScan>(node, wanted);
  if (node->As<PathScan>()) return PruneScan<PathScan>(node, wanted);
  if (node->As<RelationScan>()) return PruneScan<RelationScan>(node, wanted);
  if (node->As<LocalRows>()) return PruneScan<LocalRows>(node, wanted);
  if (node->As<Project>()) return PruneProject(node, wanted);
  if (node->As<Aggregate>()) return PruneAggregate(node, wanted);
  if (node->As<Window>()) return PruneWindow(node, std::move(wanted));
  if (node->As<Generate>()) return PruneGenerate(node, std::move(wanted));
  if (node->As<Join>()) return PruneJoin(node, std::move(wanted));
  const SetOperation* set = node->As<SetOperation>();
  if (set != nullptr && set->kind == SetOpKind::kUnionAll) return PruneUnion(node, wanted);
  bool passing = node->As<Filter>() || node->As<Sort>() || node->As<Limit>() || node->As<RowNumber>();
  if (passing) return PrunePassing(node, std::move(wanted));
  // Distinct and the other set operations compare whole rows.
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : node->inputs) {
    WEIR_TRY(NodePtr pruned, Prune(input, AllOf(input->output)));
    inputs.push_back(std::move(pruned));
  }
  return WithInputs(node, std::move(inputs));
}

}  // namespace

Result<NodePtr> PruneColumns(const NodePtr& plan) {
  WEIR_TRY(NodePtr pruned, Prune(plan, AllOf(plan->output)));
  return pruned;
}

}  // namespace weir::plan
