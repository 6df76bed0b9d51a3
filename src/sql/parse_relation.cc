#include <algorithm>

#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/grammar.h"

namespace weir::sql {

using unresolved::ExprPtr;
using unresolved::JoinType;
using unresolved::RelationPtr;

/// FROM and its relations. A comma is a join without a condition, and binds no weaker than JOIN: in "a, b
/// JOIN c" the left side of JOIN is the join of a and b.
Result<RelationPtr> Grammar::FromClause() {
  WEIR_DO(in_.Expect("FROM"));
  const Cursor::Chain chain(in_);
  const size_t first = in_.index();
  WEIR_TRY(RelationPtr left, JoinedRelation(nullptr, first));
  while (in_.Accept(",")) {
    WEIR_TRY(left, JoinedRelation(std::move(left), first));
  }
  return LateralViews(std::move(left), first);
}

/// LATERAL VIEW [OUTER] explode(a) t [AS] x, y. Every word is a name behind the call, AS too.
Result<RelationPtr> Grammar::LateralViews(RelationPtr input, size_t first) {
  while (in_.AtAll({"LATERAL", "VIEW"})) {
    in_.Take();
    in_.Take();
    WEIR_DO(in_.AddLink());
    unresolved::LateralView view{.input = std::move(input), .generator = {}, .name = {}, .columns = {}};
    // OUTER may also be the function's own name.
    if (in_.At("OUTER") && AtName(1)) view.outer = in_.Take().Is("OUTER");
    const size_t call_first = in_.index();
    unresolved::Call call{.name = {}, .args = {}, .filter = {}};
    WEIR_TRY(call.name, TableName());
    if (call.name.size() > 2) {
      std::string name;
      for (const std::string& part : call.name) name += fmt::format("{}`{}`", name.empty() ? "" : ".", part);
      in_.Defer(in_.ErrorAt(in_.SpanFrom(call_first), "INVALID_SQL_SYNTAX.UNSUPPORTED_FUNC_NAME", "42000",
                            {{"funcName", name}},
                            fmt::format("The function name {} has too many parts.", name)));
    }
    WEIR_DO(in_.Expect("("));
    if (!in_.At(")")) {
      WEIR_TRY(call.args, Expressions());
    }
    WEIR_DO(in_.Expect(")"));
    view.generator = Make(std::move(call), call_first);
    WEIR_TRY(view.name, CheckedName());
    if (in_.At("AS") || IsAlias(Context::kTable, 0)) {
      in_.Accept("AS");
      do {
        WEIR_TRY(std::string column, CheckedName());
        view.columns.push_back(std::move(column));
      } while (in_.Accept(","));
    }
    input = MakeRelation(std::move(view), first);
  }
  return input;
}

/// A relation and the joins behind it; `left`, if not null, is joined in front of it.
Result<RelationPtr> Grammar::JoinedRelation(RelationPtr left, size_t first) {
  if (in_.At("LATERAL") && (in_.At("(", 1) || AtName(1)) && !in_.At("VIEW", 1)) {
    return in_.Refuse("LATERAL subqueries", in_.SpanOf(in_.Peek()));
  }
  WEIR_TRY(RelationPtr relation, RelationPrimary());
  if (left) {
    WEIR_DO(in_.AddLink());
    relation = MakeRelation(
        unresolved::Join{
            .left = std::move(left), .right = std::move(relation), .using_columns = {}, .condition = {}},
        first);
  }
  while (true) {
    if (in_.AtAny({"PIVOT", "UNPIVOT"}) && (in_.At("(", 1) || in_.At("NULLS", 2))) {
      return in_.Refuse(AsciiUpper(in_.Peek().text), in_.SpanOf(in_.Peek()));
    }
    if (!IsJoinWord(0)) return relation;
    WEIR_TRY(relation, Join(std::move(relation), first));
    WEIR_DO(in_.AddLink());
  }
}

/// The join that begins here and the number of its words up to JOIN; nullopt if none does.
std::optional<std::pair<JoinType, size_t>> Grammar::AtJoin() const {
  static constexpr std::pair<std::string_view, JoinType> kJoins[] = {{"JOIN", JoinType::kInner},
                                                                     {"INNER JOIN", JoinType::kInner},
                                                                     {"CROSS JOIN", JoinType::kCross},
                                                                     {"LEFT JOIN", JoinType::kLeft},
                                                                     {"LEFT OUTER JOIN", JoinType::kLeft},
                                                                     {"RIGHT JOIN", JoinType::kRight},
                                                                     {"RIGHT OUTER JOIN", JoinType::kRight},
                                                                     {"FULL JOIN", JoinType::kFull},
                                                                     {"FULL OUTER JOIN", JoinType::kFull},
                                                                     {"SEMI JOIN", JoinType::kLeftSemi},
                                                                     {"LEFT SEMI JOIN", JoinType::kLeftSemi},
                                                                     {"ANTI JOIN", JoinType::kLeftAnti},
                                                                     {"LEFT ANTI JOIN", JoinType::kLeftAnti}};
  for (const auto& [phrase, type] : kJoins) {
    if (in_.AtPhrase(phrase))
      return std::pair(type, 1 + static_cast<size_t>(std::count(phrase.begin(), phrase.end(), ' ')));
  }
  return std::nullopt;
}

Result<RelationPtr> Grammar::Join(RelationPtr left, size_t first) {
  const size_t join_first = in_.index();
  unresolved::Join join{.left = std::move(left), .right = {}, .using_columns = {}, .condition = {}};
  join.natural = in_.Accept("NATURAL");
  const auto kind = AtJoin();
  if (!kind) {
    if (in_.Accept("LEFT")) {
      if (in_.AtAny({"SEMI", "ANTI"})) in_.Take();
    } else if (IsJoinWord(0)) {
      in_.Take();
    }
    in_.Accept("OUTER");
    return in_.Mismatch("JOIN");
  }
  join.type = kind->first;
  for (size_t i = 0; i < kind->second; ++i) in_.Take();
  if (in_.At("LATERAL") && (in_.At("(", 1) || AtName(1))) {
    return in_.Refuse("LATERAL subqueries", in_.SpanOf(in_.Peek()));
  }
  WEIR_TRY(join.right, RelationPrimary());
  if (!join.natural && in_.Accept("ON")) {
    WEIR_TRY(join.condition, Expression());
  } else if (!join.natural && in_.Accept("USING")) {
    WEIR_TRY(join.using_columns, NameList());
  }
  if (join.natural && join.type == JoinType::kCross) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(join_first), "INCOMPATIBLE_JOIN_TYPES", "42613",
                          {{"joinType1", "NATURAL"}, {"joinType2", "CROSS"}},
                          "A join is not both NATURAL and CROSS."));
  }
  return MakeRelation(std::move(join), first);
}

Result<RelationPtr> Grammar::RelationPrimary() {
  if (in_.At("(")) return ParenthesizedRelation();
  if (in_.At("VALUES") && StartsExpression(1)) {
    // A word behind VALUES is rather the alias of a table with that name.
    const bool is_alias = AtName(1) && !AtString(2) && !AtNumber(2) && !(in_.At("(", 2) && !AtName(3));
    if (!is_alias) return InlineTable();
  }
  if (in_.At("STREAM") && in_.At("(", 1)) return in_.Refuse("STREAM", in_.SpanOf(in_.Peek()));
  if (in_.At("STREAM") && AtName(1) && !StartsClause(Context::kTable, 1)) {
    WEIR_TRY(std::optional<RelationPtr> table, Try([&] { return NamedTable(); }));
    if (table && !AtName()) return *std::move(table);
    return in_.Refuse("STREAM", in_.SpanOf(in_.Peek()));
  }
  size_t ahead = 1;
  while (in_.At(".", ahead) && AtName(ahead + 1)) ahead += 2;
  if (AtName() && in_.At("(", ahead)) return TableFunction();
  return NamedTable();
}

/// A subquery, or a join in parentheses.
Result<RelationPtr> Grammar::ParenthesizedRelation() {
  const Cursor::Level level(in_);
  WEIR_DO(in_.CheckDepth());
  const size_t first = in_.index();
  std::optional<RelationPtr> inner;
  if (StartsQuery(1)) {
    WEIR_TRY(inner, Try([&] { return QueryInParentheses(); }));
  }
  if (!inner) {
    WEIR_DO(in_.Expect("("));
    WEIR_TRY(inner, JoinedRelation(nullptr, in_.index()));
    WEIR_DO(in_.Expect(")"));
  }
  return WithAlias(*std::move(inner), first);
}

/// VALUES (1, 'a'), (2, 'b') AS t(x, y). An item that is no row is a row of one.
Result<RelationPtr> Grammar::InlineTable() {
  const size_t first = in_.index();
  WEIR_DO(in_.Expect("VALUES"));
  unresolved::Values values;
  do {
    WEIR_TRY(ExprPtr item, Expression());
    const auto* call = std::get_if<unresolved::Call>(&item->node);
    std::vector<ExprPtr> row = {item};
    if (call != nullptr && call->name == Name{"struct"}) row = call->args;
    for (ExprPtr& value : row) {
      if (const auto* alias = std::get_if<unresolved::Alias>(&value->node)) value = alias->input;
      const auto* attribute = std::get_if<unresolved::Attribute>(&value->node);
      if (attribute != nullptr && attribute->parts.size() == 1 &&
          AsciiLower(attribute->parts[0]) == "default") {
        value = std::make_shared<const Expr>(Expr{unresolved::DefaultValue{}, value->span});
      }
    }
    values.rows.push_back(std::move(row));
  } while (in_.Accept(","));
  return WithAlias(MakeRelation(std::move(values), first), first);
}

Result<RelationPtr> Grammar::TableFunction() {
  const size_t first = in_.index();
  unresolved::TableFunction function;
  WEIR_TRY(function.name, PathName());
  WEIR_DO(in_.Expect("("));
  if (!in_.At(")")) {
    do {
      if (AtName() && in_.At("=>", 1)) return in_.Refuse("named arguments", in_.SpanOf(in_.Peek()));
      if (in_.At("TABLE") && (AtName(1) || in_.At("(", 1))) {
        return in_.Refuse("tables as arguments", in_.SpanOf(in_.Peek()));
      }
      WEIR_TRY(ExprPtr arg, Expression());
      function.args.push_back(std::move(arg));
    } while (in_.Accept(","));
  }
  WEIR_DO(in_.Expect(")"));
  return WithAlias(MakeRelation(std::move(function), first), first);
}

Result<RelationPtr> Grammar::NamedTable() {
  const size_t first = in_.index();
  unresolved::NamedTable table;
  WEIR_TRY(table.name, TableName());
  WEIR_TRY(table.time_travel, TimeTravel());
  if (in_.At("WITH") && in_.At("(", 1)) {
    in_.Take();
    WEIR_TRY(table.options, PropertiesWithValues());
  }
  return WithAlias(MakeRelation(std::move(table), first), first);
}

/// `[FOR] VERSION AS OF n` or `[FOR] TIMESTAMP AS OF value`.
Result<std::optional<unresolved::TimeTravel>> Grammar::TimeTravel() {
  if (!StartsTimeTravel(0)) return std::optional<unresolved::TimeTravel>();
  in_.Accept("FOR");
  unresolved::TimeTravel travel;
  const Token& kind = in_.Take();
  travel.is_version = kind.Is("VERSION") || kind.Is("SYSTEM_VERSION");
  WEIR_DO(in_.ExpectAll({"AS", "OF"}));
  if (!travel.is_version) {
    WEIR_TRY(travel.value, Value());
    return std::optional(std::move(travel));
  }
  if (in_.AtKind(TokenKind::kInteger)) {
    WEIR_TRY(travel.value, Number());
  } else if (AtString()) {
    WEIR_TRY(travel.value, Strings());
  } else {
    return in_.Mismatch();
  }
  return std::optional(std::move(travel));
}

Status Grammar::RefuseSample() const {
  if (in_.At("TABLESAMPLE") && in_.At("(", 1)) return in_.Refuse("TABLESAMPLE", in_.SpanOf(in_.Peek()));
  return {};
}

/// `[AS] name [(columns)]`.
Result<Grammar::TableAlias> Grammar::Alias(Context context) {
  TableAlias alias;
  const bool has_as = in_.At("AS") && IsAlias(context, 1);
  if (has_as) in_.Take();
  if (!has_as && !IsAlias(context, 0)) return alias;
  if (!has_as && in_.At("WATERMARK") && AtName(1)) return in_.Refuse("WATERMARK", in_.SpanOf(in_.Peek()));
  WEIR_TRY(alias.name, AnyName());
  if (in_.At("(")) {
    const size_t first = in_.index();
    WEIR_TRY(alias.columns, NameList());
    alias.columns_span = in_.SpanFrom(first);
  }
  return alias;
}

/// A relation with its alias, if there is one.
Result<RelationPtr> Grammar::WithAlias(RelationPtr input, size_t first) {
  WEIR_DO(RefuseSample());
  WEIR_TRY(TableAlias alias, Alias());
  if (alias.name.empty()) return input;
  return MakeRelation(unresolved::Aliased{std::move(input), std::move(alias.name), std::move(alias.columns)},
                      first);
}

}  // namespace weir::sql
