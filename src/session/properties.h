#pragma once

/// Files of settings as Spark reads them. Thread rule: pure functions.

#include <string_view>

#include "session/conf.h"

namespace weir::session {

/// Keys and values as in spark-defaults.conf: key and value apart by a blank, "=" or ":"; lines of "#" or "!"
/// are comments; "\" at the end of a line goes on in the next; "\" before other characters as in Java. A key
/// without a value has an empty one. Errors: kInvalid naming file and line.
/// Spec: java.util.Properties.load, then Spark trims values.
Result<ConfMap> ParseProperties(std::string_view text, std::string_view file_name);

}  // namespace weir::session
