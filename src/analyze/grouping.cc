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
  bool operator()(const WindowCall& a, const WindowCall& b) const {
    auto same_key = [](const SortKey& x, const SortKey& y) {
      return x.ascending == y.ascending && x.nulls_first == y.nulls_first;
    };
    return (*this)(a.call, b.call) && a.ignore_nulls == b.ignore_nulls && a.frame == b.frame &&
           a.partition_by.size() == b.partition_by.size() &&
           std::ranges::equal(a.order_by, b.order_by, same_key);
  }
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

/// Functions that are not NULL though an argument is.
bool IgnoresNulls(const Expr& expr) {
  const Call* call = expr.As<Call>();
  if (call == nullptr) return false;
  const std::string_view name = call->function->name;
  if (name == "coalesce")
    return std::ranges::any_of(call->args, [](const ExprPtr& arg) { return !arg->nullable(); });
  return name == "isnull" || name == "isnotnull" || name == "<=>" || name == "isnan";
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

bool IsGroupingNumber(const Expr& expr) {
  const Call* call = expr.As<Call>();
  return call != nullptr && (call->function->name == "grouping" || call->function->name == "grouping_id");
}

bool SameExpr(const Expr& a, const Expr& b) {
  if (!std::visit(SameNode{}, a.node(), b.node()) || !SameShape(a.type(), b.type())) return false;
  std::vector<ExprPtr> left = Children(a), right = Children(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), SameOrNull);
}

Grouping::Grouping(GroupBy group_by, plan::NodePtr input, Context& context)
    : context_(context),
      input_(std::move(input)),
      keys_(std::move(group_by.keys)),
      sets_(std::move(group_by.sets)),
      set_number_{{}, "spark_grouping_id", Type::Long(), false} {
  if (!sets_.empty()) set_number_.id = context.ids.Next();
  for (size_t i = 0; i < keys_.size(); ++i) {
    // A plain column passes through, so that what knows its id still finds it. With sets it has other values.
    const ColumnRef* column = sets_.empty() ? keys_[i]->As<ColumnRef>() : nullptr;
    ColumnId id = column != nullptr ? column->id : context.ids.Next();
    const bool may_lack = std::ranges::any_of(sets_, [&](const std::vector<int32_t>& set) {
      return std::ranges::find(set, static_cast<int32_t>(i)) == set.end();
    });
    key_columns_.push_back({id, PrettySql(*keys_[i]), keys_[i]->type(), keys_[i]->nullable() || may_lack});
  }
}

/// Whether the row's set lacks the key.
ExprPtr Grouping::LacksKey(size_t key) const {
  const int64_t bit = static_cast<int64_t>(uint64_t{1} << (keys_.size() - 1 - key));
  Call masked{.function = FindFunction("&"),
              .args = {plan::ColumnExpr(set_number_), MakeLiteral(Scalar::Long(bit))}};
  ExprPtr value = std::make_shared<const Expr>(std::move(masked), Type::Long(), false);
  return MakePredicate("=", {std::move(value), MakeLiteral(Scalar::Long(bit))});
}

/// grouping(key) and grouping_id(keys).
Result<ExprPtr> Grouping::GroupingNumber(const Expr& expr) {
  const Call& call = *expr.As<Call>();
  if (sets_.empty()) {
    return Condition("UNSUPPORTED_GROUPING_EXPRESSION", "42K0E", {},
                     fmt::format("{} needs GROUPING SETS, ROLLUP or CUBE", PrettySql(expr)));
  }
  std::vector<size_t> positions;
  for (const ExprPtr& arg : call.args) {
    const auto key = std::ranges::find_if(keys_, [&](const ExprPtr& one) { return SameExpr(*one, *arg); });
    if (key != keys_.end()) positions.push_back(static_cast<size_t>(key - keys_.begin()));
  }
  std::string keys;
  for (const ExprPtr& key : keys_) keys += (keys.empty() ? "" : ",") + PrettySql(*key);
  if (call.function->name == "grouping") {
    if (!positions.empty()) {
      Case bit{{{LacksKey(positions[0]), MakeLiteral(Scalar(Type::Byte(), int64_t{1}))}},
               MakeLiteral(Scalar(Type::Byte(), int64_t{0}))};
      return std::make_shared<const Expr>(std::move(bit), Type::Byte(), false);
    }
    const std::string shown = PrettySql(*call.args[0]);
    return Condition("GROUPING_COLUMN_MISMATCH", "42803", {{"grouping", shown}, {"groupingColumns", keys}},
                     fmt::format("grouping({}) is of no key among {}", shown, keys));
  }
  bool all = call.args.empty() || positions.size() == keys_.size();
  for (size_t i = 0; i < positions.size(); ++i) all = all && positions[i] == i;
  if (all && positions.size() == call.args.size()) return plan::ColumnExpr(set_number_);
  std::string shown;
  for (const ExprPtr& arg : call.args) shown += (shown.empty() ? "" : ",") + PrettySql(*arg);
  return Condition("GROUPING_ID_COLUMN_MISMATCH", "42803",
                   {{"groupingIdColumn", shown}, {"groupByColumns", keys}},
                   fmt::format("grouping_id({}) does not list the keys {}", shown, keys));
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
  if (IsGroupingNumber(*expr)) return GroupingNumber(*expr);
  if (IsAggregateCall(*expr)) return AggregateColumn(expr);
  // Columns of an enclosing query, and of the select list in ORDER BY, are constants here.
  if (const ColumnRef* column = expr->As<ColumnRef>(); column != nullptr && IsInput(column->id)) {
    return NotGrouped(*expr, grouped_by());
  }
  if (const Subquery* subquery = expr->As<Subquery>()) {
    for (ColumnId id : subquery->outer) {
      bool grouped =
          std::ranges::any_of(key_columns_, [&](const plan::Column& column) { return column.id == id; });
      if (!grouped && !sets_.empty() && IsInput(id))
        return Unsupported("a subquery that reads a key of grouping sets is not implemented");
      if (!grouped && IsInput(id)) return NotGrouped(*expr, grouped_by());
    }
  }
  return ExprPtr();
}

Result<ExprPtr> Grouping::Over(const ExprPtr& expr) {
  WEIR_TRY(ExprPtr over, Rewrite(expr, [this](const ExprPtr& part) { return Replacement(part); }));
  return WithNulls(over);
}

/// A key that some set lacks may be NULL, and so may what is computed from it.
ExprPtr Grouping::WithNulls(const ExprPtr& expr) const {
  const std::unordered_set<ColumnId> read = ColumnsOf(*expr);
  const bool reads = std::ranges::any_of(
      key_columns_, [&](const plan::Column& column) { return column.nullable && read.contains(column.id); });
  std::vector<ExprPtr> children = Children(*expr);
  if (sets_.empty() || !reads || expr->nullable() || children.empty()) return expr;
  for (ExprPtr& child : children) child = WithNulls(child);
  const bool nullable = !IgnoresNulls(*expr) &&
                        std::ranges::any_of(children, [](const ExprPtr& child) { return child->nullable(); });
  return std::make_shared<const Expr>(WithChildren(*expr, children)->node(), expr->type(), nullable,
                                      expr->text());
}

bool Grouping::IsInput(ColumnId id) const {
  return std::ranges::any_of(input_->output, [&](const plan::Column& column) { return column.id == id; });
}

plan::NodePtr Grouping::Plan() const {
  std::vector<plan::Column> output = key_columns_;
  output.insert(output.end(), aggregate_columns_.begin(), aggregate_columns_.end());
  if (!sets_.empty()) output.push_back(set_number_);
  return plan::MakeNode(plan::Aggregate{keys_, aggregates_, sets_}, {input_}, std::move(output));
}

}  // namespace weir::analyze
