#include "analyze/expression.h"

#include <algorithm>

#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/query.h"
#include "expr/coercion.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

using unresolved::Name;

/// Functions that Spark calls without parentheses, where no column has the name.
bool IsKeywordFunction(const Name& name) {
  if (name.size() != 1) return false;
  std::string lower = LowerName(name[0]);
  return lower == "current_date" || lower == "current_timestamp" || lower == "localtimestamp";
}

struct Resolver {
  const Names& names;
  Context& context;

  Result<ExprPtr> operator()(const unresolved::Literal& literal) const {
    ExprPtr expr = MakeLiteral(literal.value);
    return literal.text.empty() ? expr : ShownAs(expr, literal.text);
  }

  Result<ExprPtr> operator()(const unresolved::Attribute& attribute) const {
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

  Result<ExprPtr> operator()(const unresolved::Alias& alias) const {
    return ResolveExpression(*alias.input, names, context);
  }

  Result<ExprPtr> operator()(const unresolved::DefaultValue&) const {
    return Condition("DEFAULT_PLACEMENT_INVALID", "42608", {},
                     "DEFAULT stands alone for a value of INSERT, UPDATE or MERGE, not inside an expression");
  }
};

/// Functions that Spark proposes for casts it does not allow.
std::string_view CastSuggestion(const Type& from, const Type& to) {
  if (from.is_integral() && to.kind() == TypeKind::kDate) return "`DATE_FROM_UNIX_DATE`";
  if (from.kind() == TypeKind::kDate && to.is_numeric()) return "`UNIX_DATE`";
  if (from.kind() == TypeKind::kTimestampNtz && to.is_numeric()) return "";
  return "";
}

Error CannotCast(const ExprPtr& expr, const Type& type) {
  std::string sql = fmt::format("CAST({} AS {})", PrettySql(*expr), type.ToSql());
  Parameters parameters = {{"srcType", Quoted(expr->type())}, {"targetType", Quoted(type)}};
  std::string message = fmt::format("{} cannot be cast to {}", Quoted(expr->type()), Quoted(type));
  std::string_view functions = CastSuggestion(expr->type(), type);
  if (functions.empty()) {
    return CompleteMismatch(Mismatch("CAST_WITHOUT_SUGGESTION", std::move(parameters), std::move(message)),
                            sql);
  }
  parameters.emplace_back("functionNames", functions);
  message += fmt::format("; use {}", functions);
  return CompleteMismatch(Mismatch("CAST_WITH_FUNC_SUGGESTION", std::move(parameters), std::move(message)),
                          sql);
}

/// A column, member or alias: what has a name of its own.
bool IsNamed(const unresolved::Expr& expr) {
  return std::holds_alternative<unresolved::Attribute>(expr.node) ||
         std::holds_alternative<unresolved::FieldAccess>(expr.node);
}

std::optional<std::string> OwnName(const unresolved::Expr& expr) {
  if (const auto* attribute = std::get_if<unresolved::Attribute>(&expr.node)) return attribute->parts.back();
  if (const auto* access = std::get_if<unresolved::FieldAccess>(&expr.node)) return access->field;
  return std::nullopt;
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
  TypeKind kind = condition->type().kind();
  if (kind == TypeKind::kBoolean) return condition;
  if (kind == TypeKind::kString || kind == TypeKind::kVoid)
    return Coerce(condition, Type::Boolean(), context);
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
  if (std::optional<std::string> own = OwnName(item)) return *own;
  // A cast of a column keeps the column's name; so does a function that is only a cast.
  if (const Cast* cast = resolved.As<Cast>(); cast != nullptr && !cast->implicit) {
    const unresolved::Expr* input = nullptr;
    if (const auto* node = std::get_if<unresolved::Cast>(&item.node)) input = node->input.get();
    const auto* call = std::get_if<unresolved::Call>(&item.node);
    if (call != nullptr && call->args.size() == 1 && resolved.text().empty()) input = call->args[0].get();
    if (input != nullptr && (IsNamed(*input) || std::holds_alternative<unresolved::Cast>(input->node))) {
      return OutputName(*input, *cast->input);
    }
  }
  return PrettySql(resolved);
}

ExprPtr ShownAs(const ExprPtr& expr, std::string text) {
  return std::make_shared<const Expr>(expr->node(), expr->type(), expr->nullable(), std::move(text));
}

ExprPtr Coerce(const ExprPtr& expr, const Type& type, const Context& context) {
  if (SameShape(expr->type(), type)) return expr;
  Cast cast{expr, context.settings.semantics.ansi ? CastMode::kAnsi : CastMode::kLegacy, true};
  bool nullable = expr->nullable() || CastForcesNullable(expr->type(), type);
  return std::make_shared<const Expr>(std::move(cast), type, nullable);
}

Result<ExprPtr> ExplicitCast(const ExprPtr& expr, const Type& type, bool is_try, const Context& context) {
  if (!CanCast(expr->type(), type)) return CannotCast(expr, type);
  CastMode mode = context.settings.semantics.ansi ? CastMode::kAnsi : CastMode::kLegacy;
  Cast cast{expr, is_try ? CastMode::kTry : mode, false};
  bool nullable = is_try || expr->nullable() || CastForcesNullable(expr->type(), type);
  return std::make_shared<const Expr>(std::move(cast), type, nullable);
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
  std::optional<Type> common = WiderTypeOf(types);
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
