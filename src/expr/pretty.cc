#include "expr/pretty.h"

#include <fmt/format.h>

namespace weir {
namespace {

std::string Joined(std::span<const ExprPtr> args) {
  std::string text;
  for (size_t i = 0; i < args.size(); ++i) text += (i == 0 ? "" : ", ") + PrettySql(*args[i]);
  return text;
}

std::string Literal(const Scalar& value) {
  switch (value.type().kind()) {
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
    case TypeKind::kBinary:
    case TypeKind::kIntervalYearMonth:
    case TypeKind::kIntervalDayTime:
      return value.is_null() ? "NULL" : value.ToSql();
    default:
      return value.ToString();
  }
}

std::string Trim(std::string_view side, std::string_view plain, std::span<const ExprPtr> args) {
  if (args.size() < 2) return fmt::format("{}({})", plain, Joined(args));
  return fmt::format("TRIM({} {} FROM {})", side, PrettySql(*args[0]), PrettySql(*args[1]));
}

std::string Custom(const Function& function, std::span<const ExprPtr> args) {
  std::string_view name = function.name;
  auto arg = [&](size_t i) { return i < args.size() ? PrettySql(*args[i]) : std::string(); };
  if (name == "like") {
    std::string escape = args.size() > 2 ? arg(2) : "\\";
    return fmt::format("{} LIKE {}{}", arg(0), arg(1),
                       escape == "\\" ? "" : fmt::format(" ESCAPE '{}'", escape));
  }
  if (name == "in") return fmt::format("({} IN ({}))", arg(0), args.empty() ? "" : Joined(args.subspan(1)));
  if (name == "[]") return fmt::format("{}[{}]", arg(0), arg(1));
  if (name == "~") return fmt::format("~{}", arg(0));
  if (name == "trim") return Trim("BOTH", name, args);
  if (name == "ltrim") return Trim("LEADING", name, args);
  if (name == "rtrim") return Trim("TRAILING", name, args);
  if (name == "first" || name == "last" || name == "any_value") return fmt::format("{}({})", name, arg(0));
  if (name == "log")
    return args.size() == 1 ? fmt::format("LOG(E(), {})", arg(0)) : fmt::format("LOG({})", Joined(args));
  // Intervals are added without parentheses.
  if (name == "+interval") return fmt::format("{} + {}", arg(0), arg(1));
  return fmt::format("{}({})", name, Joined(args));
}

std::string CaseText(const Case& node) {
  std::string text = "CASE";
  for (const Case::Branch& branch : node.branches) {
    text += fmt::format(" WHEN {} THEN {}", PrettySql(*branch.condition), PrettySql(*branch.value));
  }
  // An absent ELSE is a NULL of the branches' type; one that was written is cast to it.
  const Scalar* otherwise = node.otherwise->As<Scalar>();
  if (otherwise == nullptr || !otherwise->is_null())
    text += fmt::format(" ELSE {}", PrettySql(*node.otherwise));
  return text + " END";
}

std::string SubqueryText(const Subquery& node) {
  switch (node.kind) {
    case SubqueryKind::kScalar:
      return "scalarsubquery()";
    case SubqueryKind::kExists:
      return "exists()";
    case SubqueryKind::kIn:
      return fmt::format("({} IN (listquery()))", PrettySql(*node.value));
  }
  return {};
}

std::string WindowText(const WindowCall& window) {
  std::string text = window.text;
  if (text.empty()) text = PrettyCall(*window.call.function, window.call.args, window.call.distinct);
  text +=
      window.ignore_nulls && window.call.function->name == "nth_value" ? " ignore nulls OVER (" : " OVER (";
  if (!window.partition_by.empty()) text += fmt::format("PARTITION BY {} ", Joined(window.partition_by));
  for (size_t i = 0; i < window.order_by.size(); ++i) {
    text += i == 0 ? "ORDER BY " : ", ";
    text += SortKeyText(window.order_by[i], PrettySql(*window.order_by[i].expr));
  }
  if (!window.order_by.empty()) text += " ";
  return fmt::format("{}{})", text, ToString(window.frame));
}

struct Printer {
  std::string operator()(const Scalar& node) const { return Literal(node); }
  std::string operator()(const ColumnRef& node) const { return node.name; }
  std::string operator()(const Call& node) const {
    std::string text = PrettyCall(*node.function, node.args, node.distinct);
    if (node.filter) text += fmt::format(" FILTER (WHERE {})", PrettySql(*node.filter));
    return text;
  }
  std::string operator()(const Cast& node) const {
    // Spark leaves out casts to nested types too.
    if (node.implicit || type.is_nested()) return PrettySql(*node.input);
    return fmt::format("{}({} AS {})", node.mode == CastMode::kTry ? "TRY_CAST" : "CAST",
                       PrettySql(*node.input), type.ToSql());
  }
  std::string operator()(const Case& node) const { return CaseText(node); }
  std::string operator()(const GetField& node) const {
    return fmt::format("{}.{}", PrettySql(*node.input), node.name);
  }
  std::string operator()(const Subquery& node) const { return SubqueryText(node); }
  std::string operator()(const WindowCall& node) const { return WindowText(node); }

  const Type& type;
};

}  // namespace

std::string PrettySql(const Expr& expr) {
  if (!expr.text().empty()) return expr.text();
  return std::visit(Printer{expr.type()}, expr.node());
}

std::string PrettyCall(const Function& function, std::span<const ExprPtr> args, bool distinct) {
  std::string_view shown = function.display.empty() ? function.name : function.display;
  if (function.pretty == PrettyForm::kInfix && args.size() == 2) {
    return fmt::format("({} {} {})", PrettySql(*args[0]), shown, PrettySql(*args[1]));
  }
  if (function.pretty == PrettyForm::kPrefix && args.size() == 1) {
    return fmt::format("({} {})", shown, PrettySql(*args[0]));
  }
  if (function.pretty == PrettyForm::kPostfix && args.size() == 1) {
    return fmt::format("({} {})", PrettySql(*args[0]), shown);
  }
  if (function.pretty == PrettyForm::kCustom) return Custom(function, args);
  return fmt::format("{}({}{})", shown, distinct ? "DISTINCT " : "", Joined(args));
}

}  // namespace weir
