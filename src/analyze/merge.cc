#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/query.h"
#include "analyze/statement.h"
#include "analyze/target.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

using unresolved::MergeClause;

class MergeResolver {
 public:
  MergeResolver(const unresolved::Merge& merge, Context& context) : merge_(merge), context_(context) {}

  Result<plan::MergeCommand> Run() {
    WEIR_TRY(target_, ResolveTarget(merge_.target, merge_.target_alias, context_));
    WEIR_TRY(source_, ResolveQuery(*merge_.source, {}, context_));
    both_ = target_.scope;
    both_.columns.insert(both_.columns.end(), source_.scope.columns.begin(), source_.scope.columns.end());
    all_names_ = both_.Candidates();
    target_names_ = Unqualified(target_.scope);
    source_names_ = Unqualified(source_.scope);
    plan::MergeCommand command;
    WEIR_TRY(command.condition, MergeCondition(*merge_.condition, both_, "SEARCH", "join"));
    for (const MergeClause& clause : merge_.clauses) {
      auto action = Action(clause);
      if (!action) return std::move(action).error().WithSpan(clause.span, context_.text);
      ActionsOf(command, clause.when).push_back(*std::move(action));
    }
    command.target = target_.write;
    command.source = source_.plan;
    return command;
  }

 private:
  static std::vector<plan::MergeAction>& ActionsOf(plan::MergeCommand& command, MergeClause::When when) {
    switch (when) {
      case MergeClause::When::kMatched:
        return command.matched;
      case MergeClause::When::kNotMatched:
        return command.not_matched;
      case MergeClause::When::kNotMatchedBySource:
        return command.not_matched_by_source;
    }
    return command.matched;
  }

  /// Rows that a clause sees.
  const Scope& ScopeOf(MergeClause::When when) const {
    switch (when) {
      case MergeClause::When::kMatched:
        return both_;
      case MergeClause::When::kNotMatched:
        return source_.scope;
      case MergeClause::When::kNotMatchedBySource:
        return target_.scope;
    }
    return both_;
  }

  static Names NamesOver(const Scope& scope, const std::vector<unresolved::Name>& suggestions) {
    Names names;
    names.scopes = {&scope};
    names.suggestions = &suggestions;
    return names;
  }

  static std::vector<unresolved::Name> Unqualified(const Scope& scope) {
    std::vector<unresolved::Name> names = scope.Candidates();
    for (unresolved::Name& name : names) name = {name.back()};
    return names;
  }

  /// Names that a clause's values see.
  Names ValueNames(MergeClause::When when) const {
    switch (when) {
      case MergeClause::When::kMatched:
        return NamesOver(both_, all_names_);
      case MergeClause::When::kNotMatched:
        return NamesOver(source_.scope, source_names_);
      case MergeClause::When::kNotMatchedBySource:
        return NamesOver(target_.scope, target_names_);
    }
    return NamesOver(both_, all_names_);
  }

  Result<ExprPtr> MergeCondition(const unresolved::Expr& written, const Scope& scope, std::string_view name,
                                 std::string_view clause) {
    WEIR_TRY(ExprPtr condition, ResolveCondition(written, NamesOver(scope, all_names_), context_, clause));
    std::string_view problem;
    if (!IsDeterministic(*condition)) problem = "NON_DETERMINISTIC";
    if (HasSubquery(*condition)) problem = "SUBQUERY";
    if (HasAggregate(*condition)) problem = "AGGREGATE";
    if (problem.empty()) return condition;
    std::string shown = QuoteSql(PrettySql(*condition));
    return Condition(fmt::format("UNSUPPORTED_MERGE_CONDITION.{}", problem), "42K0E",
                     {{"condName", std::string(name)}, {"cond", shown}},
                     fmt::format("the {} condition of MERGE cannot be {}", name, shown))
        .WithSpan(written.span, context_.text);
  }

  Result<plan::MergeAction> Action(const MergeClause& clause) {
    plan::MergeAction action;
    std::string_view name = "DELETE";
    switch (clause.action) {
      case MergeClause::Action::kDelete:
        action.kind = plan::MergeAction::Kind::kDelete;
        break;
      case MergeClause::Action::kUpdate:
      case MergeClause::Action::kUpdateAll:
        action.kind = plan::MergeAction::Kind::kUpdate;
        name = "UPDATE";
        break;
      case MergeClause::Action::kInsert:
      case MergeClause::Action::kInsertAll:
        action.kind = plan::MergeAction::Kind::kInsert;
        name = "INSERT";
        break;
    }
    if (clause.condition != nullptr) {
      WEIR_TRY(action.condition, MergeCondition(*clause.condition, ScopeOf(clause.when), name, "filter"));
    }
    if (action.kind == plan::MergeAction::Kind::kDelete) return action;
    WEIR_TRY(std::vector<ResolvedAssignment> assignments, Assignments(clause));
    std::vector<ExprPtr> otherwise(target_.write.columns.size());
    if (action.kind == plan::MergeAction::Kind::kUpdate) {
      for (size_t i = 0; i < otherwise.size(); ++i) otherwise[i] = plan::ColumnExpr(target_.write.columns[i]);
    }
    WEIR_TRY(action.values, AssignColumns(target_, assignments, otherwise, context_));
    return action;
  }

  Result<std::vector<ResolvedAssignment>> Assignments(const MergeClause& clause) {
    switch (clause.action) {
      case MergeClause::Action::kUpdateAll:
      case MergeClause::Action::kInsertAll:
        return AssignAll();
      case MergeClause::Action::kInsert:
        return AssignListed(clause);
      default:
        return AssignWritten(clause);
    }
  }

  /// SET * and INSERT *: every column from the source's column of the same name.
  Result<std::vector<ResolvedAssignment>> AssignAll() {
    std::vector<ResolvedAssignment> assignments;
    for (size_t i = 0; i < target_.write.columns.size(); ++i) {
      const std::string& name = target_.write.columns[i].name;
      WEIR_TRY(ExprPtr value, ResolveName({name}, NamesOver(source_.scope, source_names_)));
      assignments.push_back({{i}, {name}, std::move(value)});
    }
    return assignments;
  }

  Result<std::vector<ResolvedAssignment>> AssignListed(const MergeClause& clause) {
    if (clause.insert_columns.size() != clause.insert_values.size()) {
      return Invalid("INSERT names {} columns and gives {} values", clause.insert_columns.size(),
                     clause.insert_values.size());
    }
    std::vector<ResolvedAssignment> assignments;
    for (size_t i = 0; i < clause.insert_columns.size(); ++i) {
      WEIR_TRY(
          ResolvedAssignment assignment,
          ResolveAssignmentKey(clause.insert_columns[i], NamesOver(target_.scope, target_names_), target_));
      WEIR_TRY(assignment.value, Value(*clause.insert_values[i], clause));
      assignments.push_back(std::move(assignment));
    }
    return assignments;
  }

  Result<std::vector<ResolvedAssignment>> AssignWritten(const MergeClause& clause) {
    std::vector<ResolvedAssignment> assignments;
    for (const unresolved::Assignment& written : clause.assignments) {
      auto assignment =
          ResolveAssignmentKey(written.column, NamesOver(target_.scope, target_names_), target_);
      if (!assignment) return std::move(assignment).error().WithSpan(written.span, context_.text);
      WEIR_TRY(assignment->value, Value(*written.value, clause));
      assignments.push_back(*std::move(assignment));
    }
    return assignments;
  }

  Result<ExprPtr> Value(const unresolved::Expr& written, const MergeClause& clause) {
    WEIR_TRY(ExprPtr value, ResolveAssignmentValue(written, ValueNames(clause.when), context_));
    if (value != nullptr && !IsDeterministic(*value)) {
      std::string shown = QuoteSql(PrettySql(*value));
      return Condition("INVALID_NON_DETERMINISTIC_EXPRESSIONS", "42K0E", {{"sqlExprs", shown}},
                       fmt::format("a value of MERGE must be the same each time it is asked for: {}", shown))
          .WithSpan(written.span, context_.text);
    }
    return value;
  }

  const unresolved::Merge& merge_;
  Context& context_;
  Target target_;
  Query source_;
  Scope both_;
  std::vector<unresolved::Name> all_names_, target_names_, source_names_;  ///< What errors propose.
};

}  // namespace

Result<plan::MergeCommand> ResolveMerge(const unresolved::Merge& merge, Context& context) {
  return MergeResolver(merge, context).Run();
}

}  // namespace weir::analyze
