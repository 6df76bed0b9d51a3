#include "exec/duckdb/tree.h"

#include "duckdb/parser/expression/case_expression.hpp"
#include "duckdb/parser/expression/cast_expression.hpp"
#include "duckdb/parser/expression/columnref_expression.hpp"
#include "duckdb/parser/expression/comparison_expression.hpp"
#include "duckdb/parser/expression/conjunction_expression.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/parser/expression/function_expression.hpp"
#include "duckdb/parser/expression/operator_expression.hpp"
#include "duckdb/parser/tableref/subqueryref.hpp"

namespace weir::exec {

namespace {

duckdb::vector<ParsedPtr> ToDuck(ParsedList list) {
  duckdb::vector<ParsedPtr> result;
  for (ParsedPtr& expression : list) result.push_back(std::move(expression));
  return result;
}

ParsedPtr Conjoin(duckdb::ExpressionType op, bool empty, ParsedList conditions) {
  if (conditions.empty()) return Constant(duckdb::Value::BOOLEAN(empty));
  if (conditions.size() == 1) return std::move(conditions[0]);
  return duckdb::make_uniq<duckdb::ConjunctionExpression>(op, ToDuck(std::move(conditions)));
}

}  // namespace

ParsedPtr ColumnNamed(std::string name) {
  return duckdb::make_uniq<duckdb::ColumnRefExpression>(std::move(name));
}
ParsedPtr Constant(duckdb::Value value) {
  return duckdb::make_uniq<duckdb::ConstantExpression>(std::move(value));
}
ParsedPtr TypeMarker(const duckdb::LogicalType& type) { return Constant(duckdb::Value(type)); }

ParsedPtr CallOf(const std::string& function, ParsedList arguments) {
  return duckdb::make_uniq<duckdb::FunctionExpression>(function, ToDuck(std::move(arguments)));
}
ParsedPtr CastTo(const duckdb::LogicalType& type, ParsedPtr input) {
  return duckdb::make_uniq<duckdb::CastExpression>(type, std::move(input));
}
ParsedPtr CompareOf(duckdb::ExpressionType op, ParsedPtr left, ParsedPtr right) {
  return duckdb::make_uniq<duckdb::ComparisonExpression>(op, std::move(left), std::move(right));
}
ParsedPtr OperatorOf(duckdb::ExpressionType op, ParsedList arguments) {
  return duckdb::make_uniq<duckdb::OperatorExpression>(op, ToDuck(std::move(arguments)));
}
ParsedPtr AllOf(ParsedList conditions) {
  return Conjoin(duckdb::ExpressionType::CONJUNCTION_AND, true, std::move(conditions));
}
ParsedPtr AnyOf(ParsedList conditions) {
  return Conjoin(duckdb::ExpressionType::CONJUNCTION_OR, false, std::move(conditions));
}

ParsedPtr IfElse(ParsedPtr condition, ParsedPtr value, ParsedPtr otherwise) {
  auto result = duckdb::make_uniq<duckdb::CaseExpression>();
  duckdb::CaseCheck check;
  check.when_expr = std::move(condition);
  check.then_expr = std::move(value);
  result->case_checks.push_back(std::move(check));
  result->else_expr = std::move(otherwise);
  return result;
}

ParsedPtr Named(ParsedPtr expression, std::string name) {
  expression->SetAlias(std::move(name));
  return expression;
}

void KeepCount(duckdb::SelectNode& select) {
  if (!select.select_list.empty()) return;
  select.select_list.push_back(Named(Constant(duckdb::Value::BOOLEAN(true)), "nothing"));
}

ParsedList CopyOf(const ParsedList& list) {
  ParsedList copies;
  for (const ParsedPtr& expression : list) copies.push_back(expression->Copy());
  return copies;
}

SelectPtr SelectFrom(TablePtr from) {
  auto select = duckdb::make_uniq<duckdb::SelectNode>();
  select->from_table = std::move(from);
  return select;
}

duckdb::unique_ptr<duckdb::SelectStatement> StatementOf(QueryPtr query) {
  auto statement = duckdb::make_uniq<duckdb::SelectStatement>();
  statement->node = std::move(query);
  return statement;
}

TablePtr TableOf(QueryPtr query, std::string alias) {
  return duckdb::make_uniq<duckdb::SubqueryRef>(StatementOf(std::move(query)), std::move(alias));
}

}  // namespace weir::exec
