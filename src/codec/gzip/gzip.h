#pragma once

/// Whole gzip files in memory. Thread rule: pure functions. Spec: RFC 1952.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace weir {

/// True for bytes that begin like a gzip file.
bool IsGzip(std::string_view bytes);
Result<std::string> Gzip(std::string_view bytes);
/// Errors: kCorrupt, also for more than `max_bytes` of output.
Result<std::string> Gunzip(std::string_view bytes, size_t max_bytes);

}  // namespace weir
