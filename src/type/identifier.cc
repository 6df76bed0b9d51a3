#include "type/identifier.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/ascii.h"

namespace weir {

std::string QuoteIfNeeded(std::string_view name) {
  const auto is_letter = [](char c) { return IsAsciiLetter(c) || c == '_'; };
  const auto is_plain = [&](char c) { return is_letter(c) || IsAsciiDigit(c); };
  if (!name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_plain)) {
    return std::string(name);
  }
  std::string quoted = "`";
  for (char c : name) {
    if (c == '`') quoted += '`';
    quoted += c;
  }
  return quoted + '`';
}

std::string QuoteName(const std::vector<std::string>& name) {
  std::string quoted;
  for (const std::string& part : name) {
    if (!quoted.empty()) quoted += '.';
    quoted += '`';
    for (char c : part) quoted += c == '`' ? std::string("``") : std::string(1, c);
    quoted += '`';
  }
  return quoted;
}

std::string QuoteString(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\\' || c == '\'') quoted += '\\';
    quoted += c;
  }
  return quoted + '\'';
}

std::string DottedName(std::string_view catalog, const std::vector<std::string>& name) {
  return fmt::format("{}.{}", catalog, fmt::join(name, "."));
}

}  // namespace weir
