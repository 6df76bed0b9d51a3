#include "ops/ddl.h"

#include <set>

#include "ops/commit.h"
#include "ops/partition_change.h"
#include "type/identifier.h"

namespace weir::ops {
namespace {

catalog::TableDefinition DefinitionOf(const plan::CreateTableCommand& command) {
  catalog::TableDefinition definition;
  definition.schema = command.schema;
  definition.properties = command.properties;
  definition.location = command.location;
  definition.comment = command.comment;
  for (const unresolved::PartitionTransform& field : command.partitioning) {
    definition.partitioning.push_back({field.column, field.transform, ""});
  }
  return definition;
}

/// What is left of a table that did not come to be: folders, which others would take for namespaces.
void RemoveEmptyFolders(const std::string& table_location, const Stores& stores, const Account& account) {
  const auto location = stores.Find(table_location + "/");
  if (!location) return;
  // A cancelled statement cleans up too.
  const Store store(location->storage, account, Cancellation());
  const auto objects = store.List(location->path);
  if (!objects) return;
  std::set<std::string> folders = {location->path};
  for (const ObjectInfo& object : *objects) {
    const std::string_view below = std::string_view(object.path).substr(location->path.size());
    // Anything else is not ours: a table that came meanwhile, or a namespace.
    if (!object.path.ends_with('/') || !(below.empty() || below.starts_with("data/"))) return;
    for (size_t end = object.path.size(); end > location->path.size();
         end = object.path.rfind('/', end - 2) + 1) {
      folders.insert(object.path.substr(0, end));
    }
  }
  // Deepest first.
  static_cast<void>(store.Delete(std::vector<std::string>(folders.rbegin(), folders.rend())));
}

Status CommitWithRows(const plan::CreateTableCommand& command, const plan::WriteTarget& target,
                      const Account& account, const OperationContext& context) {
  UncommittedFiles uncommitted(context.stores, account);
  table::Change change;
  change.base = target.snapshot;
  change.intent = table::Intent::kAppend;
  WEIR_TRY(change.added, WriteFiles(command.query, target, "create", context));
  uncommitted.Add(change.added);
  return CommitChange(target, change, "create", uncommitted, context);
}

Status CreateWithRows(const plan::CreateTableCommand& command, catalog::Catalog& catalog,
                      const std::string& name, const OperationContext& context) {
  const Account account = context.AccountFor("create", name, Purpose::kCommit);
  const Cancellation& cancellation = context.run.cancellation;
  WEIR_TRY(std::shared_ptr<table::Table> table,
           catalog.StageTable(command.name, DefinitionOf(command), account, cancellation));
  WEIR_TRY(table::SnapshotPtr snapshot, table->Load({}, account, cancellation));
  const plan::WriteTarget target{table, snapshot, name, {}};
  Status created = CommitWithRows(command, target, account, context);
  if (!created) RemoveEmptyFolders(snapshot->location, context.stores, account);
  return created;
}

Result<table::SchemaChange> ChangeOf(const plan::AlterTableCommand& command) {
  using Alter = unresolved::AlterTable;
  const table::Snapshot& base = *command.target.snapshot;
  table::SchemaChange change;
  const auto& action = command.statement.action;
  if (const auto* set = std::get_if<Alter::SetProperties>(&action)) {
    for (const auto& [key, value] : set->properties) change.properties[key] = value;
  } else if (const auto* unset = std::get_if<Alter::UnsetProperties>(&action)) {
    // As in Spark, a key that is not there is no error, with or without IF EXISTS.
    for (const std::string& key : unset->keys) change.properties[key] = std::nullopt;
  } else if (const auto* add = std::get_if<Alter::AddPartitionField>(&action)) {
    WEIR_TRY(change.spec, AddField(base, *add));
  } else if (const auto* drop = std::get_if<Alter::DropPartitionField>(&action)) {
    WEIR_TRY(change.spec, DropField(base, *drop));
  } else if (const auto* replace = std::get_if<Alter::ReplacePartitionField>(&action)) {
    WEIR_TRY(change.spec, ReplaceField(base, *replace));
  }
  return change;
}

}  // namespace

Status CreateTable(const plan::CreateTableCommand& command, const OperationContext& context) {
  WEIR_TRY(std::shared_ptr<catalog::Catalog> catalog, context.catalogs.Find(command.catalog));
  const std::string name = DottedName(command.catalog, command.name);
  const Account account = context.AccountFor("create", name, Purpose::kCommit);
  if (command.if_not_exists || command.query != nullptr) {
    // Before the query runs: its rows would be thrown away.
    WEIR_TRY(const auto existing, catalog->FindTable(command.name, account, context.run.cancellation));
    if (existing != nullptr && command.if_not_exists) return {};
    if (existing != nullptr) {
      const std::string quoted = QuoteName(command.name);
      return Exists("{} exists already; choose another name, drop it first, or say IF NOT EXISTS", quoted)
          .WithCondition(
              {"TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", {{"relationName", quoted}}, std::nullopt, ""});
    }
  }
  if (command.query != nullptr) return CreateWithRows(command, *catalog, name, context);
  auto created = catalog->CreateTable(command.name, DefinitionOf(command), account, context.run.cancellation);
  if (created) return {};
  if (command.if_not_exists && created.error().code() == ErrorCode::kExists) return {};
  return std::move(created).error();
}

Status DropTable(const plan::DropTableCommand& command, const OperationContext& context) {
  WEIR_TRY(std::shared_ptr<catalog::Catalog> catalog, context.catalogs.Find(command.catalog));
  const std::string name = DottedName(command.catalog, command.name);
  const Account account = context.AccountFor("drop", name, Purpose::kCommit);
  WEIR_TRY(const bool existed,
           catalog->DropTable(command.name, command.purge, account, context.run.cancellation));
  if (existed || command.if_exists) return {};
  const std::string quoted = QuoteName({command.catalog}) + "." + QuoteName(command.name);
  return NotFound("there is no table {}; check its spelling and the current namespace, or say IF EXISTS",
                  quoted)
      .WithCondition({"TABLE_OR_VIEW_NOT_FOUND", "42P01", {{"relationName", quoted}}, std::nullopt, ""});
}

Status AlterTable(const plan::AlterTableCommand& command, const OperationContext& context) {
  table::Change change;
  change.base = command.target.snapshot;
  WEIR_TRY(change.metadata, ChangeOf(command));
  const Account account = context.AccountFor("alter", command.target.name, Purpose::kCommit);
  UncommittedFiles none(context.stores, account);
  return CommitChange(command.target, change, "alter", none, context);
}

}  // namespace weir::ops
