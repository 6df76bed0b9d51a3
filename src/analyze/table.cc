#include <algorithm>

#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/generator.h"
#include "analyze/query.h"
#include "base/ascii.h"
#include "base/json_text.h"
#include "expr/coercion.h"
#include "expr/evaluate.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"
#include "expr/signature.h"

namespace weir::analyze {
namespace {

using Visibility = ScopeColumn::Visibility;

const CommonTables* FindCommon(const unresolved::Name& name, const CommonTables* tables) {
  if (name.size() != 1) return nullptr;
  for (; tables != nullptr; tables = tables->next) {
    if (EqualsIgnoringAsciiCase(tables->table->name, name[0])) return tables;
  }
  return nullptr;
}

/// Each use of a WITH table is resolved anew, so that its columns have ids of their own.
Result<Query> ResolveCommon(const CommonTables& tables, Context& context) {
  // A table that is used twice by one that is used twice, and so on, would be resolved without end.
  constexpr int kMaxUses = 10'000;
  if (++context.common_uses > kMaxUses) return Unsupported("more than {} uses of WITH tables", kMaxUses);
  const Environment inside{tables.next, tables.outer, tables.outer_used};
  unresolved::Aliased aliased{tables.table->query, tables.table->name, tables.table->columns};
  unresolved::Relation relation{std::move(aliased), tables.table->query->span};
  WEIR_TRY(Query query, ResolveRelation(relation, inside, context));
  if (IsRepeatable(*query.plan)) return query;
  if (std::ranges::find(context.random_tables, tables.table) != context.random_tables.end()) {
    return Unsupported("WITH table {} is not deterministic and is used twice, which is not implemented",
                       QuoteName({tables.table->name}));
  }
  context.random_tables.push_back(tables.table);
  return query;
}

struct HiddenColumn {
  plan::MetadataColumn source;
  std::string_view name;
  Type type;
  bool nullable;
};

std::vector<HiddenColumn> HiddenColumns(const table::Snapshot& snapshot) {
  std::vector<HiddenColumn> columns = {
      {plan::MetadataColumn::kSpecId, "_spec_id", Type::Int(), true},
      {plan::MetadataColumn::kFile, "_file", Type::String(), false},
      {plan::MetadataColumn::kPos, "_pos", Type::Long(), false},
  };
  Type partition = table::PartitionType(snapshot.specs, [&](FieldId id) { return snapshot.FindField(id); });
  if (!partition.fields().empty())
    columns.push_back({plan::MetadataColumn::kPartition, "_partition", partition, true});
  return columns;
}

Query RowsOf(plan::ResolvedRows resolved, const unresolved::Name& qualifier, Context& context) {
  std::vector<plan::Column> output;
  for (const Field& field : resolved.rows.fields) {
    output.push_back({context.ids.Next(), field.name, SparkType(field.type), !field.required});
  }
  plan::Values values;
  for (std::vector<Scalar>& row : resolved.rows.rows) {
    std::vector<ExprPtr> exprs;
    for (Scalar& value : row) exprs.push_back(MakeLiteral(std::move(value)));
    values.rows.push_back(std::move(exprs));
  }
  Scope scope = ScopeOf(output, qualifier);
  return {plan::MakeNode(std::move(values), {}, std::move(output)), std::move(scope)};
}

Query PathOf(plan::ResolvedPath resolved, const unresolved::Name& qualifier, Context& context) {
  plan::PathScan scan;
  scan.paths = std::move(resolved.paths);
  std::vector<plan::Column> output;
  for (const Field& field : resolved.fields) {
    scan.columns.push_back(field.name);
    // Spark reads every column of a file as nullable.
    output.push_back({context.ids.Next(), field.name, SparkType(field.type), true});
  }
  Scope scope = ScopeOf(output, qualifier);
  return {plan::MakeNode(std::move(scan), {}, std::move(output)), std::move(scope)};
}

/// VERSION AS OF takes a snapshot id, or the name of a branch or tag.
Result<table::At> VersionOf(const Scalar& value) {
  if (value.is_null())
    return Invalid("VERSION AS OF needs a snapshot id or the name of a branch or tag, found NULL");
  if (value.type().is_integral()) return table::At{table::At::Kind::kVersion, value.integer(), {}};
  if (value.type().kind() != TypeKind::kString) {
    return Invalid("VERSION AS OF needs a snapshot id or a name, found {}", value.type().ToSql());
  }
  const std::string& text = value.text();
  std::optional<Int128> number = ParseInt128(text);
  if (number && *number >= INT64_MIN && *number <= INT64_MAX) {
    return table::At{table::At::Kind::kVersion, static_cast<int64_t>(*number), {}};
  }
  return table::At{table::At::Kind::kRef, 0, text};
}

Error NoPointInTime(std::string_view kind, const Expr& expr, std::string_view expectation) {
  const std::string shown = QuoteSql(PrettySql(expr));
  return Condition(fmt::format("INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.{}", kind), "42K0E", {{"expr", shown}},
                   fmt::format("TIMESTAMP AS OF {} {}", shown, expectation));
}

/// TIMESTAMP AS OF: microseconds. What cannot be read as a time is no time, whatever the ANSI mode.
Result<int64_t> TimeOf(const unresolved::Expr& expr, const Environment& environment, Context& context) {
  Names names;
  names.environment = environment;
  WEIR_TRY(const ExprPtr resolved, ResolveExpression(expr, names, context));
  if (!CanCast(resolved->type(), Type::Timestamp()))
    return NoPointInTime("INPUT", *resolved, "is of no type that can be a point in time");
  if (!IsDeterministic(*resolved))
    return NoPointInTime("NON_DETERMINISTIC", *resolved, "gives another time on every call");
  WEIR_TRY(const ExprPtr time, ExplicitCast(resolved, Type::Timestamp(), true, context));
  WEIR_TRY(const Scalar value, ConstantValue(time, Type::Timestamp(), context));
  if (value.is_null()) return NoPointInTime("INPUT", *resolved, "is not a point in time");
  return value.integer();
}

Result<table::At> AtOf(const std::optional<unresolved::TimeTravel>& travel, const Environment& environment,
                       Context& context) {
  if (!travel) return table::At{};
  if (travel->is_version) {
    Names names;
    names.environment = environment;
    WEIR_TRY(ExprPtr value, ResolveExpression(*travel->value, names, context));
    const Scalar* literal = value->As<Scalar>();
    if (literal == nullptr) return Invalid("VERSION AS OF needs a literal, found {}", PrettySql(*value));
    return VersionOf(*literal);
  }
  WEIR_TRY(const int64_t time_us, TimeOf(*travel->value, environment, context));
  return table::At{table::At::Kind::kTimestamp, time_us, {}};
}

/// A column's comment as Spark's schemas have it.
std::string CommentOf(const Field& field) {
  return field.doc.empty() ? std::string() : fmt::format(R"({{"comment":{}}})", QuotedJson(field.doc));
}

Result<Query> ResolveView(const plan::ResolvedView& view, const unresolved::NamedTable& table,
                          Context& context) {
  const std::string quoted = QuoteName({view.name});
  if (table.time_travel) {
    return Condition("UNSUPPORTED_FEATURE.TIME_TRAVEL", "0A000", {{"relationId", quoted}},
                     fmt::format("{} is a view and has no history", quoted));
  }
  Context inside{*view.names, context.settings, context.ids, {}, context.common_uses, {}};
  WEIR_TRY(Query query, ResolveQuery(*view.query, {}, inside));
  context.common_uses = inside.common_uses;
  for (ScopeColumn& column : query.scope.columns) column.qualifier = {view.name};
  return query;
}

}  // namespace

Query ScanTable(const plan::ResolvedTable& table, const unresolved::Name& qualifier, Context& context) {
  plan::TableScan scan;
  scan.table = table.table;
  scan.snapshot = table.snapshot;
  scan.name = table.name;
  std::vector<plan::Column> output;
  Scope scope;
  for (const Field& field : table.snapshot->schema.fields) {
    output.push_back(
        {context.ids.Next(), field.name, SparkType(field.type), !field.required, CommentOf(field)});
    scan.columns.emplace_back(field.id);
    scope.columns.push_back({output.back(), qualifier, Visibility::kVisible});
  }
  for (const HiddenColumn& hidden : HiddenColumns(*table.snapshot)) {
    output.push_back({context.ids.Next(), std::string(hidden.name), hidden.type, hidden.nullable});
    scan.columns.emplace_back(hidden.source);
    scope.columns.push_back({output.back(), qualifier, Visibility::kMetadata});
  }
  return {plan::MakeNode(std::move(scan), {}, std::move(output)), std::move(scope)};
}

Result<Query> ResolveTable(const unresolved::NamedTable& table, const Environment& environment,
                           Context& context) {
  if (!table.options.empty()) {
    return Unsupported("read options of {} (WITH {}) are not implemented", QuoteName(table.name),
                       table.options[0].first);
  }
  if (const CommonTables* common = FindCommon(table.name, environment.common)) {
    if (table.time_travel) {
      const std::string quoted = QuoteName(table.name);
      return Condition("UNSUPPORTED_FEATURE.TIME_TRAVEL", "0A000", {{"relationId", quoted}},
                       fmt::format("{} is a WITH table and has no history", quoted));
    }
    return ResolveCommon(*common, context);
  }
  WEIR_TRY(table::At at, AtOf(table.time_travel, environment, context));
  WEIR_TRY(std::optional<plan::ResolvedRelation> found, context.tables.FindRelation(table.name, at));
  if (!found) return TableNotFound(table.name);
  if (const auto* view = std::get_if<plan::ResolvedView>(&*found)) return ResolveView(*view, table, context);
  unresolved::Name qualifier = table.name;
  if (!std::holds_alternative<plan::ResolvedPath>(*found)) {
    WEIR_TRY(plan::QualifiedName full, context.tables.QualifyTable(table.name));
    qualifier = std::move(full.name);
    qualifier.insert(qualifier.begin(), full.catalog);
  }
  if (auto* resolved = std::get_if<plan::ResolvedTable>(&*found))
    return ScanTable(*resolved, qualifier, context);
  if (auto* rows = std::get_if<plan::ResolvedRows>(&*found))
    return RowsOf(std::move(*rows), qualifier, context);
  return PathOf(std::get<plan::ResolvedPath>(*std::move(found)), qualifier, context);
}

Result<Query> ResolveTableFunction(const unresolved::TableFunction& function, const Environment& environment,
                                   Context& context) {
  if (const Function* known = FindFunction(function.name.back());
      function.name.size() == 1 && known != nullptr && known->kind == FunctionKind::kGenerator) {
    return ResolveGeneratorTable(function, environment, context);
  }
  if (function.name.size() != 1 || AsciiLower(function.name[0]) != "range") {
    return Condition("UNRESOLVABLE_TABLE_VALUED_FUNCTION", "42883", {{"name", QuoteName(function.name)}},
                     fmt::format("there is no table function {}", QuoteName(function.name)));
  }
  std::vector<int64_t> values;
  for (const unresolved::ExprPtr& arg : function.args) {
    WEIR_TRY(Scalar value, ConstantValue(*arg, Type::Long(), environment, context));
    if (value.is_null()) return Invalid("range() does not take NULL");
    values.push_back(value.integer());
  }
  if (values.empty() || values.size() > 4) {
    return Condition("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605",
                     {{"functionName", "`range`"},
                      {"expectedNum", "[1, 2, 3, 4]"},
                      {"actualNum", std::to_string(values.size())},
                      {"docroot", "https://spark.apache.org/docs/latest"}},
                     fmt::format("`range` takes 1 to 4 arguments, found {}", values.size()));
  }
  plan::Range range{0, values[0], 1};
  if (values.size() > 1) range = {values[0], values[1], values.size() > 2 ? values[2] : 1};
  if (range.step == 0) return Invalid("range() needs a step other than 0");
  std::vector<plan::Column> output = {{context.ids.Next(), "id", Type::Long(), false}};
  Scope scope = ScopeOf(output, {});
  return Query{plan::MakeNode(range, {}, std::move(output)), std::move(scope)};
}

Result<Query> ResolveValues(const unresolved::Values& values, const Environment& environment,
                            Context& context) {
  Names names;
  names.environment = environment;
  const std::vector<unresolved::NamedWindow> none;
  names.windows = &none;
  plan::Values rows;
  size_t width = values.rows.empty() ? 0 : values.rows[0].size();
  for (size_t i = 0; i < values.rows.size(); ++i) {
    if (values.rows[i].size() != width) {
      return Condition(
          "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH", "42000",
          {{"expectedNumCols", std::to_string(width)},
           {"actualNumCols", std::to_string(values.rows[i].size())},
           {"rowIndex", std::to_string(i)}},
          fmt::format("row {} of VALUES has {} columns, the first has {}", i, values.rows[i].size(), width));
    }
    std::vector<ExprPtr> row;
    for (const unresolved::ExprPtr& expr : values.rows[i]) {
      WEIR_TRY(ExprPtr value, ResolveExpression(*expr, names, context));
      if (HasAggregate(*value) || HasWindow(*value)) {
        return Condition("INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE", "42000",
                         {{"expr", QuoteSql(PrettySql(*value))}},
                         "VALUES cannot hold aggregate or window functions")
            .WithSpan(expr->span, context.text);
      }
      row.push_back(std::move(value));
    }
    rows.rows.push_back(std::move(row));
  }
  std::vector<plan::Column> output;
  for (size_t column = 0; column < width; ++column) {
    std::vector<Type> types;
    for (const std::vector<ExprPtr>& row : rows.rows) types.push_back(row[column]->type());
    std::optional<Type> common = WiderTypeWithoutStrings(types, RulesOf(context.settings.semantics));
    std::string name = fmt::format("col{}", column + 1);
    if (!common) {
      return Condition("INVALID_INLINE_TABLE.INCOMPATIBLE_TYPES_IN_INLINE_TABLE", "42000",
                       {{"colName", QuoteName({name})}},
                       fmt::format("the values of {} have no common type", name));
    }
    bool nullable = false;
    for (std::vector<ExprPtr>& row : rows.rows) {
      row[column] = Coerce(row[column], *common, context);
      nullable = nullable || row[column]->nullable();
    }
    output.push_back({context.ids.Next(), std::move(name), *common, nullable});
  }
  Scope scope = ScopeOf(output, {});
  return Query{plan::MakeNode(std::move(rows), {}, std::move(output)), std::move(scope)};
}

}  // namespace weir::analyze
