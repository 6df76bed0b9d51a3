#pragma once

/// `weir demo merge`: 2,000 source rows into a big table by the plain statement, and what moved.

#include <cstdint>
#include <optional>
#include <string>

#include "face/cli/exit_code.h"

namespace weir::cli {

struct DemoOptions {
  int64_t rows = 10'000'000;
  /// Where the tables stay; absent: a temporary folder that goes away.
  std::optional<std::string> directory;
  bool only_tables = false;  ///< Make the tables and stop.
  bool json = false;         ///< One JSON object as the last line of stdout.
};

/// Makes both tables, merges, checks the result against figures computed another way, prints rows and bytes.
ExitCode RunDemoMerge(const DemoOptions& options);

}  // namespace weir::cli
