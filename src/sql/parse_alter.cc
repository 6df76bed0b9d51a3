#include "sql/characters.h"
#include "sql/grammar.h"

namespace weir::sql {

using unresolved::AlterTable;
using unresolved::PartitionTransform;

Result<Grammar::StatementNode> Grammar::Alter() {
  WEIR_DO(in_.Expect("ALTER"));
  if (!in_.Accept("TABLE")) return in_.Mismatch();
  AlterTable alter;
  WEIR_TRY(alter.name, TableName());
  WEIR_TRY(auto action, PartitionFieldAction());
  if (action) {
    alter.action = *std::move(action);
    return StatementNode(std::move(alter));
  }
  if (in_.AcceptAll({"SET", "TBLPROPERTIES"})) {
    const size_t first = in_.index();
    AlterTable::SetProperties set;
    WEIR_TRY(set.properties, PropertiesWithValues());
    WEIR_DO(CheckReserved(set.properties, false, first));
    alter.action = std::move(set);
    return StatementNode(std::move(alter));
  }
  if (in_.AcceptAll({"UNSET", "TBLPROPERTIES"})) {
    AlterTable::UnsetProperties unset;
    WEIR_DO(IfExists(unset.if_exists));
    const size_t first = in_.index();
    WEIR_TRY(const std::vector<Property> properties, PropertyList());
    std::string with_value;
    for (const Property& property : properties) {
      if (property.value) with_value += (with_value.empty() ? "" : ",") + property.key;
      unset.keys.push_back(property.key);
    }
    if (!with_value.empty()) {
      in_.Defer(in_.ErrorAt(
          in_.SpanFrom(first), "_LEGACY_ERROR_TEMP_0035", "",
          {{"message", fmt::format("Values should not be specified for key(s): [{}]", with_value)}},
          fmt::format("UNSET takes keys without values: {}.", with_value)));
    }
    alter.action = std::move(unset);
    return StatementNode(std::move(alter));
  }
  WEIR_DO(RefuseAlterAction());
  if (in_.AtAny({"ADD", "DROP", "REPLACE", "RENAME", "SET", "UNSET", "PARTITION", "CREATE"})) in_.Take();
  return in_.Mismatch();
}

/// Iceberg's statements about partition fields; nullopt if there is none.
Result<std::optional<decltype(AlterTable::action)>> Grammar::PartitionFieldAction() {
  using Action = decltype(AlterTable::action);
  if (!in_.AtAny({"ADD", "DROP", "REPLACE"}) || !in_.AtAll({"PARTITION", "FIELD"}, 1))
    return std::optional<Action>();
  const Token& verb = in_.Take();
  WEIR_DO(in_.ExpectAll({"PARTITION", "FIELD"}));
  WEIR_TRY(PartitionTransform field, IcebergTransform());
  if (verb.Is("DROP")) return std::optional<Action>(AlterTable::DropPartitionField{std::move(field)});
  std::optional<PartitionTransform> replacement;
  if (verb.Is("REPLACE")) {
    WEIR_DO(in_.Expect("WITH"));
    WEIR_TRY(replacement, IcebergTransform());
  }
  std::string name;
  if (in_.Accept("AS")) {
    WEIR_TRY(name, AnyName());
  }
  if (!replacement)
    return std::optional<Action>(AlterTable::AddPartitionField{std::move(field), std::move(name)});
  return std::optional<Action>(
      AlterTable::ReplacePartitionField{std::move(field), *std::move(replacement), std::move(name)});
}

Result<PartitionTransform> Grammar::IcebergTransform() {
  const size_t first = in_.index();
  if (AtName() && in_.At("(", 1)) {
    WEIR_TRY(std::string name, AnyName());
    return AppliedTransform(std::move(name), first, false);
  }
  PartitionTransform field;
  WEIR_TRY(field.column, PathName());
  field.span = in_.SpanFrom(first);
  field.text = in_.TextOf(field.span);
  return field;
}

Status Grammar::RefuseAlterAction() const {
  static constexpr std::string_view kRefused[] = {"ADD COLUMN",
                                                  "ADD COLUMNS",
                                                  "ADD PARTITION",
                                                  "ADD CONSTRAINT",
                                                  "ADD CHECK",
                                                  "ADD PRIMARY KEY",
                                                  "ADD UNIQUE",
                                                  "ADD FOREIGN KEY",
                                                  "ADD IF NOT EXISTS",
                                                  "DROP COLUMN",
                                                  "DROP COLUMNS",
                                                  "DROP CONSTRAINT",
                                                  "DROP PARTITION",
                                                  "DROP IF EXISTS",
                                                  "DROP IDENTIFIER FIELDS",
                                                  "DROP BRANCH",
                                                  "DROP TAG",
                                                  "RENAME COLUMN",
                                                  "RENAME TO",
                                                  "PARTITION (",
                                                  "ALTER",
                                                  "CHANGE",
                                                  "REPLACE COLUMNS",
                                                  "REPLACE BRANCH",
                                                  "REPLACE TAG",
                                                  "CREATE BRANCH",
                                                  "CREATE TAG",
                                                  "CREATE OR REPLACE",
                                                  "SET SERDE",
                                                  "SET SERDEPROPERTIES",
                                                  "SET LOCATION",
                                                  "SET IDENTIFIER FIELDS",
                                                  "WRITE",
                                                  "CLUSTER BY",
                                                  "DEFAULT COLLATION",
                                                  "RECOVER PARTITIONS"};
  for (std::string_view phrase : kRefused) {
    if (in_.AtPhrase(phrase)) return in_.Refuse(fmt::format("ALTER TABLE .. {}", phrase), in_.WholeSpan());
  }
  return {};
}

}  // namespace weir::sql
