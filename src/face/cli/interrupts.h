#pragma once

/// Ctrl-C as cancellation. Thread rule: one thread sets it up; one statement at a time.

#include "base/cancellation.h"

namespace weir::cli {

/// While it lives, SIGINT requests `cancellation` instead of ending the program.
class InterruptScope {
 public:
  explicit InterruptScope(Cancellation cancellation);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  Cancellation cancellation_;
};

/// SIGINT outside a scope makes blocking reads return early (for the prompt) and is remembered. Without it,
/// SIGINT ends the program as usual.
void InterruptReadsFromNowOn();
/// True once per SIGINT that came outside a scope.
bool TookInterrupt();

}  // namespace weir::cli
