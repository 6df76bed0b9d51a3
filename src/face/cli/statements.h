#pragma once

/// Runs statements and prints what they give. Thread rule: one thread.

#include <string>
#include <string_view>

#include "face/cli/exit_code.h"
#include "face/cli/row_format.h"
#include "session/session.h"

namespace weir::cli {

enum class MovementFormat : uint8_t { kNone, kText, kJson };

struct StatementOptions {
  RowFormat format = RowFormat::kTable;
  MovementFormat movement = MovementFormat::kNone;
  bool show_time = false;
};

/// Runs one statement. Rows go to stdout; errors with their place in `statement`, and movement, to stderr.
/// `first_line`: line of the statement's first character in its script, from 1.
ExitCode RunStatement(session::Session& session, std::string_view statement, int32_t first_line,
                      const StatementOptions& options);
struct Script {
  std::string name;  ///< Of the file, or of the flag that it came with.
  std::string text;
};
/// Runs the statements of a script in order; stops at the first that fails, and tells which it was.
ExitCode RunScript(session::Session& session, const Script& script, const StatementOptions& options);

/// The error as the user sees it: condition, message, place, and the line with a mark below it.
std::string ErrorText(const Error& error, std::string_view statement, int32_t first_line);

}  // namespace weir::cli
