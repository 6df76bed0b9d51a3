#include <algorithm>

#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/query.h"
#include "base/ascii.h"

namespace weir::analyze {
namespace {

using Visibility = ScopeColumn::Visibility;

plan::JoinType PlanType(unresolved::JoinType type) {
  switch (type) {
    case unresolved::JoinType::kLeft:
      return plan::JoinType::kLeft;
    case unresolved::JoinType::kRight:
      return plan::JoinType::kRight;
    case unresolved::JoinType::kFull:
      return plan::JoinType::kFull;
    case unresolved::JoinType::kLeftSemi:
      return plan::JoinType::kLeftSemi;
    case unresolved::JoinType::kLeftAnti:
      return plan::JoinType::kLeftAnti;
    default:
      return plan::JoinType::kInner;
  }
}

bool LeftOnly(plan::JoinType type) {
  return type == plan::JoinType::kLeftSemi || type == plan::JoinType::kLeftAnti;
}

Scope Joined(const Scope& left, const Scope& right) {
  Scope scope = left;
  scope.columns.insert(scope.columns.end(), right.columns.begin(), right.columns.end());
  scope.origins.insert(scope.origins.end(), right.origins.begin(), right.origins.end());
  return scope;
}

/// The scope with the nullability that the join gave its columns.
Scope OverJoin(const Scope& scope, const plan::Node& join) {
  Scope result;
  for (ScopeColumn column : scope.columns) {
    auto found = std::ranges::find(join.output, column.column.id, &plan::Column::id);
    if (found == join.output.end()) continue;
    column.column.nullable = found->nullable;
    result.columns.push_back(std::move(column));
  }
  result.origins = scope.origins;
  return result;
}

/// A key of USING as one side knows it.
Result<const ScopeColumn*> KeyOf(const Scope& scope, const std::string& name, std::string_view side) {
  std::vector<Scope::Match> matches = scope.Find({name});
  if (matches.size() == 1) return matches[0].column;
  if (matches.size() > 1)
    return AmbiguousReference({name}, std::vector<unresolved::Name>(matches.size(), {name}));
  std::vector<std::string> names;
  for (const ScopeColumn& column : scope.columns) {
    if (column.visibility == Visibility::kVisible) names.push_back(column.column.name);
  }
  return Condition(
      "UNRESOLVED_USING_COLUMN_FOR_JOIN", "42703",
      {{"colName", QuoteName({name})}, {"side", std::string(side)}, {"suggestion", QuoteNames(names)}},
      fmt::format("USING names {}, which the {} side of the join lacks", QuoteName({name}), side));
}

/// Columns of both sides with one name, in the left side's order.
std::vector<std::string> CommonNames(const Scope& left, const Scope& right) {
  std::vector<std::string> names;
  for (const ScopeColumn& column : left.columns) {
    bool common = column.visibility == Visibility::kVisible &&
                  std::ranges::any_of(right.columns, [&](const ScopeColumn& other) {
                    return other.visibility == Visibility::kVisible &&
                           EqualsIgnoringAsciiCase(other.column.name, column.column.name);
                  });
    if (common) names.push_back(column.column.name);
  }
  return names;
}

struct Key {
  plan::Column left;
  plan::Column right;
};

/// Keys first, then the rest of each side; the sides' own keys are still there by qualified name.
Query MergeKeys(Query joined, const std::vector<Key>& keys, plan::JoinType type, Context& context) {
  Scope merged;
  merged.origins = std::move(joined.scope.origins);
  plan::Project project;
  std::vector<plan::Column> output;
  bool full = type == plan::JoinType::kFull, right = type == plan::JoinType::kRight;
  for (const Key& key : keys) {
    ColumnId kept = right ? key.right.id : key.left.id;
    auto found = std::ranges::find_if(joined.scope.columns,
                                      [&](const ScopeColumn& column) { return column.column.id == kept; });
    ScopeColumn column = *found;
    if (full) {
      auto other = std::ranges::find_if(
          joined.scope.columns, [&](const ScopeColumn& one) { return one.column.id == key.right.id; });
      Call either{.function = FindFunction("coalesce"),
                  .args = {plan::ColumnExpr(column.column), plan::ColumnExpr(other->column)}};
      project.exprs.push_back(std::make_shared<const Expr>(either, column.column.type, true));
      column = {{context.ids.Next(), column.column.name, column.column.type, true}, {}, Visibility::kVisible};
      output.push_back(column.column);
    }
    merged.columns.push_back(std::move(column));
  }
  auto is_key = [&](ColumnId id) {
    return std::ranges::any_of(keys, [&](const Key& key) { return key.left.id == id || key.right.id == id; });
  };
  auto is_kept = [&](ColumnId id) {
    return std::ranges::any_of(merged.columns,
                               [&](const ScopeColumn& column) { return column.column.id == id; });
  };
  std::vector<ScopeColumn> rest;
  for (ScopeColumn column : joined.scope.columns) {
    if (is_key(column.column.id)) {
      if (is_kept(column.column.id)) continue;
      column.visibility = Visibility::kQualifiedOnly;
    }
    rest.push_back(std::move(column));
  }
  merged.columns.insert(merged.columns.end(), rest.begin(), rest.end());
  if (full) {
    for (const plan::Column& column : joined.plan->output) {
      project.exprs.push_back(plan::ColumnExpr(column));
      output.push_back(column);
    }
    joined.plan = plan::MakeNode(std::move(project), {std::move(joined.plan)}, std::move(output));
  }
  return {std::move(joined.plan), std::move(merged)};
}

Result<Query> JoinByKeys(Query left, Query right, const std::vector<std::string>& names, plan::JoinType type,
                         Context& context) {
  std::vector<Key> keys;
  std::vector<ExprPtr> conditions;
  for (const std::string& name : names) {
    WEIR_TRY(const ScopeColumn* left_key, KeyOf(left.scope, name, "left"));
    WEIR_TRY(const ScopeColumn* right_key, KeyOf(right.scope, name, "right"));
    WEIR_TRY(
        ExprPtr equal,
        MakeCall("=", {plan::ColumnExpr(left_key->column), plan::ColumnExpr(right_key->column)}, context));
    if (type == plan::JoinType::kFull && !SameShape(left_key->column.type, right_key->column.type)) {
      return Unsupported("FULL JOIN USING ({}) of keys with different types is not implemented", name);
    }
    keys.push_back({left_key->column, right_key->column});
    conditions.push_back(std::move(equal));
  }
  ExprPtr condition = conditions.empty() ? nullptr : Conjunction(std::move(conditions));
  Scope both = LeftOnly(type) ? left.scope : Joined(left.scope, right.scope);
  plan::NodePtr node =
      plan::MakeJoin(std::move(left.plan), std::move(right.plan), type, std::move(condition));
  Query joined{node, OverJoin(both, *node)};
  if (LeftOnly(type)) return joined;
  return MergeKeys(std::move(joined), keys, type, context);
}

}  // namespace

Result<Query> ResolveJoin(const unresolved::Join& join, const Environment& environment, Context& context) {
  WEIR_TRY(Query left, ResolveRelation(*join.left, environment, context));
  WEIR_TRY(Query right, ResolveRelation(*join.right, environment, context));
  plan::JoinType type = PlanType(join.type);
  if (join.natural) {
    std::vector<std::string> names = CommonNames(left.scope, right.scope);
    return JoinByKeys(std::move(left), std::move(right), names, type, context);
  }
  if (!join.using_columns.empty()) {
    return JoinByKeys(std::move(left), std::move(right), join.using_columns, type, context);
  }
  Scope both = Joined(left.scope, right.scope);
  ExprPtr condition;
  if (join.condition) {
    Names names;
    names.scopes = {&both};
    names.environment = environment;
    WEIR_TRY(condition, ResolveCondition(*join.condition, names, context, "join"));
    if (HasAggregate(*condition)) {
      return Condition("INVALID_JOIN_CONDITION", "42903", {},
                       "a join condition cannot hold aggregate functions")
          .WithSpan(join.condition->span, context.text);
    }
  }
  plan::NodePtr node =
      plan::MakeJoin(std::move(left.plan), std::move(right.plan), type, std::move(condition));
  return Query{node, OverJoin(LeftOnly(type) ? left.scope : both, *node)};
}

}  // namespace weir::analyze
