#include "sql/printer.h"

#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/printer_text.h"

namespace weir::sql {
namespace {

using unresolved::Expr;
using unresolved::ExprPtr;
using unresolved::Relation;
using unresolved::RelationPtr;

std::string Query(const Relation& relation);
std::string Item(const Relation& relation);

std::string List(const std::vector<ExprPtr>& exprs) {
  std::string text;
  for (const ExprPtr& expr : exprs) text += (text.empty() ? "" : ", ") + ToSql(*expr);
  return text;
}

// ---- expressions
// -------------------------------------------------------------------------------------------------

std::string OperatorSql(const unresolved::Call& call) {
  const std::string& name = call.name[0];
  const auto arg = [&](size_t i) { return ToSql(*call.args[i]); };
  const size_t count = call.args.size();
  if (name == "not" && count == 1) return fmt::format("(NOT {})", arg(0));
  if (name == "negative" && count == 1) return fmt::format("(- {})", arg(0));
  if (name == "positive" && count == 1) return fmt::format("(+ {})", arg(0));
  if (name == "~" && count == 1) return fmt::format("(~ {})", arg(0));
  if (name == "isnull" && count == 1) return fmt::format("({} IS NULL)", arg(0));
  if (name == "isnotnull" && count == 1) return fmt::format("({} IS NOT NULL)", arg(0));
  if (name == "[]" && count == 2) return fmt::format("({})[{}]", arg(0), arg(1));
  if (name == "between" && count == 3) return fmt::format("({} BETWEEN {} AND {})", arg(0), arg(1), arg(2));
  if (name == "in" && count > 1) {
    return fmt::format("({} IN ({}))", arg(0), List({call.args.begin() + 1, call.args.end()}));
  }
  if ((name == "like" || name == "ilike") && count == 3) {
    return fmt::format("({} {} {} ESCAPE {})", arg(0), AsciiUpper(name), arg(1), arg(2));
  }
  if (count == 2) return fmt::format("({} {} {})", arg(0), AsciiUpper(name), arg(1));
  return fmt::format("{}({})", NameSql(call.name), List(call.args));
}

std::string CallSql(const unresolved::Call& call) {
  if (call.is_operator) return OperatorSql(call);
  const bool is_simple = call.name.size() == 1;
  if (is_simple && call.name[0] == "struct" && !call.distinct && !call.filter) {
    return fmt::format("STRUCT({})", List(call.args));
  }
  if (is_simple && (call.name[0] == "timestampadd" || call.name[0] == "timestampdiff") &&
      call.args.size() == 3) {
    const auto* unit = std::get_if<unresolved::Literal>(&call.args[0]->node);
    if (unit != nullptr && unit->value.type().kind() == TypeKind::kString) {
      return fmt::format("{}({}, {}, {})", AsciiUpper(call.name[0]), unit->value.text(), ToSql(*call.args[1]),
                         ToSql(*call.args[2]));
    }
  }
  std::string text =
      fmt::format("{}({}{})", NameSql(call.name), call.distinct ? "DISTINCT " : "", List(call.args));
  if (call.filter) text += fmt::format(" FILTER (WHERE {})", ToSql(*call.filter));
  return call.ignore_nulls ? text + " IGNORE NULLS" : text;
}

std::string DirectionSql(bool ascending, bool nulls_first) {
  return fmt::format("{} NULLS {}", ascending ? "ASC" : "DESC", nulls_first ? "FIRST" : "LAST");
}

std::string SortKeysSql(const std::vector<unresolved::SortKey>& keys) {
  std::string text;
  for (const unresolved::SortKey& key : keys) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", ToSql(*key.expr),
                        DirectionSql(key.ascending, key.nulls_first));
  }
  return text;
}

std::string BoundSql(const unresolved::FrameBound& bound) {
  using Kind = unresolved::FrameBound::Kind;
  switch (bound.kind) {
    case Kind::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case Kind::kCurrentRow:
      return "CURRENT ROW";
    case Kind::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
    case Kind::kOffset:
      break;
  }
  const auto* call = std::get_if<unresolved::Call>(&bound.offset->node);
  const bool is_negative = call != nullptr && call->is_operator && call->name[0] == "negative";
  return is_negative ? ToSql(*call->args[0]) + " PRECEDING" : ToSql(*bound.offset) + " FOLLOWING";
}

std::string SpecSql(const unresolved::WindowSpec& spec) {
  std::vector<std::string> parts;
  if (!spec.partition_by.empty()) parts.push_back("PARTITION BY " + List(spec.partition_by));
  if (!spec.order_by.empty()) parts.push_back("ORDER BY " + SortKeysSql(spec.order_by));
  if (spec.frame) {
    parts.push_back(fmt::format("{} BETWEEN {} AND {}", spec.frame->is_rows ? "ROWS" : "RANGE",
                                BoundSql(spec.frame->lower), BoundSql(spec.frame->upper)));
  }
  return fmt::format("({})", fmt::join(parts, " "));
}

std::string WindowSql(const unresolved::Window& window) {
  return fmt::format("{} OVER {}", ToSql(*window.function),
                     window.name.empty() ? SpecSql(window.spec) : NameSql(window.name));
}

std::string GroupingSetsSql(const unresolved::GroupingSets& sets) {
  static constexpr std::string_view kNames[] = {"GROUPING SETS", "ROLLUP", "CUBE"};
  std::string text = sets.keys.empty() ? "" : List(sets.keys) + " ";
  text += fmt::format("{} (", kNames[static_cast<size_t>(sets.kind)]);
  for (size_t i = 0; i < sets.sets.size(); ++i) {
    const std::vector<ExprPtr>& set = sets.sets[i];
    const bool is_nested = set.size() == 1 && std::holds_alternative<unresolved::GroupingSets>(set[0]->node);
    text += i == 0 ? "" : ", ";
    text += is_nested ? List(set) : fmt::format("({})", List(set));
  }
  return text + ")";
}

std::string CaseSql(const unresolved::Case& node) {
  std::string text = "CASE";
  if (node.operand) text += " " + ToSql(*node.operand);
  for (const auto& [when, then] : node.branches)
    text += fmt::format(" WHEN {} THEN {}", ToSql(*when), ToSql(*then));
  if (node.otherwise) text += " ELSE " + ToSql(*node.otherwise);
  return text + " END";
}

std::string StarSql(const unresolved::Star& star) {
  std::string text = star.qualifier.empty() ? "*" : NameSql(star.qualifier) + ".*";
  for (size_t i = 0; i < star.except.size(); ++i) {
    text += (i == 0 ? " EXCEPT (" : ", ") + NameSql(star.except[i]);
  }
  return star.except.empty() ? text : text + ")";
}

std::string SubquerySql(const unresolved::Subquery& subquery) {
  const std::string query = Query(*subquery.query);
  switch (subquery.kind) {
    case unresolved::SubqueryKind::kScalar:
      return fmt::format("({})", query);
    case unresolved::SubqueryKind::kExists:
      return fmt::format("(EXISTS ({}))", query);
    case unresolved::SubqueryKind::kIn:
      break;
  }
  if (subquery.values.size() == 1) return fmt::format("({} IN ({}))", ToSql(*subquery.values[0]), query);
  return fmt::format("(({}) IN ({}))", List(subquery.values), query);
}

struct ExprPrinter {
  std::string operator()(const unresolved::Literal& node) const { return LiteralSql(node); }
  std::string operator()(const unresolved::Attribute& node) const { return NameSql(node.parts); }
  std::string operator()(const unresolved::Star& node) const { return StarSql(node); }
  std::string operator()(const unresolved::Call& node) const { return CallSql(node); }
  std::string operator()(const unresolved::Cast& node) const {
    return fmt::format("{}({} AS {})", node.is_try ? "TRY_CAST" : "CAST", ToSql(*node.input),
                       TypeSql(node.type));
  }
  std::string operator()(const unresolved::Case& node) const { return CaseSql(node); }
  std::string operator()(const unresolved::FieldAccess& node) const {
    return fmt::format("({}).{}", ToSql(*node.input), NameSql(node.field));
  }
  std::string operator()(const unresolved::Subquery& node) const { return SubquerySql(node); }
  std::string operator()(const unresolved::Alias& node) const {
    return fmt::format("{} AS {}", ToSql(*node.input), NameSql(node.name));
  }
  std::string operator()(const unresolved::DefaultValue&) const { return "DEFAULT"; }
  std::string operator()(const unresolved::Written& node) const { return ToSql(*node.input); }
  std::string operator()(const unresolved::Window& node) const { return WindowSql(node); }
  std::string operator()(const unresolved::GroupingSets& node) const { return GroupingSetsSql(node); }
  std::string operator()(const unresolved::MultiAlias& node) const {
    return fmt::format("{} AS {}", ToSql(*node.input), NameListSql(node.names));
  }
};

// ---- relations as queries
// ----------------------------------------------------------------------------------------

template <typename Node>
bool Is(const Relation& relation) {
  return std::holds_alternative<Node>(relation.node);
}

/// A query in front of ORDER BY or LIMIT, or within a set operation.
std::string Operand(const Relation& relation) {
  if (Is<unresolved::Select>(relation) || Is<unresolved::Values>(relation)) return Query(relation);
  return fmt::format("({})", Query(relation));
}

std::string LateralViewSql(const unresolved::LateralView& view) {
  std::string text = fmt::format(" LATERAL VIEW {}{}", view.outer ? "OUTER " : "", ToSql(*view.generator));
  if (!view.name.empty()) text += " " + NameSql(view.name);
  for (size_t i = 0; i < view.columns.size(); ++i)
    text += (i == 0 ? " AS " : ", ") + NameSql(view.columns[i]);
  return text;
}

/// " FROM ..", with the lateral views behind it.
std::string FromSql(const Relation& from) {
  if (Is<unresolved::OneRow>(from)) return "";
  const auto* view = std::get_if<unresolved::LateralView>(&from.node);
  if (view != nullptr) return FromSql(*view->input) + LateralViewSql(*view);
  return " FROM " + Item(from);
}

std::string SelectSql(const unresolved::Select& select) {
  std::string text = fmt::format("SELECT {}{}", select.distinct ? "DISTINCT " : "", List(select.items));
  const Relation* from = select.from.get();
  const auto* filter = std::get_if<unresolved::Filter>(&from->node);
  if (filter != nullptr) from = filter->input.get();
  text += FromSql(*from);
  if (filter != nullptr) text += " WHERE " + ToSql(*filter->condition);
  if (!select.group_by.empty()) text += " GROUP BY " + List(select.group_by);
  if (select.group_by_all) text += " GROUP BY ALL";
  if (select.having) text += " HAVING " + ToSql(*select.having);
  for (size_t i = 0; i < select.windows.size(); ++i) {
    const unresolved::NamedWindow& window = select.windows[i];
    text += fmt::format("{}{} AS {}", i == 0 ? " WINDOW " : ", ", NameSql(window.name), SpecSql(window.spec));
  }
  return text;
}

std::string ValuesSql(const unresolved::Values& values) {
  std::string text;
  for (const auto& row : values.rows)
    text += fmt::format("{}({})", text.empty() ? "VALUES " : ", ", List(row));
  return text;
}

std::string SetOperationSql(const unresolved::SetOperation& node) {
  static constexpr std::string_view kNames[] = {"UNION", "INTERSECT", "EXCEPT"};
  return fmt::format("({}) {}{} ({})", Query(*node.left), kNames[static_cast<size_t>(node.kind)],
                     node.all ? " ALL" : "", Query(*node.right));
}

std::string SortSql(const unresolved::Sort& sort) {
  std::string text = Operand(*sort.input) + " ORDER BY ";
  if (sort.all) return text + "ALL " + DirectionSql(sort.all_ascending, sort.all_nulls_first);
  return text + SortKeysSql(sort.keys);
}

std::string LimitSql(const unresolved::Limit& limit) {
  std::string text = Is<unresolved::Sort>(*limit.input) ? Query(*limit.input) : Operand(*limit.input);
  if (limit.limit) text += " LIMIT " + ToSql(*limit.limit);
  if (limit.offset) text += " OFFSET " + ToSql(*limit.offset);
  return text;
}

std::string WithSql(const unresolved::With& with) {
  std::string text;
  for (const unresolved::CommonTable& table : with.tables) {
    text += (text.empty() ? "WITH " : ", ") + NameSql(table.name);
    if (!table.columns.empty()) text += " " + NameListSql(table.columns);
    text += fmt::format(" AS ({})", Query(*table.query));
  }
  return text + " " + (Is<unresolved::With>(*with.input) ? Operand(*with.input) : Query(*with.input));
}

/// Relations of the DataFrame API have no form in SQL.
constexpr const char* kNoText = "/* a DataFrame operation */";

struct QueryPrinter {
  const Relation& relation;
  std::string operator()(const unresolved::Select& node) const { return SelectSql(node); }
  std::string operator()(const unresolved::Values& node) const { return ValuesSql(node); }
  std::string operator()(const unresolved::SetOperation& node) const { return SetOperationSql(node); }
  std::string operator()(const unresolved::Sort& node) const { return SortSql(node); }
  std::string operator()(const unresolved::Limit& node) const { return LimitSql(node); }
  std::string operator()(const unresolved::With& node) const { return WithSql(node); }
  std::string operator()(const unresolved::OneRow&) const { return "VALUES ()"; }
  std::string operator()(const unresolved::LateralView&) const { return "SELECT *" + FromSql(relation); }
  std::string operator()(const unresolved::Filter& node) const {
    return fmt::format("SELECT * FROM {} WHERE {}", Item(*node.input), ToSql(*node.condition));
  }
  std::string operator()(const unresolved::WrittenQuery& node) const { return Query(*node.input); }
  std::string operator()(const unresolved::LocalRows&) const { return kNoText; }
  std::string operator()(const unresolved::WithColumns&) const { return kNoText; }
  std::string operator()(const unresolved::RenameColumns&) const { return kNoText; }
  std::string operator()(const unresolved::DropColumns&) const { return kNoText; }
  std::string operator()(const unresolved::NameColumns&) const { return kNoText; }
  std::string operator()(const unresolved::Deduplicate&) const { return kNoText; }
  std::string operator()(const unresolved::ToSchema&) const { return kNoText; }
  std::string operator()(const unresolved::FillNulls&) const { return kNoText; }
  std::string operator()(const unresolved::DropNulls&) const { return kNoText; }
  std::string operator()(const unresolved::ReplaceValues&) const { return kNoText; }
  template <typename Node>
  std::string operator()(const Node&) const {
    return "FROM " + Item(relation);
  }
};

std::string Query(const Relation& relation) { return std::visit(QueryPrinter{relation}, relation.node); }

// ---- relations within FROM
// ---------------------------------------------------------------------------------------

std::string TableSql(const unresolved::NamedTable& table) {
  std::string text = NameSql(table.name);
  if (table.time_travel) {
    text += fmt::format(" {} AS OF {}", table.time_travel->is_version ? "VERSION" : "TIMESTAMP",
                        ToSql(*table.time_travel->value));
  }
  if (!table.options.empty()) text += " WITH " + PropertiesSql(table.options);
  return text;
}

std::string AliasedSql(const unresolved::Aliased& aliased) {
  std::string text = Item(*aliased.input);
  if (Is<unresolved::Join>(*aliased.input) || Is<unresolved::Aliased>(*aliased.input))
    text = fmt::format("({})", text);
  text += " AS " + NameSql(aliased.name);
  return aliased.columns.empty() ? text : text + " " + NameListSql(aliased.columns);
}

std::string JoinSql(const unresolved::Join& join) {
  static constexpr std::string_view kNames[] = {"JOIN",           "LEFT JOIN",      "RIGHT JOIN", "FULL JOIN",
                                                "LEFT SEMI JOIN", "LEFT ANTI JOIN", "CROSS JOIN"};
  std::string right = Item(*join.right);
  if (Is<unresolved::Join>(*join.right)) right = fmt::format("({})", right);
  std::string text = fmt::format("{} {}{} {}", Item(*join.left), join.natural ? "NATURAL " : "",
                                 kNames[static_cast<size_t>(join.type)], right);
  if (join.condition) text += " ON " + ToSql(*join.condition);
  if (!join.using_columns.empty()) text += " USING " + NameListSql(join.using_columns);
  return text;
}

std::string Item(const Relation& relation) {
  if (const auto* table = std::get_if<unresolved::NamedTable>(&relation.node)) return TableSql(*table);
  if (const auto* aliased = std::get_if<unresolved::Aliased>(&relation.node)) return AliasedSql(*aliased);
  if (const auto* join = std::get_if<unresolved::Join>(&relation.node)) return JoinSql(*join);
  if (const auto* function = std::get_if<unresolved::TableFunction>(&relation.node)) {
    return fmt::format("{}({})", NameSql(function->name), List(function->args));
  }
  return fmt::format("({})", Query(relation));
}

}  // namespace

std::string ToSql(const Expr& expr) { return std::visit(ExprPrinter{}, expr.node); }

std::string ToSql(const Relation& relation) { return Query(relation); }

}  // namespace weir::sql
