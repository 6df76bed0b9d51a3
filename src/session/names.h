#pragma once

/// How names in statements find tables: catalog, current namespace, metadata tables, paths. Thread rule: one
/// thread.

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "catalog/catalog.h"
#include "exec/engine.h"
#include "plan/name_resolver.h"

namespace weir::session {

/// Where names without a catalog or namespace start.
struct CurrentNamespace {
  std::string catalog = "spark_catalog";
  std::vector<std::string> name = {"default"};
};

/// Finds relations of one statement. Everything outlives it.
class Names : public plan::NameResolver {
 public:
  Names(catalog::Catalogs& catalogs, exec::Engine& engine, const Stores& stores,
        const CurrentNamespace& current, const exec::RunContext& context)
      : catalogs_(catalogs), engine_(engine), stores_(stores), current_(current), context_(context) {}

  /// cat.db.t, db.t or t; cat.db.t.snapshots and the other metadata tables if no table has that name;
  /// parquet.`/path` for a file or the files of a folder.
  Result<std::optional<plan::ResolvedRelation>> FindRelation(const unresolved::Name& name,
                                                             const table::At& at) override;
  /// A first part that is a catalog's name is the catalog.
  Result<plan::QualifiedName> QualifyTable(const unresolved::Name& name) override;
  Result<plan::QualifiedName> QualifyNamespace(const unresolved::Name& name) override;

 private:
  struct Loaded {
    std::shared_ptr<table::Table> table;  ///< Null: there is none.
    table::SnapshotPtr snapshot;
  };
  /// Catalog, name, and when: the members of table::At.
  using LoadKey = std::tuple<std::string, std::vector<std::string>, table::At::Kind, int64_t, std::string>;
  /// One statement sees a table at one snapshot, however often it names it.
  Result<Loaded> LoadOnce(const plan::QualifiedName& name, const table::At& at);
  Result<std::optional<plan::ResolvedRelation>> FindPath(const std::string& path);
  Result<std::optional<plan::ResolvedRelation>> FindMetadata(const plan::QualifiedName& name,
                                                             const table::At& at);

  catalog::Catalogs& catalogs_;
  exec::Engine& engine_;
  const Stores& stores_;
  const CurrentNamespace& current_;
  const exec::RunContext& context_;
  std::map<LoadKey, Loaded> loaded_;
};

}  // namespace weir::session
