#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/query.h"
#include "analyze/statement.h"
#include "analyze/target.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

/// WHERE of UPDATE and DELETE; null if absent.
Result<ExprPtr> RowCondition(const unresolved::ExprPtr& written, Names names, Context& context) {
  if (written == nullptr) return ExprPtr();
  const std::vector<unresolved::NamedWindow> none;
  names.windows = &none;
  WEIR_TRY(ExprPtr condition, ResolveCondition(*written, names, context, "filter"));
  if (Status checked = CheckWhere(condition); !checked)
    return std::move(checked).error().WithSpan(written->span, context.text);
  const std::string shown = QuoteSql(PrettySql(*condition));
  if (!IsDeterministic(*condition)) {
    return Condition("INVALID_NON_DETERMINISTIC_EXPRESSIONS", "42K0E", {{"sqlExprs", shown}},
                     fmt::format("the condition must give the same answer each time it is asked: {}", shown))
        .WithSpan(written->span, context.text);
  }
  return condition;
}

Names NamesOver(const Scope& scope) {
  Names names;
  names.scopes = {&scope};
  return names;
}

}  // namespace

Result<plan::DeleteCommand> ResolveDelete(const unresolved::Delete& statement, Context& context) {
  WEIR_TRY(Target target, ResolveTarget(statement.table, statement.alias, context));
  WEIR_TRY(ExprPtr condition, RowCondition(statement.condition, NamesOver(target.scope), context));
  return plan::DeleteCommand{std::move(target.write), std::move(condition)};
}

Result<plan::UpdateCommand> ResolveUpdate(const unresolved::Update& update, Context& context) {
  WEIR_TRY(Target target, ResolveTarget(update.table, update.alias, context));
  Names names = NamesOver(target.scope);
  std::vector<ResolvedAssignment> assignments;
  for (const unresolved::Assignment& written : update.assignments) {
    auto assignment = ResolveAssignmentKey(written.column, names, target);
    if (!assignment) return std::move(assignment).error().WithSpan(written.span, context.text);
    WEIR_TRY(assignment->value, ResolveAssignmentValue(*written.value, names, context));
    assignments.push_back(*std::move(assignment));
  }
  WEIR_TRY(ExprPtr condition, RowCondition(update.condition, names, context));
  std::vector<ExprPtr> unchanged;
  for (const plan::Column& column : target.write.columns) unchanged.push_back(plan::ColumnExpr(column));
  WEIR_TRY(std::vector<ExprPtr> values, AssignColumns(target, assignments, unchanged, context));
  return plan::UpdateCommand{std::move(target.write), std::move(condition), std::move(values)};
}

}  // namespace weir::analyze
