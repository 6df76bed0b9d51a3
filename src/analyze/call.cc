#include <algorithm>

#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/grouping.h"
#include "analyze/star.h"
#include "base/ascii.h"
#include "expr/coercion.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

using unresolved::Name;

std::string ExpectedCount(const Function& function) {
  if (function.max_args == Function::kAnyNumber) return fmt::format("> {}", function.min_args - 1);
  if (function.min_args == function.max_args) return std::to_string(function.min_args);
  std::string list = "[";
  for (int i = function.min_args; i <= function.max_args; ++i) {
    list += (i == function.min_args ? "" : ", ") + std::to_string(i);
  }
  return list + "]";
}

Status CheckCount(const Function& function, std::string_view written_name, size_t count) {
  bool pairs = function.name == "map" || function.name == "named_struct";
  bool enough = count >= static_cast<size_t>(function.min_args);
  bool few = function.max_args == Function::kAnyNumber || count <= static_cast<size_t>(function.max_args);
  if (enough && few && !(pairs && count % 2 != 0)) return {};
  std::string expected = pairs ? "2n (n > 0)" : ExpectedCount(function);
  std::string quoted = QuoteName({AsciiLower(written_name)});
  return Condition("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605",
                   {{"functionName", quoted},
                    {"expectedNum", expected},
                    {"actualNum", std::to_string(count)},
                    {"docroot", "https://spark.apache.org/docs/latest"}},
                   fmt::format("{} takes {} arguments, found {}", quoted, expected, count));
}

void AddDefaults(const Function& function, std::vector<ExprPtr>& args) {
  if (function.defaults == nullptr) return;
  std::vector<Scalar> defaults = function.defaults();
  size_t wanted = static_cast<size_t>(function.max_args);
  while (args.size() < wanted)
    args.push_back(MakeLiteral(defaults[defaults.size() - (wanted - args.size())]));
}

std::vector<Argument> ArgumentsOf(const std::vector<ExprPtr>& args) {
  std::vector<Argument> arguments;
  for (const ExprPtr& arg : args) arguments.push_back({arg->type(), arg->nullable(), arg.get()});
  return arguments;
}

/// first, last and any_value have an argument that says whether NULLs are skipped.
bool HasNullsArgument(const Function& function) {
  return function.name == "first" || function.name == "last" || function.name == "any_value";
}

/// The call as the user sees it, when the name is an alias that Spark shows.
std::string ShownCall(const Function& function, std::string_view written_name,
                      const std::vector<ExprPtr>& args, bool distinct) {
  std::string name = ShownName(function, written_name);
  bool own = name == function.name || name == function.display;
  if (AsciiLower(written_name) == "regexp_like")
    name = "REGEXP_LIKE";
  else if (own || function.name == "rlike")
    return {};
  std::string text = fmt::format("{}({}", name, distinct ? "DISTINCT " : "");
  // Whether NULLs are skipped does not show.
  bool one = HasNullsArgument(function);
  for (size_t i = 0; i < (one ? 1 : args.size()); ++i) text += (i == 0 ? "" : ", ") + PrettySql(*args[i]);
  return text + ")";
}

/// An integer compared with a decimal literal is compared with the nearest whole number instead, as Spark
/// does: both the meaning and the shown text follow from it. Beyond the range of bigint the answer is known,
/// also for NULL.
std::optional<bool> RoundDecimalLiteral(std::string_view name, std::vector<ExprPtr>& args) {
  bool less = name == "<" || name == "<=", greater = name == ">" || name == ">=";
  if (!less && !greater) return std::nullopt;
  size_t at = args[1]->As<Scalar>() != nullptr ? 1 : 0;
  const Scalar* literal = args[at]->As<Scalar>();
  if (literal == nullptr || literal->is_null() || literal->type().kind() != TypeKind::kDecimal)
    return std::nullopt;
  if (!args[1 - at]->type().is_integral()) return std::nullopt;
  Int128 unit = PowerOfTen(literal->type().scale()), value = literal->unscaled();
  Int128 floor = value / unit - (value % unit < 0 ? 1 : 0);
  Int128 ceil = value / unit + (value % unit > 0 ? 1 : 0);
  // column > 1.5 is column > 1, column >= 1.5 is column >= 2; the other way round when the literal is on the
  // left.
  bool column_less = at == 1 ? less : greater;
  bool or_equal = name.size() == 2;
  Int128 whole = column_less == or_equal ? floor : ceil;
  if (value / unit > INT64_MAX) return column_less;
  if (value / unit < INT64_MIN) return !column_less;
  args[at] = MakeLiteral(Scalar::Long(static_cast<int64_t>(whole)));
  return std::nullopt;
}

Error UnsupportedSyntax(const Function& function, std::string_view syntax) {
  std::string quoted = QuoteName({std::string(function.name)});
  return Condition("INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX", "42000",
                   {{"prettyName", quoted}, {"syntax", std::string(syntax)}},
                   fmt::format("{} does not take {}", quoted, syntax));
}

Status CheckForm(const Function& function, const unresolved::Call& call) {
  if (function.kind != FunctionKind::kAggregate) {
    if (call.distinct) return UnsupportedSyntax(function, "DISTINCT");
    if (call.filter != nullptr) return UnsupportedSyntax(function, "FILTER CLAUSE");
  }
  const bool skips = HasNullsArgument(function) || function.name == "nth_value" || function.name == "lag" ||
                     function.name == "lead";
  if (call.ignore_nulls && !skips) return UnsupportedSyntax(function, "IGNORE NULLS");
  return {};
}

/// What an aggregate function reads are values of single rows.
Status CheckArguments(const std::vector<ExprPtr>& args) {
  for (const ExprPtr& arg : args) {
    if (IsGroupingNumber(*arg)) return Unsupported("an aggregate of {} is not implemented", PrettySql(*arg));
    if (HasAggregate(*arg)) {
      return Condition("NESTED_AGGREGATE_FUNCTION", "42607", {},
                       "an aggregate function cannot be an argument of another one; use a subquery");
    }
    if (HasWindow(*arg)) {
      return Condition("_LEGACY_ERROR_TEMP_1031", "", {},
                       "a window function cannot be an argument of an aggregate function; use a subquery");
    }
  }
  return {};
}

/// The last argument of some functions says whether NULLs are skipped.
Status TakeNullsArgument(const Function& function, const unresolved::Call& call, std::vector<ExprPtr>& args,
                         bool& ignore_nulls) {
  if (HasNullsArgument(function)) {
    if (call.ignore_nulls && args.size() == 1) args.push_back(MakeLiteral(Scalar::Boolean(true)));
    return {};
  }
  ignore_nulls = call.ignore_nulls;
  if (function.kind != FunctionKind::kWindow || function.max_args < 2) return {};
  if (args.size() != static_cast<size_t>(function.max_args) + 1) return {};
  const Scalar* flag = args.back()->As<Scalar>();
  if (flag == nullptr || flag->is_null() || flag->type().kind() != TypeKind::kBoolean) {
    const std::string quoted = QuoteName({std::string(function.name)});
    return Condition("INVALID_PARAMETER_VALUE.BOOLEAN", "22023",
                     {{"functionName", quoted},
                      {"parameter", "`ignoreNulls`"},
                      {"invalidValue", QuoteSql(PrettySql(*args.back()))}},
                     fmt::format("ignoreNulls of {} is a boolean literal", quoted));
  }
  ignore_nulls = ignore_nulls || flag->boolean();
  args.pop_back();
  return {};
}

/// An aggregate over columns of an enclosing query would be that query's own, which Spark refuses.
Status CheckLocal(const std::vector<ExprPtr>& args, const Names& names) {
  if (names.environment.outer_used == nullptr) return {};
  const std::vector<ColumnId>& outer = *names.environment.outer_used;
  for (const ExprPtr& arg : args) {
    for (ColumnId id : ColumnsOf(*arg)) {
      if (std::ranges::find(outer, id) == outer.end()) continue;
      return Condition("UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_REFERENCE", "0A000",
                       {{"sqlExprs", QuoteSql(PrettySql(*arg))}},
                       "an aggregate function in a subquery cannot read columns of the enclosing query");
    }
  }
  return {};
}

Result<ExprPtr> MakeAggregate(const Function& function, const unresolved::Call& call,
                              std::vector<ExprPtr> args, const Names& names, Context& context) {
  WEIR_DO(CheckLocal(args, names));
  std::string shown = ShownCall(function, call.name.back(), args, call.distinct);
  WEIR_TRY(ExprPtr made, MakeCall(function, call.name.back(), std::move(args), context));
  Call node = *made->As<Call>();
  node.distinct = call.distinct;
  if (call.filter != nullptr) {
    WEIR_TRY(node.filter, ResolveCondition(*call.filter, names, context, "filter"));
    if (!shown.empty()) shown += fmt::format(" FILTER (WHERE {})", PrettySql(*node.filter));
  }
  return std::make_shared<const Expr>(std::move(node), made->type(), made->nullable(), std::move(shown));
}

/// count(*) counts rows: it is count(1).
bool IsCountOfRows(const unresolved::Call& call, std::string_view name) {
  if (name != "count" || call.args.size() != 1) return false;
  const auto* star = std::get_if<unresolved::Star>(&call.args[0]->node);
  return star != nullptr && star->qualifier.empty() && star->except.empty() && !call.distinct;
}

Name ArgumentsName(const Name& name) {
  if (name.size() == 3 && EqualsIgnoringAsciiCase(name[0], "system") &&
      EqualsIgnoringAsciiCase(name[1], "builtin"))
    return {name[2]};
  return name;
}

}  // namespace

Result<std::vector<ExprPtr>> ResolveArguments(const std::vector<unresolved::ExprPtr>& args,
                                              const Names& names, Context& context) {
  std::vector<ExprPtr> resolved;
  for (const unresolved::ExprPtr& arg : args) {
    if (const auto* star = std::get_if<unresolved::Star>(&arg->node)) {
      WEIR_TRY(std::vector<NamedExpr> columns, ExpandStar(*star, names));
      for (NamedExpr& column : columns) resolved.push_back(std::move(column.expr));
      continue;
    }
    WEIR_TRY(ExprPtr one, ResolveExpression(*arg, names, context));
    resolved.push_back(std::move(one));
  }
  return resolved;
}

Result<ExprPtr> MakeCall(std::string_view name, std::vector<ExprPtr> args, const Context& context) {
  const Function* function = FindFunction(name);
  if (function == nullptr) return Internal("the function table lacks {}", name);
  return MakeCall(*function, name, std::move(args), context);
}

Result<ExprPtr> MakeCall(const Function& function, std::string_view written_name, std::vector<ExprPtr> args,
                         const Context& context) {
  WEIR_DO(CheckCount(function, written_name, args.size()));
  AddDefaults(function, args);
  if (std::optional<bool> known = RoundDecimalLiteral(function.name, args))
    return MakeLiteral(Scalar::Boolean(*known));
  std::string shown = ShownCall(function, written_name, args, false);
  auto signature = function.signature(function.name, ArgumentsOf(args), context.settings.semantics);
  if (!signature) {
    return CompleteMismatch(std::move(signature).error(), shown.empty() ? PrettyCall(function, args) : shown);
  }
  for (size_t i = 0; i < args.size(); ++i) args[i] = Coerce(args[i], signature->arguments[i], context);
  Call call{.function = &function, .args = std::move(args)};
  return std::make_shared<const Expr>(std::move(call), signature->result, signature->nullable,
                                      std::move(shown));
}

namespace {

Error MisplacedGenerator(const Expr& generator, const Names& names) {
  const std::string shown = QuoteSql(PrettySql(generator));
  // Only a select list has aliases.
  if (names.laterals == nullptr) {
    return Condition("UNSUPPORTED_GENERATOR.OUTSIDE_SELECT", "42K0E", {{"plan", shown}},
                     fmt::format("{} makes rows and can only stand in a select list", shown));
  }
  return Condition("UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS", "42K0E", {{"expression", shown}},
                   fmt::format("{} makes rows and can only be a whole item of a select list", shown));
}

/// A call alone, or before OVER.
Result<ExprPtr> ResolveAnyCall(const unresolved::Call& call, const Names& names, Context& context,
                               bool is_windowed, bool& ignore_nulls) {
  Name name = ArgumentsName(call.name);
  std::string lower = AsciiLower(name.back());
  const Function* function = name.size() == 1 ? FindFunction(lower) : nullptr;
  bool aggregate = function != nullptr && function->kind == FunctionKind::kAggregate;
  Names inside = names;
  if (aggregate && !is_windowed && names.aggregate_arguments != nullptr) {
    inside.outputs = nullptr;
    inside.scopes = {names.aggregate_arguments};
  }
  std::vector<ExprPtr> args;
  if (IsCountOfRows(call, lower)) {
    args.push_back(MakeLiteral(Scalar::Int(1)));
  } else {
    WEIR_TRY(args, ResolveArguments(call.args, inside, context));
  }
  if (name.size() == 1) {
    if (lower == "struct") return MakeStruct(call.args, std::move(args), context);
    WEIR_TRY(ExprPtr special, ResolveSpecialCall(lower, args, context));
    if (special != nullptr) return special;
  }
  if (function == nullptr) {
    WEIR_TRY(plan::QualifiedName current, context.tables.QualifyNamespace({}));
    current.name.insert(current.name.begin(), current.catalog);
    return UnresolvedRoutine(name, current.name);
  }
  WEIR_DO(CheckForm(*function, call));
  WEIR_DO(TakeNullsArgument(*function, call, args, ignore_nulls));
  // The ranking functions take any arguments and look at none.
  if (function->kind == FunctionKind::kWindow && function->max_args == Function::kAnyNumber) args.clear();
  if (aggregate && !is_windowed) WEIR_DO(CheckArguments(args));
  if (aggregate) return MakeAggregate(*function, call, std::move(args), inside, context);
  auto made = MakeCall(*function, lower, args, context);
  // negative(x) and - x differ in how they are shown only.
  if (!made || lower != "negative" || call.is_operator) return made;
  return ShownAs(*made, fmt::format("negative({})", PrettySql(*args[0])));
}

}  // namespace

Result<ExprPtr> ResolveCall(const unresolved::Call& call, const Names& names, Context& context) {
  bool ignore_nulls = false;
  WEIR_TRY(ExprPtr resolved, ResolveAnyCall(call, names, context, false, ignore_nulls));
  const Call* made = resolved->As<Call>();
  if (made == nullptr) return resolved;
  if (made->function->kind == FunctionKind::kGenerator) return MisplacedGenerator(*resolved, names);
  if (made->function->kind != FunctionKind::kWindow) return resolved;
  const std::string shown = QuoteSql(PrettySql(*resolved));
  return Condition("WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE", "42601", {{"funcName", shown}},
                   fmt::format("{} needs OVER", shown));
}

Result<ExprPtr> ResolveGeneratorCall(const unresolved::Call& call, const Names& names, Context& context) {
  if (call.args.empty() && AsciiLower(call.name.back()) == "explode") {
    return Condition("REQUIRED_PARAMETER_NOT_FOUND", "4274K",
                     {{"routineName", "`explode`"}, {"parameterName", "`collection`"}, {"index", "0"}},
                     "explode needs an array or a map");
  }
  bool ignore_nulls = false;
  return ResolveAnyCall(call, names, context, false, ignore_nulls);
}

Result<ExprPtr> ResolveWindowedCall(const unresolved::Call& call, const Names& names, Context& context,
                                    bool& ignore_nulls) {
  return ResolveAnyCall(call, names, context, true, ignore_nulls);
}

}  // namespace weir::analyze
