#pragma once

/// How names in statements find tables: catalog, current namespace, metadata tables, paths. Thread rule: one
/// thread.

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "catalog/catalog.h"
#include "exec/engine.h"
#include "plan/name_resolver.h"
#include "session/views.h"

namespace weir::session {

/// Finds relations of one statement. Everything outlives it.
class Names : public plan::NameResolver {
 public:
  Names(catalog::Catalogs& catalogs, exec::Engine& engine, const Stores& stores,
        const CurrentNamespace& current, const Views& views, const exec::RunContext& context)
      : catalogs_(catalogs),
        engine_(engine),
        stores_(stores),
        current_(current),
        views_(views),
        context_(context),
        loaded_(std::make_shared<Loads>()) {}

  /// A view; cat.db.t, db.t or t; cat.db.t.snapshots and the other metadata tables if no table has that name;
  /// parquet.`/path` for a file or the files of a folder.
  Result<std::optional<plan::ResolvedRelation>> FindRelation(const unresolved::Name& name,
                                                             const table::At& at) override;
  /// A first part that is a catalog's name is the catalog.
  Result<plan::QualifiedName> QualifyTable(const unresolved::Name& name) override;
  Result<plan::QualifiedName> QualifyNamespace(const unresolved::Name& name) override;

  /// The views that were found so far, not counting those inside of views.
  const Views& used_views() const { return used_views_; }

 private:
  bool IsCatalog(const std::string& name) const;
  struct Loaded {
    std::shared_ptr<table::Table> table;  ///< Null: there is none.
    table::SnapshotPtr snapshot;
  };
  /// Catalog, name, and when: the members of table::At.
  using LoadKey = std::tuple<std::string, std::vector<std::string>, table::At::Kind, int64_t, std::string>;
  using Loads = std::map<LoadKey, Loaded>;
  /// Names as a view sees them; one statement sees a table at one snapshot, in views as well.
  Names(const Names& outer, const View& view)
      : catalogs_(outer.catalogs_),
        engine_(outer.engine_),
        stores_(outer.stores_),
        current_(view.current),
        views_(view.used),
        context_(outer.context_),
        loaded_(outer.loaded_) {}
  /// One statement sees a table at one snapshot, however often it names it.
  Result<Loaded> LoadOnce(const plan::QualifiedName& name, const table::At& at);
  Result<std::optional<plan::ResolvedRelation>> FindPath(const std::string& path);
  Result<std::optional<plan::ResolvedRelation>> FindMetadata(const plan::QualifiedName& name,
                                                             const table::At& at);

  catalog::Catalogs& catalogs_;
  exec::Engine& engine_;
  const Stores& stores_;
  const CurrentNamespace& current_;
  const Views& views_;
  const exec::RunContext& context_;
  std::shared_ptr<Loads> loaded_;
  Views used_views_;
  std::vector<std::unique_ptr<Names>> of_views_;  ///< What views see, one for each use.
};

}  // namespace weir::session
