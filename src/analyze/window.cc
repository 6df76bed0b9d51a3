#include "analyze/window.h"

#include <algorithm>

#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/grouping.h"
#include "analyze/query.h"
#include "analyze/window_frame.h"
#include "expr/coercion.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"
#include "expr/rewrite.h"

namespace weir::analyze {
namespace {

Result<const unresolved::WindowSpec*> SpecOf(const unresolved::Window& window, const Names& names) {
  if (window.name.empty()) return &window.spec;
  for (const unresolved::NamedWindow& named : *names.windows) {
    if (named.name == window.name) return &named.spec;
  }
  return Condition("MISSING_WINDOW_SPECIFICATION", "42P20",
                   {{"windowName", window.name}, {"docroot", "https://spark.apache.org/docs/latest"}},
                   fmt::format("there is no window {} in the WINDOW clause", QuoteName({window.name})));
}

Status ResolveSpec(const unresolved::WindowSpec& spec, const Names& names, Context& context,
                   WindowCall& window) {
  for (const unresolved::ExprPtr& written : spec.partition_by) {
    WEIR_TRY(ExprPtr key, ResolveExpression(*written, names, context));
    if (!IsOrderable(key->type())) {
      const std::string shown = QuoteSql(PrettySql(*key)), type = Quoted(key->type());
      return Condition("EXPRESSION_TYPE_IS_NOT_ORDERABLE", "42822", {{"expr", shown}, {"exprType", type}},
                       fmt::format("PARTITION BY cannot compare {} of type {}", shown, type))
          .WithSpan(written->span, context.text);
    }
    window.partition_by.push_back(std::move(key));
  }
  for (const unresolved::SortKey& written : spec.order_by) {
    WEIR_TRY(ExprPtr key, ResolveExpression(*written.expr, names, context));
    WEIR_DO(CheckSortable(*key, written));
    window.order_by.push_back({std::move(key), written.ascending, written.nulls_first});
  }
  return {};
}

/// The alias of the select list that the expression was made from, else empty.
std::string LateralAlias(const Expr& expr) {
  constexpr std::string_view kMark = "lateralAliasReference(";
  if (expr.text().starts_with(kMark))
    return expr.text().substr(kMark.size(), expr.text().size() - kMark.size() - 1);
  for (const ExprPtr& child : Children(expr)) {
    if (std::string alias = LateralAlias(*child); !alias.empty()) return alias;
  }
  return {};
}

Status CheckAliases(const Expr& window) {
  const std::string alias = LateralAlias(window);
  if (alias.empty()) return {};
  return AliasInWindow(alias, window);
}

/// A constant argument that decides how the function runs becomes a literal.
Status FoldArgument(WindowCall& window, size_t index, std::string_view name, const Type& type,
                    Context& context) {
  ExprPtr& argument = window.call.args[index];
  if (!IsFoldable(*argument)) {
    const bool negated = window.call.function->name == "lag";
    std::string shown = PrettySql(*argument);
    if (negated) shown = fmt::format("(- {})", shown);
    return CompleteMismatch(Mismatch("NON_FOLDABLE_INPUT",
                                     {{"inputName", QuoteName({std::string(name)})},
                                      {"inputType", Quoted(type)},
                                      {"inputExpr", QuoteSql(shown)}},
                                     fmt::format("{} of a window function must be constant", name)),
                            window.text);
  }
  // A NULL of no type has no value to compute.
  const Cast* cast = argument->As<Cast>();
  const Scalar* literal = cast == nullptr ? nullptr : cast->input->As<Scalar>();
  if (literal != nullptr && literal->is_null()) {
    argument = MakeLiteral(Scalar::Null(type));
    return {};
  }
  WEIR_TRY(Scalar value, ConstantValue(argument, type, context));
  argument = MakeLiteral(std::move(value));
  return {};
}

/// Numbers that must be above zero. `suffix` is how Spark marks their type.
Status CheckPositive(const WindowCall& window, size_t index, std::string_view name, std::string_view suffix,
                     int64_t most) {
  const Scalar& value = *window.call.args[index]->As<Scalar>();
  const int64_t number = value.is_null() ? 0 : value.integer();
  if (number > 0) return {};
  return CompleteMismatch(Mismatch("VALUE_OUT_OF_RANGE",
                                   {{"exprName", std::string(name)},
                                    {"valueRange", fmt::format("(0, {}]", most)},
                                    {"currentValue", fmt::format("{}{}", number, suffix)}},
                                   fmt::format("{} must be above 0, found {}", name, number)),
                          window.text);
}

/// What lag and lead look at is fixed by their arguments.
Status CheckFunction(WindowCall& window, Context& context) {
  const std::string_view name = window.call.function->name;
  if (name == "ntile") {
    WEIR_DO(FoldArgument(window, 0, "buckets", Type::Int(), context));
    return CheckPositive(window, 0, "buckets", "", INT32_MAX);
  }
  if (name == "nth_value") {
    WEIR_DO(FoldArgument(window, 1, "offset", window.call.args[1]->type(), context));
    return CheckPositive(window, 1, "offset", "L", INT64_MAX);
  }
  if (name == "lag" || name == "lead") {
    const Cast* cast = window.call.args[1]->As<Cast>();
    if (cast != nullptr && cast->implicit) return OffsetFrameMismatch(name);
    WEIR_DO(FoldArgument(window, 1, "offset", Type::Int(), context));
    if (window.call.args[1]->As<Scalar>()->is_null()) return OffsetFrameMismatch(name);
  }
  return {};
}

Status CheckLocal(const Expr& window, const Environment& environment) {
  if (environment.outer_used == nullptr) return {};
  for (ColumnId id : ColumnsOf(window)) {
    if (std::ranges::find(*environment.outer_used, id) == environment.outer_used->end()) continue;
    return Condition("UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_REFERENCE", "0A000",
                     {{"sqlExprs", QuoteSql(PrettySql(window))}},
                     "a window function in a subquery cannot read columns of the enclosing query");
  }
  return {};
}

Error NotAWindowFunction(const Expr& function) {
  const std::string shown = QuoteSql(PrettySql(function));
  return Condition("UNSUPPORTED_EXPR_FOR_WINDOW", "42P20", {{"sqlExpr", shown}},
                   fmt::format("{} is no function that OVER can follow", shown));
}

/// Spark refuses these once the whole expression has its types.
Status CheckForm(const Expr& expr, const Names& names) {
  const WindowCall& window = *expr.As<WindowCall>();
  if (window.call.distinct) {
    const std::string shown = QuoteSql(PrettySql(expr));
    return Condition("DISTINCT_WINDOW_FUNCTION_UNSUPPORTED", "0A000", {{"windowExpr", shown}},
                     fmt::format("a window function cannot be DISTINCT: {}", shown));
  }
  if (window.call.filter != nullptr)
    return Condition("_LEGACY_ERROR_TEMP_1030", "", {}, "a window function cannot have FILTER");
  if (names.windows != nullptr) return {};
  return WindowNotAllowed(expr);
}

}  // namespace

Result<ExprPtr> ResolveWindow(const unresolved::Window& written, const Names& outer, Context& context) {
  const std::vector<unresolved::NamedWindow> none;
  Names names = outer;
  if (names.windows == nullptr) names.windows = &none;
  const auto& call = std::get<unresolved::Call>(written.function->node);
  bool ignore_nulls = false;
  auto function = ResolveWindowedCall(call, names, context, ignore_nulls);
  if (!function) return std::move(function).error().WithSpan(written.function->span, context.text);
  const Call* resolved = (*function)->As<Call>();
  if (resolved == nullptr || resolved->function->kind == FunctionKind::kScalar ||
      resolved->function->kind == FunctionKind::kGenerator) {
    return NotAWindowFunction(**function);
  }
  WEIR_TRY(const unresolved::WindowSpec* spec, SpecOf(written, names));
  WindowCall window{.call = *resolved,
                    .text = PrettySql(**function),
                    .ignore_nulls = ignore_nulls,
                    .partition_by = {},
                    .order_by = {},
                    .frame = {}};
  WEIR_DO(ResolveSpec(*spec, names, context, window));
  WEIR_DO(CheckFunction(window, context));
  WEIR_TRY(window.frame, FrameOf(*spec, window, names, context));
  auto made = std::make_shared<const Expr>(std::move(window), (*function)->type(), (*function)->nullable());
  WEIR_DO(CheckAliases(*made));
  WEIR_DO(CheckForm(*made, outer));
  WEIR_DO(CheckLocal(*made, names.environment));
  return ExprPtr(std::move(made));
}

Error AliasInWindow(const std::string& alias, const Expr& window) {
  return Condition(
      "UNSUPPORTED_FEATURE.LATERAL_COLUMN_ALIAS_IN_WINDOW", "0A000",
      {{"lca", QuoteName({alias})}, {"windowExpr", QuoteSql(PrettySql(window))}},
      fmt::format("a window function cannot read {}, an alias of the same select list", QuoteName({alias})));
}

Error WindowNotAllowed(const Expr& expr) {
  const std::string shown = QuoteSql(PrettySql(expr));
  return Condition("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", {{"invalidExprSqls", shown}},
                   fmt::format("a window function can only stand in a select list: {}", shown));
}

Status CheckNoWindow(const Expr& expr, std::string_view clause) {
  if (!HasWindow(expr)) return {};
  return Condition("_LEGACY_ERROR_TEMP_1034", "", {{"clauseName", std::string(clause)}},
                   fmt::format("{} cannot hold window functions", clause));
}

Result<ExprPtr> Windows::Replace(const ExprPtr& expr) {
  return Rewrite(expr, [this](const ExprPtr& part) -> Result<ExprPtr> {
    if (part->As<WindowCall>() == nullptr) return ExprPtr();
    return Column(part);
  });
}

Result<ExprPtr> Windows::Column(const ExprPtr& window) {
  std::vector<ExprPtr> children = Children(*window);
  size_t level = 0;
  for (ExprPtr& child : children) {
    WEIR_TRY(child, Replace(child));
    const std::unordered_set<ColumnId> read = ColumnsOf(*child);
    for (size_t i = level; i < levels_.size(); ++i) {
      const bool reads = std::ranges::any_of(
          levels_[i].columns, [&](const plan::Column& column) { return read.contains(column.id); });
      if (reads) level = i + 1;
    }
  }
  const ExprPtr call = WithChildren(*window, children);
  if (level == levels_.size()) levels_.emplace_back();
  Level& to = levels_[level];
  for (size_t i = 0; i < to.calls.size(); ++i) {
    if (IsDeterministic(*call) && SameExpr(*to.calls[i], *call)) return plan::ColumnExpr(to.columns[i]);
  }
  to.calls.push_back(call);
  to.columns.push_back({context_.ids.Next(), PrettySql(*window), window->type(), window->nullable()});
  return plan::ColumnExpr(to.columns.back());
}

plan::NodePtr Windows::Over(plan::NodePtr input) const {
  for (const Level& level : levels_) {
    std::vector<plan::Column> output = input->output;
    output.insert(output.end(), level.columns.begin(), level.columns.end());
    input = plan::MakeNode(plan::Window{level.calls}, {std::move(input)}, std::move(output));
  }
  return input;
}

}  // namespace weir::analyze
