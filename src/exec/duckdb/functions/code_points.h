#pragma once

/// Text by code points, as Spark counts it: a byte that starts no code point counts as one. Thread rule: pure
/// functions.

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::exec {

/// Bytes of the code point that starts at `at`, cut at the end of the text. Precondition: at < text.size().
size_t CodePointBytes(std::string_view text, size_t at);
int64_t CodePointCount(std::string_view text);
/// The offset of the `index`-th code point, or the end of the text.
size_t OffsetOf(std::string_view text, int64_t index);
/// Code points [start, end), both cut to the text; a negative start counts as 0 towards `end`.
std::string_view SubText(std::string_view text, int64_t start, int64_t end);
char32_t DecodeAt(std::string_view text, size_t at);

std::string UpperText(std::string_view text);
std::string LowerText(std::string_view text);
/// Each word (separated by spaces) starts with a capital, the rest is in lower case.
std::string InitialCapitals(std::string_view text);

}  // namespace weir::exec
