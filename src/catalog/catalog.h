#pragma once

/// Names -> tables, and who decides a commit. Thread rule: any thread.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "storage/stores.h"
#include "table/table.h"

namespace weir::catalog {

/// A namespace or table name without the catalog part, such as {"db", "t"}.
using Identifier = std::vector<std::string>;

/// What CREATE TABLE asks for. Field ids in `schema` are 0 and are assigned by the format.
struct TableDefinition {
  Schema schema;
  /// Partition fields by column path; names and ids are assigned by the format when empty / 0.
  struct Partitioning {
    std::vector<std::string> column;
    Transform transform;
    std::string name;
  };
  std::vector<Partitioning> partitioning;
  table::Properties properties;
  std::optional<std::string> location;
  std::string comment;
};

class Catalog {
 public:
  virtual ~Catalog() = default;
  virtual const std::string& name() const = 0;
  virtual Status CreateNamespace(const Identifier& name, bool if_not_exists, Account, Cancellation) = 0;
  /// Errors: kInvalid (SCHEMA_NOT_EMPTY) unless empty or `cascade`.
  virtual Status DropNamespace(const Identifier& name, bool if_exists, bool cascade, Account,
                               Cancellation) = 0;
  virtual Result<bool> NamespaceExists(const Identifier& name, Account, Cancellation) = 0;
  virtual Result<std::vector<Identifier>> ListNamespaces(const Identifier& parent, Account, Cancellation) = 0;
  virtual Result<std::vector<Identifier>> ListTables(const Identifier& parent, Account, Cancellation) = 0;
  /// Null if there is no such table.
  virtual Result<std::shared_ptr<table::Table>> FindTable(const Identifier& name, Account, Cancellation) = 0;
  /// Errors: kExists (TABLE_OR_VIEW_ALREADY_EXISTS), kNotFound (SCHEMA_NOT_FOUND), kUnsupported by feature.
  virtual Result<std::shared_ptr<table::Table>> CreateTable(const Identifier& name,
                                                            const TableDefinition& definition, Account,
                                                            Cancellation) = 0;
  /// A table that does not exist until its first Commit, which creates it with its rows at once (CTAS).
  virtual Result<std::shared_ptr<table::Table>> StageTable(const Identifier& name,
                                                           const TableDefinition& definition, Account,
                                                           Cancellation) = 0;
  /// Removes the table; with `purge`, also every file that its metadata reaches. Returns false if it did not
  /// exist.
  virtual Result<bool> DropTable(const Identifier& name, bool purge, Account, Cancellation) = 0;
};

/// Catalogs of a session, configured by Spark's keys: spark.sql.catalog.<name>, .type, .warehouse, ...
class Catalogs {
 public:
  Catalogs(std::shared_ptr<const Stores> stores, Clock& clock, Random& random);
  /// Reads every spark.sql.catalog.<name> group of `conf`. A group that cannot be served is an error when it
  /// is used, not here. May be called again when the configuration changes; unchanged catalogs stay.
  void Configure(const std::map<std::string, std::string, std::less<>>& conf);
  bool Has(std::string_view name) const;
  std::vector<std::string> Names() const;
  /// Errors: kNotFound (CATALOG_NOT_FOUND); kUnsupported naming the catalog class or type; kInvalid for a
  /// missing key.
  Result<std::shared_ptr<Catalog>> Find(std::string_view name);

 private:
  std::shared_ptr<const Stores> stores_;
  Clock& clock_;
  Random& random_;
  mutable std::mutex mutex_;  ///< Over what follows.
  std::map<std::string, table::Properties, std::less<>> groups_;
  std::map<std::string, std::shared_ptr<Catalog>, std::less<>> open_;
};

}  // namespace weir::catalog
