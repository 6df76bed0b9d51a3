#include "plan/logical.h"

#include <algorithm>
#include <type_traits>

namespace weir::plan {
namespace {

bool LeftMayBeAbsent(JoinType type) { return type == JoinType::kRight || type == JoinType::kFull; }
bool RightMayBeAbsent(JoinType type) { return type == JoinType::kLeft || type == JoinType::kFull; }

/// Calls `visit` on every expression of the operation; a null one is left out.
template <typename Op, typename Visit>
void ForEachExpr(Op& op, const Visit& visit) {
  auto one = [&](auto& expr) {
    if (expr != nullptr) visit(expr);
  };
  std::visit(
      [&](auto& node) {
        using T = std::remove_cvref_t<decltype(node)>;
        if constexpr (std::is_same_v<T, Values>) {
          for (auto& row : node.rows) std::ranges::for_each(row, one);
        } else if constexpr (std::is_same_v<T, Project>) {
          std::ranges::for_each(node.exprs, one);
        } else if constexpr (std::is_same_v<T, Filter> || std::is_same_v<T, Join>) {
          one(node.condition);
        } else if constexpr (std::is_same_v<T, Aggregate>) {
          std::ranges::for_each(node.keys, one);
          std::ranges::for_each(node.aggregates, one);
        } else if constexpr (std::is_same_v<T, Sort>) {
          for (auto& key : node.keys) one(key.expr);
        } else if constexpr (std::is_same_v<T, Window>) {
          std::ranges::for_each(node.calls, one);
        } else if constexpr (std::is_same_v<T, Generate>) {
          one(node.generator);
        }
      },
      op);
}

void Append(std::vector<Column>& to, const std::vector<Column>& columns, bool may_be_absent) {
  for (Column column : columns) {
    column.nullable = column.nullable || may_be_absent;
    to.push_back(std::move(column));
  }
}

}  // namespace

NodePtr MakeNode(Node::Op op, std::vector<NodePtr> inputs, std::vector<Column> output) {
  return std::make_shared<const Node>(Node{std::move(op), std::move(inputs), std::move(output)});
}

ExprPtr ColumnExpr(const Column& column) {
  return MakeColumn(column.id, column.name, column.type, column.nullable);
}

NodePtr MakeFilter(NodePtr input, ExprPtr condition) {
  std::vector<Column> output = input->output;
  return MakeNode(Filter{std::move(condition)}, {std::move(input)}, std::move(output));
}

NodePtr MakeLimit(NodePtr input, std::optional<int64_t> limit, int64_t offset) {
  std::vector<Column> output = input->output;
  return MakeNode(Limit{limit, offset}, {std::move(input)}, std::move(output));
}

NodePtr MakeSort(NodePtr input, std::vector<SortKey> keys) {
  std::vector<Column> output = input->output;
  return MakeNode(Sort{std::move(keys)}, {std::move(input)}, std::move(output));
}

NodePtr MakeProject(NodePtr input, std::vector<ExprPtr> exprs, std::vector<std::string> names,
                    ColumnIds& ids) {
  std::vector<Column> output;
  for (size_t i = 0; i < exprs.size(); ++i) {
    output.push_back({ids.Next(), std::move(names[i]), exprs[i]->type(), exprs[i]->nullable()});
  }
  return MakeNode(Project{std::move(exprs)}, {std::move(input)}, std::move(output));
}

NodePtr MakeJoin(NodePtr left, NodePtr right, JoinType type, ExprPtr condition) {
  std::vector<Column> output;
  Append(output, left->output, LeftMayBeAbsent(type));
  if (type != JoinType::kLeftSemi && type != JoinType::kLeftAnti) {
    Append(output, right->output, RightMayBeAbsent(type));
  }
  return MakeNode(Join{type, std::move(condition)}, {std::move(left), std::move(right)}, std::move(output));
}

NodePtr MakeUnionAll(std::vector<NodePtr> inputs, ColumnIds& ids) {
  std::vector<Column> output = inputs.front()->output;
  for (size_t i = 0; i < output.size(); ++i) {
    output[i].id = ids.Next();
    for (const NodePtr& input : inputs) output[i].nullable = output[i].nullable || input->output[i].nullable;
  }
  return MakeNode(SetOperation{SetOpKind::kUnionAll}, std::move(inputs), std::move(output));
}

std::vector<ExprPtr> ExprsOf(const Node& node) {
  std::vector<ExprPtr> exprs;
  ForEachExpr(node.op, [&](const ExprPtr& expr) { exprs.push_back(expr); });
  return exprs;
}

NodePtr WithExprs(const Node& node, std::vector<ExprPtr> exprs) {
  Node::Op op = node.op;
  size_t next = 0;
  ForEachExpr(op, [&](ExprPtr& expr) { expr = std::move(exprs[next++]); });
  return MakeNode(std::move(op), node.inputs, node.output);
}

NodePtr WithInputs(const NodePtr& node, std::vector<NodePtr> inputs) {
  if (inputs == node->inputs) return node;
  return MakeNode(node->op, std::move(inputs), node->output);
}

}  // namespace weir::plan
