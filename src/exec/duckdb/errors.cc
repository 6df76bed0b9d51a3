#include "exec/duckdb/errors.h"

#include <fmt/format.h>

#include <charconv>

#include "duckdb/common/error_data.hpp"
#include "duckdb/common/exception.hpp"
#include "exec/duckdb/conditions.h"
#include "exec/engine.h"

namespace weir::exec {

namespace {

using duckdb::ExceptionType;

constexpr char kCodeKey[] = "weir_code";
constexpr char kConditionKey[] = "weir_condition";
constexpr char kStateKey[] = "weir_state";
constexpr char kParametersKey[] = "weir_parameters";

/// Each text behind its length, since it may hold anything.
std::string EncodeParameters(const ErrorCondition& condition) {
  std::string text;
  const auto append = [&](std::string_view part) { text += fmt::format("{}:{}", part.size(), part); };
  for (const auto& [name, value] : condition.parameters) {
    append(name);
    append(value);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> DecodeParameters(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> parameters;
  const auto next = [&] {
    size_t size = 0;
    const auto [colon, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    text.remove_prefix(std::min<size_t>(static_cast<size_t>(colon - text.data()) + 1, text.size()));
    std::string part(text.substr(0, size));
    text.remove_prefix(part.size());
    return part;
  };
  while (!text.empty()) {
    std::string name = next();
    parameters.emplace_back(std::move(name), next());
  }
  return parameters;
}

Error Decode(const duckdb::ErrorData& data, const std::string& code_text) {
  int code = static_cast<int>(ErrorCode::kInternal);
  std::from_chars(code_text.data(), code_text.data() + code_text.size(), code);
  Error error(static_cast<ErrorCode>(code), data.RawMessage());
  const auto& info = data.ExtraInfo();
  const auto condition = info.find(kConditionKey);
  if (condition == info.end()) return error;
  ErrorCondition decoded{
      .name = condition->second, .sql_state = {}, .parameters = {}, .span = {}, .fragment = {}};
  if (const auto state = info.find(kStateKey); state != info.end()) decoded.sql_state = state->second;
  if (const auto parameters = info.find(kParametersKey); parameters != info.end()) {
    decoded.parameters = DecodeParameters(parameters->second);
  }
  return std::move(error).WithCondition(std::move(decoded));
}

bool Contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Error WithName(Error error, std::string name, std::string state) {
  return std::move(error).WithCondition(
      {.name = std::move(name), .sql_state = std::move(state), .parameters = {}, .span = {}, .fragment = {}});
}

/// DuckDB's text begins with what was asked for and ends with how much of the limit was in use:
/// "could not allocate block of size 256.0 KiB (63.9 MiB/64.0 MiB used)".
Error OutOfMemory(const std::string& text) {
  std::string asked = "some", left = "less";
  const size_t size = text.find(" of size ");
  const size_t open = text.find(" (", size == std::string::npos ? 0 : size);
  if (size != std::string::npos && open != std::string::npos) {
    asked = text.substr(size + 9, open - size - 9);
    left = text.substr(open + 2, text.find(')', open) - open - 2);
  }
  return Unavailable(
             "the statement needs more memory than it may use, and what it holds cannot be spilled: {} more, "
             "with "
             "{}; {} sets the limit",
             asked, left, kMemoryKey)
      .WithCondition({.name = "UNABLE_TO_ACQUIRE_MEMORY",
                      .sql_state = "53200",
                      .parameters = {{"requestedBytes", asked}, {"receivedBytes", left}},
                      .span = {},
                      .fragment = {}});
}

}  // namespace

void Throw(const Error& error) {
  std::unordered_map<std::string, std::string> info;
  info[kCodeKey] = std::to_string(static_cast<int>(error.code()));
  if (const ErrorCondition* condition = error.condition()) {
    info[kConditionKey] = condition->name;
    info[kStateKey] = condition->sql_state;
    info[kParametersKey] = EncodeParameters(*condition);
  }
  duckdb::unordered_map<std::string, std::string> extra(info.begin(), info.end());
  throw duckdb::Exception(extra, ExceptionType::INVALID_INPUT, error.message());
}

Error ToError(const duckdb::ErrorData& data) {
  const auto& info = data.ExtraInfo();
  if (const auto code = info.find(kCodeKey); code != info.end()) return Decode(data, code->second);
  const std::string& message = data.RawMessage();
  switch (data.Type()) {
    case ExceptionType::INTERRUPT:
      return Cancelled();
    case ExceptionType::OUT_OF_MEMORY:
      return OutOfMemory(message.substr(0, message.find('\n')));
    case ExceptionType::DIVIDE_BY_ZERO:
      return DivideByZero();
    case ExceptionType::OUT_OF_RANGE:
      return WithName(Invalid("{}", message), "ARITHMETIC_OVERFLOW", "22003");
    case ExceptionType::CONVERSION:
      return WithName(Invalid("{}", message), "CAST_INVALID_INPUT", "22018");
    case ExceptionType::IO:
    case ExceptionType::SERIALIZATION:
      return Corrupt("{}", message);
    case ExceptionType::NOT_IMPLEMENTED:
      return Unsupported("{}", message);
    case ExceptionType::INVALID_INPUT:
      if (Contains(message, "More than one row returned by a subquery")) {
        return WithName(Invalid("a scalar subquery returned more than one row"),
                        "SCALAR_SUBQUERY_TOO_MANY_ROWS", "21000");
      }
      return Invalid("{}", message);
    default:
      // The first line: DuckDB adds a stack trace.
      return Internal("the executor failed: {}", data.Message().substr(0, data.Message().find('\n')));
  }
}

void ThrowNamingFile(const std::exception& exception, const std::string& path) {
  const duckdb::ErrorData data(exception);
  Error error = ToError(data);
  const bool ours = data.ExtraInfo().contains(kCodeKey);
  // Interruption keeps its type: DuckDB looks at it.
  if (error.code() == ErrorCode::kCancelled && !ours) throw;
  const bool about_bytes = error.code() == ErrorCode::kCorrupt || error.code() == ErrorCode::kInvalid ||
                           error.code() == ErrorCode::kInternal;
  if (ours || !about_bytes) Throw(error);
  // An error of a value, such as a failing filter, is not about the file.
  if (error.condition() && error.condition()->name != "CAST_INVALID_INPUT") Throw(error);
  if (error.message().find(path) != std::string::npos) Throw(Corrupt("{}", error.message()));
  Throw(Corrupt("{}: {}", path, error.message()));
}

Error ToError(const std::exception& exception) { return ToError(duckdb::ErrorData(exception)); }

}  // namespace weir::exec
