#pragma once

/// Functions that look into a registered scan: where a row of a synthesized file lies, and whether an
/// equality delete removes a row.

#include <memory>

namespace duckdb {
class ExtensionLoader;
}

namespace weir::exec {

class Scans;
void RegisterScanFunctions(duckdb::ExtensionLoader& loader, std::shared_ptr<Scans> scans);

}  // namespace weir::exec
