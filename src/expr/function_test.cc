#include "expr/function.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "base/ascii.h"

namespace weir {
namespace {

/// The words between backquotes in a list of docs/sql.md, from one comment to another.
std::vector<std::string> Listed(std::string_view first, std::string_view end_of) {
  std::ifstream file(std::string(WEIR_SOURCE_DIR) + "/docs/sql.md");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = text.substr(text.find(first));
  text = text.substr(text.find("-->"));
  text = text.substr(0, text.find(end_of));
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
  EXPECT_THAT(Listed("<!-- functions", "<!-- end of functions"), testing::UnorderedElementsAreArray(names));
}

TEST(FunctionTable, HasTheOtherNamesThatTheManualLists) {
  std::vector<std::string> names;
  for (const Function& function : AllFunctions()) {
    std::istringstream aliases{std::string(function.aliases)};
    for (std::string name; aliases >> name;) {
      if (name.ends_with('*')) name.pop_back();  // How it is shown.
      if (IsAsciiLetter(name.front())) names.push_back(name);
    }
  }
  EXPECT_THAT(Listed("<!-- other names", "<!-- end of other names"),
              testing::UnorderedElementsAreArray(names));
}

}  // namespace
}  // namespace weir
