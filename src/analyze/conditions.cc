#include "analyze/conditions.h"

#include <algorithm>
#include <numeric>

#include "base/ascii.h"
#include "type/identifier.h"

namespace weir::analyze {
namespace {

using unresolved::Name;

constexpr size_t kShownSuggestions = 5;

/// Edits that turn one text into the other.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

Name Last(const Name& name, size_t count) {
  return {name.end() - static_cast<ptrdiff_t>(std::min(count, name.size())), name.end()};
}

/// True if all candidates agree in what stands before their last `count` parts.
bool SharePrefix(const std::vector<Name>& candidates, size_t count) {
  auto prefix = [&](const Name& name) {
    return Name(name.begin(), name.end() - static_cast<ptrdiff_t>(std::min(count, name.size())));
  };
  return std::ranges::all_of(candidates,
                             [&](const Name& name) { return prefix(name) == prefix(candidates[0]); });
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (size_t i = 0; i < texts.size(); ++i) joined += (i == 0 ? "" : ", ") + texts[i];
  return joined;
}

std::string PlainName(const Name& name) {
  std::string plain;
  for (size_t i = 0; i < name.size(); ++i) plain += (i == 0 ? "" : ".") + QuoteIfNeeded(name[i]);
  return plain;
}

}  // namespace

Error Condition(std::string_view name, std::string_view sql_state, Parameters parameters,
                std::string message) {
  return Error(ErrorCode::kInvalid, std::move(message))
      .WithCondition({std::string(name), std::string(sql_state), std::move(parameters), {}, {}});
}

std::string QuoteNames(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(QuoteName({name}));
  return Joined(quoted);
}

std::string QuoteSql(std::string_view sql) { return fmt::format("\"{}\"", sql); }

std::vector<std::string> OrderedSuggestions(const Name& name, const std::vector<Name>& candidates) {
  size_t kept = 4;
  for (size_t count = 3; count >= 1; --count) {
    if (!candidates.empty() && name.size() <= count && SharePrefix(candidates, count)) kept = count;
  }
  std::vector<std::string> quoted;
  for (const Name& candidate : candidates) quoted.push_back(QuoteName(Last(candidate, kept)));
  std::string plain = PlainName(name);
  std::ranges::stable_sort(quoted, {}, [&](const std::string& text) { return EditDistance(text, plain); });
  return quoted;
}

Error UnresolvedColumn(const Name& name, const std::vector<Name>& candidates) {
  std::string quoted = QuoteName(name);
  if (candidates.empty()) {
    std::string message = fmt::format("no column, variable or function parameter is named {}", quoted);
    return Condition("UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "42703", {{"objectName", quoted}}, message);
  }
  std::vector<std::string> suggestions = OrderedSuggestions(name, candidates);
  if (suggestions.size() > kShownSuggestions) suggestions.resize(kShownSuggestions);
  std::string proposal = Joined(suggestions);
  std::string message = fmt::format(
      "no column, variable or function parameter is named {}; was one of [{}] meant?", quoted, proposal);
  return Condition("UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703",
                   {{"objectName", quoted}, {"proposal", proposal}}, std::move(message));
}

Error AmbiguousReference(const Name& name, const std::vector<Name>& matches) {
  std::vector<std::string> quoted;
  for (const Name& match : matches) quoted.push_back(QuoteName(match));
  std::string names = fmt::format("[{}]", Joined(quoted));
  std::string message = fmt::format("{} may be any of {}", QuoteName(name), names);
  return Condition("AMBIGUOUS_REFERENCE", "42704", {{"name", QuoteName(name)}, {"referenceNames", names}},
                   std::move(message));
}

Error TableNotFound(const Name& name) {
  std::string quoted = QuoteName(name);
  return Error(ErrorCode::kNotFound, fmt::format("there is no table or view {}", quoted))
      .WithCondition({"TABLE_OR_VIEW_NOT_FOUND", "42P01", {{"relationName", quoted}}, {}, {}});
}

Error UnresolvedRoutine(const Name& name, const Name& current) {
  std::string quoted = QuoteName(name);
  std::string path = fmt::format("[`system`.`builtin`, `system`.`session`, {}]", QuoteName(current));
  return Condition("UNRESOLVED_ROUTINE", "42883", {{"routineName", quoted}, {"searchPath", path}},
                   fmt::format("there is no function {} in {}", quoted, path));
}

}  // namespace weir::analyze
