#pragma once

/// Resolved statements: what ops and the session carry out. Thread rule: immutable.

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "plan/logical.h"
#include "plan/unresolved.h"

namespace weir::plan {

/// A resolved target of a write: the table, its state when the statement was analysed, and its columns as
/// plan columns.
struct WriteTarget {
  std::shared_ptr<table::Table> table;
  table::SnapshotPtr snapshot;
  std::string name;
  /// One per top-level field of the schema; ids used by conditions and assignments.
  std::vector<Column> columns;
};

struct QueryCommand {
  NodePtr plan;
};

/// `query` yields exactly the target's columns, in order, already cast by store assignment.
struct InsertCommand {
  WriteTarget target;
  NodePtr query;
  enum class Mode : uint8_t {
    kAppend,
    kOverwriteStatic,   ///< Replaces rows that match `overwrite`.
    kOverwriteDynamic,  ///< Replaces the partitions (of the current spec) that get new rows.
  };
  Mode mode = Mode::kAppend;
  ExprPtr overwrite;  ///< kOverwriteStatic: over target columns; null: every row.
};

struct DeleteCommand {
  WriteTarget target;
  ExprPtr condition;  ///< Over target columns; null: every row.
};

/// New value of every target column, in order; a column that is not set is its own ColumnRef.
struct UpdateCommand {
  WriteTarget target;
  ExprPtr condition;
  std::vector<ExprPtr> values;
};

struct MergeAction {
  enum class Kind : uint8_t { kUpdate, kDelete, kInsert };
  Kind kind = Kind::kUpdate;
  ExprPtr condition;            ///< Null: always.
  std::vector<ExprPtr> values;  ///< kUpdate, kInsert: one per target column, cast by store assignment.
};
struct MergeCommand {
  WriteTarget target;
  NodePtr source;
  ExprPtr condition;                               ///< Over target columns and source output.
  std::vector<MergeAction> matched;                ///< In order; kUpdate or kDelete.
  std::vector<MergeAction> not_matched;            ///< kInsert, over source columns only.
  std::vector<MergeAction> not_matched_by_source;  ///< kUpdate or kDelete, over target columns only.
};

struct CreateTableCommand {
  std::string catalog;
  std::vector<std::string> name;  ///< Without the catalog.
  bool if_not_exists = false;
  Schema schema;  ///< Field ids 0. For CTAS: the query's columns.
  std::vector<unresolved::PartitionTransform> partitioning;
  table::Properties properties;
  std::optional<std::string> location;
  std::string comment;
  NodePtr query;  ///< CTAS, else null.
};
struct DropTableCommand {
  std::string catalog;
  std::vector<std::string> name;
  bool if_exists = false;
  bool purge = false;
};
struct AlterTableCommand {
  WriteTarget target;
  unresolved::AlterTable statement;
};
struct NamespaceCommand {
  enum class Kind : uint8_t { kCreate, kDrop, kUse };
  Kind kind = Kind::kCreate;
  std::string catalog;
  std::vector<std::string> name;
  bool if_not_exists = false;
  bool if_exists = false;
  bool cascade = false;
};
struct DescribeCommand {
  WriteTarget target;
  bool extended = false;
};
struct ShowCommand {
  enum class Kind : uint8_t { kTables, kNamespaces };
  Kind kind = Kind::kTables;
  std::string catalog;
  std::vector<std::string> in_namespace;
  std::string pattern;
};
struct SetCommand {
  unresolved::SetConfiguration setting;
};
struct Command;
struct ExplainCommand {
  unresolved::ExplainMode mode = unresolved::ExplainMode::kSimple;
  std::shared_ptr<const Command> command;
};

struct Command {
  std::variant<QueryCommand, InsertCommand, DeleteCommand, UpdateCommand, MergeCommand, CreateTableCommand,
               DropTableCommand, AlterTableCommand, NamespaceCommand, DescribeCommand, ShowCommand,
               SetCommand, ExplainCommand>
      node;
};

}  // namespace weir::plan
