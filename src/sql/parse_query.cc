#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/grammar.h"

namespace weir::sql {

using unresolved::ExprPtr;
using unresolved::RelationPtr;

RelationPtr Grammar::MakeRelation(decltype(unresolved::Relation::node) node, size_t first) const {
  return std::make_shared<const unresolved::Relation>(
      unresolved::Relation{std::move(node), in_.SpanFrom(first)});
}

/// `[WITH ..] terms [ORDER BY ..] [LIMIT ..] [OFFSET ..]`.
Result<RelationPtr> Grammar::Query() {
  const Cursor::Level level(in_);
  WEIR_DO(in_.CheckDepth());
  const size_t first = in_.index();
  std::vector<unresolved::CommonTable> tables;
  if (in_.At("WITH")) {
    WEIR_TRY(tables, CommonTables());
  }
  WEIR_TRY(RelationPtr query, SetOperations(false));
  if (in_.At("|>")) return in_.Refuse("the pipe operator |>", in_.SpanOf(in_.Peek()));
  WEIR_TRY(query, Organized(std::move(query), first));
  if (tables.empty()) return query;
  return MakeRelation(unresolved::With{std::move(tables), std::move(query)}, first);
}

/// "(query)".
Result<RelationPtr> Grammar::QueryInParentheses() {
  const size_t first = in_.index();
  if (const auto known = known_queries_.find(first); known != known_queries_.end()) {
    if (!known->second.query) return in_.Mismatch();
    in_.TakeAgain(known->second.taken);
    return known->second.query;
  }
  const Cursor::Chain chain(in_);
  const Cursor::Mark mark = in_.Here();
  const auto read = [&]() -> Result<RelationPtr> {
    if (!in_.Accept("(")) return in_.Mismatch();
    WEIR_TRY(RelationPtr query, Query());
    WEIR_DO(in_.Expect(")"));
    return query;
  };
  Result<RelationPtr> query = read();
  if (query) {
    known_queries_.emplace(first, KnownQuery{*query, in_.TakenSince(mark)});
  } else if (Cursor::IsMismatch(query.error())) {
    known_queries_.emplace(first, KnownQuery{});
  }
  return query;
}

Result<std::vector<unresolved::CommonTable>> Grammar::CommonTables() {
  const size_t first = in_.index();
  WEIR_DO(in_.Expect("WITH"));
  if (in_.At("RECURSIVE") && AtName(1)) return in_.Refuse("WITH RECURSIVE", in_.SpanOf(in_.Peek()));
  std::vector<unresolved::CommonTable> tables;
  std::vector<std::string> duplicates;
  do {
    unresolved::CommonTable table;
    WEIR_TRY(table.name, CheckedName());
    if (in_.At("(") && !StartsQuery(1)) {
      WEIR_TRY(table.columns, NameList());
    }
    if (in_.AtAll({"MAX", "RECURSION"})) return in_.Refuse("WITH RECURSIVE", in_.SpanOf(in_.Peek()));
    in_.Accept("AS");
    WEIR_TRY(table.query, QueryInParentheses());
    for (const unresolved::CommonTable& other : tables) {
      if (AsciiLower(other.name) == AsciiLower(table.name))
        duplicates.push_back(fmt::format("`{}`", other.name));
    }
    tables.push_back(std::move(table));
  } while (in_.Accept(","));
  if (!duplicates.empty()) {
    std::string names = duplicates[0];
    for (size_t i = 1; i < duplicates.size(); ++i) names += ", " + duplicates[i];
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "DUPLICATED_CTE_NAMES", "42602", {{"duplicateNames", names}},
                          fmt::format("WITH names a table twice: {}.", names)));
  }
  return tables;
}

/// INTERSECT binds tighter than UNION, EXCEPT and MINUS.
Result<RelationPtr> Grammar::SetOperations(bool only_intersect) {
  const Cursor::Chain chain(in_);
  const size_t first = in_.index();
  const auto operand = [&] { return only_intersect ? QueryPrimary() : SetOperations(true); };
  WEIR_TRY(RelationPtr left, operand());
  while (only_intersect ? in_.At("INTERSECT") : in_.AtAny({"UNION", "EXCEPT", "MINUS"})) {
    const Token& token = in_.Take();
    unresolved::SetOperation operation;
    operation.kind = token.Is("UNION")       ? unresolved::SetOpKind::kUnion
                     : token.Is("INTERSECT") ? unresolved::SetOpKind::kIntersect
                                             : unresolved::SetOpKind::kExcept;
    operation.all = in_.Accept("ALL");
    if (!operation.all) in_.Accept("DISTINCT");
    operation.left = std::move(left);
    WEIR_TRY(operation.right, operand());
    WEIR_DO(in_.AddLink());
    left = MakeRelation(std::move(operation), first);
  }
  return left;
}

Result<RelationPtr> Grammar::QueryPrimary() {
  const size_t first = in_.index();
  if (in_.At("SELECT")) return SelectFrom(nullptr, first);
  if (in_.At("FROM")) return FromFirst();
  if (in_.At("VALUES")) return InlineTable();
  if (in_.Accept("TABLE")) {
    WEIR_TRY(Name name, TableName());
    return MakeRelation(unresolved::NamedTable{.name = std::move(name), .time_travel = {}, .options = {}},
                        first);
  }
  if (in_.AtAny({"MAP", "REDUCE"}))
    return in_.Refuse("MAP and REDUCE (use TRANSFORM of Hive)", in_.SpanOf(in_.Peek()));
  return QueryInParentheses();
}

/// `FROM .. SELECT ..`, or FROM alone, which gives every column.
Result<RelationPtr> Grammar::FromFirst() {
  const size_t first = in_.index();
  WEIR_TRY(RelationPtr from, FromClause());
  if (in_.At("INSERT")) return in_.Refuse("FROM .. INSERT", in_.SpanOf(in_.Peek()));
  if (!in_.At("SELECT")) return from;
  WEIR_TRY(RelationPtr query, SelectFrom(std::move(from), first));
  WEIR_TRY(query, Organized(std::move(query), first));
  if (in_.At("SELECT")) return in_.Refuse("several SELECT of one FROM", in_.SpanOf(in_.Peek()));
  return query;
}

/// From SELECT to HAVING; `from` is null if FROM may still come.
Result<RelationPtr> Grammar::SelectFrom(RelationPtr from, size_t first) {
  WEIR_DO(in_.Expect("SELECT"));
  WEIR_DO(Hints());
  unresolved::Select select;
  if (in_.AtAny({"DISTINCT", "ALL"}) && StartsExpression(1)) select.distinct = in_.Take().Is("DISTINCT");
  WEIR_TRY(select.items, NamedExpressions());
  if (!from && in_.At("FROM")) {
    WEIR_TRY(from, FromClause());
  }
  if (!from) from = MakeRelation(unresolved::OneRow{}, first);
  WEIR_TRY(select.from, LateralViews(std::move(from), first));
  if (in_.Accept("WHERE")) {
    WEIR_TRY(ExprPtr condition, Expression());
    select.from = MakeRelation(unresolved::Filter{std::move(select.from), std::move(condition)}, first);
  }
  if (in_.AtAll({"GROUP", "BY"})) WEIR_DO(GroupBy(select));
  if (in_.Accept("HAVING")) {
    WEIR_TRY(select.having, Expression());
  }
  WEIR_DO(WindowClause(select.windows));
  return MakeRelation(std::move(select), first);
}

/// "/*+ BROADCAST(t), COALESCE(3) */": checked and forgotten, as Spark does with hints that it does not know.
Status Grammar::Hints() {
  while (in_.Accept("/*+")) {
    do {
      WEIR_DO(AnyName());
      if (in_.Accept("(")) {
        do {
          WEIR_DO(Primary());
        } while (in_.Accept(","));
        WEIR_DO(in_.Expect(")"));
      }
      in_.Accept(",");
    } while (!in_.At("*/"));
    WEIR_DO(in_.Expect("*/"));
  }
  return {};
}

/// What follows a whole query: order and limit.
Result<RelationPtr> Grammar::Organized(RelationPtr input, size_t first) {
  if (in_.AtPhrase("ORDER BY") && !StartsExpression(2)) return in_.Mismatch();
  if (in_.AcceptAll({"ORDER", "BY"})) {
    unresolved::Sort sort{.input = std::move(input), .keys = {}};
    WEIR_TRY(sort.keys, SortKeys());
    const auto* all = std::get_if<unresolved::Attribute>(&sort.keys[0].expr->node);
    if (sort.keys.size() == 1 && all != nullptr && all->parts.size() == 1 &&
        AsciiLower(all->parts[0]) == "all") {
      sort.all = true;
      sort.all_ascending = sort.keys[0].ascending;
      sort.all_nulls_first = sort.keys[0].nulls_first;
      sort.keys.clear();
    }
    input = MakeRelation(std::move(sort), first);
  }
  for (std::string_view word : {"CLUSTER", "DISTRIBUTE", "SORT"}) {
    if (in_.AtAll({word, "BY"})) return in_.Refuse(fmt::format("{} BY", word), in_.SpanOf(in_.Peek()));
  }
  WEIR_TRY(input, WithWindowClause(std::move(input), first));
  unresolved::Limit limit;
  if (in_.At("LIMIT") && StartsExpression(1)) {
    in_.Take();
    const bool is_all = in_.At("ALL") && !in_.AtAny({"(", "."}, 1);
    if (is_all) {
      in_.Take();
    } else {
      WEIR_TRY(limit.limit, Expression());
    }
  }
  if (in_.At("OFFSET") && StartsExpression(1)) {
    in_.Take();
    WEIR_TRY(limit.offset, Expression());
  }
  if (!limit.limit && !limit.offset) return input;
  limit.input = std::move(input);
  return MakeRelation(std::move(limit), first);
}

Result<std::vector<unresolved::SortKey>> Grammar::SortKeys() {
  std::vector<unresolved::SortKey> keys;
  do {
    WEIR_TRY(unresolved::SortKey key, SortKey());
    keys.push_back(std::move(key));
  } while (in_.Accept(","));
  return keys;
}

Result<unresolved::SortKey> Grammar::SortKey() {
  unresolved::SortKey key;
  WEIR_TRY(key.expr, Expression());
  if (in_.AtAny({"ASC", "DESC"})) key.ascending = in_.Take().Is("ASC");
  key.nulls_first = key.ascending;
  if (in_.Accept("NULLS")) {
    if (!in_.AtAny({"FIRST", "LAST"})) return in_.Mismatch();
    key.nulls_first = in_.Take().Is("FIRST");
  }
  return key;
}

}  // namespace weir::sql
