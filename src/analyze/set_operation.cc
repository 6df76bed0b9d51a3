#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/frame.h"
#include "analyze/query.h"
#include "expr/coercion.h"
#include "expr/mismatch.h"
#include "expr/signature.h"

namespace weir::analyze {
namespace {

std::string_view NameOf(unresolved::SetOpKind kind) {
  switch (kind) {
    case unresolved::SetOpKind::kUnion:
      return "UNION";
    case unresolved::SetOpKind::kIntersect:
      return "INTERSECT";
    case unresolved::SetOpKind::kExcept:
      return "EXCEPT";
  }
  return {};
}

std::string Ordinal(size_t index) {
  constexpr std::string_view kWords[] = {"first", "second", "third", "fourth"};
  return index < std::size(kWords) ? std::string(kWords[index]) : fmt::format("{}th", index + 1);
}

/// The plan with its columns cast to the types, in place.
plan::NodePtr CastColumns(const plan::NodePtr& input, const std::vector<Type>& types, Context& context) {
  plan::Project project;
  std::vector<plan::Column> output;
  bool changed = false;
  for (size_t i = 0; i < types.size(); ++i) {
    plan::Column column = input->output[i];
    ExprPtr expr = Coerce(plan::ColumnExpr(column), types[i], context);
    if (expr->As<Cast>() != nullptr) {
      column = {context.ids.Next(), column.name, types[i], expr->nullable()};
      changed = true;
    }
    project.exprs.push_back(std::move(expr));
    output.push_back(std::move(column));
  }
  return changed ? plan::MakeNode(std::move(project), {input}, std::move(output)) : input;
}

Result<std::vector<Type>> CommonTypes(const plan::Node& left, const plan::Node& right, std::string_view name,
                                      const Context& context) {
  std::vector<Type> types;
  for (size_t i = 0; i < left.output.size(); ++i) {
    std::optional<Type> type =
        WiderType(left.output[i].type, right.output[i].type, RulesOf(context.settings.semantics));
    if (!type) {
      return Condition("INCOMPATIBLE_COLUMN_TYPE", "42825",
                       {{"tableOrdinalNumber", "second"},
                        {"columnOrdinalNumber", Ordinal(i)},
                        {"dataType2", Quoted(left.output[i].type)},
                        {"operator", std::string(name)},
                        {"hint", ""},
                        {"dataType1", Quoted(right.output[i].type)}},
                       fmt::format("{}: the {} columns have types {} and {}, which do not meet", name,
                                   Ordinal(i), Quoted(left.output[i].type), Quoted(right.output[i].type)));
    }
    types.push_back(*std::move(type));
  }
  return types;
}

plan::SetOpKind PlanKind(const unresolved::SetOperation& operation) {
  switch (operation.kind) {
    case unresolved::SetOpKind::kUnion:
      return plan::SetOpKind::kUnionAll;
    case unresolved::SetOpKind::kIntersect:
      return operation.all ? plan::SetOpKind::kIntersectAll : plan::SetOpKind::kIntersect;
    case unresolved::SetOpKind::kExcept:
      return operation.all ? plan::SetOpKind::kExceptAll : plan::SetOpKind::kExcept;
  }
  return plan::SetOpKind::kUnionAll;
}

bool Nullable(unresolved::SetOpKind kind, bool left, bool right) {
  if (kind == unresolved::SetOpKind::kUnion) return left || right;
  return kind == unresolved::SetOpKind::kIntersect ? left && right : left;
}

}  // namespace

Result<Query> ResolveSetOperation(const unresolved::SetOperation& operation, const Environment& environment,
                                  Context& context) {
  WEIR_TRY(Query left, ResolveQuery(*operation.left, environment, context));
  WEIR_TRY(Query right, ResolveQuery(*operation.right, environment, context));
  if (operation.by_name) WEIR_DO(AlignByName(left, right, operation.allow_missing, context));
  std::string_view name = NameOf(operation.kind);
  size_t width = left.plan->output.size(), other = right.plan->output.size();
  if (width != other) {
    return Condition(
        "NUM_COLUMNS_MISMATCH", "42826",
        {{"operator", std::string(name)},
         {"firstNumColumns", std::to_string(width)},
         {"invalidOrdinalNum", "second"},
         {"invalidNumColumns", std::to_string(other)}},
        fmt::format("{} needs as many columns on both sides, found {} and {}", name, width, other));
  }
  if (operation.kind != unresolved::SetOpKind::kUnion || !operation.all)
    WEIR_DO(CheckComparable(left.plan->output));
  WEIR_TRY(std::vector<Type> types, CommonTypes(*left.plan, *right.plan, name, context));
  std::vector<plan::NodePtr> inputs = {CastColumns(left.plan, types, context),
                                       CastColumns(right.plan, types, context)};
  std::vector<plan::Column> output;
  for (size_t i = 0; i < width; ++i) {
    bool nullable = Nullable(operation.kind, inputs[0]->output[i].nullable, inputs[1]->output[i].nullable);
    output.push_back({context.ids.Next(), left.plan->output[i].name, types[i], nullable});
  }
  Scope scope = ScopeOf(output, {});
  std::map<ColumnId, std::vector<ColumnId>> renamed;
  for (size_t i = 0; i < width; ++i) {
    scope.columns[i].qualifier = left.scope.columns[i].qualifier;
    renamed[left.plan->output[i].id].push_back(output[i].id);
  }
  scope.origins = PassedOn(left.scope.origins, renamed);
  plan::NodePtr node = plan::MakeNode(plan::SetOperation{PlanKind(operation)}, std::move(inputs), output);
  if (operation.kind == unresolved::SetOpKind::kUnion && !operation.all) {
    node = plan::MakeNode(plan::Distinct{}, {std::move(node)}, std::move(output));
  }
  return Query{std::move(node), std::move(scope)};
}

}  // namespace weir::analyze
