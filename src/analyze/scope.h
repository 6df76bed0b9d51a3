#pragma once

/// Which names mean which columns. Thread rule: one thread; a Names points at scopes that outlive it.

#include <map>
#include <string>
#include <vector>

#include "plan/logical.h"
#include "plan/name_resolver.h"
#include "plan/unresolved.h"

namespace weir::analyze {

struct Settings;

/// What every step of the analysis of one statement needs.
struct Context {
  plan::NameResolver& tables;
  const Settings& settings;
  plan::ColumnIds& ids;
  std::string_view text;  ///< The statement.
  int common_uses = 0;    ///< Uses of WITH tables so far; each is resolved anew.
  /// WITH tables so far that give other rows each time they are computed.
  std::vector<const unresolved::CommonTable*> random_tables = {};
};

/// A column that a relation offers.
struct ScopeColumn {
  enum class Visibility : uint8_t {
    kVisible,
    kQualifiedOnly,  ///< A key that USING merged: not in *, found as t.key and in t.*.
    kMetadata,       ///< Found by name, in no star.
  };
  plan::Column column;
  unresolved::Name qualifier;  ///< {"cat", "db", "t"}, or the alias, or empty.
  Visibility visibility = Visibility::kVisible;
};

/// The columns of a relation that has a plan id, so far as they still exist.
struct Origin {
  unresolved::PlanId plan = unresolved::kNoPlan;
  std::vector<plan::Column> columns;
};

struct Scope {
  std::vector<ScopeColumn> columns;
  std::vector<Origin> origins = {};

  struct Match {
    const ScopeColumn* column = nullptr;
    size_t parts = 0;  ///< Parts of the name that the column takes; the rest are struct members.
  };
  /// Matches of the longest qualifier that has any; several when the name is ambiguous.
  std::vector<Match> Find(const unresolved::Name& name) const;
  /// Qualified names of the visible columns, for suggestions: sorted by column.
  std::vector<unresolved::Name> Candidates() const;
};

/// A relation's plan, and the names of its output columns.
struct Query {
  plan::NodePtr plan;
  Scope scope;
};

struct NamedExpr {
  std::string name;
  ExprPtr expr;
  std::string metadata = {};  ///< As in plan::Column.
};

struct Names;

/// A WITH clause's tables, innermost first.
struct CommonTables {
  const unresolved::CommonTable* table = nullptr;
  const CommonTables* next = nullptr;  ///< What the table's own query sees, and where the search goes on.
  const Names* outer = nullptr;        ///< As in the Environment of the WITH clause.
  std::vector<ColumnId>* outer_used = nullptr;
};

/// What a query sees of its surroundings.
struct Environment {
  const CommonTables* common = nullptr;
  const Names* outer = nullptr;                 ///< Names of the enclosing query, when this is a subquery.
  std::vector<ColumnId>* outer_used = nullptr;  ///< Collects columns of enclosing queries that were used.
};

/// Where an expression looks names up, in this order.
struct Names {
  /// Columns that are keys of GROUP BY, which HAVING sees before the select list.
  const std::vector<ExprPtr>* group_keys = nullptr;
  const std::vector<NamedExpr>* outputs = nullptr;  ///< The select list, as HAVING sees it.
  std::vector<const Scope*> scopes;
  const std::vector<NamedExpr>* laterals = nullptr;  ///< Aliases further left in the same select list.
  /// Inside an aggregate's arguments only this scope is looked at, when set.
  const Scope* aggregate_arguments = nullptr;
  /// The WINDOW clause of the SELECT in whose list the expression stands; null where no window function can.
  const std::vector<unresolved::NamedWindow>* windows = nullptr;
  /// What an error proposes instead of a name that is not there, when it is not the first scope.
  const std::vector<unresolved::Name>* suggestions = nullptr;
  Environment environment;
};

/// The column or struct member that a name means.
/// Errors: AMBIGUOUS_REFERENCE, UNRESOLVED_COLUMN, FIELD_NOT_FOUND, AMBIGUOUS_LATERAL_COLUMN_ALIAS.
Result<ExprPtr> ResolveName(const unresolved::Name& name, const Names& names);
/// As above, but nullptr if nothing has the name.
Result<ExprPtr> FindName(const unresolved::Name& name, const Names& names);
/// Suggestions for a name that FindName did not find.
std::vector<unresolved::Name> CandidatesOf(const Names& names);

/// A column of the relation with the id, which the name's first part names; members follow.
/// Errors: CANNOT_RESOLVE_DATAFRAME_COLUMN, AMBIGUOUS_COLUMN_REFERENCE.
Result<ExprPtr> ResolveOfPlan(const unresolved::Name& name, unresolved::PlanId plan, const Names& names);

/// Origins of columns that a projection passed on under new ids: `renamed` holds old and new ones.
std::vector<Origin> PassedOn(const std::vector<Origin>& origins,
                             const std::map<ColumnId, std::vector<ColumnId>>& renamed);

/// Whether rows or a value are the same each time they are computed, subqueries included.
bool IsRepeatable(const plan::Node& node);
bool IsRepeatable(const Expr& expr);

/// Errors: kUnsupported if the expression has so many nodes that it must not be used twice.
Status CheckSize(const Expr& expr);

/// Member of a struct (or value of a map) by name. Errors: FIELD_NOT_FOUND, AMBIGUOUS_REFERENCE_TO_FIELDS,
/// INVALID_EXTRACT_BASE_FIELD_TYPE.
Result<ExprPtr> Member(const ExprPtr& base, const std::string& field);

/// A scope over a plan's columns, all with one qualifier.
Scope ScopeOf(const std::vector<plan::Column>& columns, const unresolved::Name& qualifier);

}  // namespace weir::analyze
