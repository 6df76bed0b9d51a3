#pragma once

/// Cooperative cancellation. Thread rule: any thread.

#include <atomic>
#include <memory>

#include "base/result.h"

namespace weir {

/// A cheap copyable token. Every copy sees the same request. Blocking calls check it between steps.
class Cancellation {
 public:
  Cancellation() : requested_(std::make_shared<std::atomic<bool>>(false)) {}

  void Request() { requested_->store(true, std::memory_order_relaxed); }
  bool requested() const { return requested_->load(std::memory_order_relaxed); }
  /// Errors: kCancelled once requested.
  Status Check() const {
    if (requested()) return Cancelled();
    return {};
  }

 private:
  std::shared_ptr<std::atomic<bool>> requested_;
};

}  // namespace weir
