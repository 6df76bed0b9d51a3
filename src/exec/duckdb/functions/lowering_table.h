#pragma once

/// How each function of the function table runs in DuckDB: by name, one row per function.
/// A test checks that no function is missing. Thread rule: the table is immutable.

#include <span>
#include <string_view>
#include <vector>

#include "exec/duckdb/lower.h"

namespace weir::exec {

/// A resolved call being lowered.
struct CallSite {
  Lowering& lowering;
  const Call& call;
  const Type& type;                    ///< Of the result.
  const WindowCall* window = nullptr;  ///< Where the function runs over windows.

  const Type& ArgumentType(size_t i) const { return call.args[i]->type(); }
  bool ansi() const { return lowering.semantics().ansi; }
};

using LowerRule = Result<ParsedPtr> (*)(const CallSite& site, ParsedList arguments);

struct FunctionLowering {
  std::string_view name;
  LowerRule rule;
  bool lowers_arguments = false;  ///< The rule gets no arguments and lowers what it needs.
};

/// Null if the function has none.
const FunctionLowering* FindLowering(std::string_view name);

std::vector<FunctionLowering> OperatorLowerings();
std::vector<FunctionLowering> MathLowerings();
std::vector<FunctionLowering> TextLowerings();
std::vector<FunctionLowering> RegexLowerings();
std::vector<FunctionLowering> TimeLowerings();
std::vector<FunctionLowering> CollectionLowerings();
std::vector<FunctionLowering> HashLowerings();
std::vector<FunctionLowering> DigestLowerings();
std::vector<FunctionLowering> AggregateLowerings();
std::vector<FunctionLowering> WindowLowerings();

/// Calls a kernel with the arguments and a marker of the result type.
Result<ParsedPtr> CallKernel(const CallSite& site, const char* kernel, ParsedList arguments);
template <const char* kKernel>
Result<ParsedPtr> ToKernel(const CallSite& site, ParsedList arguments) {
  return CallKernel(site, kKernel, std::move(arguments));
}
/// Calls DuckDB's function and casts to the result type.
Result<ParsedPtr> CallNative(const CallSite& site, const char* function, ParsedList arguments);
template <const char* kName>
Result<ParsedPtr> Native(const CallSite& site, ParsedList arguments) {
  return CallNative(site, kName, std::move(arguments));
}

}  // namespace weir::exec
