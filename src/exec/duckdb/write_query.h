#pragma once

/// The query behind a write: the table's columns as stored, then the partition values, in the order in which
/// files want their rows. Thread rule: one thread.

#include "exec/duckdb/query.h"
#include "exec/duckdb/tree.h"

namespace weir::exec {

struct WriteQuery {
  duckdb::unique_ptr<duckdb::SelectStatement> statement;
  const table::PartitionSpec* spec = nullptr;
  std::vector<Type> partition_types;  ///< Per spec field.
  std::optional<int32_t> sort_order_id;

  /// The tuple of partition columns; void fields, which have no column, are NULL.
  Result<table::PartitionTuple> PartitionOf(const std::vector<duckdb::Value>& columns) const;
};

/// Errors: kInvalid if the plan's columns do not fit the table; kUnsupported for an unknown transform.
Result<WriteQuery> PrepareWrite(Query& query, const plan::NodePtr& plan, const table::Snapshot& snapshot);

}  // namespace weir::exec
