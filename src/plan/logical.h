#pragma once

/// The resolved plan: columns by id, types decided, every coercion explicit. Rules rewrite it, the executor
/// runs it. Thread rule: immutable, shared.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "expr/expr.h"
#include "table/table.h"
#include "type/batch.h"

namespace weir::plan {

struct Node;
using NodePtr = std::shared_ptr<const Node>;

/// An output column of a node. Ids are unique in a plan; a node that passes a column through keeps its id.
struct Column {
  ColumnId id;
  std::string name;
  Type type;
  bool nullable = true;
  /// What the schema says of the column beside its type: a JSON object, or empty. Passed on with the column.
  std::string metadata = {};
};

/// Columns that a table scan can produce beside the table's own.
enum class MetadataColumn : uint8_t {
  kFile,       ///< "_file": path as the metadata spells it.
  kPos,        ///< "_pos": row position in the file, bigint.
  kSpecId,     ///< "_spec_id": int.
  kPartition,  ///< "_partition": struct over all specs' fields.
  kTask,       ///< Index into FileScan::tasks, int. Internal: no SQL name.
};

/// Where a scan's output column comes from.
using ScanColumn = std::variant<FieldId, MetadataColumn>;

/// A table at a snapshot, before files are planned. `columns` is parallel to the node's output.
struct TableScan {
  std::shared_ptr<table::Table> table;
  table::SnapshotPtr snapshot;
  std::string name;  ///< "cat.db.t", for EXPLAIN and the ledger.
  std::vector<ScanColumn> columns;
  ExprPtr predicate;  ///< Pushed, over ColumnOf(field id); a hint: the plan keeps a Filter for what is not
                      ///< exact. Or null.
};

/// Rows wanted from each task by position: `positions[i]` is sorted, for tasks[i].
struct RowSelection {
  std::vector<std::vector<int64_t>> positions;
};

/// Planned files of a table: what the executor reads.
struct FileScan {
  table::SnapshotPtr snapshot;
  std::string name;
  std::vector<ScanColumn> columns;
  std::shared_ptr<const std::vector<table::ScanTask>> tasks;
  ExprPtr predicate;  ///< As in TableScan: may be used to skip row groups.
  /// Only rows that match a key are needed: lets the executor read single pages of the key columns.
  std::shared_ptr<const table::KeySet> keys;
  /// Only these rows are returned.
  std::shared_ptr<const RowSelection> selection;
  table::PruneReport pruned;  ///< For EXPLAIN.
};

/// Parquet files by path, as parquet.`/path` reads them: columns by name.
struct PathScan {
  std::vector<std::string> paths;
  std::vector<std::string> columns;  ///< Parallel to output.
};

/// Rows kept by the executor under an id (see exec/engine.h, Relation).
struct RelationScan {
  int64_t relation_id = 0;
  std::vector<int32_t> columns;  ///< Positions in the relation, parallel to output.
};

/// Rows that came with the statement.
struct LocalRows {
  std::shared_ptr<const std::vector<Batch>> batches;
  std::vector<int32_t> columns;  ///< Positions in the batches, parallel to output.
};

struct Values {
  std::vector<std::vector<ExprPtr>> rows;
};
/// Longs from start to stop (exclusive) by step; one output column.
struct Range {
  int64_t start = 0, stop = 0, step = 1;
};
/// One expression per output column.
struct Project {
  std::vector<ExprPtr> exprs;
};
struct Filter {
  ExprPtr condition;
};
enum class JoinType : uint8_t { kInner, kLeft, kRight, kFull, kLeftSemi, kLeftAnti };
/// Output: left columns, then right columns (nullable as the type makes them); left only for semi and anti.
struct Join {
  JoinType type = JoinType::kInner;
  ExprPtr condition;  ///< Null: every pair.
};
/// Output: one column per group key, then one per aggregate. Without keys: exactly one row.
/// Aggregates are expressions over aggregate calls, without other columns.
struct Aggregate {
  std::vector<ExprPtr> keys;
  std::vector<ExprPtr> aggregates;
  /// Positions of keys. The rows are grouped once by each set, and keys outside of it are NULL; no rows give
  /// no group, whatever the set. The last output column is then the set's number, a long: one bit per key,
  /// the first key highest, 1 where the set lacks the key. Empty: one set of all keys and no such column.
  std::vector<std::vector<int32_t>> sets = {};
};
/// Output: the input's columns, then one per call. Each call is a WindowCall.
struct Window {
  std::vector<ExprPtr> calls;
};
/// Output: the input's columns, then the members of the struct that the generator gives, for each such
/// struct.
struct Generate {
  ExprPtr generator;   ///< A call of a generator.
  bool outer = false;  ///< A row for which there is none is kept, with NULLs.
};
/// Distinct rows.
struct Distinct {};
enum class SetOpKind : uint8_t { kUnionAll, kIntersect, kIntersectAll, kExcept, kExceptAll };
/// Inputs have the same column types, by position.
struct SetOperation {
  SetOpKind kind = SetOpKind::kUnionAll;
};
using SortKey = weir::SortKey;
struct Sort {
  std::vector<SortKey> keys;
};
struct Limit {
  std::optional<int64_t> limit;
  int64_t offset = 0;
};
/// Adds one long column, last: 0, 1, 2, ... in any order of the rows, each once.
struct RowNumber {};

struct Node {
  using Op =
      std::variant<TableScan, FileScan, PathScan, RelationScan, LocalRows, Values, Range, Project, Filter,
                   Join, Aggregate, Distinct, SetOperation, Sort, Limit, RowNumber, Window, Generate>;
  Op op;
  std::vector<NodePtr> inputs;
  std::vector<Column> output;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&op);
  }
};

/// Hands out column ids that no other node of the plan uses. Thread rule: one thread.
class ColumnIds {
 public:
  explicit ColumnIds(int32_t first = 1) : next_(first) {}
  ColumnId Next() { return ColumnId{next_++}; }

 private:
  int32_t next_;
};

NodePtr MakeNode(Node::Op op, std::vector<NodePtr> inputs, std::vector<Column> output);
ExprPtr ColumnExpr(const Column& column);
/// Nodes with the input's columns passed through.
NodePtr MakeFilter(NodePtr input, ExprPtr condition);
NodePtr MakeLimit(NodePtr input, std::optional<int64_t> limit, int64_t offset = 0);
NodePtr MakeSort(NodePtr input, std::vector<SortKey> keys);
/// Output columns get fresh ids and the given names.
NodePtr MakeProject(NodePtr input, std::vector<ExprPtr> exprs, std::vector<std::string> names,
                    ColumnIds& ids);
NodePtr MakeJoin(NodePtr left, NodePtr right, JoinType type, ExprPtr condition);
NodePtr MakeUnionAll(std::vector<NodePtr> inputs, ColumnIds& ids);

/// The expressions of the node itself, in a fixed order.
std::vector<ExprPtr> ExprsOf(const Node& node);
/// The same node over other expressions, given in the order of ExprsOf. The output columns stay.
NodePtr WithExprs(const Node& node, std::vector<ExprPtr> exprs);
/// The same node over other inputs whose columns have the ids that the node knows.
NodePtr WithInputs(const NodePtr& node, std::vector<NodePtr> inputs);

/// One line per node, two spaces of indent per level, as EXPLAIN prints it; scans show what was pruned when
/// planned.
std::string ToString(const NodePtr& plan);

}  // namespace weir::plan
