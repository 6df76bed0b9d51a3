#include "exec/duckdb/functions/aggregates.h"

#include "duckdb/common/vector_operations/aggregate_executor.hpp"
#include "duckdb/function/aggregate_function.hpp"
#include "duckdb/function/function_set.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "duckdb/parser/expression/function_expression.hpp"
#include "duckdb/parser/expression/window_expression.hpp"
#include "exec/duckdb/conditions.h"
#include "exec/duckdb/functions/decimal_rows.h"
#include "exec/duckdb/functions/lowering_table.h"
#include "exec/duckdb/functions/moments.h"
#include "exec/duckdb/functions/windows.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

namespace {

using duckdb::AggregateFinalizeData;
using duckdb::AggregateInputData;
using duckdb::ExpressionType;
using duckdb::LogicalType;
using duckdb::Value;

// ---- own aggregates -------------------------------------------------------------------------------------

/// What DuckDB asks of every aggregate here; NULLs are left out.
template <typename State>
struct Aggregate {
  template <typename S>
  static void Initialize(S& state) {
    state = S();
  }
  template <typename S, typename Op>
  static void Combine(const S& source, S& target, AggregateInputData&) {
    target.Merge(source);
  }
  static bool IgnoreNull() { return true; }
};

/// Variance and its square root, of a population or a sample.
template <bool kSample, bool kRoot>
struct Variance : Aggregate<Moments> {
  template <typename Input, typename S, typename Op>
  static void Operation(S& state, const Input& x, duckdb::AggregateUnaryInput&) {
    state.Add(x);
  }
  template <typename Input, typename S, typename Op>
  static void ConstantOperation(S& state, const Input& x, duckdb::AggregateUnaryInput&, duckdb::idx_t count) {
    for (duckdb::idx_t i = 0; i < count; ++i) state.Add(x);
  }
  template <typename T, typename S>
  static void Finalize(S& state, T& target, AggregateFinalizeData& data) {
    const double divisor = kSample ? state.n - 1 : state.n;
    if (divisor <= 0) return data.ReturnNull();
    target = kRoot ? std::sqrt(state.m2 / divisor) : state.m2 / divisor;
  }
};

enum class CovarianceKind : uint8_t { kPopulation, kSample, kCorrelation, kAnsiCorrelation };

template <CovarianceKind kKind>
struct Covariance : Aggregate<Comoments> {
  template <typename A, typename B, typename S, typename Op>
  static void Operation(S& state, const A& x, const B& y, duckdb::AggregateBinaryInput&) {
    state.Add(x, y);
  }
  template <typename T, typename S>
  static void Finalize(S& state, T& target, AggregateFinalizeData& data) {
    if (kKind == CovarianceKind::kPopulation) {
      if (state.n == 0) return data.ReturnNull();
      target = state.c / state.n;
      return;
    }
    if (state.n <= 1) return data.ReturnNull();
    if (kKind == CovarianceKind::kSample) {
      target = state.c / (state.n - 1);
      return;
    }
    const double root = std::sqrt(state.m2_x * state.m2_y);
    if (root == 0 && kKind == CovarianceKind::kAnsiCorrelation) Throw(DivideByZero());
    if (root == 0) return data.ReturnNull();
    target = state.c / root;
  }
};

/// A sum of decimals; remembers that it left the 38 digits.
struct DecimalSum {
  Int128 sum = 0;
  bool any = false;
  bool overflow = false;

  void Add(Int128 value) {
    any = true;
    overflow |= __builtin_add_overflow(sum, value, &sum) || !FitsPrecision(sum, 38);
  }
  void Merge(const DecimalSum& other) {
    if (!other.any) return;
    Add(other.sum);
    overflow |= other.overflow;
  }
};

template <bool kAnsi>
struct SumOfDecimals : Aggregate<DecimalSum> {
  template <typename Input, typename S, typename Op>
  static void Operation(S& state, const Input& value, duckdb::AggregateUnaryInput&) {
    state.Add(FromHugeint(value));
  }
  template <typename Input, typename S, typename Op>
  static void ConstantOperation(S& state, const Input& value, duckdb::AggregateUnaryInput&,
                                duckdb::idx_t count) {
    for (duckdb::idx_t i = 0; i < count; ++i) state.Add(FromHugeint(value));
  }
  template <typename T, typename S>
  static void Finalize(S& state, T& target, AggregateFinalizeData& data) {
    if (state.overflow && kAnsi) Throw(ArithmeticOverflow("Overflow in sum of decimals", "try_sum"));
    if (!state.any || state.overflow) return data.ReturnNull();
    target = ToHugeint(state.sum);
  }
};

/// The argument keeps its scale and is as wide as decimals get.
duckdb::unique_ptr<duckdb::FunctionData> BindDecimalSum(
    duckdb::ClientContext&, duckdb::AggregateFunction& function,
    duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& arguments) {
  const LogicalType type = LogicalType::DECIMAL(38, duckdb::DecimalType::GetScale(arguments[0]->return_type));
  function.arguments[0] = type;
  function.SetReturnType(type);
  return nullptr;
}

template <bool kSample, bool kRoot>
void RegisterVariance(duckdb::ExtensionLoader& loader, const char* name) {
  auto function =
      duckdb::AggregateFunction::UnaryAggregate<Moments, double, double, Variance<kSample, kRoot>>(
          LogicalType::DOUBLE, LogicalType::DOUBLE);
  function.name = name;
  loader.RegisterFunction(function);
}

template <CovarianceKind kKind>
void RegisterCovariance(duckdb::ExtensionLoader& loader, const char* name) {
  auto function =
      duckdb::AggregateFunction::BinaryAggregate<Comoments, double, double, double, Covariance<kKind>>(
          LogicalType::DOUBLE, LogicalType::DOUBLE, LogicalType::DOUBLE);
  function.name = name;
  loader.RegisterFunction(function);
}

template <bool kAnsi>
void RegisterDecimalSum(duckdb::ExtensionLoader& loader, const char* name) {
  auto function = duckdb::AggregateFunction::UnaryAggregate<DecimalSum, duckdb::hugeint_t, duckdb::hugeint_t,
                                                            SumOfDecimals<kAnsi>>(
      LogicalType::DECIMAL(38, 0), LogicalType::DECIMAL(38, 0));
  function.name = name;
  function.bind = BindDecimalSum;
  loader.RegisterFunction(function);
}

// ---- lowering -------------------------------------------------------------------------------------------

/// A call with the site's DISTINCT and FILTER, and one more condition if there is one.
Result<ParsedPtr> Aggregated(const CallSite& site, const char* function, ParsedList arguments,
                             ParsedPtr condition = nullptr) {
  if (site.call.filter) {
    WEIR_TRY(ParsedPtr filter, site.lowering.Expression(site.call.filter));
    condition = condition ? AllOf(ListOf(std::move(filter), std::move(condition))) : std::move(filter);
  }
  if (site.window != nullptr)
    return AggregateOver(site, function, std::move(arguments), std::move(condition));
  ParsedPtr call = CallOf(function, std::move(arguments));
  auto& expression = call->Cast<duckdb::FunctionExpression>();
  expression.distinct = site.call.distinct;
  expression.filter = std::move(condition);
  return call;
}

ParsedPtr NotNull(const ParsedPtr& argument) {
  return OperatorOf(ExpressionType::OPERATOR_IS_NOT_NULL, ListOf(argument->Copy()));
}

Result<ParsedPtr> CastToResult(const CallSite& site, ParsedPtr value) {
  WEIR_TRY(LogicalType type, ToDuckType(site.type));
  return CastTo(type, std::move(value));
}

/// DuckDB's aggregate of the name, cast to the result type.
template <const char* kFunction>
Result<ParsedPtr> NativeAggregate(const CallSite& site, ParsedList arguments) {
  WEIR_TRY(ParsedPtr value, Aggregated(site, kFunction, std::move(arguments)));
  return CastToResult(site, std::move(value));
}
constexpr char kBoolAnd[] = "bool_and", kBoolOr[] = "bool_or", kBitAnd[] = "bit_and", kBitOr[] = "bit_or",
               kBitXor[] = "bit_xor", kVarSamp[] = "weir_var_samp", kVarPop[] = "weir_var_pop",
               kStddevSamp[] = "weir_stddev_samp", kStddevPop[] = "weir_stddev_pop",
               kCovarPop[] = "weir_covar_pop", kCovarSamp[] = "weir_covar_samp", kMin[] = "min",
               kMax[] = "max";

/// Rows in which no argument is NULL.
Result<ParsedPtr> Count(const CallSite& site, ParsedList arguments) {
  if (!site.call.distinct && std::ranges::all_of(site.call.args, [](const ExprPtr& arg) {
        const Scalar* literal = arg->As<Scalar>();
        return literal != nullptr && !literal->is_null();
      })) {
    return Aggregated(site, "count_star", {});
  }
  if (arguments.size() == 1) return Aggregated(site, "count", std::move(arguments));
  ParsedList present;
  for (const ParsedPtr& argument : arguments) present.push_back(NotNull(argument));
  ParsedPtr condition = AllOf(std::move(present));
  if (!site.call.distinct) return Aggregated(site, "count_star", {}, std::move(condition));
  return Aggregated(site, "count", ListOf(CallOf("row", std::move(arguments))), std::move(condition));
}

Result<ParsedPtr> CountIf(const CallSite& site, ParsedList arguments) {
  ParsedPtr condition = arguments[0]->Copy();
  return Aggregated(site, "count", std::move(arguments), std::move(condition));
}

Result<ParsedPtr> SumDecimals(const CallSite& site, ParsedList arguments) {
  // A wide sum cannot leave 38 digits as long as the argument leaves ten of them.
  if (site.ArgumentType(0).precision() <= 28) return Aggregated(site, "sum", std::move(arguments));
  return Aggregated(site, site.ansi() ? "weir_sum_decimal" : "weir_try_sum_decimal", std::move(arguments));
}

Result<ParsedPtr> Sum(const CallSite& site, ParsedList arguments) {
  const Type& type = site.ArgumentType(0);
  if (type.kind() == TypeKind::kDecimal) {
    WEIR_TRY(ParsedPtr sum, SumDecimals(site, std::move(arguments)));
    return CastToResult(site, std::move(sum));
  }
  if (type.is_integral()) {
    WEIR_TRY(ParsedPtr sum, Aggregated(site, "sum", std::move(arguments)));
    return CallKernel(site, "weir_long_sum", ListOf(std::move(sum), Constant(Value::BOOLEAN(site.ansi()))));
  }
  arguments[0] = CastTo(LogicalType::DOUBLE, std::move(arguments[0]));
  return Aggregated(site, "sum", std::move(arguments));
}

/// Whole numbers are added as doubles, decimals exactly.
Result<ParsedPtr> Average(const CallSite& site, ParsedList arguments) {
  if (site.type.kind() != TypeKind::kDecimal) {
    arguments[0] = CastTo(LogicalType::DOUBLE, std::move(arguments[0]));
    return Aggregated(site, "avg", std::move(arguments));
  }
  WEIR_TRY(ParsedPtr count, Aggregated(site, "count", CopyOf(arguments)));
  WEIR_TRY(ParsedPtr sum, SumDecimals(site, std::move(arguments)));
  return CallKernel(site, "weir_decimal",
                    ListOf(std::move(sum), CastTo(LogicalType::DECIMAL(20, 0), std::move(count)),
                           Constant(Value("/")), Constant(Value::BOOLEAN(site.ansi()))));
}

Result<ParsedPtr> Correlation(const CallSite& site, ParsedList arguments) {
  return Aggregated(site, site.ansi() ? "weir_corr" : "weir_try_corr", std::move(arguments));
}

/// Among nested values DuckDB puts a NULL member last, Spark first.
template <const char* kFunction>
Result<ParsedPtr> Extreme(const CallSite& site, ParsedList arguments) {
  if (site.ArgumentType(0).is_nested()) {
    return Unsupported("{} of nested values is not implemented", site.call.function->name);
  }
  return NativeAggregate<kFunction>(site, std::move(arguments));
}

/// first, last, any_value: with NULLs unless told to skip them.
template <bool kFirst>
Result<ParsedPtr> OneOf(const CallSite& site, ParsedList arguments) {
  const Scalar* skip = site.call.args[1]->As<Scalar>();
  if (skip == nullptr || skip->is_null()) {
    return Unsupported("{} needs a constant to say whether NULLs are skipped", site.call.function->name);
  }
  arguments.pop_back();
  if (site.window != nullptr) return PickOver(site, kFirst, skip->boolean(), std::move(arguments));
  ParsedPtr condition = skip->boolean() ? NotNull(arguments[0]) : nullptr;
  return Aggregated(site, kFirst ? "first" : "last", std::move(arguments), std::move(condition));
}

/// NULLs are left out; no rows give an empty list.
template <bool kDistinct>
Result<ParsedPtr> Collect(const CallSite& site, ParsedList arguments) {
  WEIR_TRY(LogicalType type, ToDuckType(site.type));
  ParsedPtr condition = NotNull(arguments[0]);
  if (kDistinct && site.ArgumentType(0).is_floating()) {
    arguments[0] = CallOf("weir_plus_zero", std::move(arguments));
    arguments.resize(1);
  }
  WEIR_TRY(ParsedPtr list, Aggregated(site, "list", std::move(arguments), std::move(condition)));
  if (kDistinct && site.window != nullptr) {
    list->Cast<duckdb::WindowExpression>().distinct = true;
  } else if (kDistinct) {
    list->Cast<duckdb::FunctionExpression>().distinct = true;
  }
  return OperatorOf(ExpressionType::OPERATOR_COALESCE,
                    ListOf(std::move(list), Constant(Value::LIST(duckdb::ListType::GetChildType(type),
                                                                 duckdb::vector<Value>()))));
}

/// The value beside the largest or smallest ordering that is not NULL; the value may be NULL.
template <bool kMaximum>
Result<ParsedPtr> By(const CallSite& site, ParsedList arguments) {
  if (site.ArgumentType(1).is_nested()) {
    return Unsupported("{} by nested values is not implemented", site.call.function->name);
  }
  return Aggregated(site, kMaximum ? "arg_max_null" : "arg_min_null", std::move(arguments));
}

/// Analysis computes them from the number that plan::Aggregate gives each set.
Result<ParsedPtr> OfGroupingSets(const CallSite& site, ParsedList) {
  return Internal("{} reached the executor", site.call.function->name);
}

}  // namespace

void RegisterAggregates(duckdb::ExtensionLoader& loader) {
  RegisterVariance<true, false>(loader, kVarSamp);
  RegisterVariance<false, false>(loader, kVarPop);
  RegisterVariance<true, true>(loader, kStddevSamp);
  RegisterVariance<false, true>(loader, kStddevPop);
  RegisterCovariance<CovarianceKind::kPopulation>(loader, kCovarPop);
  RegisterCovariance<CovarianceKind::kSample>(loader, kCovarSamp);
  RegisterCovariance<CovarianceKind::kCorrelation>(loader, "weir_try_corr");
  RegisterCovariance<CovarianceKind::kAnsiCorrelation>(loader, "weir_corr");
  RegisterDecimalSum<true>(loader, "weir_sum_decimal");
  RegisterDecimalSum<false>(loader, "weir_try_sum_decimal");
}

std::vector<FunctionLowering> AggregateLowerings() {
  return {
      {"count", Count},
      {"count_if", CountIf},
      {"sum", Sum},
      {"avg", Average},
      {"min", Extreme<kMin>},
      {"max", Extreme<kMax>},
      {"first", OneOf<true>},
      {"last", OneOf<false>},
      {"any_value", OneOf<true>},
      {"bool_and", NativeAggregate<kBoolAnd>},
      {"bool_or", NativeAggregate<kBoolOr>},
      {"bit_and", NativeAggregate<kBitAnd>},
      {"bit_or", NativeAggregate<kBitOr>},
      {"bit_xor", NativeAggregate<kBitXor>},
      {"stddev_samp", NativeAggregate<kStddevSamp>},
      {"stddev_pop", NativeAggregate<kStddevPop>},
      {"var_samp", NativeAggregate<kVarSamp>},
      {"var_pop", NativeAggregate<kVarPop>},
      {"collect_list", Collect<false>},
      {"collect_set", Collect<true>},
      {"max_by", By<true>},
      {"min_by", By<false>},
      {"corr", Correlation},
      {"covar_pop", NativeAggregate<kCovarPop>},
      {"covar_samp", NativeAggregate<kCovarSamp>},
      {"grouping", OfGroupingSets},
      {"grouping_id", OfGroupingSets},
  };
}

}  // namespace weir::exec
