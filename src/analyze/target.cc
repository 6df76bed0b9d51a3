#include "analyze/target.h"

#include <algorithm>

#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/store.h"
#include "base/ascii.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"

namespace weir::analyze {
namespace {

using Assignments = std::vector<const ResolvedAssignment*>;

std::string Dotted(const unresolved::Name& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : ".") + names[i];
  return text;
}

std::string ValueText(const ResolvedAssignment& assignment) {
  return assignment.value == nullptr ? "NULL" : PrettySql(*assignment.value);
}

Error InvalidAssignments(const std::vector<ResolvedAssignment>& all, const std::string& problem) {
  std::string shown;
  for (const ResolvedAssignment& one : all) {
    shown += fmt::format("{}\"{} = {}\"", shown.empty() ? "" : ", ", Dotted(one.names), ValueText(one));
  }
  return Condition("DATATYPE_MISMATCH.INVALID_ROW_LEVEL_OPERATION_ASSIGNMENTS", "42K09",
                   {{"sqlExpr", shown}, {"errors", "\n- " + problem}}, fmt::format("{}: {}", shown, problem));
}

/// What goes to one column or member: nothing, one value for the whole of it, or values for members.
class ColumnAssigner {
 public:
  ColumnAssigner(const Target& target, const std::vector<ResolvedAssignment>& all, Context& context)
      : target_(target), all_(all), context_(context) {}

  Result<ExprPtr> Assign(const ExprPtr& old_value, const Type& type, const Assignments& mine, size_t depth,
                         const unresolved::Name& path) {
    Assignments whole, parts;
    for (const ResolvedAssignment* one : mine) (one->path.size() == depth ? whole : parts).push_back(one);
    if (whole.size() > 1) {
      std::string values = ValueText(*whole[0]);
      for (size_t i = 1; i < whole.size(); ++i) values += ", " + ValueText(*whole[i]);
      return InvalidAssignments(all_, fmt::format("Multiple assignments for '{}': {}", Dotted(path), values));
    }
    if (!whole.empty() && !parts.empty()) {
      return InvalidAssignments(
          all_, fmt::format("Conflicting assignments for '{}': {} = {}, {} = {}", Dotted(path), Dotted(path),
                            ValueText(*whole[0]), Dotted(parts[0]->names), ValueText(*parts[0])));
    }
    if (!whole.empty()) {
      if (whole[0]->value == nullptr) return MakeLiteral(Scalar::Null(type));
      return StoreAs(whole[0]->value, type, {target_.quoted_name, path, true}, context_);
    }
    if (parts.empty()) return old_value;
    return AssignMembers(old_value, type, parts, depth, path);
  }

 private:
  Result<ExprPtr> AssignMembers(const ExprPtr& old_value, const Type& type, const Assignments& parts,
                                size_t depth, const unresolved::Name& path) {
    if (old_value == nullptr) return Unsupported("INSERT into the struct member {}", Dotted(parts[0]->names));
    std::vector<ExprPtr> pairs;
    for (size_t i = 0; i < type.fields().size(); ++i) {
      const Field& field = type.fields()[i];
      Assignments mine;
      for (const ResolvedAssignment* one : parts) {
        if (one->path[depth] == i) mine.push_back(one);
      }
      unresolved::Name below = path;
      below.push_back(field.name);
      ExprPtr old_member =
          std::make_shared<const Expr>(GetField{old_value, static_cast<int32_t>(i), field.name}, field.type,
                                       old_value->nullable() || !field.required);
      WEIR_TRY(ExprPtr value, Assign(old_member, field.type, mine, depth + 1, below));
      pairs.push_back(MakeLiteral(Scalar::String(field.name)));
      pairs.push_back(std::move(value));
    }
    Call made{.function = FindFunction("named_struct"), .args = std::move(pairs)};
    return std::make_shared<const Expr>(std::move(made), type, false);
  }

  const Target& target_;
  const std::vector<ResolvedAssignment>& all_;
  Context& context_;
};

}  // namespace

Error NoDefault(const std::string& column) {
  return Condition("NO_DEFAULT_COLUMN_VALUE_AVAILABLE", "42608", {{"colName", QuoteName({column})}},
                   fmt::format("{} has no default and cannot be NULL", QuoteName({column})));
}

Result<Target> ResolveTarget(const unresolved::Name& name, const std::string& alias, Context& context) {
  WEIR_TRY(std::optional<plan::ResolvedRelation> found, context.tables.FindRelation(name, {}));
  if (!found) return TableNotFound(name);
  const auto* resolved = std::get_if<plan::ResolvedTable>(&*found);
  if (resolved == nullptr) return Unsupported("{} is not a table that can be written to", QuoteName(name));
  WEIR_TRY(plan::QualifiedName full, context.tables.QualifyTable(name));
  unresolved::Name qualifier = full.name;
  qualifier.insert(qualifier.begin(), full.catalog);
  Target target;
  target.quoted_name = QuoteName(qualifier);
  target.write = {resolved->table, resolved->snapshot, resolved->name, {}};
  for (const Field& field : resolved->snapshot->schema.fields) {
    target.write.columns.push_back({context.ids.Next(), field.name, SparkType(field.type), !field.required});
  }
  target.scope = ScopeOf(target.write.columns, alias.empty() ? qualifier : unresolved::Name{alias});
  return target;
}

Result<size_t> ColumnPosition(const Target& target, const std::string& name) {
  const std::vector<plan::Column>& columns = target.write.columns;
  std::vector<unresolved::Name> candidates;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (EqualsIgnoringAsciiCase(columns[i].name, name)) return i;
    candidates.push_back({columns[i].name});
  }
  return UnresolvedColumn({name}, candidates);
}

Result<ResolvedAssignment> ResolveAssignmentKey(const unresolved::Name& name, const Names& names,
                                                const Target& target) {
  WEIR_TRY(ExprPtr key, ResolveName(name, names));
  ResolvedAssignment assignment;
  while (const GetField* member = key->As<GetField>()) {
    assignment.path.insert(assignment.path.begin(), static_cast<size_t>(member->index));
    assignment.names.insert(assignment.names.begin(),
                            member->input->type().fields()[static_cast<size_t>(member->index)].name);
    key = member->input;
  }
  const ColumnRef* column = key->As<ColumnRef>();
  if (column == nullptr) return Unsupported("assigning to a part of a map or array ({})", QuoteName(name));
  auto found = std::ranges::find(target.write.columns, column->id, &plan::Column::id);
  assignment.path.insert(assignment.path.begin(), static_cast<size_t>(found - target.write.columns.begin()));
  assignment.names.insert(assignment.names.begin(), found->name);
  return assignment;
}

Result<ExprPtr> ResolveAssignmentValue(const unresolved::Expr& value, const Names& names, Context& context) {
  if (std::holds_alternative<unresolved::DefaultValue>(value.node)) return ExprPtr();
  WEIR_TRY(ExprPtr resolved, ResolveExpression(value, names, context));
  if (HasAggregate(*resolved)) {
    std::string shown = QuoteSql(PrettySql(*resolved));
    return Condition("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", {{"invalidExprSqls", shown}},
                     fmt::format("an assigned value cannot hold aggregate functions: {}", shown))
        .WithSpan(value.span, context.text);
  }
  return resolved;
}

Result<std::vector<ExprPtr>> AssignColumns(const Target& target,
                                           const std::vector<ResolvedAssignment>& assignments,
                                           const std::vector<ExprPtr>& otherwise, Context& context) {
  for (const ResolvedAssignment& one : assignments) {
    if (one.value != nullptr || one.path.size() == 1) continue;
    // Only columns have defaults; elsewhere Spark looks for a column of that name.
    WEIR_TRY([[maybe_unused]] const size_t found, ColumnPosition(target, "DEFAULT"));
    return Unsupported("DEFAULT for the struct member {}", Dotted(one.names));
  }
  ColumnAssigner assigner(target, assignments, context);
  std::vector<ExprPtr> values;
  for (size_t i = 0; i < target.write.columns.size(); ++i) {
    const plan::Column& column = target.write.columns[i];
    Assignments mine;
    for (const ResolvedAssignment& one : assignments) {
      if (one.path[0] == i) mine.push_back(&one);
    }
    const bool is_default = mine.size() == 1 && mine[0]->path.size() == 1 && mine[0]->value == nullptr;
    if (is_default && !column.nullable) return NoDefault(column.name);
    WEIR_TRY(ExprPtr value, assigner.Assign(otherwise[i], column.type, mine, 1, {column.name}));
    if (value == nullptr && !column.nullable) {
      return InvalidAssignments(assignments, fmt::format("No assignment for '{}'", column.name));
    }
    values.push_back(value == nullptr ? MakeLiteral(Scalar::Null(column.type)) : std::move(value));
  }
  return values;
}

}  // namespace weir::analyze
