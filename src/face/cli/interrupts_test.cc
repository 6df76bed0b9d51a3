#include "face/cli/interrupts.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace weir::cli {
namespace {

// What a signal leaves behind belongs to the process, so that each case has one of its own.
[[noreturn]] void RunScopes(int signal) {
  { const InterruptScope first{Cancellation()}; }
  std::raise(signal);
  const Cancellation next;
  const InterruptScope second(next);
  std::exit(next.requested() ? AskedToEnd() : kSuccess);
}

TEST(Interrupts, ASignalBetweenTwoStatementsTakesTheNextBack) {
  EXPECT_EXIT(RunScopes(SIGTERM), testing::ExitedWithCode(kTerminated), "");
  EXPECT_EXIT(RunScopes(SIGHUP), testing::ExitedWithCode(kHungUp), "");
}

TEST(Interrupts, WithoutAPromptCtrlCBetweenThemEndsTheProgram) {
  EXPECT_EXIT(RunScopes(SIGINT), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace weir::cli
