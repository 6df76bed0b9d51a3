#include "analyze/frame.h"

#include <algorithm>
#include <set>

#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/query.h"
#include "base/ascii.h"
#include "expr/coercion.h"
#include "expr/mismatch.h"
#include "type/batch.h"

namespace weir::analyze {
namespace {

/// One column of the result: an expression over the input and the name it gets.
struct Item {
  std::string name;
  ExprPtr expr;
  unresolved::Name qualifier = {};
  std::string metadata = {};  ///< As in plan::Column.
};

Names NamesOver(const Scope& scope, const Environment& environment) {
  Names names;
  names.scopes = {&scope};
  names.environment = environment;
  return names;
}

/// The input's visible columns as they are.
std::vector<Item> ItemsOf(const Query& query) {
  std::vector<Item> items;
  for (const ScopeColumn& column : query.scope.columns) {
    items.push_back(
        {column.column.name, plan::ColumnExpr(column.column), column.qualifier, column.column.metadata});
  }
  return items;
}

/// A projection to the items. Columns that are passed on keep their ids.
Query Projected(Query input, std::vector<Item> items, Context& context) {
  plan::Project project;
  std::vector<plan::Column> output;
  Scope scope;
  std::set<ColumnId> given;
  std::map<ColumnId, std::vector<ColumnId>> kept;
  for (Item& item : items) {
    const ColumnRef* passed = item.expr->As<ColumnRef>();
    const bool keeps = passed != nullptr && given.insert(passed->id).second;
    plan::Column column{keeps ? passed->id : context.ids.Next(), item.name, item.expr->type(),
                        item.expr->nullable(), std::move(item.metadata)};
    // A column under another name is another column.
    if (keeps && passed->name == item.name) kept[column.id].push_back(column.id);
    output.push_back(column);
    scope.columns.push_back({std::move(column), std::move(item.qualifier)});
    project.exprs.push_back(std::move(item.expr));
  }
  scope.origins = PassedOn(input.scope.origins, kept);
  return {plan::MakeNode(std::move(project), {std::move(input.plan)}, std::move(output)), std::move(scope)};
}

Error NotAmongFields(const std::string& name, const Query& query) {
  std::vector<std::string> fields;
  for (const ScopeColumn& column : query.scope.columns) fields.push_back(column.column.name);
  return Condition(
      "_LEGACY_ERROR_TEMP_1201", "",
      {{"colName", name}, {"fieldNames", fmt::format("{}", fmt::join(fields, ", "))}},
      fmt::format("there is no column {}; columns are {}", QuoteName({name}), QuoteNames(fields)));
}

/// Errors: COLUMN_ALREADY_EXISTS for a name that comes twice.
Status CheckDistinct(const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (seen.insert(AsciiLower(name)).second) continue;
    const std::string quoted = QuoteName({AsciiLower(name)});
    return Condition("COLUMN_ALREADY_EXISTS", "42711", {{"columnName", quoted}},
                     fmt::format("{} is there twice; choose another name or rename the column", quoted));
  }
  return {};
}

std::vector<std::string> NamesOf(const Query& query) {
  std::vector<std::string> names;
  for (const ScopeColumn& column : query.scope.columns) names.push_back(column.column.name);
  return names;
}

/// Positions of the columns with one of the names; all if there are no names.
Result<std::vector<size_t>> Positions(const std::vector<std::string>& names, const Query& query) {
  std::vector<size_t> positions;
  const std::vector<ScopeColumn>& columns = query.scope.columns;
  if (names.empty()) {
    for (size_t i = 0; i < columns.size(); ++i) positions.push_back(i);
    return positions;
  }
  for (const std::string& name : names) {
    const size_t before = positions.size();
    for (size_t i = 0; i < columns.size(); ++i) {
      if (EqualsIgnoringAsciiCase(columns[i].column.name, name)) positions.push_back(i);
    }
    if (positions.size() == before) return UnresolvedColumn({name}, query.scope.Candidates());
  }
  return positions;
}

bool IsFloating(const Type& type) {
  return type.kind() == TypeKind::kFloat || type.kind() == TypeKind::kDouble;
}

/// Whether na.fill and na.replace look at a column for a value: numbers, texts and booleans keep apart.
bool SameKind(const Type& column, const Type& value) {
  if (value.is_numeric()) return column.is_numeric();
  return column.kind() == value.kind();
}

Result<ExprPtr> Filled(const ExprPtr& column, const Scalar& value, Context& context) {
  WEIR_TRY(ExprPtr filler, ExplicitCast(MakeLiteral(value), column->type(), false, context));
  ExprPtr input = column;
  if (IsFloating(column->type())) {
    WEIR_TRY(input, MakeCall("nanvl", {column, MakeLiteral(Scalar::Null(column->type()))}, context));
  }
  return MakeCall("coalesce", {std::move(input), std::move(filler)}, context);
}

/// True where the value is neither NULL nor NaN.
Result<ExprPtr> HasValue(const ExprPtr& column, Context& context) {
  WEIR_TRY(ExprPtr present, MakeCall("isnotnull", {column}, context));
  if (!IsFloating(column->type())) return present;
  WEIR_TRY(ExprPtr nan, MakeCall("isnan", {column}, context));
  WEIR_TRY(ExprPtr number, MakeCall("not", {std::move(nan)}, context));
  return MakeCall("and", {std::move(present), std::move(number)}, context);
}

}  // namespace

Result<Query> ResolveFrame(const unresolved::LocalRows& rows, const Environment&, Context& context) {
  plan::LocalRows scan{rows.batches, {}};
  std::vector<plan::Column> output;
  for (const Field& field : rows.columns) {
    scan.columns.push_back(static_cast<int32_t>(scan.columns.size()));
    output.push_back({context.ids.Next(), field.name, field.type, !field.required});
  }
  Scope scope = ScopeOf(output, {});
  return Query{plan::MakeNode(std::move(scan), {}, std::move(output)), std::move(scope)};
}

Result<Query> ResolveFrame(const unresolved::WithColumns& node, const Environment& environment,
                           Context& context) {
  WEIR_TRY(Query input, ResolveQuery(*node.input, environment, context));
  std::vector<std::string> names;
  for (const auto& [name, expr] : node.columns) names.push_back(name);
  WEIR_DO(CheckDistinct(names));
  std::vector<Item> items = ItemsOf(input);
  std::vector<Item> added;
  for (const auto& [name, written] : node.columns) {
    WEIR_TRY(ExprPtr expr, ResolveExpression(*written, NamesOver(input.scope, environment), context));
    if (HasAggregate(*expr)) {
      return Unsupported("an aggregate function in withColumn({}) is not implemented", QuoteName({name}));
    }
    bool replaced = false;
    for (size_t i = 0; i < input.scope.columns.size(); ++i) {
      if (!EqualsIgnoringAsciiCase(input.scope.columns[i].column.name, name)) continue;
      items[i] = {name, expr};
      replaced = true;
    }
    if (!replaced) added.push_back({name, std::move(expr)});
  }
  std::ranges::move(added, std::back_inserter(items));
  return Projected(std::move(input), std::move(items), context);
}

Result<Query> ResolveFrame(const unresolved::RenameColumns& node, const Environment& environment,
                           Context& context) {
  WEIR_TRY(Query input, ResolveQuery(*node.input, environment, context));
  std::vector<Item> items = ItemsOf(input);
  for (const auto& [from, to] : node.renames) {
    for (Item& item : items) {
      if (EqualsIgnoringAsciiCase(item.name, from)) item.name = to;
    }
  }
  return Projected(std::move(input), std::move(items), context);
}

Result<Query> ResolveFrame(const unresolved::DropColumns& node, const Environment& environment,
                           Context& context) {
  WEIR_TRY(Query input, ResolveQuery(*node.input, environment, context));
  std::set<ColumnId> dropped;
  for (const unresolved::ExprPtr& column : node.columns) {
    auto expr = ResolveExpression(*column, NamesOver(input.scope, environment), context);
    if (!expr && expr.error().code() != ErrorCode::kInvalid) return std::move(expr).error();
    if (!expr) {
      if (expr.error().condition() != nullptr && expr.error().condition()->name == "AMBIGUOUS_REFERENCE") {
        return std::move(expr).error();
      }
      continue;
    }
    if (const ColumnRef* found = (*expr)->As<ColumnRef>()) dropped.insert(found->id);
  }
  std::vector<Item> items = ItemsOf(input);
  std::erase_if(items, [&](const Item& item) {
    return dropped.contains(item.expr->As<ColumnRef>()->id) ||
           std::ranges::any_of(
               node.names, [&](const std::string& name) { return EqualsIgnoringAsciiCase(name, item.name); });
  });
  return Projected(std::move(input), std::move(items), context);
}

Result<Query> ResolveFrame(const unresolved::NameColumns& node, const Environment& environment,
                           Context& context) {
  WEIR_TRY(Query input, ResolveQuery(*node.input, environment, context));
  std::vector<Item> items = ItemsOf(input);
  if (items.size() != node.names.size()) {
    return Condition(
        "ASSIGNMENT_ARITY_MISMATCH", "42802",
        {{"numExpr", std::to_string(node.names.size())}, {"numTarget", std::to_string(items.size())}},
        fmt::format("{} names for {} columns", node.names.size(), items.size()));
  }
  for (size_t i = 0; i < items.size(); ++i) {
    items[i].name = node.names[i];
    items[i].qualifier.clear();
  }
  input.scope.origins.clear();
  return Projected(std::move(input), std::move(items), context);
}

Result<Query> ResolveFrame(const unresolved::Deduplicate& node, const Environment& environment,
                           Context& context) {
  WEIR_TRY(Query input, ResolveQuery(*node.input, environment, context));
  if (node.columns.empty()) {
    WEIR_DO(CheckComparable(input.plan->output));
    input.plan = plan::MakeNode(plan::Distinct{}, {input.plan}, input.plan->output);
    return input;
  }
  std::set<size_t> keys;
  for (const std::string& name : node.columns) {
    auto positions = Positions({name}, input);
    if (!positions) {
      return Condition("INTERNAL_ERROR", "XX000", {},
                       fmt::format("dropDuplicates names no column: {}", name));
    }
    keys.insert(positions->begin(), positions->end());
  }
  // One group per key, the first row's value of every other column.
  plan::Aggregate aggregate;
  std::vector<plan::Column> grouped;
  std::vector<Item> items = ItemsOf(input);
  for (size_t key : keys) {
    aggregate.keys.push_back(items[key].expr);
    grouped.push_back(input.scope.columns[key].column);
  }
  WEIR_DO(CheckComparable(grouped));
  std::map<ColumnId, std::vector<ColumnId>> renamed;
  for (size_t i = 0; i < items.size(); ++i) {
    plan::Column column = input.scope.columns[i].column;
    if (!keys.contains(i)) {
      WEIR_TRY(ExprPtr first, MakeCall("first", {items[i].expr}, context));
      aggregate.aggregates.push_back(std::move(first));
      column.id = context.ids.Next();
      grouped.push_back(column);
      items[i].expr = plan::ColumnExpr(column);
    }
    renamed[input.scope.columns[i].column.id].push_back(column.id);
  }
  input.scope.origins = PassedOn(input.scope.origins, renamed);
  input.plan = plan::MakeNode(std::move(aggregate), {std::move(input.plan)}, std::move(grouped));
  return Projected(std::move(input), std::move(items), context);
}

Result<Query> ResolveFrame(const unresolved::ToSchema& node, const Environment& environment,
                           Context& context) {
  WEIR_TRY(Query input, ResolveQuery(*node.input, environment, context));
  std::vector<Item> items;
  if (node.by_place && node.columns.size() != input.scope.columns.size()) {
    return Condition("INTERNAL_ERROR", "XX000", {},
                     fmt::format("a schema of {} columns for rows of {}", node.columns.size(),
                                 input.scope.columns.size()));
  }
  for (const Field& field : node.columns) {
    std::vector<Scope::Match> matches = input.scope.Find({field.name});
    if (node.by_place) matches = {{&input.scope.columns[items.size()], 1}};
    if (matches.size() > 1) {
      return AmbiguousReference({field.name},
                                std::vector<unresolved::Name>(matches.size(), unresolved::Name{field.name}));
    }
    if (matches.empty()) {
      if (field.required) return UnresolvedColumn({field.name}, input.scope.Candidates());
      items.push_back({field.name, MakeLiteral(Scalar::Null(field.type))});
      continue;
    }
    const plan::Column& column = matches[0].column->column;
    if (column.nullable && field.required) {
      return Condition("NULLABLE_COLUMN_OR_FIELD", "42000", {{"name", QuoteName({field.name})}},
                       fmt::format("{} may be NULL, the schema says it is not", QuoteName({field.name})));
    }
    ExprPtr expr = plan::ColumnExpr(column);
    if (!SameShape(column.type, field.type)) {
      if (!CanStoreAssign(column.type, field.type)) {
        return Condition("INVALID_COLUMN_OR_FIELD_DATA_TYPE", "42000",
                         {{"name", QuoteName({field.name})},
                          {"type", Quoted(column.type)},
                          {"expectedType", Quoted(field.type)}},
                         fmt::format("{} has type {}, the schema says {}", QuoteName({field.name}),
                                     Quoted(column.type), Quoted(field.type)));
      }
      WEIR_TRY(expr, ExplicitCast(expr, field.type, false, context));
    }
    items.push_back({field.name, std::move(expr)});
  }
  return Projected(std::move(input), std::move(items), context);
}

Result<Query> ResolveFrame(const unresolved::FillNulls& node, const Environment& environment,
                           Context& context) {
  WEIR_TRY(Query input, ResolveQuery(*node.input, environment, context));
  std::vector<Item> items = ItemsOf(input);
  const bool paired = node.values.size() > 1;
  WEIR_TRY(const std::vector<size_t> all,
           Positions(paired ? std::vector<std::string>() : node.columns, input));
  if (!paired) {
    for (size_t at : all) {
      if (!SameKind(items[at].expr->type(), node.values[0].type())) continue;
      WEIR_TRY(items[at].expr, Filled(items[at].expr, node.values[0], context));
    }
    return Projected(std::move(input), std::move(items), context);
  }
  for (size_t i = 0; i < node.columns.size(); ++i) {
    WEIR_TRY(const std::vector<size_t> positions, Positions({node.columns[i]}, input));
    for (size_t at : positions) {
      WEIR_TRY(items[at].expr, Filled(items[at].expr, node.values[i], context));
    }
  }
  return Projected(std::move(input), std::move(items), context);
}

Result<Query> ResolveFrame(const unresolved::DropNulls& node, const Environment& environment,
                           Context& context) {
  WEIR_TRY(Query input, ResolveQuery(*node.input, environment, context));
  WEIR_TRY(const std::vector<size_t> positions, Positions(node.columns, input));
  const int64_t least = node.least.value_or(static_cast<int64_t>(positions.size()));
  if (least <= 0) return input;
  ExprPtr count = MakeLiteral(Scalar::Int(0));
  for (size_t at : positions) {
    WEIR_TRY(ExprPtr present, HasValue(plan::ColumnExpr(input.scope.columns[at].column), context));
    WEIR_TRY(ExprPtr one, MakeCase({{std::move(present), MakeLiteral(Scalar::Int(1))}},
                                   MakeLiteral(Scalar::Int(0)), context));
    WEIR_TRY(count, MakeCall("+", {std::move(count), std::move(one)}, context));
  }
  WEIR_TRY(ExprPtr enough, MakeCall(">=", {std::move(count), MakeLiteral(Scalar::Long(least))}, context));
  input.plan = plan::MakeFilter(std::move(input.plan), std::move(enough));
  return input;
}

Result<Query> ResolveFrame(const unresolved::ReplaceValues& node, const Environment& environment,
                           Context& context) {
  WEIR_TRY(Query input, ResolveQuery(*node.input, environment, context));
  WEIR_TRY(const std::vector<size_t> positions, Positions(node.columns, input));
  std::vector<Item> items = ItemsOf(input);
  for (size_t at : positions) {
    const ExprPtr column = items[at].expr;
    std::vector<std::pair<ExprPtr, ExprPtr>> branches;
    for (const auto& [from, to] : node.replacements) {
      const Type& kind = from.is_null() ? to.type() : from.type();
      if (!SameKind(column->type(), kind)) continue;
      WEIR_TRY(ExprPtr key, ExplicitCast(MakeLiteral(from), column->type(), false, context));
      WEIR_TRY(ExprPtr value, ExplicitCast(MakeLiteral(to), column->type(), false, context));
      WEIR_TRY(ExprPtr same, MakeCall("=", {column, std::move(key)}, context));
      branches.emplace_back(std::move(same), std::move(value));
    }
    if (branches.empty()) continue;
    WEIR_TRY(items[at].expr, MakeCase(std::move(branches), column, context));
  }
  return Projected(std::move(input), std::move(items), context);
}

Status AlignByName(Query& left, Query& right, bool allow_missing, Context& context) {
  WEIR_DO(CheckDistinct(NamesOf(left)));
  WEIR_DO(CheckDistinct(NamesOf(right)));
  auto find = [](const Query& query, const std::string& name) -> const ScopeColumn* {
    for (const ScopeColumn& column : query.scope.columns) {
      if (EqualsIgnoringAsciiCase(column.column.name, name)) return &column;
    }
    return nullptr;
  };
  std::vector<Item> aligned, rest;
  for (const ScopeColumn& column : left.scope.columns) {
    const ScopeColumn* partner = find(right, column.column.name);
    if (partner == nullptr && !allow_missing) return NotAmongFields(column.column.name, right);
    aligned.push_back({column.column.name, partner != nullptr
                                               ? plan::ColumnExpr(partner->column)
                                               : MakeLiteral(Scalar::Null(column.column.type))});
  }
  std::vector<Item> filled = ItemsOf(left);
  for (const ScopeColumn& column : right.scope.columns) {
    if (find(left, column.column.name) != nullptr) continue;
    if (!allow_missing) break;  // The widths differ, which is said where they are compared.
    filled.push_back({column.column.name, MakeLiteral(Scalar::Null(column.column.type))});
    aligned.push_back({column.column.name, plan::ColumnExpr(column.column)});
  }
  if (!allow_missing && left.scope.columns.size() != right.scope.columns.size()) return {};
  if (filled.size() > left.scope.columns.size())
    left = Projected(std::move(left), std::move(filled), context);
  right = Projected(std::move(right), std::move(aligned), context);
  return {};
}

}  // namespace weir::analyze
