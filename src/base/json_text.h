#pragma once

/// Texts in JSON. Thread rule: pure functions.

#include <string>
#include <string_view>

namespace weir {

/// The text in double quotes, valid JSON for any bytes: what is not UTF-8 becomes U+FFFD. Spec: RFC 8259,
/// section 7.
std::string QuotedJson(std::string_view text);

}  // namespace weir
