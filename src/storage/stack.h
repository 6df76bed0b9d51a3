#pragma once

/// The one order of decorators.

#include <memory>

#include "storage/retry.h"

namespace weir {

/// Coalescing over Retrying over Metered over `store`: what everybody but a test of one decorator should use.
/// `store` is a real one, or a FaultyStorage over it. The clock and the random source must outlive the
/// result.
std::shared_ptr<Storage> Stacked(std::shared_ptr<Storage> store, Clock& clock, Random& random,
                                 RetryOptions retry = {});

}  // namespace weir
