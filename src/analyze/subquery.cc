#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/query.h"
#include "expr/coercion.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"
#include "expr/signature.h"

namespace weir::analyze {
namespace {

/// A plan whose only column has the type.
plan::NodePtr CastColumn(const plan::NodePtr& input, const Type& type, Context& context) {
  const plan::Column& column = input->output[0];
  if (SameShape(column.type, type)) return input;
  ExprPtr cast = Coerce(plan::ColumnExpr(column), type, context);
  return plan::MakeProject(input, {cast}, {column.name}, context.ids);
}

Result<ExprPtr> InSubquery(const unresolved::Subquery& written, Subquery subquery, const Names& names,
                           Context& context) {
  if (written.values.size() != subquery.plan->output.size()) {
    std::string left, right;
    for (size_t i = 0; i < written.values.size(); ++i) {
      WEIR_TRY(ExprPtr value, ResolveExpression(*written.values[i], names, context));
      left += (i == 0 ? "" : ", ") + QuoteSql(PrettySql(*value));
    }
    for (size_t i = 0; i < subquery.plan->output.size(); ++i) {
      right += (i == 0 ? "" : ", ") + QuoteSql(subquery.plan->output[i].name);
    }
    std::string value = left;
    std::erase(value, '"');
    return CompleteMismatch(Mismatch("IN_SUBQUERY_LENGTH_MISMATCH",
                                     {{"leftLength", std::to_string(written.values.size())},
                                      {"rightLength", std::to_string(subquery.plan->output.size())},
                                      {"leftColumns", left},
                                      {"rightColumns", right}},
                                     fmt::format("IN compares {} columns with {}", written.values.size(),
                                                 subquery.plan->output.size())),
                            fmt::format("({} IN (listquery()))", value));
  }
  if (written.values.size() > 1)
    return Unsupported("IN over several columns with a subquery is not implemented");
  WEIR_TRY(ExprPtr value, ResolveExpression(*written.values[0], names, context));
  const Type& column = subquery.plan->output[0].type;
  std::optional<Type> common = WiderType(value->type(), column, RulesOf(context.settings.semantics));
  if (!common || !IsOrderable(*common)) {
    return CompleteMismatch(
        Mismatch("IN_SUBQUERY_DATA_TYPE_MISMATCH",
                 {{"mismatchedColumns",
                   fmt::format("(\"{}:{}\", \"{}:{}\")", PrettySql(*value), value->type().ToString(),
                               subquery.plan->output[0].name, column.ToString())},
                  {"leftType", Quoted(value->type())},
                  {"rightType", Quoted(column)}},
                 fmt::format("IN cannot compare {} with {}", Quoted(value->type()), Quoted(column))),
        fmt::format("({} IN (listquery()))", PrettySql(*value)));
  }
  subquery.value = Coerce(value, *common, context);
  subquery.plan = CastColumn(subquery.plan, *common, context);
  bool nullable = subquery.value->nullable() || subquery.plan->output[0].nullable;
  return std::make_shared<const Expr>(std::move(subquery), Type::Boolean(), nullable);
}

/// The columns of enclosing queries that a subquery uses, by name.
std::string OuterNames(const std::vector<ColumnId>& ids, const Names& names) {
  std::string text;
  for (ColumnId id : ids) {
    for (const Scope* scope : names.scopes) {
      for (const ScopeColumn& column : scope->columns) {
        if (column.column.id == id) text += (text.empty() ? "" : ", ") + column.column.name;
      }
    }
  }
  return text;
}

/// Whether the expression is a column of `outer` or a member of one.
bool IsOuter(const Expr& expr, const std::vector<ColumnId>& outer) {
  if (const GetField* get = expr.As<GetField>()) return IsOuter(*get->input, outer);
  const ColumnRef* column = expr.As<ColumnRef>();
  return column != nullptr && std::ranges::find(outer, column->id) != outer.end();
}

bool IsBlindToSignsOfZero(const Call& call) {
  constexpr std::string_view kNames[] = {"=",  "<=>", "<",      "<=",        ">",
                                         ">=", "in",  "isnull", "isnotnull", "isnan"};
  return std::ranges::find(kNames, call.function->name) != std::end(kNames);
}

/// The executor computes a subquery once for outer rows with equal values. -0.0 equals 0.0 but is another
/// value to all but comparisons.
Status CheckOuterZeros(const Expr& expr, const std::vector<ColumnId>& outer, bool only_compared) {
  if (IsOuter(expr, outer)) {
    if (only_compared || !expr.type().holds_floating()) return {};
    return Unsupported("{} of the query around a subquery is floating and can only be compared inside it",
                       PrettySql(expr));
  }
  bool compared = false;
  if (const Call* call = expr.As<Call>()) compared = IsBlindToSignsOfZero(*call);
  // Numbers other than floating ones have one zero; text, also inside of structs, shows the sign.
  if (expr.As<Cast>() != nullptr) {
    const Type& to = expr.type();
    compared = to.is_floating() ? only_compared : !to.is_nested() && to.kind() != TypeKind::kString;
  }
  for (const ExprPtr& child : Children(expr)) WEIR_DO(CheckOuterZeros(*child, outer, compared));
  return {};
}

Status CheckOuterZeros(const plan::Node& node, const std::vector<ColumnId>& outer) {
  for (const ExprPtr& expr : plan::ExprsOf(node)) WEIR_DO(CheckOuterZeros(*expr, outer, false));
  for (const plan::NodePtr& input : node.inputs) WEIR_DO(CheckOuterZeros(*input, outer));
  return {};
}

}  // namespace

Result<ExprPtr> ResolveSubquery(const unresolved::Subquery& written, const Names& names, Context& context) {
  Subquery subquery;
  Environment inside;
  inside.common = names.environment.common;
  inside.outer = &names;
  inside.outer_used = &subquery.outer;
  WEIR_TRY(Query query, ResolveQuery(*written.query, inside, context));
  subquery.plan = std::move(query.plan);
  if (!subquery.outer.empty()) WEIR_DO(CheckOuterZeros(*subquery.plan, subquery.outer));
  switch (written.kind) {
    case unresolved::SubqueryKind::kExists:
      subquery.kind = SubqueryKind::kExists;
      return std::make_shared<const Expr>(std::move(subquery), Type::Boolean(), false);
    case unresolved::SubqueryKind::kIn:
      subquery.kind = SubqueryKind::kIn;
      return InSubquery(written, std::move(subquery), names, context);
    case unresolved::SubqueryKind::kScalar:
      break;
  }
  subquery.kind = SubqueryKind::kScalar;
  if (subquery.plan->output.size() != 1) {
    std::string count = std::to_string(subquery.plan->output.size());
    return Condition("INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN",
                     "42823", {{"number", count}},
                     fmt::format("a subquery that stands for a value has one column, found {}", count));
  }
  Type type = subquery.plan->output[0].type;
  std::string shown = fmt::format("scalarsubquery({})", OuterNames(subquery.outer, names));
  return std::make_shared<const Expr>(std::move(subquery), std::move(type), true, std::move(shown));
}

}  // namespace weir::analyze
