#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/grammar.h"

namespace weir::sql {

using unresolved::ExprPtr;
using unresolved::RelationPtr;

/// INSERT and its query; `tables` are those of a WITH in front.
Result<Grammar::StatementNode> Grammar::Insert(std::vector<unresolved::CommonTable> tables, size_t first) {
  WEIR_DO(in_.Expect("INSERT"));
  unresolved::Insert insert;
  WEIR_DO(InsertTarget(insert));
  WEIR_TRY(insert.query, Query());
  if (!tables.empty())
    insert.query = MakeRelation(unresolved::With{std::move(tables), std::move(insert.query)}, first);
  return StatementNode(std::move(insert));
}

/// From INTO or OVERWRITE to the columns.
Status Grammar::InsertTarget(unresolved::Insert& insert) {
  const size_t first = in_.index() - 1;
  insert.overwrite = in_.Accept("OVERWRITE");
  if (!insert.overwrite) {
    if (!in_.Accept("INTO")) return in_.Mismatch();
  } else if (in_.At("DIRECTORY") || in_.AtAll({"LOCAL", "DIRECTORY"})) {
    const size_t ahead = in_.At("LOCAL") ? 2 : 1;
    if (AtString(ahead) || in_.At("USING", ahead))
      return in_.Refuse("INSERT OVERWRITE DIRECTORY", in_.WholeSpan());
  }
  if (in_.At("TABLE") && AtName(1) && !StartsQuery(1)) in_.Take();
  WEIR_TRY(insert.table, TableName());
  if (in_.At("WITH") && in_.At("(", 1)) return in_.Refuse("INSERT with options", in_.SpanOf(in_.Peek()));
  if (in_.At("REPLACE") && in_.At("WHERE", 1))
    return in_.Refuse("INSERT .. REPLACE WHERE", in_.SpanOf(in_.Peek()));
  if (in_.At("PARTITION")) {
    WEIR_TRY(insert.partition, PartitionSpec());
  }
  WEIR_DO(IfNotExists(insert.if_partition_not_exists));
  if (in_.AcceptAll({"BY", "NAME"})) {
    insert.by_name = true;
  } else if (in_.At("(") && StartsQuery(1)) {
    WEIR_TRY(auto columns, TryQuietly([&] { return NameList(); }));
    insert.columns = std::move(columns).value_or(std::vector<std::string>());
  } else if (in_.At("(")) {
    WEIR_TRY(insert.columns, NameList());
  }
  if (!insert.if_partition_not_exists) return {};
  std::string dynamic;
  for (const unresolved::StaticPartition& partition : insert.partition) {
    if (!partition.value) dynamic += (dynamic.empty() ? "" : ", ") + partition.column;
  }
  if (!insert.overwrite) {
    in_.Defer(InvalidStatement("INSERT INTO ... IF NOT EXISTS", first));
  } else if (!dynamic.empty()) {
    in_.Defer(
        in_.ErrorAt(in_.SpanFrom(first), "_LEGACY_ERROR_TEMP_0035", "",
                    {{"message", "IF NOT EXISTS with dynamic partitions: " + dynamic}},
                    fmt::format("IF NOT EXISTS needs a value for every partition column: {}.", dynamic)));
  }
  return {};
}

/// "PARTITION (a = 1, b)".
Result<std::vector<unresolved::StaticPartition>> Grammar::PartitionSpec() {
  const size_t first = in_.index();
  WEIR_DO(in_.ExpectAll({"PARTITION", "("}));
  std::vector<unresolved::StaticPartition> spec;
  bool has_default = false;
  do {
    unresolved::StaticPartition partition;
    WEIR_TRY(partition.column, AnyName());
    if (in_.Accept("=") || in_.Accept("==")) {
      if (in_.At("DEFAULT") && in_.AtAny({",", ")"}, 1)) {
        in_.Take();
        has_default = true;
      } else {
        const Cursor::Mark mark = in_.Here();
        WEIR_TRY(partition.value, PrimaryBase());
        if (!std::holds_alternative<unresolved::Literal>(partition.value->node)) {
          // Only constants; a bare word could still have begun DATE '..'.
          if (std::holds_alternative<unresolved::Attribute>(partition.value->node)) return in_.Mismatch();
          in_.Rewind(mark);
          return in_.Mismatch();
        }
      }
    }
    spec.push_back(std::move(partition));
  } while (in_.Accept(","));
  WEIR_DO(in_.Expect(")"));
  if (has_default) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "REF_DEFAULT_VALUE_IS_NOT_ALLOWED_IN_PARTITION", "42601", {},
                          "DEFAULT is no value of a partition."));
  }
  for (size_t i = 0; i < spec.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (AsciiLower(spec[i].column) != AsciiLower(spec[j].column)) continue;
      in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "DUPLICATE_KEY", "23505",
                            {{"keyColumn", fmt::format("`{}`", AsciiLower(spec[i].column))}},
                            fmt::format("The partition column {} is there twice.", spec[i].column)));
    }
  }
  return spec;
}

/// The alias of the target of a change.
Result<std::string> Grammar::AliasWithoutColumns(std::string_view operation, Context context) {
  WEIR_TRY(TableAlias alias, Alias(context));
  if (!alias.columns.empty()) {
    in_.Defer(in_.ErrorAt(alias.columns_span, "COLUMN_ALIASES_NOT_ALLOWED", "42601",
                          {{"op", std::string(operation)}},
                          fmt::format("{} does not take aliases for columns.", operation)));
  }
  return std::move(alias.name);
}

Result<Grammar::StatementNode> Grammar::Update(size_t) {
  WEIR_DO(in_.Expect("UPDATE"));
  unresolved::Update update;
  WEIR_TRY(update.table, TableName());
  WEIR_TRY(update.alias, AliasWithoutColumns("UPDATE", Context::kUpdateTarget));
  WEIR_DO(in_.Expect("SET"));
  WEIR_TRY(update.assignments, Assignments());
  if (in_.Accept("WHERE")) {
    WEIR_TRY(update.condition, Expression());
  }
  return StatementNode(std::move(update));
}

Result<Grammar::StatementNode> Grammar::Delete(size_t) {
  WEIR_DO(in_.Expect("DELETE"));
  WEIR_DO(in_.Expect("FROM"));
  unresolved::Delete statement;
  WEIR_TRY(statement.table, TableName());
  WEIR_TRY(statement.alias, AliasWithoutColumns("DELETE"));
  if (in_.Accept("WHERE")) {
    WEIR_TRY(statement.condition, Expression());
  }
  return StatementNode(std::move(statement));
}

/// "a = 1, t.b = DEFAULT".
Result<std::vector<unresolved::Assignment>> Grammar::Assignments() {
  std::vector<unresolved::Assignment> assignments;
  do {
    const size_t first = in_.index();
    unresolved::Assignment assignment;
    WEIR_TRY(assignment.column, TableName());
    if (!in_.Accept("==")) WEIR_DO(in_.Expect("="));
    WEIR_TRY(assignment.value, ExpressionOrDefault());
    assignment.span = in_.SpanFrom(first);
    assignments.push_back(std::move(assignment));
  } while (in_.Accept(","));
  return assignments;
}

/// A value of INSERT or SET, where the column name DEFAULT means the column's default.
Result<ExprPtr> Grammar::ExpressionOrDefault() {
  const size_t first = in_.index();
  WEIR_TRY(ExprPtr value, Expression());
  const auto* attribute = std::get_if<unresolved::Attribute>(&value->node);
  if (attribute == nullptr || attribute->parts.size() != 1 || AsciiLower(attribute->parts[0]) != "default")
    return value;
  return Make(unresolved::DefaultValue{}, first);
}

}  // namespace weir::sql
