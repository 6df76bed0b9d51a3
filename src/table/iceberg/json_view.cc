#include "table/iceberg/json_view.h"

#include <algorithm>
#include <limits>

namespace weir::iceberg {

namespace {

constexpr int kMaxDepth = 128;

/// Deepest nesting of arrays and objects; recursion over the parsed tree must stay within the stack.
int NestingOf(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Result<nlohmann::json> ParseJson(std::string_view text, std::string_view file) {
  if (NestingOf(text) > kMaxDepth) {
    return Corrupt("{}: JSON is nested deeper than {} levels", file, kMaxDepth);
  }
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    return Corrupt("{}: not valid JSON: {}", file, error.what());
  }
}

Error JsonView::Expected(std::string_view what) const {
  std::string found = DumpJson(*value_);
  if (found.size() > 80) found = found.substr(0, 80) + "...";
  return Corrupt("{}: at {}: expected {}, found {}", file_, pointer_.empty() ? "/" : pointer_, what, found);
}

Error JsonView::NotSupported(std::string_view feature) const {
  return Unsupported("{}: at {}: {} is not supported", file_, pointer_.empty() ? "/" : pointer_, feature);
}

Result<std::optional<JsonView>> JsonView::Find(std::string_view name) const {
  if (!value_->is_object()) return Expected("an object");
  const auto it = value_->find(name);
  if (it == value_->end() || it->is_null()) return std::optional<JsonView>();
  return std::optional<JsonView>(JsonView(*it, file_, fmt::format("{}/{}", pointer_, name)));
}

Result<JsonView> JsonView::Get(std::string_view name) const {
  WEIR_TRY(auto found, Find(name));
  if (!found)
    return Corrupt("{}: at {}: member '{}' is missing", file_, pointer_.empty() ? "/" : pointer_, name);
  return *std::move(found);
}

Result<std::vector<JsonView>> JsonView::Items() const {
  if (!value_->is_array()) return Expected("an array");
  std::vector<JsonView> items;
  items.reserve(value_->size());
  for (size_t i = 0; i < value_->size(); ++i) {
    items.emplace_back((*value_)[i], file_, fmt::format("{}/{}", pointer_, i));
  }
  return items;
}

Result<int64_t> JsonView::Integer() const {
  if (!value_->is_number_integer()) return Expected("a whole number");
  if (value_->is_number_unsigned() &&
      value_->get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return Expected("a number of 64 bits");
  }
  return value_->get<int64_t>();
}

Result<int32_t> JsonView::Int32() const {
  WEIR_TRY(int64_t number, Integer());
  if (number < std::numeric_limits<int32_t>::min() || number > std::numeric_limits<int32_t>::max()) {
    return Expected("a number of 32 bits");
  }
  return static_cast<int32_t>(number);
}

Result<std::string> JsonView::String() const {
  if (!value_->is_string()) return Expected("a string");
  return value_->get<std::string>();
}

Result<bool> JsonView::Boolean() const {
  if (!value_->is_boolean()) return Expected("true or false");
  return value_->get<bool>();
}

Result<std::map<std::string, std::string>> JsonView::StringMap() const {
  if (!value_->is_object()) return Expected("an object of strings");
  std::map<std::string, std::string> result;
  for (const auto& [name, member] : value_->items()) {
    WEIR_TRY(std::string text, JsonView(member, file_, fmt::format("{}/{}", pointer_, name)).String());
    result.emplace(name, std::move(text));
  }
  return result;
}

Result<int64_t> JsonView::GetInteger(std::string_view name) const {
  WEIR_TRY(JsonView member, Get(name));
  return member.Integer();
}
Result<int32_t> JsonView::GetInt32(std::string_view name) const {
  WEIR_TRY(JsonView member, Get(name));
  return member.Int32();
}
Result<std::string> JsonView::GetString(std::string_view name) const {
  WEIR_TRY(JsonView member, Get(name));
  return member.String();
}
Result<bool> JsonView::GetBoolean(std::string_view name) const {
  WEIR_TRY(JsonView member, Get(name));
  return member.Boolean();
}

Result<std::optional<int64_t>> JsonView::FindInteger(std::string_view name) const {
  WEIR_TRY(auto member, Find(name));
  if (!member) return std::optional<int64_t>();
  WEIR_TRY(int64_t value, member->Integer());
  return std::optional<int64_t>(value);
}
Result<std::optional<int32_t>> JsonView::FindInt32(std::string_view name) const {
  WEIR_TRY(auto member, Find(name));
  if (!member) return std::optional<int32_t>();
  WEIR_TRY(int32_t value, member->Int32());
  return std::optional<int32_t>(value);
}
Result<std::optional<std::string>> JsonView::FindString(std::string_view name) const {
  WEIR_TRY(auto member, Find(name));
  if (!member) return std::optional<std::string>();
  WEIR_TRY(std::string value, member->String());
  return std::optional<std::string>(std::move(value));
}

}  // namespace weir::iceberg
