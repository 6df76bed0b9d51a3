#pragma once

/// Text to tokens. Thread rule: pure functions.

#include <string_view>

#include "sql/token.h"

namespace weir::sql {

/// Cuts the text into tokens, longest match first; blanks and comments are dropped. Never fails: a character
/// that begins no token becomes kUnrecognized. The tokens point into `text`. Spec: Spark SQL, "Literals",
/// "Identifiers"; comments nest.
Tokens Tokenize(std::string_view text);

}  // namespace weir::sql
