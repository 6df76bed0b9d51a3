#include "face/cli/interrupts.h"

#include <unistd.h>
#include <atomic>
#include <csignal>

namespace weir::cli {
namespace {

// The handler may only touch lock-free atomics.
std::atomic<Cancellation*> current{nullptr};
std::atomic<bool> pending{false};
std::atomic<int> ending{0};
std::atomic<bool> at_prompt{false};

void OnSignal(int signal) {
  if (signal != SIGINT) {
    ending.store(signal);
    // Between two reads of the prompt no read returns early: the next one will.
    if (at_prompt.load()) alarm(1);
  }
  if (Cancellation* cancellation = current.load()) {
    cancellation->Request();
  } else if (signal == SIGINT) {
    pending.store(true);
  }
}

void Install(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // No SA_RESTART: a read at the prompt must return.
  sigaction(signal, &action, nullptr);
}

void InstallAll() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) Install(signal, OnSignal);
}

}  // namespace

InterruptScope::InterruptScope(Cancellation cancellation) : cancellation_(std::move(cancellation)) {
  current.store(&cancellation_);
  InstallAll();
}

InterruptScope::~InterruptScope() {
  current.store(nullptr);
  if (!at_prompt.load()) Install(SIGINT, SIG_DFL);
}

void InterruptReadsFromNowOn() {
  at_prompt.store(true);
  InstallAll();
  Install(SIGALRM, [](int) { alarm(1); });
}

bool TookInterrupt() { return pending.exchange(false); }

ExitCode AskedToEnd() {
  const int signal = ending.load();
  if (signal == SIGTERM) return kTerminated;
  return signal == SIGHUP ? kHungUp : kSuccess;
}

}  // namespace weir::cli
