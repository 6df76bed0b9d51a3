#include "base/json_text.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace weir {

std::string QuotedJson(std::string_view text) {
  std::string json = "\"";
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    const size_t size = DecodeUtf8(text, at).size_bytes;
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
