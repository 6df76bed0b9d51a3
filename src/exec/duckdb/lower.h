#pragma once

/// Lowers a resolved plan to DuckDB's parsed tree. Every column is named after its ColumnId ("c12"), so that
/// names never meet; every type is explicit, so that DuckDB has nothing left to decide. Thread rule: one
/// thread.

#include <cstdint>
#include <string>

#include "exec/duckdb/tree.h"
#include "expr/expr.h"
#include "plan/logical.h"

namespace weir::exec {

class Query;

/// The name of a plan column inside DuckDB.
std::string NameOf(ColumnId id);

class Lowering {
 public:
  /// `query` gets the scans of the plan registered and must outlive the statement's run.
  explicit Lowering(Query& query) : query_(query) {}

  /// Selects exactly the plan's output columns, in order, named p0, p1, ...
  /// Errors: kUnsupported for what the executor cannot do; kInternal for a plan that is not resolved.
  Result<duckdb::unique_ptr<duckdb::SelectStatement>> Statement(const plan::NodePtr& plan);
  Result<ParsedPtr> Expression(const Expr& expr);
  Result<ParsedPtr> Expression(const ExprPtr& expr) { return Expression(*expr); }
  /// A condition of WHERE or ON, where DuckDB tests conjuncts from left to right and stops early.
  Result<ParsedPtr> Condition(const ExprPtr& condition);

  Query& query() { return query_; }
  const Semantics& semantics() const;

 private:
  /// A table that offers the node's output columns by NameOf.
  Result<TablePtr> Table(const plan::NodePtr& node);
  /// SELECT without a list: FROM the node, with WHERE for filters on top of it.
  Result<SelectPtr> From(const plan::NodePtr& node);
  Result<QueryPtr> SelectOp(const plan::Node& node);

  Result<QueryPtr> Lower(const plan::Node& node, const plan::FileScan& scan);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::PathScan& scan);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::RelationScan& scan);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::LocalRows& rows);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Values& values);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Range& range);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Project& project);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Filter& filter);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Join& join);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Aggregate& aggregate);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Distinct& distinct);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::SetOperation& operation);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Sort& sort);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Limit& limit);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::RowNumber& numbers);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::TableScan& scan);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Window& window);
  Result<QueryPtr> Lower(const plan::Node& node, const plan::Generate& generate);

  Result<ParsedPtr> LowerCall(const Call& call, const Type& type, const WindowCall* window = nullptr);
  Result<ParsedPtr> LowerCase(const Case& choice, const Type& type);
  Result<ParsedPtr> LowerSubquery(const Subquery& subquery);
  Result<ParsedPtr> LowerGetField(const GetField& get, const Type& type);

  void PassThrough(duckdb::SelectNode& select, const plan::Node& node) const;
  std::string NextAlias() { return "t" + std::to_string(next_alias_++); }

  Query& query_;
  int next_alias_ = 0;
};

/// An empty table with the node's columns.
Result<QueryPtr> EmptyRelation(const plan::Node& node);

}  // namespace weir::exec
