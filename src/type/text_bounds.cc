#include "type/text_bounds.h"

#include "base/utf8.h"

namespace weir {

std::string_view TruncateText(std::string_view text, size_t code_points) {
  size_t end = 0;
  for (size_t seen = 0; end < text.size(); ++end) {
    if (!ContinuesUtf8(text[end]) && seen++ == code_points) break;
  }
  return text.substr(0, end);
}

std::optional<std::string> TextAbove(std::string_view prefix) {
  while (!prefix.empty()) {
    size_t start = prefix.size() - 1;
    while (start > 0 && ContinuesUtf8(prefix[start])) --start;
    const Utf8Character last = DecodeUtf8(prefix, start);
    if (last.size_bytes != prefix.size() - start) return std::nullopt;
    if (last.code_point < 0x10FFFF) {
      std::string above(prefix.substr(0, start));
      // The surrogates are not characters.
      AppendUtf8(last.code_point == 0xD7FF ? 0xE000 : last.code_point + 1, above);
      return above;
    }
    prefix = prefix.substr(0, start);
  }
  return std::nullopt;
}

std::optional<std::string> BytesAbove(std::string_view prefix) {
  while (!prefix.empty() && prefix.back() == '\xFF') prefix.remove_suffix(1);
  if (prefix.empty()) return std::nullopt;
  std::string above(prefix);
  above.back() = static_cast<char>(static_cast<unsigned char>(above.back()) + 1);
  return above;
}

}  // namespace weir
