#pragma once

/// The one place where Weir's errors become DuckDB exceptions and back: our functions and file system run
/// inside DuckDB and can only throw. Thread rule: pure functions.

#include <exception>
#include <string>
#include <string_view>

#include "base/result.h"

namespace duckdb {
class ErrorData;
}

namespace weir::exec {

/// Throws an exception that ToError turns into an equal error (code, message, condition).
[[noreturn]] void Throw(const Error& error);

/// Throws the error of a failed result, else gives its value.
template <typename T>
T ValueOrThrow(Result<T> result) {
  if (!result) Throw(result.error());
  return std::move(result).value();
}
inline void CheckOrThrow(const Status& status) {
  if (!status) Throw(status.error());
}

/// What a DuckDB error means to Weir's callers: ours as they were; interruption is kCancelled; unreadable
/// bytes are kCorrupt; lack of memory is kUnavailable; everything that a resolved plan should not cause is
/// kInternal.
Error ToError(const duckdb::ErrorData& data);
Error ToError(const std::exception& exception);

/// Calls `body` and turns what it throws into an error.
template <typename F>
auto Guard(F&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::exception& exception) {
    return ToError(exception);
  }
}

/// Throws again what was thrown while a file was read, naming the file. Damage that DuckDB reports in many
/// ways, also as a defect of its own, is kCorrupt.
[[noreturn]] void ThrowNamingFile(const std::exception& exception, const std::string& path);

template <typename F>
auto NamingFile(const std::string& path, F&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::exception& exception) {
    ThrowNamingFile(exception, path);
  }
}

}  // namespace weir::exec
