#pragma once

/// Relations: what stands in FROM, and whole queries. Thread rule: one thread.

#include "analyze/scope.h"

namespace weir::analyze {

/// A relation as FROM sees it: hidden columns included. Errors: as ResolveExpression;
/// TABLE_OR_VIEW_NOT_FOUND.
Result<Query> ResolveRelation(const unresolved::Relation& relation, const Environment& environment,
                              Context& context);

/// A relation as a query whose rows are used: exactly its visible columns.
Result<Query> ResolveQuery(const unresolved::Relation& relation, const Environment& environment,
                           Context& context);

/// SELECT with the ORDER BY that follows it, which sees both the select list and what is selected from.
/// `sort` may be null.
Result<Query> ResolveSelect(const unresolved::Select& select, const unresolved::Sort* sort,
                            const Environment& environment, Context& context);

Result<Query> ResolveJoin(const unresolved::Join& join, const Environment& environment, Context& context);
Result<Query> ResolveSetOperation(const unresolved::SetOperation& operation, const Environment& environment,
                                  Context& context);
Result<Query> ResolveTable(const unresolved::NamedTable& table, const Environment& environment,
                           Context& context);
Result<Query> ResolveTableFunction(const unresolved::TableFunction& function, const Environment& environment,
                                   Context& context);
Result<Query> ResolveValues(const unresolved::Values& values, const Environment& environment,
                            Context& context);

/// A scan of all columns of a table, its hidden ones last. `qualifier` names them.
Query ScanTable(const plan::ResolvedTable& table, const unresolved::Name& qualifier, Context& context);

/// Errors: UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE for columns that DISTINCT and set operations cannot
/// compare.
Status CheckComparable(const std::vector<plan::Column>& columns);

/// Errors: INVALID_ORDERING_TYPE for an expression that ORDER BY cannot compare.
Status CheckSortable(const Expr& expr, const unresolved::SortKey& key);

/// Errors: INVALID_WHERE_CONDITION for aggregates in WHERE.
Status CheckWhere(const ExprPtr& condition);

/// The columns that a user sees, under a projection if there are others.
Query Visible(Query query);

/// The value of an expression without columns. Errors: kUnsupported if it cannot be computed before the query
/// runs.
Result<Scalar> ConstantValue(const unresolved::Expr& expr, const Type& type, const Environment& environment,
                             Context& context);

/// As above for a resolved expression, cast to the type.
Result<Scalar> ConstantValue(const ExprPtr& expr, const Type& type, Context& context);
/// True if the expression has one value, whatever the row: no columns, subqueries, aggregates or chance.
bool IsFoldable(const Expr& expr);

}  // namespace weir::analyze
