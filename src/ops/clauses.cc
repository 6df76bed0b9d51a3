#include "ops/clauses.h"

#include <algorithm>

#include "plan/logical.h"

namespace weir::ops {
namespace {

ExprPtr IntLiteral(size_t value) { return MakeLiteral(Scalar::Int(static_cast<int32_t>(value))); }

ExprPtr IsClause(const plan::Column& clause, size_t index) {
  return MakePredicate("=", {plan::ColumnExpr(clause), IntLiteral(index)});
}

ExprPtr MakeCase(std::vector<Case::Branch> branches, ExprPtr otherwise) {
  const Type type = branches.front().value->type();
  bool nullable = otherwise->nullable();
  for (const Case::Branch& branch : branches) nullable = nullable || branch.value->nullable();
  return std::make_shared<const Expr>(Case{std::move(branches), std::move(otherwise)}, type, nullable);
}

std::vector<size_t> Writers(const std::vector<plan::MergeAction>& actions) {
  std::vector<size_t> writers;
  for (size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].kind != plan::MergeAction::Kind::kDelete) writers.push_back(i);
  }
  return writers;
}

}  // namespace

ExprPtr ClauseOf(const std::vector<plan::MergeAction>& actions) {
  std::vector<Case::Branch> branches;
  for (size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].condition == nullptr) {
      if (branches.empty()) return IntLiteral(i);
      return MakeCase(std::move(branches), IntLiteral(i));
    }
    branches.push_back({actions[i].condition, IntLiteral(i)});
  }
  return MakeCase(std::move(branches), MakeLiteral(Scalar::Int(-1)));
}

bool TakesAll(const std::vector<plan::MergeAction>& actions) {
  return !actions.empty() && actions.front().condition == nullptr;
}

std::vector<ExprPtr> ValuesByClause(const std::vector<plan::MergeAction>& actions, const plan::Column& clause,
                                    size_t column_count) {
  const std::vector<size_t> writers = Writers(actions);
  std::vector<ExprPtr> values;
  for (size_t column = 0; column < column_count; ++column) {
    std::vector<Case::Branch> branches;
    for (size_t i = 0; i + 1 < writers.size(); ++i) {
      branches.push_back({IsClause(clause, writers[i]), actions[writers[i]].values[column]});
    }
    const ExprPtr& last = actions[writers.back()].values[column];
    values.push_back(branches.empty() ? last : MakeCase(std::move(branches), last));
  }
  return values;
}

ExprPtr WritesRow(const std::vector<plan::MergeAction>& actions, const plan::Column& clause) {
  ExprPtr any;
  for (size_t index : Writers(actions)) {
    ExprPtr is_clause = IsClause(clause, index);
    any = any == nullptr ? std::move(is_clause) : MakePredicate("or", {std::move(any), std::move(is_clause)});
  }
  return any;
}

bool AnyWrites(const std::vector<plan::MergeAction>& actions) { return !Writers(actions).empty(); }

std::vector<ExprPtr> ConditionsOf(const std::vector<plan::MergeAction>& actions) {
  std::vector<ExprPtr> conditions;
  for (const plan::MergeAction& action : actions) {
    if (action.condition != nullptr) conditions.push_back(action.condition);
  }
  return conditions;
}

std::vector<ExprPtr> ValuesOf(const std::vector<plan::MergeAction>& actions) {
  std::vector<ExprPtr> values;
  for (const plan::MergeAction& action : actions) {
    values.insert(values.end(), action.values.begin(), action.values.end());
  }
  return values;
}

}  // namespace weir::ops
