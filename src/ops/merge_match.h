#pragma once

/// The first half of a MERGE: which target rows match which source rows, reading as little of the target as
/// the source allows. Thread rule: one thread.

#include <memory>
#include <optional>
#include <string>

#include "ops/merge_shape.h"
#include "ops/operation.h"
#include "ops/target_scan.h"

namespace weir::ops {

/// The source, evaluated once (it need not be deterministic).
struct MergeSource {
  exec::RelationPtr rows;  ///< MergeShape::source_columns, then `number`.
  plan::Column number;     ///< 0, 1, 2, ...; names a source row.
};
Result<MergeSource> KeepSource(const plan::MergeCommand& command, const MergeShape& shape,
                               plan::ColumnIds& ids, const OperationContext& context);

/// What the source's values say about the target rows that can match.
struct MergeKeys {
  bool none_can_match = false;                ///< No source row can match anything.
  std::shared_ptr<const table::KeySet> keys;  ///< Null if nothing was derived.
};
Result<MergeKeys> CollectKeys(const plan::MergeCommand& command, const MergeShape& shape,
                              const MergeSource& source, const OperationContext& context);

/// Files that the MERGE reads. One list, so that a place (task, position) means the same everywhere: first
/// those that only the join reads, then those that both read, then those that only NOT MATCHED BY SOURCE
/// reads.
struct MergeFiles {
  std::vector<table::ScanTask> tasks;
  size_t first_by_source = 0;  ///< tasks[first_by_source..) may hold rows for NOT MATCHED BY SOURCE.
  size_t join_end = 0;         ///< tasks[0..join_end) may hold rows that match.
  table::PruneReport join_report;
  std::optional<table::PruneReport> by_source_report;
  ExprPtr join_predicate;       ///< Over fields, or null: what ON says about the target alone.
  ExprPtr by_source_predicate;  ///< Over fields, or null: what some NOT MATCHED BY SOURCE clause asks for.
};
/// Nothing of ON prunes the files of NOT MATCHED BY SOURCE: a row for which ON is false is just what it looks
/// for.
Result<MergeFiles> PlanFiles(const plan::MergeCommand& command, const MergeShape& shape,
                             const MergeKeys& keys, const OperationContext& context);

/// Pairs of a target row and a source row for which ON is true.
struct MergeMatches {
  exec::RelationPtr rows;  ///< place, source_number, then the join's target columns. Null: no pair.
  RowPlace place;
  plan::Column source_number;
};
Result<MergeMatches> Match(const plan::MergeCommand& command, const MergeShape& shape,
                           const MergeSource& source, const MergeKeys& keys, const MergeFiles& files,
                           plan::ColumnIds& ids, const OperationContext& context);

/// A predicate over fields that every target row which could matter to the MERGE satisfies; null: any row.
Result<ExprPtr> RowsThatMatter(const plan::MergeCommand& command, const MergeShape& shape,
                               const MergeKeys& keys, const MergeFiles& files);

/// What the join would read of its files, from footers and page indexes; nullopt if it does not look for
/// keys.
Result<std::optional<exec::PageReport>> DescribePages(const plan::MergeCommand& command,
                                                      const MergeShape& shape, const MergeKeys& keys,
                                                      const MergeFiles& files, plan::ColumnIds& ids,
                                                      const OperationContext& context);

/// The plan as EXPLAIN shows it: keys, files, pages and what was left out, one line each.
std::vector<std::string> Describe(const MergeShape& shape, const MergeKeys& keys, const MergeFiles& files,
                                  const std::optional<exec::PageReport>& pages,
                                  const plan::WriteTarget& target);

}  // namespace weir::ops
