#pragma once

/// What the program says: results on stdout, messages on stderr. Thread rule: one thread.

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/result.h"

namespace weir::cli {

/// A message on stderr. What cannot be written is lost: it does not fail a statement that succeeded.
template <typename... Args>
void Tell(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

/// Why stdout takes no more: kDenied if nobody reads it, kUnavailable otherwise, such as of a full disk.
inline Error OutputError(int error) {
  if (error == EPIPE) return Denied("nobody reads the output");
  return Unavailable("cannot write the output: {}", std::strerror(error));
}

/// Writes to stdout at once. Errors: OutputError.
inline Status Say(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return {};
  return OutputError(errno);
}

}  // namespace weir::cli
