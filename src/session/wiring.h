#pragma once

/// Builds the stores of a session: the one place that says which decorators stand above which store.
/// Thread rule: one thread.

#include <memory>

#include "base/clock.h"
#include "storage/stores.h"

namespace weir::session {

/// Every store stands under the decorators of storage/stack.h: the meter is below retry, so that each attempt
/// is charged as the traffic it is. `local` replaces the machine's files (fault tests put a faulty store
/// there); null: the machine's files.
Stores MakeStores(std::shared_ptr<Storage> local, Clock& clock, Random& random);

}  // namespace weir::session
