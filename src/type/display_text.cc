#include "type/display_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace weir {
namespace {

/// As Spark's show writes bytes: [00 FF].
std::string HexText(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text +=
        fmt::format("{}{:02X}", text.empty() ? "" : " ", static_cast<unsigned>(static_cast<uint8_t>(byte)));
  }
  return '[' + text + ']';
}

/// Wide ranges of East Asian scripts and emoji.
bool IsWide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

/// As CAST(.. AS STRING), but NULL is "NULL" at any depth and bytes are shown.
std::string PrettyText(const Scalar& value) {
  if (value.is_null()) return "NULL";
  switch (value.type().kind()) {
    case TypeKind::kBinary:
      return HexText(value.text());
    case TypeKind::kArray:
    case TypeKind::kStruct: {
      std::string text;
      for (const Scalar& child : value.children()) {
        text += (&child == value.children().data() ? "" : ", ") + PrettyText(child);
      }
      return value.type().kind() == TypeKind::kArray ? '[' + text + ']' : '{' + text + '}';
    }
    case TypeKind::kMap: {
      std::string text;
      const std::vector<Scalar>& entries = value.children();
      for (size_t i = 0; i + 1 < entries.size(); i += 2) {
        text +=
            fmt::format("{}{} -> {}", i == 0 ? "" : ", ", PrettyText(entries[i]), PrettyText(entries[i + 1]));
      }
      return '{' + text + '}';
    }
    default:
      return value.ToString();
  }
}

}  // namespace

std::string CellText(const Scalar& value) {
  std::string cell;
  for (const char c : PrettyText(value)) {
    constexpr std::string_view kControls = "\a\b\t\n\v\f\r";
    constexpr std::string_view kNames = "abtnvfr";
    const size_t at = kControls.find(c);
    if (at == std::string_view::npos) {
      cell += c;
    } else {
      cell += {'\\', kNames[at]};
    }
  }
  return cell;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const auto [c, size] = DecodeUtf8(text, at);
    width += IsWide(c) ? 2 : 1;
    at += std::max<size_t>(size, 1);
  }
  return width;
}

}  // namespace weir
