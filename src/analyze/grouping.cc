#include "analyze/grouping.h"

#include <algorithm>

#include "analyze/conditions.h"
#include "expr/pretty.h"
#include "expr/rewrite.h"

namespace weir::analyze {
namespace {

bool SameOrNull(const ExprPtr& a, const ExprPtr& b) {
  return a == nullptr || b == nullptr ? a == b : SameExpr(*a, *b);
}

/// Whether the nodes themselves agree, their children apart.
struct SameNode {
  bool operator()(const Scalar& a, const Scalar& b) const { return a.type() == b.type() && SameValue(a, b); }
  bool operator()(const ColumnRef& a, const ColumnRef& b) const { return a.id == b.id; }
  bool operator()(const Call& a, const Call& b) const {
    return a.function == b.function && a.distinct == b.distinct &&
           (a.filter == nullptr) == (b.filter == nullptr);
  }
  bool operator()(const Cast& a, const Cast& b) const { return a.mode == b.mode; }
  bool operator()(const Case&, const Case&) const { return true; }
  bool operator()(const GetField& a, const GetField& b) const { return a.index == b.index; }
  // Two subqueries are the same only if they are one.
  bool operator()(const Subquery& a, const Subquery& b) const { return a.plan == b.plan && a.kind == b.kind; }
  template <typename A, typename B>
  bool operator()(const A&, const B&) const {
    return false;
  }
};

bool IsAggregateCall(const Expr& expr) {
  const Call* call = expr.As<Call>();
  return call != nullptr && call->function->kind == FunctionKind::kAggregate;
}

Error NotGrouped(const Expr& column, bool grouped) {
  std::string shown = PrettySql(column);
  if (!grouped) {
    return Condition(
        "MISSING_GROUP_BY", "42803", {},
        fmt::format("{} stands beside aggregate functions and there is no GROUP BY", QuoteSql(shown)));
  }
  std::string any = QuoteSql(fmt::format("any_value({})", shown));
  return Condition(
      "MISSING_AGGREGATION", "42803", {{"expression", QuoteSql(shown)}, {"expressionAnyValue", any}},
      fmt::format("{} is neither grouped nor aggregated; group by it, or use {}", QuoteSql(shown), any));
}

}  // namespace

bool SameExpr(const Expr& a, const Expr& b) {
  if (!std::visit(SameNode{}, a.node(), b.node()) || !SameShape(a.type(), b.type())) return false;
  std::vector<ExprPtr> left = Children(a), right = Children(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), SameOrNull);
}

Grouping::Grouping(std::vector<ExprPtr> keys, plan::NodePtr input, Context& context)
    : context_(context), input_(std::move(input)) {
  for (ExprPtr& key : keys) {
    bool known = std::ranges::any_of(keys_, [&](const ExprPtr& one) { return SameExpr(*one, *key); });
    if (known) continue;
    // A plain column passes through, so that what knows its id still finds it.
    const ColumnRef* column = key->As<ColumnRef>();
    ColumnId id = column != nullptr ? column->id : context.ids.Next();
    key_columns_.push_back({id, PrettySql(*key), key->type(), key->nullable()});
    keys_.push_back(std::move(key));
  }
}

ExprPtr Grouping::AggregateColumn(const ExprPtr& call) {
  for (size_t i = 0; i < aggregates_.size(); ++i) {
    if (IsDeterministic(*call) && SameExpr(*aggregates_[i], *call))
      return plan::ColumnExpr(aggregate_columns_[i]);
  }
  aggregates_.push_back(call);
  aggregate_columns_.push_back({context_.ids.Next(), PrettySql(*call), call->type(), call->nullable()});
  return plan::ColumnExpr(aggregate_columns_.back());
}

Result<ExprPtr> Grouping::Replacement(const ExprPtr& expr) {
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (!SameExpr(*keys_[i], *expr)) continue;
    plan::Column column = key_columns_[i];
    if (const ColumnRef* written = expr->As<ColumnRef>()) column.name = written->name;
    return plan::ColumnExpr(column);
  }
  if (IsAggregateCall(*expr)) return AggregateColumn(expr);
  // Columns of an enclosing query, and of the select list in ORDER BY, are constants here.
  if (const ColumnRef* column = expr->As<ColumnRef>(); column != nullptr && IsInput(column->id)) {
    return NotGrouped(*expr, !keys_.empty());
  }
  if (const Subquery* subquery = expr->As<Subquery>()) {
    for (ColumnId id : subquery->outer) {
      bool grouped =
          std::ranges::any_of(key_columns_, [&](const plan::Column& column) { return column.id == id; });
      if (!grouped && IsInput(id)) return NotGrouped(*expr, !keys_.empty());
    }
  }
  return ExprPtr();
}

Result<ExprPtr> Grouping::Over(const ExprPtr& expr) {
  return Rewrite(expr, [this](const ExprPtr& part) { return Replacement(part); });
}

bool Grouping::IsInput(ColumnId id) const {
  return std::ranges::any_of(input_->output, [&](const plan::Column& column) { return column.id == id; });
}

plan::NodePtr Grouping::Plan() const {
  std::vector<plan::Column> output = key_columns_;
  output.insert(output.end(), aggregate_columns_.begin(), aggregate_columns_.end());
  return plan::MakeNode(plan::Aggregate{keys_, aggregates_}, {input_}, std::move(output));
}

}  // namespace weir::analyze
