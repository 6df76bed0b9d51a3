#pragma once

/// Bounded parallel work for blocking calls.

#include <cstddef>
#include <functional>

#include "base/cancellation.h"
#include "base/result.h"

namespace weir {

/// Calls `body(i)` for every i in [0, count), on up to `threads` threads, the calling one included.
/// Returns when all calls that were started have ended. The first error (by time) is returned and no further
/// call is started after it. `body` must be safe to call from several threads.
Status ParallelFor(size_t count, size_t threads, const std::function<Status(size_t)>& body);

}  // namespace weir
