#include "storage/stack.h"

#include "storage/coalesce.h"
#include "storage/metered.h"

namespace weir {

std::shared_ptr<Storage> Stacked(std::shared_ptr<Storage> store, Clock& clock, Random& random,
                                 RetryOptions retry) {
  return Coalescing(Retrying(Metered(std::move(store)), clock, random, retry));
}

}  // namespace weir
