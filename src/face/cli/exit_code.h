#pragma once

/// What the program tells its caller. Documented in README.md beside this file and in --help.

namespace weir::cli {

enum ExitCode : int {
  kSuccess = 0,
  kStatementFailed = 1,
  kBadUsage = 2,
  kWrongResult = 3,
  kHungUp = 129,
  kInterrupted = 130,
  kOutputClosed = 141,  ///< As of a program that SIGPIPE ends.
  kTerminated = 143,
};

}  // namespace weir::cli
