#include "analyze/generator.h"

#include <algorithm>

#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

const Function* GeneratorFunction(const unresolved::Name& name) {
  const Function* function = name.size() == 1 ? FindFunction(name[0]) : nullptr;
  const bool generates = function != nullptr && function->kind == FunctionKind::kGenerator;
  return generates ? function : nullptr;
}

Status CheckGenerator(const unresolved::Name& name) {
  if (GeneratorFunction(name) != nullptr) return {};
  const std::string quoted = QuoteName(name);
  if (FindFunction(name.back()) == nullptr) {
    return Condition("ROUTINE_NOT_FOUND", "42883", {{"routineName", quoted}},
                     fmt::format("there is no function {}", quoted));
  }
  return Condition("UNSUPPORTED_GENERATOR.NOT_GENERATOR", "42K0E", {{"functionName", quoted}},
                   fmt::format("{} is no function that makes rows", quoted));
}

Status CheckLocal(const Generator& generator, const Environment& environment) {
  if (environment.outer_used == nullptr) return {};
  for (ColumnId id : ColumnsOf(*generator.call)) {
    if (std::ranges::find(*environment.outer_used, id) == environment.outer_used->end()) continue;
    return Condition("UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_REFERENCE", "0A000",
                     {{"sqlExprs", QuoteSql(PrettySql(*generator.call))}},
                     "LATERAL VIEW in a subquery cannot read columns of the enclosing query");
  }
  return {};
}

Status CheckNoAggregate(const Generator& generator) {
  if (!HasAggregate(*generator.call)) return {};
  const std::string shown = QuoteSql(PrettySql(*generator.call->As<Call>()->args[0]));
  return Condition("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", {{"invalidExprSqls", shown}},
                   fmt::format("a generator of FROM cannot hold aggregate functions: {}", shown));
}

}  // namespace

bool IsGenerator(const unresolved::Expr& expr) {
  const auto* call = std::get_if<unresolved::Call>(&expr.node);
  return call != nullptr && GeneratorFunction(call->name) != nullptr;
}

Result<Generator> ResolveGenerator(const unresolved::Call& call, const std::vector<std::string>& columns,
                                   const Names& names, Context& context) {
  Generator generator;
  const std::vector<NamedExpr> none;
  Names inside = names;
  if (inside.laterals == nullptr) inside.laterals = &none;
  WEIR_TRY(generator.call, ResolveGeneratorCall(call, inside, context));
  generator.outer = generator.call->As<Call>()->function->name.ends_with("_outer");
  const std::vector<Field>& fields = generator.call->type().fields();
  if (!columns.empty() && columns.size() != fields.size()) {
    return Condition("UDTF_ALIAS_NUMBER_MISMATCH", "42802",
                     {{"aliasesSize", std::to_string(fields.size())},
                      {"aliasesNames", fmt::format("{}", fmt::join(columns, ","))}},
                     fmt::format("{} names for {} columns of a generator", columns.size(), fields.size()));
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    generator.columns.push_back({context.ids.Next(), columns.empty() ? fields[i].name : columns[i],
                                 fields[i].type, !fields[i].required});
  }
  return generator;
}

plan::NodePtr MakeGenerate(plan::NodePtr input, const Generator& generator) {
  std::vector<plan::Column> output = input->output;
  output.insert(output.end(), generator.columns.begin(), generator.columns.end());
  return plan::MakeNode(plan::Generate{generator.call, generator.outer}, {std::move(input)},
                        std::move(output));
}

Result<Query> ResolveLateralView(const unresolved::LateralView& view, const Environment& environment,
                                 Context& context) {
  WEIR_TRY(Query query, ResolveRelation(*view.input, environment, context));
  Names names;
  names.scopes = {&query.scope};
  names.environment = environment;
  const auto& call = std::get<unresolved::Call>(view.generator->node);
  WEIR_DO(CheckGenerator(call.name));
  WEIR_TRY(Generator generator, ResolveGenerator(call, view.columns, names, context));
  WEIR_DO(CheckNoAggregate(generator));
  WEIR_DO(CheckLocal(generator, environment));
  if (view.outer) {
    generator.outer = true;
    for (plan::Column& column : generator.columns) column.nullable = true;
  }
  const unresolved::Name qualifier = view.name.empty() ? unresolved::Name() : unresolved::Name{view.name};
  for (const plan::Column& column : generator.columns)
    query.scope.columns.push_back({column, qualifier, ScopeColumn::Visibility::kVisible});
  query.plan = MakeGenerate(std::move(query.plan), generator);
  return query;
}

Result<Query> ResolveGeneratorTable(const unresolved::TableFunction& function, const Environment& environment,
                                    Context& context) {
  Names names;
  names.environment = environment;
  const unresolved::Call call{.name = function.name, .args = function.args, .filter = {}};
  WEIR_TRY(const Generator generator, ResolveGenerator(call, {}, names, context));
  WEIR_DO(CheckNoAggregate(generator));
  plan::NodePtr row = plan::MakeNode(plan::Values{{{}}}, {}, {});
  return Query{MakeGenerate(std::move(row), generator), ScopeOf(generator.columns, {})};
}

}  // namespace weir::analyze
