#include <algorithm>

#include "duckdb/parser/expression/case_expression.hpp"
#include "exec/duckdb/functions/lowering_table.h"
#include "exec/duckdb/types.h"
#include "expr/failure.h"

namespace weir::exec {

namespace {

using duckdb::ExpressionType;
using duckdb::Value;

template <ExpressionType kOp>
Result<ParsedPtr> Compare(const CallSite& site, ParsedList arguments) {
  constexpr bool kOrders =
      kOp != ExpressionType::COMPARE_EQUAL && kOp != ExpressionType::COMPARE_NOT_DISTINCT_FROM;
  // DuckDB puts NULL members behind all others, Spark in front.
  if (kOrders && site.ArgumentType(0).is_nested()) {
    return Unsupported("{} of nested values is not implemented", site.call.function->name);
  }
  return CompareOf(kOp, std::move(arguments[0]), std::move(arguments[1]));
}

template <ExpressionType kOp>
Result<ParsedPtr> Operator(const CallSite&, ParsedList arguments) {
  return OperatorOf(kOp, std::move(arguments));
}

void Flatten(const ExprPtr& expr, std::string_view op, std::vector<ExprPtr>& operands) {
  const Call* call = expr->As<Call>();
  if (!call || call->function->name != op) return operands.push_back(expr);
  for (const ExprPtr& arg : call->args) Flatten(arg, op, operands);
}

/// Spark evaluates AND and OR from left to right and stops early; DuckDB does so in a WHERE clause but not in
/// a value. CASE keeps an operand that may fail from being evaluated where Spark would not.
template <bool kAnd>
Result<ParsedPtr> Logical(const CallSite& site, ParsedList) {
  std::vector<ExprPtr> operands;
  for (const ExprPtr& arg : site.call.args) Flatten(arg, kAnd ? "and" : "or", operands);
  ParsedList lowered;
  size_t guarded = 0;  // Operands before this one decide whether a later one is evaluated.
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i > 0 && MayFail(*operands[i])) guarded = i;
    WEIR_TRY(ParsedPtr operand, site.lowering.Expression(operands[i]));
    lowered.push_back(std::move(operand));
  }
  auto result = duckdb::make_uniq<duckdb::CaseExpression>();
  for (size_t i = 0; i < guarded; ++i) {
    duckdb::CaseCheck check;
    check.when_expr = CompareOf(ExpressionType::COMPARE_NOT_DISTINCT_FROM, lowered[i]->Copy(),
                                Constant(Value::BOOLEAN(!kAnd)));
    check.then_expr = Constant(Value::BOOLEAN(!kAnd));
    result->case_checks.push_back(std::move(check));
  }
  ParsedPtr whole = kAnd ? AllOf(std::move(lowered)) : AnyOf(std::move(lowered));
  if (guarded == 0) return whole;
  result->else_expr = std::move(whole);
  return ParsedPtr(std::move(result));
}

Result<ParsedPtr> In(const CallSite&, ParsedList arguments) {
  return OperatorOf(ExpressionType::COMPARE_IN, std::move(arguments));
}

Result<ParsedPtr> IsNan(const CallSite&, ParsedList arguments) {
  // NULL is not NaN.
  return OperatorOf(
      ExpressionType::OPERATOR_COALESCE,
      ListOf(CallOf("isnan", ListOf(std::move(arguments[0]))), Constant(Value::BOOLEAN(false))));
}

/// DuckDB's + - * on whole numbers stay in their type and fail on overflow, as Spark's do under ANSI.
template <char kSymbol>
Result<ParsedPtr> Arithmetic(const CallSite& site, ParsedList arguments) {
  const std::string symbol(1, kSymbol);
  if (site.type.kind() == TypeKind::kDecimal) {
    arguments.push_back(Constant(Value(symbol)));
    arguments.push_back(Constant(Value::BOOLEAN(site.ansi())));
    return CallKernel(site, "weir_decimal", std::move(arguments));
  }
  if (site.ansi() && (site.type.kind() == TypeKind::kByte || site.type.kind() == TypeKind::kShort)) {
    arguments.push_back(Constant(Value(symbol)));
    return CallKernel(site, "weir_checked", std::move(arguments));
  }
  const bool interval =
      site.type.kind() == TypeKind::kIntervalDayTime || site.type.kind() == TypeKind::kIntervalYearMonth;
  if (site.type.is_floating() || ((site.ansi() || interval) && site.type.is_integral())) {
    return CallNative(site, symbol.c_str(), std::move(arguments));
  }
  if (interval) return CallNative(site, symbol.c_str(), std::move(arguments));
  arguments.push_back(Constant(Value(symbol)));
  return CallKernel(site, "weir_wrapping", std::move(arguments));
}

Result<ParsedPtr> Divide(const CallSite& site, ParsedList arguments) {
  const bool decimal = site.type.kind() == TypeKind::kDecimal;
  if (decimal) arguments.push_back(Constant(Value("/")));
  arguments.push_back(Constant(Value::BOOLEAN(site.ansi())));
  return CallKernel(site, decimal ? "weir_decimal" : "weir_divide", std::move(arguments));
}

template <char kSymbol>
Result<ParsedPtr> Remainder(const CallSite& site, ParsedList arguments) {
  const bool decimal = site.type.kind() == TypeKind::kDecimal;
  arguments.push_back(Constant(Value(std::string(1, kSymbol))));
  arguments.push_back(Constant(Value::BOOLEAN(site.ansi())));
  return CallKernel(site, decimal ? "weir_decimal" : "weir_remainder", std::move(arguments));
}

Result<ParsedPtr> IntegralDivide(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value::BOOLEAN(site.ansi())));
  return CallKernel(site, "weir_integral_divide", std::move(arguments));
}

Result<ParsedPtr> Negative(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value::BOOLEAN(site.ansi())));
  return CallKernel(site, "weir_negative", std::move(arguments));
}

Result<ParsedPtr> PlusZero(const CallSite&, ParsedList arguments) {
  return CallOf("weir_plus_zero", std::move(arguments));
}

Result<ParsedPtr> Positive(const CallSite&, ParsedList arguments) { return std::move(arguments[0]); }

template <char kSymbol>
Result<ParsedPtr> Bitwise(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value(std::string(1, kSymbol))));
  return CallKernel(site, "weir_bitwise", std::move(arguments));
}

}  // namespace

std::vector<FunctionLowering> OperatorLowerings() {
  return {
      {"=", Compare<ExpressionType::COMPARE_EQUAL>},
      {"<", Compare<ExpressionType::COMPARE_LESSTHAN>},
      {"<=", Compare<ExpressionType::COMPARE_LESSTHANOREQUALTO>},
      {">", Compare<ExpressionType::COMPARE_GREATERTHAN>},
      {">=", Compare<ExpressionType::COMPARE_GREATERTHANOREQUALTO>},
      {"<=>", Compare<ExpressionType::COMPARE_NOT_DISTINCT_FROM>},
      {"and", Logical<true>, true},
      {"or", Logical<false>, true},
      {"not", Operator<ExpressionType::OPERATOR_NOT>},
      {"in", In},
      {"isnull", Operator<ExpressionType::OPERATOR_IS_NULL>},
      {"isnotnull", Operator<ExpressionType::OPERATOR_IS_NOT_NULL>},
      {"isnan", IsNan},
      {"coalesce", Operator<ExpressionType::OPERATOR_COALESCE>},
      {"+", Arithmetic<'+'>},
      {"-", Arithmetic<'-'>},
      {"*", Arithmetic<'*'>},
      {"/", Divide},
      {"%", Remainder<'%'>},
      {"pmod", Remainder<'p'>},
      {"div", IntegralDivide},
      {"negative", Negative},
      {"positive", Positive},
      {"+0", PlusZero},
      {"&", Bitwise<'&'>},
      {"|", Bitwise<'|'>},
      {"^", Bitwise<'^'>},
      {"~", Bitwise<'~'>},
  };
}

}  // namespace weir::exec
