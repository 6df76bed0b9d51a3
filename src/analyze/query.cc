#include "analyze/query.h"

#include <algorithm>
#include <utility>

#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/frame.h"
#include "analyze/generator.h"
#include "analyze/window.h"
#include "expr/coercion.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

using Visibility = ScopeColumn::Visibility;

Names NamesOver(const Scope& scope, const Environment& environment) {
  Names names;
  names.scopes = {&scope};
  names.environment = environment;
  return names;
}

Result<Query> ResolveAliased(const unresolved::Aliased& aliased, const Environment& environment,
                             Context& context) {
  // A table's hidden columns keep their place under an alias; those of a query are gone.
  bool table = std::holds_alternative<unresolved::NamedTable>(aliased.input->node);
  WEIR_TRY(Query query, table ? ResolveRelation(*aliased.input, environment, context)
                              : ResolveQuery(*aliased.input, environment, context));
  size_t visible = 0;
  for (ScopeColumn& column : query.scope.columns) {
    column.qualifier = {aliased.name};
    if (column.visibility != Visibility::kVisible) continue;
    if (!aliased.columns.empty() && visible < aliased.columns.size())
      column.column.name = aliased.columns[visible];
    ++visible;
  }
  if (!aliased.columns.empty() && aliased.columns.size() != visible) {
    if (const auto* function = std::get_if<unresolved::TableFunction>(&aliased.input->node)) {
      return Condition("NUM_TABLE_VALUE_ALIASES_MISMATCH", "42826",
                       {{"funcName", QuoteName(function->name)},
                        {"aliasesNum", std::to_string(aliased.columns.size())},
                        {"outColsNum", std::to_string(visible)}},
                       fmt::format("{} column names for {} columns of {}", aliased.columns.size(), visible,
                                   QuoteName(function->name)));
    }
    return Condition(
        "ASSIGNMENT_ARITY_MISMATCH", "42802",
        {{"numExpr", std::to_string(aliased.columns.size())}, {"numTarget", std::to_string(visible)}},
        fmt::format("{} column names for {} columns of {}", aliased.columns.size(), visible, aliased.name));
  }
  return query;
}

void AddAggregates(const ExprPtr& expr, std::string& list) {
  const Call* call = expr->As<Call>();
  if (call != nullptr && call->function->kind == FunctionKind::kAggregate) {
    list += (list.empty() ? "" : ", ") + PrettySql(*expr);
    return;
  }
  for (const ExprPtr& child : Children(*expr)) AddAggregates(child, list);
}

Result<Query> ResolveFilter(const unresolved::Filter& filter, const Environment& environment,
                            Context& context) {
  WEIR_TRY(Query query, ResolveRelation(*filter.input, environment, context));
  Names names = NamesOver(query.scope, environment);
  const std::vector<unresolved::NamedWindow> none;
  names.windows = &none;
  WEIR_TRY(ExprPtr condition, ResolveCondition(*filter.condition, names, context, "filter"));
  WEIR_DO(CheckWhere(condition));
  query.plan = plan::MakeFilter(std::move(query.plan), std::move(condition));
  return query;
}

/// ORDER BY over anything but a SELECT sees the output columns only.
Result<Query> ResolveSort(const unresolved::Sort& sort, const Environment& environment, Context& context) {
  if (const auto* select = std::get_if<unresolved::Select>(&sort.input->node)) {
    return ResolveSelect(*select, &sort, environment, context);
  }
  WEIR_TRY(Query query, ResolveQuery(*sort.input, environment, context));
  std::vector<plan::SortKey> keys;
  Names names = NamesOver(query.scope, environment);
  for (const unresolved::SortKey& key : sort.keys) {
    ExprPtr expr;
    const auto* literal = std::get_if<unresolved::Literal>(&key.expr->node);
    if (literal != nullptr && literal->value.type().kind() == TypeKind::kInt) {
      int64_t position = literal->value.integer();
      if (position < 1 || position > static_cast<int64_t>(query.plan->output.size())) {
        return Condition(
                   "ORDER_BY_POS_OUT_OF_RANGE", "42805",
                   {{"index", std::to_string(position)}, {"size", std::to_string(query.plan->output.size())}},
                   fmt::format("ORDER BY position {} is not in the select list", position))
            .WithSpan(key.expr->span, context.text);
      }
      expr = plan::ColumnExpr(query.plan->output[static_cast<size_t>(position) - 1]);
    } else {
      WEIR_TRY(expr, ResolveExpression(*key.expr, names, context));
    }
    WEIR_DO(CheckSortable(*expr, key));
    keys.push_back({std::move(expr), key.ascending, key.nulls_first});
  }
  if (sort.all) {
    for (const plan::Column& column : query.plan->output) {
      keys.push_back({plan::ColumnExpr(column), sort.all_ascending, sort.all_nulls_first});
    }
  }
  query.plan = plan::MakeSort(std::move(query.plan), std::move(keys));
  return query;
}

Result<int64_t> CheckedRowCount(const unresolved::ExprPtr& expr, std::string_view name, const Scope& scope,
                                const Environment& environment, Context& context) {
  Names names = NamesOver(scope, environment);
  const std::vector<unresolved::NamedWindow> none;
  names.windows = &none;
  WEIR_TRY(ExprPtr resolved, ResolveExpression(*expr, names, context));
  std::string shown = QuoteSql(PrettySql(*resolved));
  if (!IsFoldable(*resolved)) {
    return Condition("INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE", "42K0E",
                     {{"name", std::string(name)}, {"expr", shown}},
                     fmt::format("{} must be constant, found {}", name, shown));
  }
  if (resolved->type().kind() != TypeKind::kInt) {
    return Condition(
        "INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE", "42K0E",
        {{"name", std::string(name)}, {"expr", shown}, {"dataType", QuoteSql(resolved->type().ToSql())}},
        fmt::format("{} must be an integer, found {}", name, shown));
  }
  WEIR_TRY(Scalar value, ConstantValue(resolved, Type::Int(), context));
  if (value.is_null()) {
    return Condition("INVALID_LIMIT_LIKE_EXPRESSION.IS_NULL", "42K0E",
                     {{"name", std::string(name)}, {"expr", shown}},
                     fmt::format("{} must not be NULL", name));
  }
  if (value.integer() < 0) {
    return Condition("INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE", "42K0E",
                     {{"name", std::string(name)}, {"expr", shown}, {"v", std::to_string(value.integer())}},
                     fmt::format("{} must not be negative, found {}", name, value.integer()));
  }
  return value.integer();
}

Result<int64_t> RowCount(const unresolved::ExprPtr& expr, std::string_view name, const Scope& scope,
                         const Environment& environment, Context& context) {
  auto rows = CheckedRowCount(expr, name, scope, environment, context);
  if (!rows) return std::move(rows).error().WithSpan(expr->span, context.text);
  return rows;
}

Result<Query> ResolveLimit(const unresolved::Limit& limit, const Environment& environment, Context& context) {
  WEIR_TRY(Query query, ResolveQuery(*limit.input, environment, context));
  std::optional<int64_t> rows;
  int64_t offset = 0;
  if (limit.limit) {
    WEIR_TRY(rows, RowCount(limit.limit, "limit", query.scope, environment, context));
  }
  if (limit.offset) {
    WEIR_TRY(offset, RowCount(limit.offset, "offset", query.scope, environment, context));
  }
  query.plan = plan::MakeLimit(std::move(query.plan), rows, offset);
  return query;
}

/// Tables of WITH are resolved where they are used; each sees those before it.
Result<Query> ResolveWith(const unresolved::With& with, const Environment& environment, Context& context) {
  std::vector<CommonTables> chain(with.tables.size());
  const CommonTables* seen = environment.common;
  for (size_t i = 0; i < with.tables.size(); ++i) {
    chain[i] = {&with.tables[i], seen, environment.outer, environment.outer_used};
    seen = &chain[i];
  }
  Environment inside = environment;
  inside.common = seen;
  return ResolveRelation(*with.input, inside, context);
}

struct RelationResolver {
  const Environment& environment;
  Context& context;

  Result<Query> operator()(const unresolved::NamedTable& node) const {
    return ResolveTable(node, environment, context);
  }
  Result<Query> operator()(const unresolved::TableFunction& node) const {
    return ResolveTableFunction(node, environment, context);
  }
  Result<Query> operator()(const unresolved::Values& node) const {
    return ResolveValues(node, environment, context);
  }
  Result<Query> operator()(const unresolved::OneRow&) const {
    return Query{plan::MakeNode(plan::Values{{{}}}, {}, {}), {}};
  }
  Result<Query> operator()(const unresolved::Aliased& node) const {
    return ResolveAliased(node, environment, context);
  }
  Result<Query> operator()(const unresolved::Join& node) const {
    return ResolveJoin(node, environment, context);
  }
  Result<Query> operator()(const unresolved::Filter& node) const {
    return ResolveFilter(node, environment, context);
  }
  Result<Query> operator()(const unresolved::Select& node) const {
    return ResolveSelect(node, nullptr, environment, context);
  }
  Result<Query> operator()(const unresolved::SetOperation& node) const {
    return ResolveSetOperation(node, environment, context);
  }
  Result<Query> operator()(const unresolved::Sort& node) const {
    return ResolveSort(node, environment, context);
  }
  Result<Query> operator()(const unresolved::Limit& node) const {
    return ResolveLimit(node, environment, context);
  }
  Result<Query> operator()(const unresolved::LateralView& node) const {
    return ResolveLateralView(node, environment, context);
  }
  Result<Query> operator()(const unresolved::With& node) const {
    return ResolveWith(node, environment, context);
  }
  Result<Query> operator()(const unresolved::WrittenQuery& node) const {
    const std::string_view outside = std::exchange(context.text, *node.text);
    auto query = ResolveQuery(*node.input, environment, context);
    context.text = outside;
    return query;
  }
  template <typename FrameOperation>
  Result<Query> operator()(const FrameOperation& node) const {
    return ResolveFrame(node, environment, context);
  }
};

}  // namespace

Result<Query> ResolveRelation(const unresolved::Relation& relation, const Environment& environment,
                              Context& context) {
  auto query = std::visit(RelationResolver{environment, context}, relation.node);
  if (!query) return std::move(query).error().WithSpan(relation.span, context.text);
  if (relation.plan != unresolved::kNoPlan) {
    Origin origin{relation.plan, {}};
    for (const ScopeColumn& column : query->scope.columns) {
      if (column.visibility != Visibility::kQualifiedOnly) origin.columns.push_back(column.column);
    }
    query->scope.origins.push_back(std::move(origin));
  }
  return query;
}

Result<Query> ResolveQuery(const unresolved::Relation& relation, const Environment& environment,
                           Context& context) {
  WEIR_TRY(Query query, ResolveRelation(relation, environment, context));
  return Visible(std::move(query));
}

Status CheckComparable(const std::vector<plan::Column>& columns) {
  for (const plan::Column& column : columns) {
    if (IsOrderable(column.type)) continue;
    return Condition("UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE", "0A000",
                     {{"colName", QuoteName({column.name})}, {"dataType", Quoted(column.type)}},
                     fmt::format("DISTINCT and set operations cannot compare {} of type {}",
                                 QuoteName({column.name}), Quoted(column.type)));
  }
  return {};
}

Status CheckSortable(const Expr& expr, const unresolved::SortKey& key) {
  if (IsOrderable(expr.type())) return {};
  std::string shown = fmt::format("{} {} NULLS {}", PrettySql(expr), key.ascending ? "ASC" : "DESC",
                                  key.nulls_first ? "FIRST" : "LAST");
  return CompleteMismatch(NotOrderable("sortorder", expr.type()), shown);
}

Query Visible(Query query) {
  plan::Project project;
  std::vector<plan::Column> output;
  Scope scope;
  for (ScopeColumn& column : query.scope.columns) {
    if (column.visibility != Visibility::kVisible) continue;
    project.exprs.push_back(plan::ColumnExpr(column.column));
    output.push_back(column.column);
    scope.columns.push_back(std::move(column));
  }
  bool same = std::ranges::equal(
      output, query.plan->output,
      [](const plan::Column& a, const plan::Column& b) { return a.id == b.id && a.name == b.name; });
  if (!same) query.plan = plan::MakeNode(std::move(project), {std::move(query.plan)}, std::move(output));
  scope.origins = std::move(query.scope.origins);
  return {std::move(query.plan), std::move(scope)};
}

Status CheckWhere(const ExprPtr& condition) {
  WEIR_DO(CheckNoWindow(*condition, "WHERE"));
  if (!HasAggregate(*condition)) return {};
  const std::string shown = QuoteSql(PrettySql(*condition));
  std::string aggregates;
  AddAggregates(condition, aggregates);
  return Condition("INVALID_WHERE_CONDITION", "42903", {{"condition", shown}, {"expressionList", aggregates}},
                   fmt::format("WHERE cannot hold aggregate functions: {}", aggregates));
}

}  // namespace weir::analyze
