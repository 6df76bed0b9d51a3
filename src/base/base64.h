#pragma once

/// Base64 without line breaks. Thread rule: pure functions. Spec: RFC 4648, section 4.

#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

inline constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

inline std::string Base64(std::string_view bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) {
      group = group << 8 | (at + i < bytes.size() ? static_cast<uint8_t>(bytes[at + i]) : 0u);
    }
    for (size_t i = 0; i < 4; ++i) {
      text += at + i > bytes.size() ? '=' : kBase64Digits[group >> (18 - 6 * i) & 63];
    }
  }
  return text;
}

}  // namespace weir
