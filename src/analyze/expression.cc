#include "analyze/expression.h"

#include <utility>

#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/literal_cast.h"
#include "analyze/query.h"
#include "analyze/window.h"
#include "base/ascii.h"
#include "expr/coercion.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"
#include "expr/signature.h"
#include "type/time_zone.h"

namespace weir::analyze {
namespace {

using unresolved::Name;

/// Functions that Spark calls without parentheses, where no column has the name.
bool IsKeywordFunction(const Name& name) {
  if (name.size() != 1) return false;
  std::string lower = AsciiLower(name[0]);
  return lower == "current_date" || lower == "current_timestamp" || lower == "localtimestamp";
}

struct Resolver {
  const Names& names;
  Context& context;

  Result<ExprPtr> operator()(const unresolved::Literal& literal) const {
    ExprPtr expr = MakeLiteral(literal.value);
    if (!literal.text.empty()) return ShownAs(expr, literal.text);
    if (literal.value.type().kind() != TypeKind::kTimestamp || literal.value.is_null()) return expr;
    // Printing an expression knows no zone but UTC.
    WEIR_TRY(const auto zone, TimeZone::Find(context.settings.semantics.time_zone));
    const Scalar wall = Scalar::TimestampNtz(zone->ToWall(literal.value.integer()));
    return ShownAs(expr, fmt::format("TIMESTAMP '{}'", wall.ToString()));
  }

  Result<ExprPtr> operator()(const unresolved::Attribute& attribute) const {
    if (attribute.plan != unresolved::kNoPlan) return ResolveOfPlan(attribute.parts, attribute.plan, names);
    WEIR_TRY(ExprPtr found, FindName(attribute.parts, names));
    if (found != nullptr) return found;
    if (IsKeywordFunction(attribute.parts)) return ResolveCall({attribute.parts, {}}, names, context);
    return UnresolvedColumn(attribute.parts, CandidatesOf(names));
  }

  Result<ExprPtr> operator()(const unresolved::Star&) const {
    return Condition("INVALID_USAGE_OF_STAR_OR_REGEX", "42000",
                     {{"elem", "'*'"}, {"prettyName", "expression"}}, "* cannot be used here");
  }

  Result<ExprPtr> operator()(const unresolved::Call& call) const { return ResolveCall(call, names, context); }

  Result<ExprPtr> operator()(const unresolved::Cast& cast) const {
    WEIR_TRY(ExprPtr input, ResolveExpression(*cast.input, names, context));
    return ExplicitCast(input, cast.type, cast.is_try, context);
  }

  Result<ExprPtr> operator()(const unresolved::Case& node) const {
    ExprPtr operand, otherwise;
    if (node.operand) {
      WEIR_TRY(operand, ResolveExpression(*node.operand, names, context));
    }
    std::vector<std::pair<ExprPtr, ExprPtr>> branches;
    for (const auto& [when, then] : node.branches) {
      WEIR_TRY(ExprPtr condition, ResolveExpression(*when, names, context));
      if (operand) {
        WEIR_TRY(condition, MakeCall("=", {operand, condition}, context));
      }
      WEIR_TRY(ExprPtr value, ResolveExpression(*then, names, context));
      branches.emplace_back(std::move(condition), std::move(value));
    }
    if (node.otherwise) {
      WEIR_TRY(otherwise, ResolveExpression(*node.otherwise, names, context));
    }
    return MakeCase(std::move(branches), std::move(otherwise), context);
  }

  Result<ExprPtr> operator()(const unresolved::FieldAccess& access) const {
    WEIR_TRY(ExprPtr input, ResolveExpression(*access.input, names, context));
    return Member(input, access.field);
  }

  Result<ExprPtr> operator()(const unresolved::Subquery& subquery) const {
    return ResolveSubquery(subquery, names, context);
  }

  Result<ExprPtr> operator()(const unresolved::Window& window) const {
    return ResolveWindow(window, names, context);
  }

  Result<ExprPtr> operator()(const unresolved::GroupingSets&) const {
    return Invalid("grouping sets can only stand in GROUP BY");
  }

  Result<ExprPtr> operator()(const unresolved::MultiAlias&) const {
    return Unsupported("names for several columns of one expression can only stand in a select list");
  }

  Result<ExprPtr> operator()(const unresolved::Alias& alias) const {
    return ResolveExpression(*alias.input, names, context);
  }

  Result<ExprPtr> operator()(const unresolved::DefaultValue&) const {
    return Condition("DEFAULT_PLACEMENT_INVALID", "42608", {},
                     "DEFAULT stands alone for a value of INSERT, UPDATE or MERGE, not inside an expression");
  }

  Result<ExprPtr> operator()(const unresolved::Written& written) const {
    const std::string_view outside = std::exchange(context.text, *written.text);
    auto expr = ResolveExpression(*written.input, names, context);
    context.text = outside;
    return expr;
  }
};

/// Functions that Spark proposes for casts it does not allow.
std::string_view CastSuggestion(const Type& from, const Type& to) {
  if (from.is_numeric() && to.kind() == TypeKind::kDate) return "`DATE_FROM_UNIX_DATE`";
  if (from.kind() == TypeKind::kDate && to.is_numeric()) return "`UNIX_DATE`";
  return "";
}

/// Casts that exist with ANSI mode off.
bool CastsWithoutAnsi(const Type& from, const Type& to) {
  if (from.kind() == TypeKind::kBoolean) return to.kind() == TypeKind::kTimestamp;
  if (from.is_integral()) return to.kind() == TypeKind::kBinary;
  bool time = from.kind() == TypeKind::kDate || from.kind() == TypeKind::kTimestamp;
  return time && to.kind() == TypeKind::kBoolean;
}

/// Casts that succeed for every value, as Spark sees it: TRY_CAST of what is never NULL is then never NULL.
bool AlwaysSucceeds(const Type& from, const Type& to) {
  TypeKind f = from.kind(), t = to.kind();
  if (SameShape(from, to) || t == TypeKind::kString) return true;
  if (t == TypeKind::kDecimal) return from.is_integral() && !CastForcesNullable(from, to);
  if (from.is_numeric() && f != TypeKind::kDecimal && to.is_numeric()) return f < t;
  if (t == TypeKind::kTimestamp)
    return f == TypeKind::kDate || f == TypeKind::kTimestampNtz || f == TypeKind::kLong;
  return t == TypeKind::kTimestampNtz && (f == TypeKind::kDate || f == TypeKind::kTimestamp);
}

/// `sql`: what the user is shown of the cast.
Error CannotCast(const ExprPtr& expr, const Type& type, std::string sql) {
  Parameters parameters = {{"srcType", Quoted(expr->type())}, {"targetType", Quoted(type)}};
  std::string message = fmt::format("{} cannot be cast to {}", Quoted(expr->type()), Quoted(type));
  std::string_view kind = "CAST_WITHOUT_SUGGESTION";
  if (std::string_view functions = CastSuggestion(expr->type(), type); !functions.empty()) {
    kind = "CAST_WITH_FUNC_SUGGESTION";
    parameters.emplace_back("functionNames", functions);
    message += fmt::format("; use {}", functions);
  } else if (CastsWithoutAnsi(expr->type(), type)) {
    kind = "CAST_WITH_CONF_SUGGESTION";
    parameters.emplace_back("config", "\"spark.sql.ansi.enabled\"");
    parameters.emplace_back("configVal", "'false'");
  }
  return CompleteMismatch(Mismatch(kind, std::move(parameters), std::move(message)), sql);
}

/// A name that stands for a column or its members keeps its last part.
std::optional<std::string> OwnName(const unresolved::Expr& expr) {
  if (const auto* written = std::get_if<unresolved::Written>(&expr.node)) return OwnName(*written->input);
  if (const auto* attribute = std::get_if<unresolved::Attribute>(&expr.node)) return attribute->parts.back();
  const auto* access = std::get_if<unresolved::FieldAccess>(&expr.node);
  if (access != nullptr && OwnName(*access->input)) return access->field;
  return std::nullopt;
}

/// A literal in place of its cast; null if it cannot be computed here. Spark calls it nullable as it would
/// the cast.
ExprPtr FoldedCast(const ExprPtr& expr, const Type& type, std::string shown, const Context& context) {
  const Scalar* literal = expr->As<Scalar>();
  std::optional<Scalar> value =
      literal == nullptr ? std::nullopt : CastLiteral(*literal, type, context.settings);
  if (!value) return nullptr;
  return std::make_shared<const Expr>(*std::move(value), type, CastForcesNullable(expr->type(), type),
                                      std::move(shown));
}

}  // namespace

Result<ExprPtr> ResolveExpression(const unresolved::Expr& expr, const Names& names, Context& context) {
  auto resolved = std::visit(Resolver{names, context}, expr.node);
  if (!resolved) return std::move(resolved).error().WithSpan(expr.span, context.text);
  return resolved;
}

Result<ExprPtr> ResolveCondition(const unresolved::Expr& expr, const Names& names, Context& context,
                                 std::string_view clause) {
  WEIR_TRY(ExprPtr condition, ResolveExpression(expr, names, context));
  if (condition->type().kind() == TypeKind::kBoolean) return condition;
  std::string shown = QuoteSql(PrettySql(*condition)), type = Quoted(condition->type());
  std::string message = fmt::format("the {} condition {} has type {}, not \"BOOLEAN\"", clause, shown, type);
  if (clause == "join") {
    return Condition("JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE", "42K0E",
                     {{"joinCondition", shown}, {"conditionType", type}}, std::move(message));
  }
  return Condition("DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "42K09",
                   {{"sqlExpr", shown}, {"filter", shown}, {"type", type}}, std::move(message));
}

std::string OutputName(const unresolved::Expr& item, const Expr& resolved) {
  bool value = resolved.As<Scalar>() != nullptr || resolved.As<Cast>() != nullptr;
  if (value && std::holds_alternative<unresolved::Attribute>(item.node) && resolved.text().ends_with("()")) {
    return resolved.text();  // current_date and its like.
  }
  if (std::optional<std::string> own = OwnName(item)) return *own;
  // A cast of a column keeps the column's name.
  const Cast* cast = resolved.As<Cast>();
  const ColumnRef* column = cast == nullptr ? nullptr : cast->input->As<ColumnRef>();
  if (column != nullptr && resolved.text().empty()) return column->name;
  return PrettySql(resolved);
}

std::string MetadataOfUnnamed(const Expr& resolved) {
  const Expr* named = &resolved;
  if (const Cast* cast = named->As<Cast>()) named = cast->input.get();
  const bool is_cast = named != &resolved;
  if (named->As<ColumnRef>() != nullptr || (!is_cast && named->As<Scalar>() != nullptr)) return {};
  // A chain of members and items down to a column.
  while (!is_cast) {
    const GetField* member = named->As<GetField>();
    const Call* item = named->As<Call>();
    if (member != nullptr) {
      named = member->input.get();
    } else if (item != nullptr && item->function->name == "[]") {
      named = item->args[0].get();
    } else {
      break;
    }
    if (named->As<ColumnRef>() != nullptr) return {};
  }
  return R"({"__autoGeneratedAlias":"true"})";
}

ExprPtr ShownAs(const ExprPtr& expr, std::string text) {
  return std::make_shared<const Expr>(expr->node(), expr->type(), expr->nullable(), std::move(text));
}

ExprPtr Coerce(const ExprPtr& expr, const Type& type, const Context& context) {
  if (SameShape(expr->type(), type)) return expr;
  if (expr->As<Scalar>() != nullptr) {
    if (ExprPtr folded = FoldedCast(expr, type, PrettySql(*expr), context)) return folded;
  }
  Cast cast{expr, context.settings.semantics.ansi ? CastMode::kAnsi : CastMode::kLegacy, true};
  bool nullable = expr->nullable() || CastForcesNullable(expr->type(), type);
  return std::make_shared<const Expr>(std::move(cast), type, nullable);
}

Result<ExprPtr> ExplicitCast(const ExprPtr& expr, const Type& type, bool is_try, const Context& context) {
  if (!CanCast(expr->type(), type)) {
    std::string sql = PrettySql(*expr);
    if (!type.is_nested()) sql = fmt::format("{}CAST({} AS {})", is_try ? "TRY_" : "", sql, type.ToSql());
    return CannotCast(expr, type, std::move(sql));
  }
  if (expr->As<Scalar>() != nullptr) {
    std::string_view name = is_try ? "TRY_CAST" : "CAST";
    std::string shown = fmt::format("{}({} AS {})", name, PrettySql(*expr), type.ToSql());
    if (ExprPtr folded = FoldedCast(expr, type, std::move(shown), context)) return folded;
  }
  CastMode mode = context.settings.semantics.ansi ? CastMode::kAnsi : CastMode::kLegacy;
  Cast cast{expr, is_try ? CastMode::kTry : mode, false};
  bool may_fail = is_try ? !AlwaysSucceeds(expr->type(), type) : CastForcesNullable(expr->type(), type);
  bool nullable = expr->nullable() || may_fail;
  return std::make_shared<const Expr>(std::move(cast), type, nullable);
}

Result<ExprPtr> CastToCondition(const ExprPtr& expr, const Context& context) {
  const Type boolean = Type::Boolean();
  if (expr->type() == boolean) return expr;
  if (!CanCast(expr->type(), boolean)) return CannotCast(expr, boolean, PrettySql(*expr));
  return ExplicitCast(expr, boolean, false, context);
}

Result<ExprPtr> MakeCase(std::vector<std::pair<ExprPtr, ExprPtr>> branches, ExprPtr otherwise,
                         const Context& context) {
  std::vector<Type> types;
  for (const auto& [condition, value] : branches) types.push_back(value->type());
  if (otherwise) types.push_back(otherwise->type());
  Case node;
  for (auto& [condition, value] : branches) node.branches.push_back({condition, value});
  node.otherwise = otherwise ? otherwise : MakeLiteral(Scalar::Null(types[0]));
  std::string shown = PrettySql(Expr(node, Type::Void(), true));
  for (size_t i = 0; i < branches.size(); ++i) {
    const ExprPtr& condition = node.branches[i].condition;
    if (condition->type().kind() == TypeKind::kBoolean) continue;
    Argument argument{condition->type(), condition->nullable(), condition.get()};
    return CompleteMismatch(UnexpectedInputType(i * 2, "\"BOOLEAN\"", argument), shown);
  }
  std::optional<Type> common = WiderTypeOf(types, RulesOf(context.settings.semantics));
  if (!common) {
    std::string list = "[";
    for (size_t i = 0; i < types.size(); ++i) list += (i == 0 ? "" : ", ") + Quoted(types[i]);
    return CompleteMismatch(ArgumentsDiffer("casewhen", list + "]"), shown);
  }
  bool nullable = otherwise == nullptr;
  for (Case::Branch& branch : node.branches) {
    branch.value = Coerce(branch.value, *common, context);
    nullable = nullable || branch.value->nullable();
  }
  if (otherwise) {
    // A written ELSE NULL stays a cast, which tells it from a missing one.
    node.otherwise = Coerce(otherwise, *common, context);
    nullable = nullable || node.otherwise->nullable();
  } else {
    node.otherwise = MakeLiteral(Scalar::Null(*common));
  }
  return std::make_shared<const Expr>(std::move(node), *common, nullable);
}

}  // namespace weir::analyze
