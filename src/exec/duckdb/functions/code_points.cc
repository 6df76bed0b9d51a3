#include "exec/duckdb/functions/code_points.h"

#include <clocale>
#include <cwctype>

#include "base/utf8.h"

namespace weir::exec {

namespace {

/// Simple case mapping of the C library in the one locale that every Debian has.
locale_t Unicode() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

char32_t Upper(char32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z' ? c - 32 : c;
  return Unicode() ? static_cast<char32_t>(towupper_l(static_cast<wint_t>(c), Unicode())) : c;
}
char32_t Lower(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  return Unicode() ? static_cast<char32_t>(towlower_l(static_cast<wint_t>(c), Unicode())) : c;
}
bool IsLetter(char32_t c) { return Unicode() && iswalpha_l(static_cast<wint_t>(c), Unicode()) != 0; }

/// Letters whose capital is several letters. Spec: Unicode, SpecialCasing.
std::u32string_view ManyUpper(char32_t c) {
  switch (c) {
    case 0x00DF:
      return U"SS";
    case 0x0149:
      return U"\u02BCN";
    case 0x01F0:
      return U"J\u030C";
    case 0x0390:
      return U"\u0399\u0308\u0301";
    case 0x03B0:
      return U"\u03A5\u0308\u0301";
    case 0x0587:
      return U"\u0535\u0552";
    case 0xFB00:
      return U"FF";
    case 0xFB01:
      return U"FI";
    case 0xFB02:
      return U"FL";
    case 0xFB03:
      return U"FFI";
    case 0xFB04:
      return U"FFL";
    case 0xFB05:
    case 0xFB06:
      return U"ST";
    default:
      return {};
  }
}

/// The capital that starts a word, where it is not the one of a word in capitals.
char32_t Title(char32_t c) {
  switch (c) {
    case 0x01C6:
      return 0x01C5;
    case 0x01C9:
      return 0x01C8;
    case 0x01CC:
      return 0x01CB;
    case 0x01F3:
      return 0x01F2;
    default:
      return Upper(c);
  }
}

void AppendTitle(std::string& text, char32_t c) {
  const std::u32string_view many = c < 0x80 ? std::u32string_view() : ManyUpper(c);
  if (many.empty()) return AppendUtf8(Title(c), text);
  // Of a ligature, and of a sharp s, only the first letter.
  const bool letters = c == 0x00DF || c == 0x0587 || c >= 0xFB00;
  for (size_t i = 0; i < many.size(); ++i) AppendUtf8(letters && i > 0 ? Lower(many[i]) : many[i], text);
}

/// A capital sigma at the end of a word becomes the final form.
bool IsFinalSigma(std::string_view text, size_t at, bool letter_before) {
  const size_t next = at + CodePointBytes(text, at);
  return letter_before && (next >= text.size() || !IsLetter(DecodeAt(text, next)));
}

}  // namespace

size_t CodePointBytes(std::string_view text, size_t at) {
  const auto byte = static_cast<uint8_t>(text[at]);
  size_t bytes = 1;
  if (byte >= 0xC2 && byte <= 0xDF) bytes = 2;
  if (byte >= 0xE0 && byte <= 0xEF) bytes = 3;
  if (byte >= 0xF0 && byte <= 0xF4) bytes = 4;
  return std::min(bytes, text.size() - at);
}

int64_t CodePointCount(std::string_view text) {
  int64_t count = 0;
  for (size_t at = 0; at < text.size(); at += CodePointBytes(text, at)) ++count;
  return count;
}

size_t OffsetOf(std::string_view text, int64_t index) {
  size_t at = 0;
  for (int64_t i = 0; i < index && at < text.size(); ++i) at += CodePointBytes(text, at);
  return at;
}

std::string_view SubText(std::string_view text, int64_t start, int64_t end) {
  if (end <= start || end <= 0) return {};
  const size_t from = OffsetOf(text, start);
  const std::string_view rest = text.substr(from);
  return rest.substr(0, OffsetOf(rest, end - std::max<int64_t>(start, 0)));
}

char32_t DecodeAt(std::string_view text, size_t at) {
  const size_t bytes = CodePointBytes(text, at);
  const auto first = static_cast<uint8_t>(text[at]);
  if (bytes == 1) return first;
  char32_t value = first & (0xFF >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) value = (value << 6) | (static_cast<uint8_t>(text[at + i]) & 0x3F);
  return value;
}

std::string UpperText(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); at += CodePointBytes(text, at)) {
    const char32_t c = DecodeAt(text, at);
    const std::u32string_view many = c < 0x80 ? std::u32string_view() : ManyUpper(c);
    if (many.empty()) AppendUtf8(Upper(c), out);
    for (char32_t each : many) AppendUtf8(each, out);
  }
  return out;
}

std::string LowerText(std::string_view text) {
  std::string out;
  bool letter_before = false;
  for (size_t at = 0; at < text.size(); at += CodePointBytes(text, at)) {
    const char32_t c = DecodeAt(text, at);
    if (c == 0x0130) {  // A dotted capital I becomes i and a combining dot.
      out += "i\u0307";
    } else if (c == 0x03A3 && IsFinalSigma(text, at, letter_before)) {
      AppendUtf8(0x03C2, out);
    } else {
      AppendUtf8(Lower(c), out);
    }
    letter_before = c < 0x80 ? (c | 32) >= 'a' && (c | 32) <= 'z' : IsLetter(c);
  }
  return out;
}

std::string InitialCapitals(std::string_view text) {
  const std::string lower = LowerText(text);
  std::string out;
  bool start = true;
  for (size_t at = 0; at < lower.size(); at += CodePointBytes(lower, at)) {
    const char32_t c = DecodeAt(lower, at);
    if (start) {
      AppendTitle(out, c);
    } else {
      AppendUtf8(c, out);
    }
    start = c == ' ';
  }
  return out;
}

}  // namespace weir::exec
