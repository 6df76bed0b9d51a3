#pragma once

/// Characters of UTF-8. Spec: RFC 3629. Thread rule: pure functions.

#include <cstddef>
#include <string>
#include <string_view>

namespace weir {

/// Whether the byte is the second to fourth of a character.
constexpr bool ContinuesUtf8(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

struct Utf8Character {
  char32_t code_point = 0;
  size_t size_bytes = 0;  ///< 1 to 4; 0: the bytes are no character.
};

/// The character at `at`. Overlong forms, surrogates and what lies above U+10FFFF are none.
/// Precondition: at < text.size().
Utf8Character DecodeUtf8(std::string_view text, size_t at);

/// Whether the text is a run of characters. Cost: eight bytes at a time where they are ASCII.
bool IsUtf8(std::string_view text);

/// Appends the character; a surrogate or what lies above U+10FFFF becomes '?', as Java encodes it.
void AppendUtf8(char32_t code_point, std::string& text);

/// The number of bytes that do not continue a character: of characters, where the text is valid.
size_t Utf8Length(std::string_view text);

}  // namespace weir
