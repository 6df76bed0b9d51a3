#pragma once

/// Signals as cancellation. A signal that the program was started with ignored (nohup, a background job)
/// stays so. Thread rule: one thread sets it up; one statement at a time.

#include "base/cancellation.h"
#include "face/cli/exit_code.h"

namespace weir::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP request `cancellation` instead of ending the program, so that
/// what a statement has written so far is taken back. From the first scope on, SIGTERM and SIGHUP no longer
/// end the program by themselves: see AskedToEnd.
class InterruptScope {
 public:
  explicit InterruptScope(Cancellation cancellation);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  Cancellation cancellation_;
};

/// Signals outside a scope make blocking reads return early (for the prompt), and SIGINT is remembered.
/// Without it, SIGINT ends the program as usual.
void InterruptReadsFromNowOn();
/// True once per SIGINT that came outside a scope.
bool TookInterrupt();
/// kTerminated or kHungUp once such a signal has come; else kSuccess. Nothing new is begun after that.
ExitCode AskedToEnd();

}  // namespace weir::cli
