#include "expr/expr.h"

#include <algorithm>

#include "expr/coercion.h"

namespace weir {
namespace {

ExprPtr Make(Expr::Variant node, Type type, bool nullable) {
  return std::make_shared<const Expr>(std::move(node), std::move(type), nullable);
}

/// Predicates that answer TRUE or FALSE for NULL arguments too.
bool NeverNull(std::string_view predicate) {
  return predicate == "isnull" || predicate == "isnotnull" || predicate == "isnan" || predicate == "<=>";
}

template <typename Predicate>
bool AnyNode(const Expr& expr, const Predicate& predicate) {
  if (predicate(expr)) return true;
  const std::vector<ExprPtr> children = Children(expr);
  return std::any_of(children.begin(), children.end(),
                     [&](const ExprPtr& child) { return AnyNode(*child, predicate); });
}

void CollectConjuncts(const ExprPtr& predicate, std::vector<ExprPtr>& to) {
  const Call* call = predicate->As<Call>();
  if (call == nullptr || call->function->name != "and") {
    to.push_back(predicate);
    return;
  }
  for (const ExprPtr& arg : call->args) CollectConjuncts(arg, to);
}

void CollectColumns(const Expr& expr, std::unordered_set<ColumnId>& to) {
  if (const ColumnRef* column = expr.As<ColumnRef>()) to.insert(column->id);
  if (const Subquery* subquery = expr.As<Subquery>())
    to.insert(subquery->outer.begin(), subquery->outer.end());
  for (const ExprPtr& child : Children(expr)) CollectColumns(*child, to);
}

std::string Joined(const std::vector<ExprPtr>& args, size_t from = 0) {
  std::string text;
  for (size_t i = from; i < args.size(); ++i) {
    if (i > from) text += ", ";
    text += ToString(*args[i]);
  }
  return text;
}

std::string CallText(const Call& call) {
  const Function& function = *call.function;
  const std::string_view shown = function.display.empty() ? function.name : function.display;
  const std::vector<ExprPtr>& args = call.args;
  if (function.name == "in" && !args.empty()) {
    return fmt::format("({} IN ({}))", ToString(*args[0]), Joined(args, 1));
  }
  if (function.pretty == PrettyForm::kInfix && args.size() == 2) {
    return fmt::format("({} {} {})", ToString(*args[0]), shown, ToString(*args[1]));
  }
  if (function.pretty == PrettyForm::kPrefix && args.size() == 1) {
    return fmt::format("({} {})", shown, ToString(*args[0]));
  }
  if (function.pretty == PrettyForm::kPostfix && args.size() == 1) {
    return fmt::format("({} {})", ToString(*args[0]), shown);
  }
  std::string text = fmt::format("{}({}{})", shown, call.distinct ? "DISTINCT " : "", Joined(args));
  if (call.filter) text += fmt::format(" FILTER (WHERE {})", ToString(*call.filter));
  return text;
}

std::string CaseText(const Case& node) {
  std::string text = "CASE";
  for (const Case::Branch& branch : node.branches) {
    text += fmt::format(" WHEN {} THEN {}", ToString(*branch.condition), ToString(*branch.value));
  }
  return text + fmt::format(" ELSE {} END", ToString(*node.otherwise));
}

std::string BoundText(const FrameBound& bound) {
  switch (bound.kind) {
    case FrameBound::Kind::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case FrameBound::Kind::kCurrentRow:
      return "CURRENT ROW";
    case FrameBound::Kind::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
    case FrameBound::Kind::kOffset:
      return bound.text;
  }
  return {};
}

std::string WindowText(const WindowCall& window) {
  std::string text = CallText(window.call) + (window.ignore_nulls ? " IGNORE NULLS OVER (" : " OVER (");
  if (!window.partition_by.empty()) text += fmt::format("PARTITION BY {} ", Joined(window.partition_by));
  for (size_t i = 0; i < window.order_by.size(); ++i) {
    text +=
        (i == 0 ? "ORDER BY " : ", ") + SortKeyText(window.order_by[i], ToString(*window.order_by[i].expr));
  }
  if (!window.order_by.empty()) text += " ";
  return fmt::format("{}{})", text, ToString(window.frame));
}

struct Printer {
  const Type& type;

  std::string operator()(const Scalar& value) const { return value.ToSql(); }
  std::string operator()(const ColumnRef& column) const { return column.name; }
  std::string operator()(const Call& call) const { return CallText(call); }
  std::string operator()(const Cast& cast) const {
    return fmt::format("{}({} AS {})", cast.mode == CastMode::kTry ? "TRY_CAST" : "CAST",
                       ToString(*cast.input), type.ToSql());
  }
  std::string operator()(const Case& node) const { return CaseText(node); }
  std::string operator()(const GetField& node) const {
    return fmt::format("{}.{}", ToString(*node.input), node.name);
  }
  std::string operator()(const Subquery& node) const {
    switch (node.kind) {
      case SubqueryKind::kScalar:
        return "scalar-subquery()";
      case SubqueryKind::kExists:
        return "EXISTS()";
      case SubqueryKind::kIn:
        return fmt::format("({} IN (subquery()))", ToString(*node.value));
    }
    return {};
  }
  std::string operator()(const WindowCall& node) const { return WindowText(node); }
};

/// Takes children in the order in which Children lists them.
struct ChildSetter {
  const std::vector<ExprPtr>& children;
  size_t next = 0;

  void operator()(Scalar&) {}
  void operator()(ColumnRef&) {}
  void operator()(Call& call) {
    for (ExprPtr& arg : call.args) arg = children[next++];
    if (call.filter) call.filter = children[next++];
  }
  void operator()(Cast& cast) { cast.input = children[next++]; }
  void operator()(Case& node) {
    for (Case::Branch& branch : node.branches) {
      branch.condition = children[next++];
      branch.value = children[next++];
    }
    node.otherwise = children[next++];
  }
  void operator()(GetField& node) { node.input = children[next++]; }
  void operator()(Subquery& node) {
    if (node.value) node.value = children[next++];
  }
  void operator()(WindowCall& node) {
    (*this)(node.call);
    for (ExprPtr& key : node.partition_by) key = children[next++];
    for (SortKey& key : node.order_by) key.expr = children[next++];
  }
};

}  // namespace

bool operator==(const FrameBound& a, const FrameBound& b) {
  if (a.kind != b.kind) return false;
  return a.kind != FrameBound::Kind::kOffset ||
         (a.offset.type() == b.offset.type() && SameValue(a.offset, b.offset));
}

ExprPtr MakeLiteral(Scalar value) {
  Type type = value.type();
  const bool nullable = value.is_null();
  return Make(std::move(value), std::move(type), nullable);
}

ExprPtr MakeColumn(ColumnId id, std::string name, Type type, bool nullable) {
  return Make(ColumnRef{id, std::move(name)}, std::move(type), nullable);
}

ExprPtr MakePredicate(std::string_view function, std::vector<ExprPtr> args) {
  const bool nullable = !NeverNull(function) && std::any_of(args.begin(), args.end(), [](const ExprPtr& arg) {
    return arg->nullable();
  });
  return Make(
      Call{.function = FindFunction(function), .args = std::move(args), .distinct = false, .filter = {}},
      Type::Boolean(), nullable);
}

ExprPtr MakeCast(ExprPtr input, Type type, CastMode mode) {
  const bool nullable = input->nullable() || mode == CastMode::kTry || mode == CastMode::kLegacy ||
                        CastForcesNullable(input->type(), type);
  return Make(Cast{.input = std::move(input), .mode = mode}, std::move(type), nullable);
}

ExprPtr Conjunction(std::vector<ExprPtr> conjuncts) {
  if (conjuncts.empty()) return MakeLiteral(Scalar::Boolean(true));
  ExprPtr all = std::move(conjuncts[0]);
  for (size_t i = 1; i < conjuncts.size(); ++i) {
    all = MakePredicate("and", {std::move(all), std::move(conjuncts[i])});
  }
  return all;
}

std::vector<ExprPtr> Conjuncts(const ExprPtr& predicate) {
  std::vector<ExprPtr> conjuncts;
  CollectConjuncts(predicate, conjuncts);
  return conjuncts;
}

std::vector<ExprPtr> Children(const Expr& expr) {
  std::vector<ExprPtr> children;
  const WindowCall* window = expr.As<WindowCall>();
  if (const Call* call = window != nullptr ? &window->call : expr.As<Call>()) {
    children = call->args;
    if (call->filter) children.push_back(call->filter);
    if (window == nullptr) return children;
    children.insert(children.end(), window->partition_by.begin(), window->partition_by.end());
    for (const SortKey& key : window->order_by) children.push_back(key.expr);
  } else if (const Cast* cast = expr.As<Cast>()) {
    children.push_back(cast->input);
  } else if (const Case* node = expr.As<Case>()) {
    for (const Case::Branch& branch : node->branches) {
      children.push_back(branch.condition);
      children.push_back(branch.value);
    }
    children.push_back(node->otherwise);
  } else if (const GetField* member = expr.As<GetField>()) {
    children.push_back(member->input);
  } else if (const Subquery* subquery = expr.As<Subquery>(); subquery != nullptr && subquery->value) {
    children.push_back(subquery->value);
  }
  return children;
}

ExprPtr WithChildren(const Expr& expr, const std::vector<ExprPtr>& children) {
  Expr::Variant node = expr.node();
  std::visit(ChildSetter{children}, node);
  return Make(std::move(node), expr.type(), expr.nullable());
}

std::unordered_set<ColumnId> ColumnsOf(const Expr& expr) {
  std::unordered_set<ColumnId> columns;
  CollectColumns(expr, columns);
  return columns;
}

Result<ExprPtr> ReplaceColumns(const ExprPtr& expr,
                               const std::unordered_map<ColumnId, ExprPtr>& replacements) {
  if (const ColumnRef* column = expr->As<ColumnRef>()) {
    auto it = replacements.find(column->id);
    return it == replacements.end() ? expr : it->second;
  }
  if (const Subquery* subquery = expr->As<Subquery>(); subquery != nullptr && !subquery->outer.empty()) {
    return Internal("cannot replace columns inside the correlated subquery {}", ToString(*expr));
  }
  std::vector<ExprPtr> children = Children(*expr);
  bool changed = false;
  for (ExprPtr& child : children) {
    WEIR_TRY(ExprPtr replaced, ReplaceColumns(child, replacements));
    changed = changed || replaced != child;
    child = std::move(replaced);
  }
  return changed ? WithChildren(*expr, children) : expr;
}

bool IsDeterministic(const Expr& expr) {
  return !AnyNode(expr, [](const Expr& node) {
    const Call* call = node.As<Call>();
    return call != nullptr && !call->function->deterministic;
  });
}

bool HasSubquery(const Expr& expr) {
  return AnyNode(expr, [](const Expr& node) { return node.As<Subquery>() != nullptr; });
}

bool HasAggregate(const Expr& expr) {
  return AnyNode(expr, [](const Expr& node) {
    const Call* call = node.As<Call>();
    return call != nullptr && call->function->kind == FunctionKind::kAggregate;
  });
}

bool HasWindow(const Expr& expr) {
  return AnyNode(expr, [](const Expr& node) { return node.As<WindowCall>() != nullptr; });
}

bool HasGenerator(const Expr& expr) {
  return AnyNode(expr, [](const Expr& node) {
    const Call* call = node.As<Call>();
    return call != nullptr && call->function->kind == FunctionKind::kGenerator;
  });
}

std::string SortKeyText(const SortKey& key, std::string_view expr) {
  return fmt::format("{} {} NULLS {}", expr, key.ascending ? "ASC" : "DESC",
                     key.nulls_first ? "FIRST" : "LAST");
}

std::string ToString(const WindowFrame& frame) {
  return fmt::format("{} BETWEEN {} AND {}", frame.is_rows ? "ROWS" : "RANGE", BoundText(frame.lower),
                     BoundText(frame.upper));
}

std::string ToString(const Expr& expr) { return std::visit(Printer{expr.type()}, expr.node()); }

}  // namespace weir
