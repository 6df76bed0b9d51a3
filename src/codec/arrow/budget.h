#pragma once

/// How much a stream may still decode to. Thread rule: one thread.

#include <cstddef>
#include <cstdint>

#include "base/result.h"

namespace weir::arrow_ipc {

class Budget {
 public:
  explicit Budget(size_t limit_bytes) : limit_bytes_(limit_bytes), left_bytes_(limit_bytes) {}

  /// To be called before the bytes are allocated. Errors: kInvalid if they are too many.
  Status Charge(uint64_t count, uint64_t bytes_each) {
    uint64_t bytes = 0;
    if (__builtin_mul_overflow(count, bytes_each, &bytes) || bytes > left_bytes_)
      return Invalid("an Arrow stream that decodes to more than {} bytes", limit_bytes_);
    left_bytes_ -= bytes;
    return {};
  }

 private:
  uint64_t limit_bytes_;
  uint64_t left_bytes_;
};

}  // namespace weir::arrow_ipc
