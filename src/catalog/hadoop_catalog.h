#pragma once

/// A catalog that is a folder: namespaces are folders, tables are folders with metadata. Thread rule: any
/// thread. A folder with metadata files in it is a table, any other is a namespace, as in Iceberg's own
/// HadoopCatalog. Where a store has no folders, a namespace without a folder object of its own lasts as long
/// as something is in it.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "table/iceberg/iceberg_table.h"
#include "table/iceberg/metadata_update.h"

namespace weir::catalog {

class HadoopCatalog : public Catalog {
 public:
  struct Options {
    std::string warehouse;             ///< Location without trailing slash.
    table::Properties table_defaults;  ///< Properties of new tables, unless the statement says otherwise.
    table::Properties table_overrides;
  };
  /// `services` without a cache of manifests: all tables share one of the catalog's.
  HadoopCatalog(std::string name, Options options, iceberg::IcebergTable::Services services);

  const std::string& name() const override { return name_; }
  Status CreateNamespace(const Identifier& name, bool if_not_exists, Account, Cancellation) override;
  /// CASCADE is no help, as in Iceberg: a folder may hold what no catalog knows of.
  Status DropNamespace(const Identifier& name, bool if_exists, bool cascade, Account, Cancellation) override;
  Result<bool> NamespaceExists(const Identifier& name, Account, Cancellation) override;
  Result<std::vector<Identifier>> ListNamespaces(const Identifier& parent, Account, Cancellation) override;
  Result<std::vector<Identifier>> ListTables(const Identifier& parent, Account, Cancellation) override;
  Result<std::shared_ptr<table::Table>> FindTable(const Identifier& name, Account, Cancellation) override;
  Result<std::shared_ptr<table::Table>> CreateTable(const Identifier& name, const TableDefinition& definition,
                                                    Account, Cancellation) override;
  Result<std::shared_ptr<table::Table>> StageTable(const Identifier& name, const TableDefinition& definition,
                                                   Account, Cancellation) override;
  Result<bool> DropTable(const Identifier& name, bool purge, Account, Cancellation) override;

 private:
  /// A table that was found, with what it has read so far.
  struct Known {
    std::shared_ptr<iceberg::Committer> committer;
    std::shared_ptr<iceberg::IcebergTable> table;
  };

  std::string LocationOf(const Identifier& name) const;
  Known TableAt(const Identifier& name);
  void Forget(const Identifier& name);
  Result<bool> IsTable(const Store& store, const std::string& folder) const;
  Result<std::vector<std::string>> Children(const Store& store, const std::string& folder) const;
  Result<std::vector<Identifier>> List(const Identifier& parent, bool tables, const Account& account,
                                       const Cancellation& cancellation);
  Result<iceberg::TableMetadata> MakeMetadata(const Identifier& name,
                                              const TableDefinition& definition) const;
  /// All of a table's folder, and files that it has elsewhere.
  Status DeleteFolder(const std::string& location, const std::vector<std::string>& elsewhere,
                      const Account& account, const Cancellation& cancellation) const;

  const std::string name_;
  const Options options_;
  const iceberg::IcebergTable::Services services_;
  std::mutex mutex_;
  std::map<Identifier, Known> known_;
};

}  // namespace weir::catalog
