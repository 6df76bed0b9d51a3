#include <algorithm>

#include "base/ascii.h"
#include "sql/grammar.h"

namespace weir::sql {

using unresolved::ExprPtr;
using unresolved::GroupingSets;
using Kind = unresolved::GroupingSets::Kind;

Status Grammar::GroupBy(unresolved::Select& select) {
  WEIR_DO(in_.ExpectAll({"GROUP", "BY"}));
  const size_t first = in_.index();
  do {
    WEIR_TRY(ExprPtr item, GroupItem());
    select.group_by.push_back(std::move(item));
  } while (in_.Accept(","));
  WEIR_TRY(std::optional<ExprPtr> sets, SetsOfAllKeys(select.group_by, first));
  if (sets) {
    select.group_by = {*std::move(sets)};
    return {};
  }
  // ALL is no reserved word: it is a column's name for the grammar.
  const auto* all = std::get_if<unresolved::Attribute>(&select.group_by[0]->node);
  if (select.group_by.size() == 1 && all != nullptr && all->parts.size() == 1 &&
      AsciiLower(all->parts[0]) == "all") {
    select.group_by.clear();
    select.group_by_all = true;
  }
  return {};
}

/// The sets that begin here; nullopt if the words are names.
std::optional<Kind> Grammar::AtGroupingSets() const {
  if (in_.AtAll({"GROUPING", "SETS", "("})) return Kind::kGroupingSets;
  // Without keys they are calls of functions that do not exist.
  if (in_.AtAll({"ROLLUP", "("}) && !in_.At(")", 2)) return Kind::kRollup;
  if (in_.AtAll({"CUBE", "("}) && !in_.At(")", 2)) return Kind::kCube;
  return std::nullopt;
}

Result<ExprPtr> Grammar::GroupItem() {
  const std::optional<Kind> kind = AtGroupingSets();
  if (!kind) return Expression();
  const Cursor::Mark mark = in_.Here();
  WEIR_TRY(ExprPtr sets, GroupingSetsForm(*kind));
  // ROLLUP (a) + 1 is a call of a function of that name.
  const bool is_operand = in_.AtKind(TokenKind::kSymbol) && !in_.AtAny({",", ")", ";"});
  if (!is_operand) return sets;
  in_.Rewind(mark);
  return Expression();
}

/// ROLLUP (a, (b, c)), CUBE (..), GROUPING SETS ((a), ROLLUP (b, c), ()).
Result<ExprPtr> Grammar::GroupingSetsForm(Kind kind) {
  const Cursor::Level level(in_);
  WEIR_DO(in_.CheckDepth());
  const size_t first = in_.index();
  GroupingSets sets{.kind = kind, .sets = {}, .keys = {}};
  in_.Take();
  in_.Accept("SETS");
  WEIR_DO(in_.Expect("("));
  do {
    const std::optional<Kind> inner = kind == Kind::kGroupingSets ? AtGroupingSets() : std::nullopt;
    if (inner) {
      WEIR_TRY(ExprPtr nested, GroupingSetsForm(*inner));
      sets.sets.push_back({std::move(nested)});
    } else {
      WEIR_TRY(std::vector<ExprPtr> set, GroupingSet());
      sets.sets.push_back(std::move(set));
    }
  } while (in_.Accept(","));
  WEIR_DO(in_.Expect(")"));
  const bool has_empty = std::ranges::any_of(sets.sets, &std::vector<ExprPtr>::empty);
  if (has_empty && kind != Kind::kGroupingSets) {
    const std::string name = kind == Kind::kRollup ? "ROLLUP" : "CUBE";
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "_LEGACY_ERROR_TEMP_0051", "", {{"element", name}},
                          fmt::format("A member of {} has at least one key.", name)));
  }
  return Make(std::move(sets), first);
}

/// Keys in parentheses, or one key.
Result<std::vector<ExprPtr>> Grammar::GroupingSet() {
  const auto keys = [&]() -> Result<std::vector<ExprPtr>> {
    std::vector<ExprPtr> set;
    WEIR_DO(in_.Expect("("));
    if (!in_.At(")")) {
      WEIR_TRY(set, Expressions());
    }
    WEIR_DO(in_.Expect(")"));
    if (!in_.AtAny({",", ")"})) return in_.Mismatch();
    return set;
  };
  if (in_.At("(")) {
    WEIR_TRY(std::optional<std::vector<ExprPtr>> set, Try(keys));
    if (set) return *std::move(set);
  }
  WEIR_TRY(ExprPtr key, Expression());
  return std::vector<ExprPtr>{std::move(key)};
}

/// GROUP BY a, b WITH ROLLUP | WITH CUBE | GROUPING SETS (..): the sets over keys that stand in front.
Result<std::optional<ExprPtr>> Grammar::SetsOfAllKeys(const std::vector<ExprPtr>& keys, size_t first) {
  const bool is_rollup = in_.AtAll({"WITH", "ROLLUP"});
  const bool has_sets = std::ranges::any_of(
      keys, [](const ExprPtr& key) { return std::holds_alternative<GroupingSets>(key->node); });
  if (has_sets && (is_rollup || in_.AtAll({"WITH", "CUBE"}) || in_.AtAll({"GROUPING", "SETS", "("})))
    return in_.Refuse("grouping sets of grouping sets", in_.SpanOf(in_.Peek()));
  if (is_rollup || in_.AtAll({"WITH", "CUBE"})) {
    in_.Take();
    in_.Take();
    GroupingSets sets{.kind = is_rollup ? Kind::kRollup : Kind::kCube, .sets = {}, .keys = {}};
    for (const ExprPtr& key : keys) sets.sets.push_back({key});
    return std::optional(Make(std::move(sets), first));
  }
  if (!in_.AtAll({"GROUPING", "SETS", "("})) return std::optional<ExprPtr>();
  GroupingSets sets{.kind = Kind::kGroupingSets, .sets = {}, .keys = keys};
  WEIR_DO(in_.ExpectAll({"GROUPING", "SETS", "("}));
  do {
    WEIR_TRY(std::vector<ExprPtr> set, GroupingSet());
    sets.sets.push_back(std::move(set));
  } while (in_.Accept(","));
  WEIR_DO(in_.Expect(")"));
  return std::optional(Make(std::move(sets), first));
}

}  // namespace weir::sql
