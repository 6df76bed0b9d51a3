#pragma once

/// Amounts as people read them. Thread rule: pure functions.

#include <cstdint>
#include <string>

namespace weir {

/// "1.3 MB", "980 B": powers of 1000.
std::string BytesText(uint64_t bytes);
/// 10,000,000.
std::string CountText(uint64_t count);

}  // namespace weir
