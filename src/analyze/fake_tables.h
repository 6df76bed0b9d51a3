#pragma once

/// Tables for tests: made by CREATE TABLE statements, without files. Thread rule: one thread.

#include <map>

#include "analyze/analyzer.h"
#include "analyze/statement.h"

namespace weir::analyze {

/// Gives no rows and takes none.
class NoFiles : public table::Table {
 public:
  Result<table::SnapshotPtr> Load(const table::At&, Account, Cancellation) override {
    return Unsupported("fake");
  }
  Result<table::ScanPlan> Plan(const table::Snapshot&, const table::ScanRequest& request, Account,
                               Cancellation) override {
    last_request = request;
    return table::ScanPlan{};
  }
  std::string NewFilePath(const table::Snapshot&, const table::PartitionTuple&, std::string_view) override {
    return {};
  }
  Result<table::CommitOutcome> Commit(const table::Change&, Account, Cancellation) override {
    return Unsupported("fake");
  }
  Result<MetadataRows> Metadata(const table::Snapshot&, std::string_view, Account, Cancellation) override {
    return Unsupported("fake");
  }
  table::ScanRequest last_request;
};

/// Current catalog "cat", current namespace "db".
class FakeTables : public plan::NameResolver {
 public:
  /// Runs a CREATE TABLE that was parsed from `text`.
  Status Create(const unresolved::Statement& statement, std::string_view text) {
    Settings settings;
    plan::ColumnIds ids;
    WEIR_TRY(plan::Command command, Analyze(statement, *this, settings, ids, text));
    auto& create = std::get<plan::CreateTableCommand>(command.node);
    auto snapshot = std::make_shared<table::Snapshot>();
    int32_t next_id = 1;
    for (Field& field : create.schema.fields) field.id = FieldId{next_id++};
    snapshot->schema = create.schema;
    snapshot->all_fields = create.schema.fields;
    table::PartitionSpec spec;
    for (const unresolved::PartitionTransform& transform : create.partitioning) {
      const Field* source = create.schema.FindByName(transform.column[0]);
      spec.fields.push_back({source->id, FieldId{next_id + 1000}, source->name, transform.transform});
      ++next_id;
    }
    snapshot->specs = {spec};
    tables_[create.name.back()] = {std::make_shared<NoFiles>(), snapshot, "cat.db." + create.name.back()};
    return {};
  }

  const plan::ResolvedTable& Get(const std::string& name) const { return tables_.at(name); }

  Result<std::optional<plan::ResolvedRelation>> FindRelation(const unresolved::Name& name,
                                                             const table::At& at) override {
    last_at = at;
    WEIR_TRY(plan::QualifiedName full, QualifyTable(name));
    auto found = tables_.find(full.name.back());
    bool here = full.catalog == "cat" && full.name.size() == 2 && full.name[0] == "db";
    if (!here || found == tables_.end()) return std::optional<plan::ResolvedRelation>();
    return std::optional<plan::ResolvedRelation>(found->second);
  }
  Result<plan::QualifiedName> QualifyTable(const unresolved::Name& name) override {
    if (name.size() == 1) return plan::QualifiedName{"cat", {"db", name[0]}};
    if (name.size() == 2) return plan::QualifiedName{"cat", name};
    return plan::QualifiedName{name[0], {name.begin() + 1, name.end()}};
  }
  Result<plan::QualifiedName> QualifyNamespace(const unresolved::Name& name) override {
    if (name.empty()) return plan::QualifiedName{"cat", {"db"}};
    if (name[0] == "cat") return plan::QualifiedName{"cat", {name.begin() + 1, name.end()}};
    return plan::QualifiedName{"cat", name};
  }

  table::At last_at;

 private:
  std::map<std::string, plan::ResolvedTable> tables_;
};

}  // namespace weir::analyze
