#include <algorithm>

#include "plan/logical.h"

namespace weir::plan {
namespace {

/// Rows of text shown of a list that may be long.
constexpr size_t kShownItems = 25;

std::string ColumnText(const Column& column) { return fmt::format("{}#{}", column.name, column.id.value); }

template <typename Items, typename ToText>
std::string ListText(const Items& items, const ToText& to_text) {
  std::string text = "[";
  for (size_t i = 0; i < std::min(items.size(), kShownItems); ++i)
    text += (i == 0 ? "" : ", ") + to_text(items[i]);
  if (items.size() > kShownItems) text += fmt::format(", ... {} more", items.size() - kShownItems);
  return text + "]";
}

std::string OutputText(const Node& node) { return ListText(node.output, ColumnText); }

std::string PredicateText(const ExprPtr& predicate) {
  return predicate == nullptr ? "" : fmt::format(", pushed {}", ToString(*predicate));
}

std::string NamedExprs(const std::vector<ExprPtr>& exprs, const std::vector<Column>& output, size_t first) {
  std::string text = "[";
  for (size_t i = 0; i < exprs.size(); ++i) {
    const Column& column = output[first + i];
    const ColumnRef* passed = exprs[i]->As<ColumnRef>();
    bool same = passed != nullptr && passed->id == column.id;
    text += (i == 0 ? "" : ", ");
    text += same ? ColumnText(column) : fmt::format("{} AS {}", ToString(*exprs[i]), ColumnText(column));
  }
  return text + "]";
}

std::string_view Name(JoinType type) {
  switch (type) {
    case JoinType::kInner:
      return "Inner";
    case JoinType::kLeft:
      return "LeftOuter";
    case JoinType::kRight:
      return "RightOuter";
    case JoinType::kFull:
      return "FullOuter";
    case JoinType::kLeftSemi:
      return "LeftSemi";
    case JoinType::kLeftAnti:
      return "LeftAnti";
  }
  return {};
}

std::string_view Name(SetOpKind kind) {
  switch (kind) {
    case SetOpKind::kUnionAll:
      return "Union";
    case SetOpKind::kIntersect:
      return "Intersect";
    case SetOpKind::kIntersectAll:
      return "Intersect All";
    case SetOpKind::kExcept:
      return "Except";
    case SetOpKind::kExceptAll:
      return "Except All";
  }
  return {};
}

struct Line {
  const Node& node;

  std::string operator()(const TableScan& op) const {
    return fmt::format("Scan {} {}{}", op.name, OutputText(node), PredicateText(op.predicate));
  }
  std::string operator()(const FileScan& op) const {
    uint64_t bytes = 0, deletes = 0;
    for (const table::ScanTask& task : *op.tasks) {
      bytes += task.file->size_bytes;
      deletes += task.deletes.size();
    }
    std::string text =
        fmt::format("FileScan {} {}, files {}, bytes {}", op.name, OutputText(node), op.tasks->size(), bytes);
    if (deletes > 0) text += fmt::format(", deletes {}", deletes);
    const table::PruneReport& pruned = op.pruned;
    if (pruned.files_by_partition + pruned.files_by_bounds + pruned.files_by_manifest > 0) {
      text += fmt::format(", skipped {} by manifest, {} by partition, {} by bounds", pruned.files_by_manifest,
                          pruned.files_by_partition, pruned.files_by_bounds);
    }
    if (op.keys) text += ", keyed";
    if (op.selection) text += ", selected rows";
    return text + PredicateText(op.predicate);
  }
  std::string operator()(const PathScan& op) const {
    return fmt::format("Scan parquet {} {}", ListText(op.paths, [](const std::string& path) { return path; }),
                       OutputText(node));
  }
  std::string operator()(const LocalRows&) const {
    return fmt::format("LocalTableScan {}", OutputText(node));
  }
  std::string operator()(const RelationScan& op) const {
    return fmt::format("RelationScan {} {}", op.relation_id, OutputText(node));
  }
  std::string operator()(const Values& op) const {
    return fmt::format("Values {} rows {}", op.rows.size(), OutputText(node));
  }
  std::string operator()(const Range& op) const {
    return fmt::format("Range ({}, {}, step={}) {}", op.start, op.stop, op.step, OutputText(node));
  }
  std::string operator()(const Project& op) const {
    return fmt::format("Project {}", NamedExprs(op.exprs, node.output, 0));
  }
  std::string operator()(const Filter& op) const { return fmt::format("Filter {}", ToString(*op.condition)); }
  std::string operator()(const Join& op) const {
    std::string text = fmt::format("Join {}", Name(op.type));
    return op.condition == nullptr ? text : fmt::format("{}, {}", text, ToString(*op.condition));
  }
  std::string operator()(const Aggregate& op) const {
    std::string text = fmt::format("Aggregate {}, {}", NamedExprs(op.keys, node.output, 0),
                                   NamedExprs(op.aggregates, node.output, op.keys.size()));
    if (op.sets.empty()) return text;
    auto set_text = [&](const std::vector<int32_t>& set) {
      return ListText(set, [&](int32_t key) { return ColumnText(node.output[static_cast<size_t>(key)]); });
    };
    return fmt::format("{}, sets {}, {}", text, ListText(op.sets, set_text), ColumnText(node.output.back()));
  }
  std::string operator()(const Window& op) const {
    return fmt::format("Window {}", NamedExprs(op.calls, node.output, node.output.size() - op.calls.size()));
  }
  std::string operator()(const Generate& op) const {
    const std::vector<Column> made(
        node.output.begin() + static_cast<ptrdiff_t>(node.inputs[0]->output.size()), node.output.end());
    return fmt::format("Generate {}{} AS {}", ToString(*op.generator), op.outer ? " outer" : "",
                       ListText(made, ColumnText));
  }
  std::string operator()(const Distinct&) const { return "Distinct"; }
  std::string operator()(const SetOperation& op) const {
    return fmt::format("{} {}", Name(op.kind), OutputText(node));
  }
  std::string operator()(const Sort& op) const {
    return "Sort " +
           ListText(op.keys, [](const SortKey& key) { return SortKeyText(key, ToString(*key.expr)); });
  }
  std::string operator()(const Limit& op) const {
    std::string text = op.limit ? fmt::format("Limit {}", *op.limit) : "Limit all";
    return op.offset == 0 ? text : fmt::format("{}, offset {}", text, op.offset);
  }
  std::string operator()(const RowNumber&) const {
    return fmt::format("RowNumber {}", ColumnText(node.output.back()));
  }
};

void Print(const Node& node, int depth, std::string& text);

/// Plans of subqueries stand below the node that uses them.
void PrintSubqueries(const Expr& expr, int depth, std::string& text) {
  if (const Subquery* subquery = expr.As<Subquery>(); subquery != nullptr && subquery->plan != nullptr) {
    text += fmt::format("{:{}}subquery:\n", "", depth * 2);
    Print(*subquery->plan, depth + 1, text);
  }
  for (const ExprPtr& child : Children(expr)) PrintSubqueries(*child, depth, text);
}

void Print(const Node& node, int depth, std::string& text) {
  text += fmt::format("{:{}}{}\n", "", depth * 2, std::visit(Line{node}, node.op));
  for (const ExprPtr& expr : ExprsOf(node)) PrintSubqueries(*expr, depth + 1, text);
  for (const NodePtr& input : node.inputs) Print(*input, depth + 1, text);
}

}  // namespace

std::string ToString(const NodePtr& plan) {
  std::string text;
  Print(*plan, 0, text);
  return text;
}

}  // namespace weir::plan
