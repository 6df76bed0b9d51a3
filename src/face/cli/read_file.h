#pragma once

/// Files that the command line names. Thread rule: any thread.

#include <cstdio>
#include <string>

#include "base/result.h"

namespace weir::cli {

/// All that is left of a file, such as standard input; `name` is for errors. Errors: kUnavailable.
Result<std::string> ReadAll(std::FILE* file, const std::string& name);
/// Errors: kNotFound if it cannot be opened, kUnavailable.
Result<std::string> ReadFile(const std::string& path);

}  // namespace weir::cli
