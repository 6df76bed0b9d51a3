#pragma once

/// Repeats requests that may succeed later. Thread rule: any thread, as far as the clock and the random
/// source allow.

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "storage/storage.h"

namespace weir {

struct RetryOptions {
  int attempts = 5;                  ///< Of one call, the first included.
  int64_t first_delay_us = 100'000;  ///< Doubled after each attempt.
  int64_t longest_delay_us = 10'000'000;
};

/// Repeats calls that fail with kUnavailable, after a delay between half of the nominal one and all of it.
/// Repeated: reads, listings, deletes; and Put and StartUpload where nothing happened. Never repeated: a
/// write whose outcome is unknown (the caller has to look), and the calls of an upload under way (its parts
/// are not idempotent). Cancellation ends a delay within 100 ms.
std::shared_ptr<Storage> Retrying(std::shared_ptr<Storage> inner, Clock& clock, Random& random,
                                  RetryOptions options = {});

}  // namespace weir
