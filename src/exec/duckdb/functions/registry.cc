#include "exec/duckdb/functions/registry.h"

#include <unordered_map>

#include "duckdb/execution/expression_executor_state.hpp"
#include "duckdb/function/scalar_function.hpp"
#include "duckdb/main/database.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "duckdb/planner/expression/bound_constant_expression.hpp"
#include "exec/duckdb/functions/aggregates.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/functions/scan_functions.h"

namespace weir::exec {

namespace {

const std::vector<KernelEntry>& AllKernels() {
  static const std::vector<KernelEntry> all = [] {
    std::vector<KernelEntry> entries;
    for (auto kernels :
         {CastKernels(), ArithmeticKernels(), TextKernels(), RegexKernels(), MathKernels(), TimeKernels(),
          TimeFormatKernels(), CollectionKernels(), HashKernels(), DigestKernels(), PartitionKernels()}) {
      entries.insert(entries.end(), kernels.begin(), kernels.end());
    }
    return entries;
  }();
  return all;
}

KernelBinder FindBinder(const std::string& name) {
  static const auto by_name = [] {
    std::unordered_map<std::string, KernelBinder> map;
    for (const KernelEntry& entry : AllKernels()) map.emplace(entry.name, entry.bind);
    return map;
  }();
  return by_name.at(name);
}

duckdb::unique_ptr<duckdb::FunctionData> BindKernel(
    duckdb::ClientContext&, duckdb::ScalarFunction& function,
    duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& arguments) {
  KernelCall call;
  call.name = function.name;
  for (const auto& argument : arguments) {
    call.types.push_back(argument->return_type);
    std::optional<duckdb::Value> constant;
    if (argument->GetExpressionClass() == duckdb::ExpressionClass::BOUND_CONSTANT) {
      constant = argument->Cast<duckdb::BoundConstantExpression>().value;
    }
    call.constants.push_back(std::move(constant));
  }
  Kernel kernel = FindBinder(function.name)(call);
  function.arguments.clear();
  for (const duckdb::LogicalType& type : call.types) function.arguments.push_back(type);
  function.varargs = duckdb::LogicalType(duckdb::LogicalTypeId::INVALID);
  function.SetReturnType(kernel.result);
  function.SetFunctionCallback([run = std::move(kernel.run)](duckdb::DataChunk& input,
                                                             duckdb::ExpressionState&,
                                                             duckdb::Vector& result) { run(input, result); });
  return nullptr;
}

duckdb::ScalarFunction ToDuckFunction(const KernelEntry& entry) {
  duckdb::ScalarFunction function(entry.name, {}, duckdb::LogicalType::ANY, nullptr, BindKernel);
  function.varargs = duckdb::LogicalType::ANY;
  // Markers are NULLs that must not make the result NULL; kernels look at NULLs themselves.
  function.SetNullHandling(duckdb::FunctionNullHandling::SPECIAL_HANDLING);
  if (entry.can_fail) function.SetFallible();
  if (!entry.deterministic) function.SetVolatile();
  return function;
}

}  // namespace

std::string KernelCall::Text(size_t argument) const {
  if (argument >= constants.size() || !constants[argument] || constants[argument]->IsNull()) {
    Throw(Internal("{}: argument {} must be a constant", name, argument));
  }
  return constants[argument]->ToString();
}

int64_t KernelCall::Integer(size_t argument) const {
  if (argument >= constants.size() || !constants[argument] || constants[argument]->IsNull()) {
    Throw(Internal("{}: argument {} must be a constant", name, argument));
  }
  return constants[argument]->GetValue<int64_t>();
}

void RegisterFunctions(duckdb::DatabaseInstance& database, std::shared_ptr<Scans> scans) {
  duckdb::ExtensionLoader loader(database, "weir");
  for (const KernelEntry& entry : AllKernels()) loader.RegisterFunction(ToDuckFunction(entry));
  RegisterAggregates(loader);
  RegisterScanFunctions(loader, std::move(scans));
}

}  // namespace weir::exec
