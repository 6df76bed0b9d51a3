#include "sql/characters.h"
#include "sql/printer.h"
#include "sql/printer_text.h"
#include "type/identifier.h"
#include "type/spark_names.h"

namespace weir::sql {
namespace {

using unresolved::AlterTable;
using unresolved::MergeClause;

std::string FieldSql(const unresolved::PartitionTransform& field) {
  return TransformSql(field.transform, NameSql(field.column));
}

std::string AssignmentsSql(const std::vector<unresolved::Assignment>& assignments) {
  std::string text;
  for (const unresolved::Assignment& assignment : assignments) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", NameSql(assignment.column),
                        ToSql(*assignment.value));
  }
  return text;
}

std::string AliasSql(const std::string& alias) { return alias.empty() ? "" : " AS " + NameSql(alias); }

std::string ColumnSql(const unresolved::ColumnDefinition& column) {
  std::string text = fmt::format("{} {}", NameSql(column.name), TypeSql(column.type));
  if (column.not_null) text += " NOT NULL";
  if (!column.comment.empty()) text += " COMMENT " + QuoteString(column.comment);
  return text;
}

std::string CreateTableSql(const unresolved::CreateTable& table) {
  std::string text =
      fmt::format("CREATE TABLE {}{}", table.if_not_exists ? "IF NOT EXISTS " : "", NameSql(table.name));
  for (size_t i = 0; i < table.columns.size(); ++i)
    text += (i == 0 ? " (" : ", ") + ColumnSql(table.columns[i]);
  if (!table.columns.empty()) text += ")";
  if (!table.provider.empty()) text += " USING " + NameSql(table.provider);
  if (!table.options.empty()) text += " OPTIONS " + PropertiesSql(table.options);
  for (size_t i = 0; i < table.partitioning.size(); ++i) {
    text += (i == 0 ? " PARTITIONED BY (" : ", ") + FieldSql(table.partitioning[i]);
  }
  if (!table.partitioning.empty()) text += ")";
  if (table.location) text += " LOCATION " + QuoteString(*table.location);
  if (!table.comment.empty()) text += " COMMENT " + QuoteString(table.comment);
  if (!table.properties.empty()) text += " TBLPROPERTIES " + PropertiesSql(table.properties);
  if (table.query) text += " AS " + ToSql(*table.query);
  return text;
}

struct ActionPrinter {
  std::string operator()(const AlterTable::SetProperties& action) const {
    return "SET TBLPROPERTIES " + PropertiesSql(action.properties);
  }
  std::string operator()(const AlterTable::UnsetProperties& action) const {
    std::string text = action.if_exists ? "UNSET TBLPROPERTIES IF EXISTS " : "UNSET TBLPROPERTIES ";
    for (size_t i = 0; i < action.keys.size(); ++i)
      text += (i == 0 ? "(" : ", ") + QuoteString(action.keys[i]);
    return text + ")";
  }
  std::string operator()(const AlterTable::AddPartitionField& action) const {
    return fmt::format("ADD PARTITION FIELD {}{}", FieldSql(action.field), AliasSql(action.name));
  }
  std::string operator()(const AlterTable::DropPartitionField& action) const {
    return "DROP PARTITION FIELD " + FieldSql(action.field);
  }
  std::string operator()(const AlterTable::ReplacePartitionField& action) const {
    return fmt::format("REPLACE PARTITION FIELD {} WITH {}{}", FieldSql(action.old_field),
                       FieldSql(action.new_field), AliasSql(action.name));
  }
};

std::string InsertSql(const unresolved::Insert& insert) {
  std::string text =
      fmt::format("INSERT {} {}", insert.overwrite ? "OVERWRITE" : "INTO", NameSql(insert.table));
  for (size_t i = 0; i < insert.partition.size(); ++i) {
    const unresolved::StaticPartition& partition = insert.partition[i];
    text += (i == 0 ? " PARTITION (" : ", ") + NameSql(partition.column);
    if (partition.value) text += " = " + ToSql(*partition.value);
  }
  if (!insert.partition.empty()) text += ")";
  if (insert.if_partition_not_exists) text += " IF NOT EXISTS";
  if (insert.by_name) text += " BY NAME";
  if (!insert.columns.empty()) text += " " + NameListSql(insert.columns);
  return text + " " + ToSql(*insert.query);
}

std::string MergeClauseSql(const MergeClause& clause) {
  static constexpr std::string_view kWhen[] = {"MATCHED", "NOT MATCHED", "NOT MATCHED BY SOURCE"};
  std::string text = fmt::format(" WHEN {}", kWhen[static_cast<size_t>(clause.when)]);
  if (clause.condition) text += " AND " + ToSql(*clause.condition);
  text += " THEN ";
  switch (clause.action) {
    case MergeClause::Action::kUpdate:
      return text + "UPDATE SET " + AssignmentsSql(clause.assignments);
    case MergeClause::Action::kUpdateAll:
      return text + "UPDATE SET *";
    case MergeClause::Action::kDelete:
      return text + "DELETE";
    case MergeClause::Action::kInsertAll:
      return text + "INSERT *";
    case MergeClause::Action::kInsert:
      break;
  }
  text += "INSERT ";
  for (size_t i = 0; i < clause.insert_columns.size(); ++i)
    text += (i == 0 ? "(" : ", ") + NameSql(clause.insert_columns[i]);
  text += ") VALUES ";
  for (size_t i = 0; i < clause.insert_values.size(); ++i)
    text += (i == 0 ? "(" : ", ") + ToSql(*clause.insert_values[i]);
  return text + ")";
}

/// A table, or a query in parentheses, and its alias.
std::string MergeSourceSql(const unresolved::Relation& source) {
  const auto* aliased = std::get_if<unresolved::Aliased>(&source.node);
  const unresolved::Relation& input = aliased != nullptr ? *aliased->input : source;
  const auto* table = std::get_if<unresolved::NamedTable>(&input.node);
  const std::string text = table != nullptr ? NameSql(table->name) : fmt::format("({})", ToSql(input));
  return aliased != nullptr ? text + AliasSql(aliased->name) : text;
}

std::string MergeSql(const unresolved::Merge& merge) {
  std::string text =
      fmt::format("MERGE INTO {}{} USING {} ON {}", NameSql(merge.target), AliasSql(merge.target_alias),
                  MergeSourceSql(*merge.source), ToSql(*merge.condition));
  for (const MergeClause& clause : merge.clauses) text += MergeClauseSql(clause);
  return text;
}

std::string SetSql(const unresolved::SetConfiguration& set) {
  if (set.is_reset) return set.key.empty() ? "RESET" : "RESET " + NameSql(set.key);
  if (set.key.empty()) return "SET";
  if (!set.value) return "SET " + NameSql(set.key);
  const std::string& value = *set.value;
  const bool is_plain = Trim(value) == value && value.find_first_of(";`") == std::string::npos;
  return fmt::format("SET {} = {}", NameSql(set.key), is_plain ? value : NameSql(value));
}

std::string ShowSql(std::string_view what, const unresolved::Name& in_namespace, const std::string& pattern) {
  std::string text = fmt::format("SHOW {}", what);
  if (!in_namespace.empty()) text += " IN " + NameSql(in_namespace);
  if (!pattern.empty()) text += " LIKE " + QuoteString(pattern);
  return text;
}

struct StatementPrinter {
  std::string operator()(const unresolved::Query& node) const { return ToSql(*node.relation); }
  std::string operator()(const unresolved::CreateNamespace& node) const {
    std::string text =
        fmt::format("CREATE NAMESPACE {}{}", node.if_not_exists ? "IF NOT EXISTS " : "", NameSql(node.name));
    if (!node.comment.empty()) text += " COMMENT " + QuoteString(node.comment);
    std::vector<std::pair<std::string, std::string>> properties;
    for (const auto& property : node.properties) {
      if (property.first == "location") {
        text += " LOCATION " + QuoteString(property.second);
      } else {
        properties.push_back(property);
      }
    }
    return properties.empty() ? text : text + " WITH PROPERTIES " + PropertiesSql(properties);
  }
  std::string operator()(const unresolved::DropNamespace& node) const {
    return fmt::format("DROP NAMESPACE {}{}{}", node.if_exists ? "IF EXISTS " : "", NameSql(node.name),
                       node.cascade ? " CASCADE" : "");
  }
  std::string operator()(const unresolved::CreateTable& node) const { return CreateTableSql(node); }
  std::string operator()(const unresolved::DropTable& node) const {
    return fmt::format("DROP TABLE {}{}{}", node.if_exists ? "IF EXISTS " : "", NameSql(node.name),
                       node.purge ? " PURGE" : "");
  }
  std::string operator()(const AlterTable& node) const {
    return fmt::format("ALTER TABLE {} {}", NameSql(node.name), std::visit(ActionPrinter{}, node.action));
  }
  std::string operator()(const unresolved::Insert& node) const { return InsertSql(node); }
  std::string operator()(const unresolved::Update& node) const {
    const std::string text = fmt::format("UPDATE {}{} SET {}", NameSql(node.table), AliasSql(node.alias),
                                         AssignmentsSql(node.assignments));
    return node.condition ? text + " WHERE " + ToSql(*node.condition) : text;
  }
  std::string operator()(const unresolved::Delete& node) const {
    const std::string text = fmt::format("DELETE FROM {}{}", NameSql(node.table), AliasSql(node.alias));
    return node.condition ? text + " WHERE " + ToSql(*node.condition) : text;
  }
  std::string operator()(const unresolved::Merge& node) const { return MergeSql(node); }
  std::string operator()(const unresolved::Explain& node) const {
    static constexpr std::string_view kModes[] = {"", "EXTENDED ", "FORMATTED ", "COST ", "CODEGEN "};
    return fmt::format("EXPLAIN {}{}", kModes[static_cast<size_t>(node.mode)], ToSql(*node.statement));
  }
  std::string operator()(const unresolved::Describe& node) const {
    return fmt::format("DESCRIBE TABLE {}{}", node.extended ? "EXTENDED " : "", NameSql(node.table));
  }
  std::string operator()(const unresolved::ShowTables& node) const {
    return ShowSql("TABLES", node.in_namespace, node.pattern);
  }
  std::string operator()(const unresolved::ShowNamespaces& node) const {
    return ShowSql("NAMESPACES", node.in_namespace, node.pattern);
  }
  std::string operator()(const unresolved::UseNamespace& node) const {
    return (node.within_catalog ? "USE NAMESPACE " : "USE ") + NameSql(node.name);
  }
  std::string operator()(const unresolved::SetConfiguration& node) const { return SetSql(node); }
};

}  // namespace

std::string ToSql(const unresolved::Statement& statement) {
  return std::visit(StatementPrinter{}, statement.node);
}

}  // namespace weir::sql
