#include "exec/duckdb/functions/lowering_table.h"

#include <unordered_map>

#include "exec/duckdb/types.h"

namespace weir::exec {

const FunctionLowering* FindLowering(std::string_view name) {
  static const auto table = [] {
    std::unordered_map<std::string_view, FunctionLowering> map;
    for (const auto& part :
         {OperatorLowerings(), MathLowerings(), TextLowerings(), TimeLowerings(), CollectionLowerings(),
          HashLowerings(), DigestLowerings(), AggregateLowerings(), WindowLowerings()}) {
      for (const FunctionLowering& lowering : part) map.emplace(lowering.name, lowering);
    }
    return map;
  }();
  const auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

Result<ParsedPtr> CallKernel(const CallSite& site, const char* kernel, ParsedList arguments) {
  WEIR_TRY(duckdb::LogicalType type, ToDuckType(site.type));
  arguments.push_back(TypeMarker(type));
  return CallOf(kernel, std::move(arguments));
}

Result<ParsedPtr> CallNative(const CallSite& site, const char* function, ParsedList arguments) {
  WEIR_TRY(duckdb::LogicalType type, ToDuckType(site.type));
  return CastTo(type, CallOf(function, std::move(arguments)));
}

}  // namespace weir::exec
