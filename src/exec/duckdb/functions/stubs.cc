#include "exec/duckdb/functions/aggregates.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/functions/lowering_table.h"
#include "exec/duckdb/functions/scan_functions.h"
namespace weir::exec {
std::vector<KernelEntry> CastKernels() { return {}; }
std::vector<KernelEntry> TextKernels() { return {}; }
std::vector<KernelEntry> RegexKernels() { return {}; }
std::vector<KernelEntry> MathKernels() { return {}; }
std::vector<KernelEntry> TimeKernels() { return {}; }
std::vector<KernelEntry> TimeFormatKernels() { return {}; }
std::vector<KernelEntry> CollectionKernels() { return {}; }
std::vector<KernelEntry> HashKernels() { return {}; }
std::vector<KernelEntry> PartitionKernels() { return {}; }
std::vector<FunctionLowering> MathLowerings() { return {}; }
std::vector<FunctionLowering> TextLowerings() { return {}; }
std::vector<FunctionLowering> TimeLowerings() { return {}; }
std::vector<FunctionLowering> CollectionLowerings() { return {}; }
std::vector<FunctionLowering> HashLowerings() { return {}; }
std::vector<FunctionLowering> AggregateLowerings() { return {}; }
void RegisterAggregates(duckdb::ExtensionLoader&) {}
void RegisterScanFunctions(duckdb::ExtensionLoader&, std::shared_ptr<Scans>) {}
}  // namespace weir::exec
