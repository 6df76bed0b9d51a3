#include "expr/function.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/ascii.h"
#include "expr/signature.h"

namespace weir {
namespace {

struct Alias {
  std::string_view name;
  bool shown = true;
};

std::vector<Alias> AliasesOf(const Function& function) {
  std::vector<Alias> aliases;
  for (std::string_view rest = function.aliases; !rest.empty();) {
    size_t space = std::min(rest.find(' '), rest.size());
    Alias alias{rest.substr(0, space)};
    if (alias.name.ends_with('*')) alias = {alias.name.substr(0, alias.name.size() - 1), false};
    aliases.push_back(alias);
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  return aliases;
}

struct Table {
  std::vector<Function> functions;
  std::unordered_map<std::string, size_t> by_name;
};

Table BuildTable() {
  Table table;
  for (auto group : {OperatorFunctions(), PredicateFunctions(), ConditionalFunctions(), MathFunctions(),
                     StringFunctions(), DatetimeFunctions(), HashFunctions(), CollectionFunctions(),
                     AggregateFunctions(), WindowFunctions(), GeneratorFunctions()}) {
    table.functions.insert(table.functions.end(), group.begin(), group.end());
  }
  for (size_t i = 0; i < table.functions.size(); ++i) {
    table.by_name.emplace(table.functions[i].name, i);
    for (const Alias& alias : AliasesOf(table.functions[i])) table.by_name.emplace(alias.name, i);
  }
  return table;
}

const Table& TheTable() {
  static const Table table = BuildTable();
  return table;
}

}  // namespace

const Function* FindFunction(std::string_view name) {
  auto found = TheTable().by_name.find(AsciiLower(name));
  return found == TheTable().by_name.end() ? nullptr : &TheTable().functions[found->second];
}

std::string ShownName(const Function& function, std::string_view name) {
  std::string lower = AsciiLower(name);
  for (const Alias& alias : AliasesOf(function)) {
    if (alias.shown && alias.name == lower) return lower;
  }
  return std::string(function.display.empty() ? function.name : function.display);
}

std::span<const Function> AllFunctions() { return TheTable().functions; }

}  // namespace weir
