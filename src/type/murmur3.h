#pragma once

/// The murmur3 hash, x86 variant, 32 bits. Thread rule: pure function. Spec: Iceberg, Appendix B.

#include <cstdint>
#include <string_view>

namespace weir {

/// Signed, since the spec's test vectors are.
int32_t Murmur3(std::string_view bytes, uint32_t seed = 0);

}  // namespace weir
