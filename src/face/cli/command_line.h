#pragma once

/// The flags of the program and what they start.

namespace weir::cli {

/// Runs `weir ...` and returns its exit code. Catches what the flag library throws.
int RunProgram(int argc, char** argv);

}  // namespace weir::cli
