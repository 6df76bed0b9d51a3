#include "duckdb/parser/expression/case_expression.hpp"
#include "duckdb/parser/expression/subquery_expression.hpp"
#include "exec/duckdb/functions/lowering_table.h"
#include "exec/duckdb/lower.h"
#include "exec/duckdb/lower_cast.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

Result<ParsedPtr> Lowering::Expression(const Expr& expr) {
  if (const Scalar* literal = expr.As<Scalar>()) {
    WEIR_TRY(duckdb::Value value, ToDuckValue(*literal));
    return Constant(std::move(value));
  }
  if (const ColumnRef* column = expr.As<ColumnRef>()) return ColumnNamed(NameOf(column->id));
  if (const Call* call = expr.As<Call>()) return LowerCall(*call, expr.type());
  if (const WindowCall* window = expr.As<WindowCall>()) return LowerCall(window->call, expr.type(), window);
  if (const Cast* cast = expr.As<Cast>()) {
    WEIR_TRY(ParsedPtr input, Expression(cast->input));
    return LowerCast(*this, std::move(input), cast->input->type(), expr.type(), cast->mode, cast->column);
  }
  if (const Case* choice = expr.As<Case>()) return LowerCase(*choice, expr.type());
  if (const GetField* get = expr.As<GetField>()) return LowerGetField(*get, expr.type());
  return LowerSubquery(*expr.As<Subquery>());
}

Result<ParsedPtr> Lowering::Condition(const ExprPtr& condition) {
  ParsedList conjuncts;
  for (const ExprPtr& conjunct : Conjuncts(condition)) {
    WEIR_TRY(ParsedPtr lowered, Expression(conjunct));
    conjuncts.push_back(std::move(lowered));
  }
  return AllOf(std::move(conjuncts));
}

Result<ParsedPtr> Lowering::LowerCall(const Call& call, const Type& type, const WindowCall* window) {
  const FunctionLowering* lowering = FindLowering(call.function->name);
  if (!lowering) return Unsupported("function {} cannot be run", call.function->name);
  ParsedList arguments;
  for (const ExprPtr& arg : call.args) {
    if (lowering->lowers_arguments) break;
    WEIR_TRY(ParsedPtr argument, Expression(arg));
    arguments.push_back(std::move(argument));
  }
  const CallSite site{.lowering = *this, .call = call, .type = type, .window = window};
  return lowering->rule(site, std::move(arguments));
}

Result<ParsedPtr> Lowering::LowerCase(const Case& choice, const Type& type) {
  WEIR_TRY(duckdb::LogicalType result_type, ToDuckType(type));
  auto result = duckdb::make_uniq<duckdb::CaseExpression>();
  for (const Case::Branch& branch : choice.branches) {
    duckdb::CaseCheck check;
    WEIR_TRY(check.when_expr, Expression(branch.condition));
    WEIR_TRY(check.then_expr, Expression(branch.value));
    result->case_checks.push_back(std::move(check));
  }
  WEIR_TRY(ParsedPtr otherwise, Expression(choice.otherwise));
  result->else_expr = std::move(otherwise);
  return ParsedPtr(std::move(result));
}

Result<ParsedPtr> Lowering::LowerGetField(const GetField& get, const Type&) {
  WEIR_TRY(ParsedPtr input, Expression(get.input));
  return CallOf("struct_extract_at",
                ListOf(std::move(input), Constant(duckdb::Value::BIGINT(get.index + 1))));
}

Result<ParsedPtr> Lowering::LowerSubquery(const Subquery& subquery) {
  WEIR_TRY(auto statement, Statement(subquery.plan));
  auto result = duckdb::make_uniq<duckdb::SubqueryExpression>();
  result->subquery = std::move(statement);
  switch (subquery.kind) {
    case SubqueryKind::kScalar:
      result->subquery_type = duckdb::SubqueryType::SCALAR;
      break;
    case SubqueryKind::kExists:
      result->subquery_type = duckdb::SubqueryType::EXISTS;
      break;
    case SubqueryKind::kIn: {
      result->subquery_type = duckdb::SubqueryType::ANY;
      result->comparison_type = duckdb::ExpressionType::COMPARE_EQUAL;
      WEIR_TRY(result->child, Expression(subquery.value));
      break;
    }
  }
  return ParsedPtr(std::move(result));
}

}  // namespace weir::exec
