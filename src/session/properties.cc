#include "session/properties.h"

#include "base/utf8.h"

namespace weir::session {
namespace {

constexpr std::string_view kBlank = " \t\f";

void DropBlanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
}

/// The next line without its end; a line of "\r" alone ends too.
std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find_first_of("\r\n");
  const std::string_view line = text.substr(0, end);
  if (end == std::string_view::npos) {
    text = {};
  } else {
    text.remove_prefix(end + (text.substr(end, 2) == "\r\n" ? 2 : 1));
  }
  return line;
}

bool GoesOn(std::string_view line) {
  const size_t last = line.find_last_not_of('\\');
  const size_t slashes = line.size() - (last == std::string_view::npos ? 0 : last + 1);
  return slashes % 2 == 1;
}

/// The four digits of \uXXXX; nullopt if they are none, or name half of a pair.
std::optional<uint32_t> HexOf(std::string_view digits) {
  uint32_t c = 0;
  if (digits.size() != 4) return std::nullopt;
  for (const char digit : digits) {
    const size_t value = std::string_view("0123456789abcdef").find(static_cast<char>(digit | 0x20));
    if (value == std::string_view::npos) return std::nullopt;
    c = c << 4 | static_cast<uint32_t>(value);
  }
  if (c >= 0xD800 && c < 0xE000) return std::nullopt;
  return c;
}

/// Takes characters until one of `ends`; escapes are replaced. Nullopt for a wrong \u.
std::optional<std::string> TakeText(std::string_view& line, std::string_view ends) {
  std::string text;
  while (!line.empty() && ends.find(line[0]) == std::string_view::npos) {
    const char c = line[0];
    line.remove_prefix(1);
    if (c != '\\') {
      text += c;
      continue;
    }
    if (line.empty()) break;
    const char escaped = line[0];
    line.remove_prefix(1);
    if (escaped == 'u') {
      const auto code = HexOf(line.substr(0, 4));
      if (!code) return std::nullopt;
      AppendUtf8(*code, text);
      line.remove_prefix(4);
    } else {
      const size_t known = std::string_view("tnrf").find(escaped);
      text += known == std::string_view::npos ? escaped : "\t\n\r\f"[known];
    }
  }
  return text;
}

}  // namespace

Result<ConfMap> ParseProperties(std::string_view text, std::string_view file_name) {
  ConfMap conf;
  int line_number = 0;
  while (!text.empty()) {
    const int first_line = ++line_number;
    std::string_view part = TakeLine(text);
    DropBlanks(part);
    if (part.empty() || part[0] == '#' || part[0] == '!') continue;
    std::string whole(part);
    while (GoesOn(whole)) {
      whole.pop_back();
      if (text.empty()) break;
      ++line_number;
      part = TakeLine(text);
      DropBlanks(part);
      whole += part;
    }
    std::string_view line = whole;
    const auto key = TakeText(line, "=: \t\f");
    DropBlanks(line);
    if (!line.empty() && (line[0] == '=' || line[0] == ':')) line.remove_prefix(1);
    DropBlanks(line);
    const auto value = TakeText(line, "");
    if (!key || !value || key->empty()) {
      return Invalid("{}: line {}: expected a key and a value, found '{}'", file_name, first_line, whole);
    }
    conf[*key] = value->substr(0, value->find_last_not_of(kBlank) + 1);
  }
  return conf;
}

}  // namespace weir::session
