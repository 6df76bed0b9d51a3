#pragma once

/// Errors as values. Nothing in Weir throws; exceptions of a library are caught in that library's one
/// adapter. Member names follow std::expected so that Result can be replaced by it. Thread rule: values, one
/// thread each.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace weir {

/// What the caller may do about an error, not where it came from.
enum class ErrorCode {
  kInvalid,      ///< The request is wrong: change it.
  kNotFound,     ///< The named thing does not exist.
  kExists,       ///< The named thing exists already.
  kDenied,       ///< The caller may not do this.
  kUnsupported,  ///< A named feature that Weir does not implement.
  kCorrupt,      ///< Bytes break their specification.
  kUnavailable,  ///< The same call may succeed later.
  kCancelled,    ///< Stopped on request.
  kInternal,     ///< A defect of Weir.
};

std::string_view ToString(ErrorCode code);

/// A place in a SQL text.
struct SourceSpan {
  int32_t start = 0;     ///< Offset of the first character, from 0.
  int32_t stop = 0;      ///< Offset behind the last character.
  int32_t line = 1;      ///< From 1.
  int32_t position = 0;  ///< Column in the line, from 0, as Spark counts.
};

/// Spark's view of an error: its condition with parameters, and where in the statement it arose.
struct ErrorCondition {
  std::string name;       ///< Such as "UNRESOLVED_COLUMN.WITH_SUGGESTION".
  std::string sql_state;  ///< Five characters, such as "42703".
  std::vector<std::pair<std::string, std::string>> parameters;
  std::optional<SourceSpan> span;
  std::string fragment;  ///< The text of `span`, when known.
};

class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  /// Null where Spark has no condition for it.
  const ErrorCondition* condition() const { return condition_.get(); }

  /// Prepends one frame of context: "frame: message".
  Error WithContext(std::string_view frame) &&;
  /// Replaces the condition.
  Error WithCondition(ErrorCondition condition) &&;
  /// Sets the place where there is a condition without one and the statement has a text; else unchanged.
  Error WithSpan(const SourceSpan& span, std::string_view statement) &&;

  /// "[CONDITION] message SQLSTATE: 42703" where a condition is known, else "code: message".
  std::string ToString() const;

 private:
  ErrorCode code_;
  std::string message_;
  std::shared_ptr<const ErrorCondition> condition_;
};

template <typename... A>
Error Invalid(fmt::format_string<A...> format, A&&... args) {
  return Error(ErrorCode::kInvalid, fmt::format(format, std::forward<A>(args)...));
}
template <typename... A>
Error NotFound(fmt::format_string<A...> format, A&&... args) {
  return Error(ErrorCode::kNotFound, fmt::format(format, std::forward<A>(args)...));
}
template <typename... A>
Error Exists(fmt::format_string<A...> format, A&&... args) {
  return Error(ErrorCode::kExists, fmt::format(format, std::forward<A>(args)...));
}
template <typename... A>
Error Denied(fmt::format_string<A...> format, A&&... args) {
  return Error(ErrorCode::kDenied, fmt::format(format, std::forward<A>(args)...));
}
template <typename... A>
Error Unsupported(fmt::format_string<A...> format, A&&... args) {
  return Error(ErrorCode::kUnsupported, fmt::format(format, std::forward<A>(args)...));
}
template <typename... A>
Error Corrupt(fmt::format_string<A...> format, A&&... args) {
  return Error(ErrorCode::kCorrupt, fmt::format(format, std::forward<A>(args)...));
}
template <typename... A>
Error Unavailable(fmt::format_string<A...> format, A&&... args) {
  return Error(ErrorCode::kUnavailable, fmt::format(format, std::forward<A>(args)...));
}
template <typename... A>
Error Internal(fmt::format_string<A...> format, A&&... args) {
  return Error(ErrorCode::kInternal, fmt::format(format, std::forward<A>(args)...));
}
inline Error Cancelled() { return Error(ErrorCode::kCancelled, "cancelled"); }

template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  template <typename U>
  requires(std::is_convertible_v<U&&, T> && !std::is_same_v<std::remove_cvref_t<U>, Result> &&
           !std::is_same_v<std::remove_cvref_t<U>, Error> && !std::is_same_v<std::remove_cvref_t<U>, T>)
      Result(U&& value)
      : state_(std::in_place_index<0>, T(std::forward<U>(value))) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose
  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  void value() const {}
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace weir

#define WEIR_CONCAT_INNER(a, b) a##b
#define WEIR_CONCAT(a, b) WEIR_CONCAT_INNER(a, b)

/// WEIR_TRY(auto x, F()): binds the value, or returns the error from the enclosing function.
#define WEIR_TRY(declaration, ...) \
  WEIR_TRY_INNER(WEIR_CONCAT(weir_result_, __COUNTER__), declaration, __VA_ARGS__)
#define WEIR_TRY_INNER(result, declaration, ...) \
  auto result = (__VA_ARGS__);                   \
  if (!result) return std::move(result).error(); \
  declaration = std::move(result).value()

/// WEIR_DO(F()): returns the error of a Result<void> from the enclosing function.
#define WEIR_DO(...)                                                                           \
  do {                                                                                         \
    if (auto weir_status = (__VA_ARGS__); !weir_status) return std::move(weir_status).error(); \
  } while (false)

/// WEIR_TRY and WEIR_DO with one frame of context, a string that is built only on failure.
#define WEIR_TRY_CONTEXT(declaration, context, ...) \
  WEIR_TRY_CONTEXT_INNER(WEIR_CONCAT(weir_result_, __COUNTER__), declaration, context, __VA_ARGS__)
#define WEIR_TRY_CONTEXT_INNER(result, declaration, context, ...)     \
  auto result = (__VA_ARGS__);                                        \
  if (!result) return std::move(result).error().WithContext(context); \
  declaration = std::move(result).value()
#define WEIR_DO_CONTEXT(context, ...)                             \
  do {                                                            \
    if (auto weir_status = (__VA_ARGS__); !weir_status)           \
      return std::move(weir_status).error().WithContext(context); \
  } while (false)
