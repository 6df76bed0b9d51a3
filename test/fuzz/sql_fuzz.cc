// Any text parses, is refused, or is an error with a place; what parses also prints and parses to the same
// text.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sql/parser.h"
#include "sql/printer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using weir::sql::ParseStatement;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& statement : weir::sql::SplitStatements(text)) {
    if (statement.start_bytes + statement.text.size() > size) std::abort();
  }
  const auto first = ParseStatement(text);
  if (!first) {
    const weir::ErrorCondition* condition = first.error().condition();
    if (condition == nullptr || !condition->span) std::abort();
    return 0;
  }
  const std::string printed = weir::sql::ToSql(*first);
  const auto second = ParseStatement(printed);
  // Printed parentheses are levels too.
  if (!second && second.error().condition() != nullptr &&
      second.error().condition()->name == "FAILED_TO_PARSE_TOO_COMPLEX") {
    return 0;
  }
  if (!second || weir::sql::ToSql(*second) != printed) std::abort();
  return 0;
}
