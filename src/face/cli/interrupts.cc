#include "face/cli/interrupts.h"

#include <sys/time.h>

#include <atomic>
#include <csignal>

namespace weir::cli {
namespace {

// The handler may only touch lock-free atomics.
std::atomic<Cancellation*> current{nullptr};
std::atomic<bool> pending{false};
std::atomic<int> ending{0};
std::atomic<bool> at_prompt{false};

/// SIGALRM in so many microseconds, or not any more. Linux allows it in a handler.
void WakeIn(suseconds_t micros) {
  const itimerval soon = {{}, {0, micros}};
  setitimer(ITIMER_REAL, &soon, nullptr);
}
constexpr suseconds_t kSoon = 50'000;

void OnSignal(int signal) {
  if (signal != SIGINT) ending.store(signal);
  if (Cancellation* cancellation = current.load()) {
    cancellation->Request();
    return;
  }
  if (signal == SIGINT) pending.store(true);
  // Between two reads of the prompt there is none that returns early; then the next one does.
  if (at_prompt.load()) WakeIn(kSoon);
}

void OnAlarm(int) {
  if (pending.load() || ending.load() != 0) WakeIn(kSoon);
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
  // The signal may have come between two statements.
  if (ending.load() != 0) cancellation_.Request();
}

InterruptScope::~InterruptScope() {
  current.store(nullptr);
  if (!at_prompt.load()) Install(SIGINT, SIG_DFL);
}

void InterruptReadsFromNowOn() {
  at_prompt.store(true);
  InstallAll();
  Install(SIGALRM, OnAlarm);
}

bool TookInterrupt() {
  if (!pending.exchange(false)) return false;
  WakeIn(0);
  return true;
}

ExitCode AskedToEnd() {
  const int signal = ending.load();
  if (signal == SIGTERM) return kTerminated;
  return signal == SIGHUP ? kHungUp : kSuccess;
}

}  // namespace weir::cli
