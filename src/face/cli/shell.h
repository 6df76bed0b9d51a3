#pragma once

/// The prompt of `weir sql`.

#include "face/cli/statements.h"

namespace weir::cli {

/// Reads statements until end of input, `quit` or `exit`. Ctrl-C at the prompt drops what was typed, during a
/// statement it cancels the statement; the shell goes on. A failed statement does not end it.
ExitCode RunShell(session::Session& session, const StatementOptions& options);

}  // namespace weir::cli
