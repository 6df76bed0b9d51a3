#include <algorithm>

#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/query.h"
#include "analyze/statement.h"
#include "analyze/target.h"
#include "base/ascii.h"
#include "expr/mismatch.h"

namespace weir::analyze {
namespace {

Status CheckNames(const std::vector<Field>& fields, const unresolved::Name& path = {}) {
  for (size_t i = 0; i < fields.size(); ++i) {
    bool again = std::ranges::any_of(
        fields.begin(), fields.begin() + static_cast<ptrdiff_t>(i),
        [&](const Field& other) { return EqualsIgnoringAsciiCase(other.name, fields[i].name); });
    unresolved::Name name = path;
    name.push_back(AsciiLower(fields[i].name));
    WEIR_DO(CheckNames(fields[i].type.fields(), name));
    if (again) {
      std::string quoted = QuoteName(name);
      return Condition("COLUMN_ALREADY_EXISTS", "42711", {{"columnName", quoted}},
                       fmt::format("there are two columns {}", quoted));
    }
  }
  return {};
}

/// A query's columns as table columns: everything may be NULL, as Spark creates them.
Type Nullable(const Type& type) {
  if (!type.is_nested()) return type;
  std::vector<Field> fields = type.fields();
  for (Field& field : fields) {
    field.type = Nullable(field.type);
    field.required = false;
  }
  switch (type.kind()) {
    case TypeKind::kArray:
      return Type::Array(std::move(fields[0]));
    case TypeKind::kMap:
      fields[0].required = true;
      return Type::Map(std::move(fields[0]), std::move(fields[1]));
    default:
      return Type::Struct(std::move(fields));
  }
}

/// Iceberg has no integers below int.
Type Stored(const Type& type) {
  if (type.kind() == TypeKind::kByte || type.kind() == TypeKind::kShort) return Type::Int();
  if (!type.is_nested()) return type;
  std::vector<Field> fields = type.fields();
  for (Field& field : fields) field.type = Stored(field.type);
  switch (type.kind()) {
    case TypeKind::kArray:
      return Type::Array(std::move(fields[0]));
    case TypeKind::kMap:
      return Type::Map(std::move(fields[0]), std::move(fields[1]));
    default:
      return Type::Struct(std::move(fields));
  }
}

/// The query's columns with the types that the table has.
plan::NodePtr AsStored(const plan::NodePtr& query, const Schema& schema, Context& context) {
  std::vector<ExprPtr> exprs;
  std::vector<std::string> names;
  bool same = true;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    exprs.push_back(Coerce(plan::ColumnExpr(query->output[i]), schema.fields[i].type, context));
    names.push_back(query->output[i].name);
    same = same && exprs.back()->As<Cast>() == nullptr;
  }
  return same ? query : plan::MakeProject(query, std::move(exprs), std::move(names), context.ids);
}

/// Types that a table can store.
Status CheckStorable(const Field& field) {
  TypeKind kind = field.type.kind();
  if (kind == TypeKind::kVoid || kind == TypeKind::kIntervalDayTime || kind == TypeKind::kIntervalYearMonth) {
    return Unsupported("a table cannot store column {} of type {}", QuoteName({field.name}),
                       Quoted(field.type));
  }
  for (const Field& part : field.type.fields()) WEIR_DO(CheckStorable(part));
  return {};
}

const Field* FindPath(const std::vector<Field>& fields, const unresolved::Name& path) {
  const std::vector<Field>* level = &fields;
  const Field* found = nullptr;
  for (const std::string& name : path) {
    auto match = std::ranges::find_if(
        *level, [&](const Field& field) { return EqualsIgnoringAsciiCase(field.name, name); });
    if (match == level->end()) return nullptr;
    found = &*match;
    level = &found->type.fields();
  }
  return found;
}

Status CheckPartitioning(const std::vector<unresolved::PartitionTransform>& partitioning,
                         const std::vector<Field>& fields) {
  for (size_t i = 0; i < partitioning.size(); ++i) {
    const unresolved::PartitionTransform& one = partitioning[i];
    const Field* source = FindPath(fields, one.column);
    if (source == nullptr) {
      std::vector<std::string> names;
      for (const Field& field : fields) names.push_back(field.name);
      return Invalid("partitioning by {}: there is no column {} among {}", one.text, QuoteName(one.column),
                     QuoteNames(names));
    }
    if (source->type.is_nested()) {
      return Invalid("partitioning by {}: a column of type {} cannot be partitioned by", one.text,
                     Quoted(source->type));
    }
    WEIR_TRY_CONTEXT(Type result, fmt::format("partitioning by {}", one.text),
                     one.transform.ResultType(source->type));
    for (size_t j = 0; j < i; ++j) {
      bool again = partitioning[j].transform == one.transform &&
                   std::ranges::equal(partitioning[j].column, one.column, EqualsIgnoringAsciiCase);
      if (again) return Invalid("partitioning names {} twice", one.text);
    }
  }
  return {};
}

}  // namespace

Result<plan::CreateTableCommand> ResolveCreateTable(const unresolved::CreateTable& create, Context& context) {
  plan::CreateTableCommand command;
  WEIR_TRY(plan::QualifiedName name, context.tables.QualifyTable(create.name));
  command.catalog = std::move(name.catalog);
  command.name = std::move(name.name);
  command.if_not_exists = create.if_not_exists;
  if (!create.provider.empty() && AsciiLower(create.provider) != "iceberg") {
    return Unsupported("tables of the format {} are not implemented (USING iceberg)", create.provider);
  }
  for (const unresolved::ColumnDefinition& column : create.columns) {
    command.schema.fields.push_back({{}, column.name, column.type, column.not_null, column.comment});
  }
  if (create.query != nullptr) {
    if (!create.columns.empty()) {
      return Unsupported(
          "CREATE TABLE AS SELECT with a column list is not implemented; the query names the columns");
    }
    WEIR_TRY(Query query, ResolveQuery(*create.query, {}, context));
    for (const plan::Column& column : query.plan->output) {
      command.schema.fields.push_back({{}, column.name, Nullable(column.type), false, {}});
    }
    command.query = std::move(query.plan);
  }
  WEIR_DO(CheckNames(command.schema.fields));
  for (Field& field : command.schema.fields) {
    WEIR_DO(CheckStorable(field));
    field.type = Stored(field.type);
  }
  if (command.query != nullptr) command.query = AsStored(command.query, command.schema, context);
  WEIR_DO(CheckPartitioning(create.partitioning, command.schema.fields));
  command.partitioning = create.partitioning;
  // Options are properties under a prefix of their own, as Spark passes them to a catalog.
  for (const auto& [key, value] : create.options) command.properties[fmt::format("option.{}", key)] = value;
  for (const auto& [key, value] : create.properties) command.properties[key] = value;
  command.location = create.location;
  command.comment = create.comment;
  return command;
}

Result<plan::AlterTableCommand> ResolveAlterTable(const unresolved::AlterTable& alter, Context& context) {
  WEIR_TRY(Target target, ResolveTarget(alter.name, "", context));
  const std::vector<Field>& fields = target.write.snapshot->schema.fields;
  if (const auto* add = std::get_if<unresolved::AlterTable::AddPartitionField>(&alter.action)) {
    WEIR_DO(CheckPartitioning({add->field}, fields));
  }
  if (const auto* replace = std::get_if<unresolved::AlterTable::ReplacePartitionField>(&alter.action)) {
    WEIR_DO(CheckPartitioning({replace->new_field}, fields));
  }
  return plan::AlterTableCommand{std::move(target.write), alter};
}

}  // namespace weir::analyze
