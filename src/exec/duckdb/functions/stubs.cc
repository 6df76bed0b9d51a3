#include "exec/duckdb/functions/aggregates.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/functions/lowering_table.h"
#include "exec/duckdb/functions/scan_functions.h"
namespace weir::exec {
std::vector<KernelEntry> TimeKernels() { return {}; }
std::vector<KernelEntry> TimeFormatKernels() { return {}; }
std::vector<KernelEntry> CollectionKernels() { return {}; }
std::vector<FunctionLowering> TimeLowerings() { return {}; }
std::vector<FunctionLowering> CollectionLowerings() { return {}; }
}  // namespace weir::exec
