#include "sql/characters.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"

namespace weir::sql {
namespace {

bool IsSymbolBlock(char32_t c) {
  static constexpr std::pair<char32_t, char32_t> kBlocks[] = {
      {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},       {0xD7, 0xD7},
      {0xF7, 0xF7},     {0x2C2, 0x2C5},   {0x300, 0x36F},   {0x2000, 0x2070},   {0x2072, 0x207E},
      {0x2080, 0x208F}, {0x20A0, 0x2101}, {0x2190, 0x2BFF}, {0x3000, 0x3004},   {0x3008, 0x3030},
      {0xD800, 0xF8FF}, {0xFE00, 0xFE6F}, {0xFF00, 0xFF20}, {0x1F000, 0x1FAFF}, {0xE0000, 0x10FFFF}};
  return std::any_of(std::begin(kBlocks), std::end(kBlocks),
                     [c](auto block) { return c >= block.first && c <= block.second; });
}

}  // namespace

bool IsNameCharacter(char c) { return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '_'; }

size_t LetterSize(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  const char c = text[at];
  if (IsAsciiLetter(c)) return 1;
  if (static_cast<unsigned char>(c) < 0x80) return 0;
  const auto [value, size] = DecodeUtf8(text, at);
  return size == 0 || IsSymbolBlock(value) || BlankSize(text, at) > 0 ? 0 : size;
}

size_t BlankSize(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  const auto [c, size] = DecodeUtf8(text, at);
  const bool is_blank = (c >= 9 && c <= 13) || c == ' ' || c == 0xA0 || c == 0x1680 ||
                        (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x202F || c == 0x205F ||
                        c == 0x3000;
  return is_blank ? size : 0;
}

std::string_view Trim(std::string_view text) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

size_t StringEnd(std::string_view text, size_t at) {
  const bool is_raw = text[at] == 'r' || text[at] == 'R';
  if (is_raw) ++at;
  const char quote = text[at];
  size_t last_doubled = std::string_view::npos;
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && !is_raw) {
      ++i;
    } else if (text[i] == quote) {
      if (is_raw || i + 1 >= text.size() || text[i + 1] != quote) return i + 1;
      last_doubled = ++i;
    }
  }
  return last_doubled;
}

size_t QuotedNameEnd(std::string_view text, size_t at) {
  size_t last_doubled = std::string_view::npos;
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] != '`') continue;
    if (i + 1 >= text.size() || text[i + 1] != '`') return i + 1;
    last_doubled = ++i;
  }
  return last_doubled;
}

size_t LineCommentEnd(std::string_view text, size_t at) {
  for (size_t i = at + 2; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;  // The comment goes on in the next line.
    } else if (text[i] == '\n') {
      return i + 1;
    } else if (text[i] == '\r') {
      return i + 1 < text.size() && text[i + 1] == '\n' ? i + 2 : i + 1;
    }
  }
  return text.size();
}

size_t BracketedCommentEnd(std::string_view text, size_t at) {
  size_t depth = 0;
  for (size_t i = at; i + 1 < text.size(); ++i) {
    if (text[i] == '/' && text[i + 1] == '*' && (i + 2 >= text.size() || text[i + 2] != '+')) {
      ++depth;
      ++i;
    } else if (text[i] == '*' && text[i + 1] == '/') {
      ++i;
      if (--depth == 0) return i + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace weir::sql
