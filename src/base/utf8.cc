#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace weir {
namespace {

bool IsCharacter(char32_t c) { return c < 0xD800 || (c >= 0xE000 && c <= 0x10FFFF); }

}  // namespace

Utf8Character DecodeUtf8(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  const size_t size = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (size == 0 || size > text.size() - at) return {};
  char32_t c = lead & (0x7Fu >> size);
  for (const char byte : text.substr(at + 1, size - 1)) {
    if (!ContinuesUtf8(byte)) return {};
    c = c << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
  }
  const bool overlong = (size == 3 && c < 0x800) || (size == 4 && c < 0x10000);
  return overlong || !IsCharacter(c) ? Utf8Character{} : Utf8Character{c, size};
}

bool IsUtf8(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  for (size_t at = 0; at < text.size();) {
    uint64_t next = kHighBits;
    if (text.size() - at >= sizeof(next)) std::memcpy(&next, text.data() + at, sizeof(next));
    if ((next & kHighBits) == 0) {
      at += sizeof(next);
      continue;
    }
    const size_t size = DecodeUtf8(text, at).size_bytes;
    if (size == 0) return false;
    at += size;
  }
  return true;
}

void AppendUtf8(char32_t c, std::string& text) {
  if (!IsCharacter(c)) c = U'?';
  const auto lead = [&](char32_t mark, int shift) { text += static_cast<char>(mark | c >> shift); };
  const auto more = [&](int shift) { text += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    lead(0, 0);
  } else if (c < 0x800) {
    lead(0xC0, 6);
    more(0);
  } else if (c < 0x10000) {
    lead(0xE0, 12);
    more(6);
    more(0);
  } else {
    lead(0xF0, 18);
    more(12);
    more(6);
    more(0);
  }
}

size_t Utf8Length(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !ContinuesUtf8(byte); }));
}

}  // namespace weir
