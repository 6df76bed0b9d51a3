#include "base/json_text.h"

#include <fmt/format.h>

#include <cstdint>

namespace weir {

size_t Utf8Size(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t size = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (size == 0 || at + size > text.size()) return 0;
  uint32_t c = lead & (0x7Fu >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    c = c << 6 | (byte(i) & 0x3F);
  }
  // Longer than needed, half of a surrogate pair, or behind the last character.
  if ((size == 3 && c < 0x800) || (size == 4 && c < 0x10000)) return 0;
  return (c >= 0xD800 && c < 0xE000) || c > 0x10FFFF ? 0 : size;
}

std::string QuotedJson(std::string_view text) {
  std::string json = "\"";
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    const size_t size = Utf8Size(text, at);
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (c == '\n') {
      json += "\\n";
    } else if (c == '\r') {
      json += "\\r";
    } else if (c == '\t') {
      json += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (size == 0) {
      json += "\xEF\xBF\xBD";
    } else {
      json += text.substr(at, size);
    }
    at += size == 0 ? 1 : size;
  }
  return json + '"';
}

}  // namespace weir
