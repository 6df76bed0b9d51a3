#pragma once

/// How analyze finds tables without knowing catalogs: declared here, implemented by the session over catalog.

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "plan/logical.h"
#include "plan/unresolved.h"

namespace weir::plan {

/// A table at a snapshot.
struct ResolvedTable {
  std::shared_ptr<table::Table> table;
  table::SnapshotPtr snapshot;
  std::string name;  ///< "cat.db.t".
};
/// Rows of a metadata table such as cat.db.t.snapshots.
struct ResolvedRows {
  table::Table::MetadataRows rows;
  std::string name;
};
/// Parquet files by path, with the columns that their footers give.
struct ResolvedPath {
  std::vector<std::string> paths;
  std::vector<Field> fields;
  std::string name;
};
class NameResolver;
/// A view: a query whose names are looked up in `names`, which the resolver that found it owns.
struct ResolvedView {
  unresolved::RelationPtr query;
  NameResolver* names = nullptr;
  std::string name;
};
using ResolvedRelation = std::variant<ResolvedTable, ResolvedRows, ResolvedPath, ResolvedView>;

/// A name split by the session's current catalog and namespace.
struct QualifiedName {
  std::string catalog;
  std::vector<std::string> name;  ///< Namespace parts, then the table (or only namespace parts).
};

/// Thread rule: one thread.
class NameResolver {
 public:
  virtual ~NameResolver() = default;
  /// `at` is already constant-folded. Nullopt: no such table or view. Errors: what loading the table gives.
  virtual Result<std::optional<ResolvedRelation>> FindRelation(const unresolved::Name& name,
                                                               const table::At& at) = 0;
  virtual Result<QualifiedName> QualifyTable(const unresolved::Name& name) = 0;
  virtual Result<QualifiedName> QualifyNamespace(const unresolved::Name& name) = 0;
};

}  // namespace weir::plan
