#include "face/cli/interrupts.h"

#include <atomic>
#include <csignal>

namespace weir::cli {
namespace {

// The handler may only touch lock-free atomics.
std::atomic<Cancellation*> current{nullptr};
std::atomic<bool> pending{false};

void OnInterrupt(int) {
  if (Cancellation* cancellation = current.load()) {
    cancellation->Request();
  } else {
    pending.store(true);
  }
}

void Install(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // No SA_RESTART: a read at the prompt must return.
  sigaction(SIGINT, &action, nullptr);
}

bool stays_installed = false;

}  // namespace

InterruptScope::InterruptScope(Cancellation cancellation) : cancellation_(std::move(cancellation)) {
  current.store(&cancellation_);
  Install(OnInterrupt);
}

InterruptScope::~InterruptScope() {
  current.store(nullptr);
  if (!stays_installed) Install(SIG_DFL);
}

void InterruptReadsFromNowOn() {
  stays_installed = true;
  Install(OnInterrupt);
}

bool TookInterrupt() { return pending.exchange(false); }

}  // namespace weir::cli
