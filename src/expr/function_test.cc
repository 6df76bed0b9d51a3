#include "expr/function.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "base/ascii.h"

namespace weir {
namespace {

/// The words between backquotes in the list of functions of docs/sql.md.
std::vector<std::string> ListedFunctions() {
  std::ifstream file(std::string(WEIR_SOURCE_DIR) + "/docs/sql.md");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = text.substr(text.find("<!-- functions"));
  text = text.substr(0, text.find("<!-- end of functions"));
  std::vector<std::string> names;
  for (size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at)) {
    const size_t end = text.find('`', at + 1);
    names.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return names;
}

TEST(FunctionTable, IsWhatTheManualLists) {
  std::vector<std::string> names;
  for (const Function& function : AllFunctions()) {
    if (!IsAsciiLetter(function.name.front())) continue;  // An operator.
    if (function.name == "and" || function.name == "or" || function.name == "not" || function.name == "div")
      continue;
    names.emplace_back(function.name);
  }
  EXPECT_THAT(ListedFunctions(), testing::UnorderedElementsAreArray(names));
}

}  // namespace
}  // namespace weir
