#pragma once

/// A cursor over parsed JSON that knows its place, so that every error names file and JSON pointer.
/// Private to the JSON codecs of this folder: no other header includes it. Thread rule: immutable values.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace weir::iceberg {

class JsonView {
 public:
  JsonView(const nlohmann::json& value, std::string_view file, std::string pointer = {})
      : value_(&value), file_(file), pointer_(std::move(pointer)) {}

  const nlohmann::json& value() const { return *value_; }
  bool is_object() const { return value_->is_object(); }
  bool is_string() const { return value_->is_string(); }

  /// The member, or nothing if it is absent or null. Errors: kCorrupt if this is not an object.
  Result<std::optional<JsonView>> Find(std::string_view name) const;
  /// Errors: kCorrupt if absent or null.
  Result<JsonView> Get(std::string_view name) const;
  Result<std::vector<JsonView>> Items() const;

  Result<int64_t> Integer() const;
  Result<int32_t> Int32() const;
  Result<std::string> String() const;
  Result<bool> Boolean() const;
  Result<std::map<std::string, std::string>> StringMap() const;

  Result<int64_t> GetInteger(std::string_view name) const;
  Result<int32_t> GetInt32(std::string_view name) const;
  Result<std::string> GetString(std::string_view name) const;
  Result<bool> GetBoolean(std::string_view name) const;
  Result<std::optional<int64_t>> FindInteger(std::string_view name) const;
  Result<std::optional<int32_t>> FindInt32(std::string_view name) const;
  Result<std::optional<std::string>> FindString(std::string_view name) const;

  /// kCorrupt at this place.
  Error Expected(std::string_view what) const;
  /// kUnsupported at this place.
  Error NotSupported(std::string_view feature) const;

 private:
  const nlohmann::json* value_;
  std::string_view file_;
  std::string pointer_;
};

/// Parses a document. Errors: kCorrupt naming the file and the byte, also for nesting beyond what is sane.
Result<nlohmann::json> ParseJson(std::string_view text, std::string_view file);

/// Compact text. Bytes that are not UTF-8 are replaced, never thrown at.
template <typename Json>
std::string DumpJson(const Json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace weir::iceberg
