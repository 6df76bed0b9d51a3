#include "type/text_bounds.h"

#include <cstdint>

namespace weir {
namespace {

bool Continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Decodes one whole character; absent if the bytes are not exactly one.
std::optional<uint32_t> Decode(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  const size_t size = lead < 0x80   ? 1
                      : lead < 0xC2 ? 0
                      : lead < 0xE0 ? 2
                      : lead < 0xF0 ? 3
                      : lead < 0xF5 ? 4
                                    : 0;
  if (size != character.size()) return std::nullopt;
  uint32_t code = size == 1 ? lead : lead & (0x7FU >> size);
  for (char c : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

void Encode(uint32_t code, std::string& to) {
  const auto continuation = [&](int shift) { to += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xC0 | code >> 6);
    continuation(0);
  } else if (code < 0x10000) {
    to += static_cast<char>(0xE0 | code >> 12);
    continuation(6);
    continuation(0);
  } else {
    to += static_cast<char>(0xF0 | code >> 18);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

}  // namespace

std::string_view TruncateText(std::string_view text, size_t code_points) {
  size_t end = 0;
  for (size_t seen = 0; end < text.size(); ++end) {
    if (!Continues(text[end]) && seen++ == code_points) break;
  }
  return text.substr(0, end);
}

size_t CodePointCount(std::string_view text) {
  size_t count = 0;
  for (char c : text) count += Continues(c) ? 0 : 1;
  return count;
}

std::optional<std::string> TextAbove(std::string_view prefix) {
  while (!prefix.empty()) {
    size_t start = prefix.size() - 1;
    while (start > 0 && Continues(prefix[start])) --start;
    const std::optional<uint32_t> code = Decode(prefix.substr(start));
    if (!code) return std::nullopt;
    if (*code < 0x10FFFF) {
      std::string above(prefix.substr(0, start));
      // The surrogates are not characters.
      Encode(*code == 0xD7FF ? 0xE000 : *code + 1, above);
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
