#include <algorithm>
#include <unordered_set>

#include "expr/failure.h"
#include "plan/rewrite.h"

namespace weir::plan {
namespace {

using Conjunction = std::vector<ExprPtr>;
using Substitution = std::unordered_map<ColumnId, ExprPtr>;

bool Movable(const ExprPtr& conjunct) { return IsDeterministic(*conjunct) && !HasSubquery(*conjunct); }

/// Columns of an enclosing query count for neither side.
bool ReadsAny(const ExprPtr& conjunct, const std::vector<Column>& columns) {
  std::unordered_set<ColumnId> read = ColumnsOf(*conjunct);
  return std::ranges::any_of(columns, [&](const Column& column) { return read.contains(column.id); });
}

/// Moves the members that `moves` accepts from one list to a new one, in order.
template <typename Predicate>
Conjunction TakeIf(Conjunction& from, const Predicate& moves) {
  Conjunction taken, kept;
  for (ExprPtr& conjunct : from) (moves(conjunct) ? taken : kept).push_back(std::move(conjunct));
  from = std::move(kept);
  return taken;
}

NodePtr Filtered(NodePtr node, Conjunction conjuncts) {
  if (conjuncts.empty()) return node;
  return MakeFilter(std::move(node), weir::Conjunction(std::move(conjuncts)));
}

Result<NodePtr> Push(const NodePtr& node, Conjunction pending);

Result<Conjunction> Substituted(const Conjunction& conjuncts, const Substitution& replacements) {
  Conjunction result;
  for (const ExprPtr& conjunct : conjuncts) {
    WEIR_TRY(ExprPtr replaced, ReplaceColumns(conjunct, replacements));
    result.push_back(std::move(replaced));
  }
  return result;
}

Result<NodePtr> PushThroughFilter(const NodePtr& node, Conjunction pending) {
  // What is pending saw only rows that passed this filter, so it follows.
  Conjunction all = Conjuncts(node->As<Filter>()->condition);
  std::ranges::move(pending, std::back_inserter(all));
  bool blocked = false;
  // A conjunct that cannot move protects those behind it that may fail.
  Conjunction stays = TakeIf(all, [&](const ExprPtr& conjunct) {
    bool movable = Movable(conjunct) && !(blocked && MayFail(*conjunct));
    blocked = blocked || !movable;
    return !movable;
  });
  WEIR_TRY(NodePtr input, Push(node->inputs[0], std::move(all)));
  return Filtered(std::move(input), std::move(stays));
}

Result<NodePtr> PushThroughProject(const NodePtr& node, Conjunction pending) {
  const std::vector<ExprPtr>& exprs = node->As<Project>()->exprs;
  Substitution replacements;
  std::unordered_set<ColumnId> opaque;
  for (size_t i = 0; i < exprs.size(); ++i) {
    bool plain = IsDeterministic(*exprs[i]) && !HasSubquery(*exprs[i]);
    if (plain) replacements.emplace(node->output[i].id, exprs[i]);
    if (!plain) opaque.insert(node->output[i].id);
  }
  Conjunction stays = TakeIf(pending, [&](const ExprPtr& conjunct) {
    return std::ranges::any_of(ColumnsOf(*conjunct), [&](ColumnId id) { return opaque.contains(id); });
  });
  WEIR_TRY(Conjunction below, Substituted(pending, replacements));
  WEIR_TRY(NodePtr input, Push(node->inputs[0], std::move(below)));
  return Filtered(WithInputs(node, {std::move(input)}), std::move(stays));
}

struct JoinSides {
  bool left = false;  ///< Conjuncts above the join may go to its left input.
  bool right = false;
  bool condition_left = false;  ///< One-sided conjuncts of the condition may go to the left input.
  bool condition_right = false;
};

JoinSides SidesOf(JoinType type) {
  switch (type) {
    case JoinType::kInner:
      return {true, true, true, true};
    case JoinType::kLeft:
      return {true, false, false, true};
    case JoinType::kRight:
      return {false, true, true, false};
    case JoinType::kFull:
      return {};
    case JoinType::kLeftSemi:
      return {true, false, true, true};
    case JoinType::kLeftAnti:
      return {true, false, false, true};
  }
  return {};
}

Result<NodePtr> PushThroughJoin(const NodePtr& node, Conjunction pending) {
  const Join& join = *node->As<Join>();
  JoinSides sides = SidesOf(join.type);
  const std::vector<Column>& left = node->inputs[0]->output;
  const std::vector<Column>& right = node->inputs[1]->output;
  auto away_from = [](const std::vector<Column>& other, bool allowed) {
    return [&other, allowed](const ExprPtr& conjunct) {
      return allowed && Movable(conjunct) && !MayFail(*conjunct) && !ReadsAny(conjunct, other);
    };
  };
  Conjunction left_down = TakeIf(pending, away_from(right, sides.left));
  Conjunction right_down = TakeIf(pending, away_from(left, sides.right));
  Conjunction condition = join.condition ? Conjuncts(join.condition) : Conjunction();
  std::ranges::move(TakeIf(condition, away_from(right, sides.condition_left)), std::back_inserter(left_down));
  std::ranges::move(TakeIf(condition, away_from(left, sides.condition_right)),
                    std::back_inserter(right_down));
  if (join.type == JoinType::kInner) {
    // FROM a, b WHERE a.x = b.x joins by the key only if the key is part of the join.
    auto joins = [&](const ExprPtr& conjunct) { return Movable(conjunct) && !MayFail(*conjunct); };
    std::ranges::move(TakeIf(pending, joins), std::back_inserter(condition));
  }
  WEIR_TRY(NodePtr left_input, Push(node->inputs[0], std::move(left_down)));
  WEIR_TRY(NodePtr right_input, Push(node->inputs[1], std::move(right_down)));
  Join pushed = join;
  pushed.condition = condition.empty() ? nullptr : weir::Conjunction(std::move(condition));
  NodePtr result = MakeNode(std::move(pushed), {std::move(left_input), std::move(right_input)}, node->output);
  return Filtered(std::move(result), std::move(pending));
}

Result<NodePtr> PushThroughAggregate(const NodePtr& node, Conjunction pending) {
  const Aggregate& aggregate = *node->As<Aggregate>();
  // A key that some set lacks is NULL above where it has a value below.
  auto in_all_sets = [&](size_t key) {
    return std::ranges::all_of(aggregate.sets, [&](const std::vector<int32_t>& set) {
      return std::ranges::find(set, static_cast<int32_t>(key)) != set.end();
    });
  };
  Substitution replacements;
  for (size_t i = 0; i < aggregate.keys.size(); ++i) {
    if (Movable(aggregate.keys[i]) && in_all_sets(i))
      replacements.emplace(node->output[i].id, aggregate.keys[i]);
  }
  // Without keys there is a row even when no row comes in.
  Conjunction below = TakeIf(pending, [&](const ExprPtr& conjunct) {
    std::unordered_set<ColumnId> read = ColumnsOf(*conjunct);
    return !read.empty() && std::ranges::all_of(read, [&](ColumnId id) { return replacements.contains(id); });
  });
  WEIR_TRY(Conjunction replaced, Substituted(below, replacements));
  WEIR_TRY(NodePtr input, Push(node->inputs[0], std::move(replaced)));
  return Filtered(WithInputs(node, {std::move(input)}), std::move(pending));
}

/// Whole partitions may leave before their windows are computed, single rows may not.
Result<NodePtr> PushThroughWindow(const NodePtr& node, Conjunction pending) {
  const Window& window = *node->As<Window>();
  auto partitions_all = [&](ColumnId id) {
    return std::ranges::all_of(window.calls, [&](const ExprPtr& call) {
      return std::ranges::any_of(call->As<WindowCall>()->partition_by, [&](const ExprPtr& key) {
        const ColumnRef* column = key->As<ColumnRef>();
        // -0.0 and 0.0 share a partition, and a conjunct may tell them apart.
        return column != nullptr && column->id == id && !key->type().holds_floating();
      });
    });
  };
  Conjunction below = TakeIf(pending, [&](const ExprPtr& conjunct) {
    std::unordered_set<ColumnId> read = ColumnsOf(*conjunct);
    return Movable(conjunct) && !read.empty() && std::ranges::all_of(read, partitions_all);
  });
  WEIR_TRY(NodePtr input, Push(node->inputs[0], std::move(below)));
  return Filtered(WithInputs(node, {std::move(input)}), std::move(pending));
}

/// Conjuncts over the input's columns go below: rows are repeated or lost, not changed.
Result<NodePtr> PushThroughGenerate(const NodePtr& node, Conjunction pending) {
  const std::vector<Column> generated(
      node->output.begin() + static_cast<ptrdiff_t>(node->inputs[0]->output.size()), node->output.end());
  Conjunction below = TakeIf(pending, [&](const ExprPtr& conjunct) {
    return Movable(conjunct) && !MayFail(*conjunct) && !ReadsAny(conjunct, generated);
  });
  WEIR_TRY(NodePtr input, Push(node->inputs[0], std::move(below)));
  return Filtered(WithInputs(node, {std::move(input)}), std::move(pending));
}

Result<NodePtr> PushThroughUnion(const NodePtr& node, const Conjunction& pending) {
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : node->inputs) {
    Substitution replacements;
    for (size_t i = 0; i < node->output.size(); ++i) {
      replacements.emplace(node->output[i].id, ColumnExpr(input->output[i]));
    }
    WEIR_TRY(Conjunction replaced, Substituted(pending, replacements));
    WEIR_TRY(NodePtr pushed, Push(input, std::move(replaced)));
    inputs.push_back(std::move(pushed));
  }
  return WithInputs(node, std::move(inputs));
}

Result<NodePtr> PushIntoScan(const NodePtr& node, Conjunction pending) {
  TableScan scan = *node->As<TableScan>();
  Substitution to_fields;
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    const FieldId* field = std::get_if<FieldId>(&scan.columns[i]);
    if (field == nullptr) continue;
    const Column& column = node->output[i];
    to_fields.emplace(column.id, MakeColumn(ColumnOf(*field), column.name, column.type, column.nullable));
  }
  Conjunction hints;
  if (scan.predicate) hints = Conjuncts(scan.predicate);
  for (const ExprPtr& conjunct : pending) {
    std::unordered_set<ColumnId> read = ColumnsOf(*conjunct);
    if (!std::ranges::all_of(read, [&](ColumnId id) { return to_fields.contains(id); })) continue;
    WEIR_TRY(ExprPtr hint, ReplaceColumns(conjunct, to_fields));
    hints.push_back(std::move(hint));
  }
  if (hints.empty()) return Filtered(node, std::move(pending));
  scan.predicate = weir::Conjunction(std::move(hints));
  return Filtered(MakeNode(std::move(scan), {}, node->output), std::move(pending));
}

/// Conjuncts stop here; those below start anew.
Result<NodePtr> Stop(const NodePtr& node, Conjunction pending) {
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : node->inputs) {
    WEIR_TRY(NodePtr pushed, Push(input, {}));
    inputs.push_back(std::move(pushed));
  }
  return Filtered(WithInputs(node, std::move(inputs)), std::move(pending));
}

Result<NodePtr> Push(const NodePtr& node, Conjunction pending) {
  if (node->As<Filter>()) return PushThroughFilter(node, std::move(pending));
  if (node->As<Project>()) return PushThroughProject(node, std::move(pending));
  if (node->As<Join>()) return PushThroughJoin(node, std::move(pending));
  if (node->As<Aggregate>()) return PushThroughAggregate(node, std::move(pending));
  if (node->As<Window>()) return PushThroughWindow(node, std::move(pending));
  if (node->As<Generate>()) return PushThroughGenerate(node, std::move(pending));
  if (node->As<TableScan>()) return PushIntoScan(node, std::move(pending));
  const SetOperation* set = node->As<SetOperation>();
  if (set != nullptr && set->kind == SetOpKind::kUnionAll) return PushThroughUnion(node, pending);
  if (node->As<Sort>() || node->As<Distinct>()) {
    WEIR_TRY(NodePtr input, Push(node->inputs[0], std::move(pending)));
    return WithInputs(node, {std::move(input)});
  }
  return Stop(node, std::move(pending));
}

}  // namespace

Result<NodePtr> PushPredicates(const NodePtr& plan) { return Push(plan, {}); }

}  // namespace weir::plan
