#pragma once

/// Charges what a store really moves. Thread rule: any thread.

#include <memory>

#include "storage/storage.h"

namespace weir {

/// Charges Io::account per request that is made, also when it fails: a List call, a Head, each range of a
/// read, a Put, each call of an upload, each deleted path. Bytes read and written are charged when the
/// request succeeds. `bytes_asked` is charged by Coalescing. Belongs below the retries, so that every attempt
/// counts.
std::shared_ptr<Storage> Metered(std::shared_ptr<Storage> inner);

}  // namespace weir
