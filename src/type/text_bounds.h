#pragma once

/// Prefixes of text and bytes, and bounds that hold for everything with a prefix. Thread rule: pure
/// functions. Spec: Iceberg, "Truncate Transform Details"; metrics modes truncate upper bounds in the same
/// way.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

/// The longest prefix of at most `code_points` characters of UTF-8. Shares the bytes of `text`.
std::string_view TruncateText(std::string_view text, size_t code_points);

/// Valid UTF-8 above every text that starts with `prefix`: its last character that has a successor is raised
/// and the rest dropped. Absent if there is none, or if the prefix is not valid UTF-8.
std::optional<std::string> TextAbove(std::string_view prefix);
/// The same for bytes.
std::optional<std::string> BytesAbove(std::string_view prefix);

}  // namespace weir
