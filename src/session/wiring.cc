#include "session/wiring.h"

#include "storage/local/local.h"
#include "storage/memory/memory.h"
#include "storage/stack.h"

namespace weir::session {

Stores MakeStores(std::shared_ptr<Storage> local, Clock& clock, Random& random) {
  if (local == nullptr) local = std::make_shared<LocalStorage>(LocalOptions{});
  Stores stores;
  stores.Add("file", Stacked(std::move(local), clock, random));
  stores.Add("mem", Stacked(std::make_shared<MemoryStorage>(), clock, random));
  return stores;
}

}  // namespace weir::session
