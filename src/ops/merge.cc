#include "ops/merge.h"

#include "ops/commit.h"
#include "ops/merge_apply.h"

namespace weir::ops {
namespace {

std::map<std::string, std::string> Summary(const ChangedRows& rows) {
  const auto entry = [](std::string_view name, uint64_t count) {
    return std::pair(fmt::format("spark.merge-into.num-target-rows-{}", name), std::to_string(count));
  };
  return {entry("copied", 0),
          entry("inserted", rows.inserted),
          entry("updated", rows.matched_updated + rows.by_source_updated),
          entry("deleted", rows.matched_deleted + rows.by_source_deleted),
          entry("matched-updated", rows.matched_updated),
          entry("matched-deleted", rows.matched_deleted),
          entry("not-matched-by-source-updated", rows.by_source_updated),
          entry("not-matched-by-source-deleted", rows.by_source_deleted)};
}

uint64_t RowCount(const std::vector<table::NewDataFile>& files) {
  uint64_t rows = 0;
  for (const auto& file : files) rows += file.file.row_count;
  return rows;
}

Result<std::vector<table::NewDataFile>> WriteNewRows(const plan::MergeCommand& command, MergeEffect& effect,
                                                     plan::ColumnIds& ids, const OperationContext& context) {
  if (effect.new_rows.empty()) return std::vector<table::NewDataFile>{};
  plan::NodePtr rows =
      effect.new_rows.size() == 1 ? effect.new_rows[0] : plan::MakeUnionAll(effect.new_rows, ids);
  return WriteFiles(rows, command.target, "merge", context);
}

}  // namespace

Result<ChangedRows> Merge(const plan::MergeCommand& command, const OperationContext& context) {
  const plan::WriteTarget& target = command.target;
  const MergeShape shape = ShapeOf(command);
  const table::WriteRules& rules = target.snapshot->rules;
  if (!shape.only_inserts()) {
    WEIR_DO(CheckDeleteForm(rules.merge_form, "MERGE INTO", "write.merge.mode", target));
  }
  plan::ColumnIds ids(kFirstInternalColumn);
  WEIR_TRY(const MergeSource source, KeepSource(command, shape, ids, context));
  WEIR_TRY(const MergeKeys keys, CollectKeys(command, shape, source, context));
  WEIR_TRY(const MergeFiles files, PlanFiles(command, shape, keys, context));
  WEIR_TRY(const MergeMatches matches, Match(command, shape, source, keys, files, ids, context));

  const MergeState state{command, shape, source, files, matches, ids, context};
  MergeEffect effect(files.tasks.size());
  WEIR_DO(ApplyMatched(state, effect));
  WEIR_DO(ApplyNotMatched(state, effect));
  WEIR_DO(ApplyBySource(state, effect));
  effect.deletes.Settle();

  const Account account = context.AccountFor("merge", target.name, Purpose::kData);
  UncommittedFiles uncommitted(context.stores, account);
  table::Change change;
  change.base = target.snapshot;
  change.intent = shape.only_inserts() ? table::Intent::kAppend : table::Intent::kMerge;
  WEIR_TRY(change.added, WriteNewRows(command, effect, ids, context));
  uncommitted.Add(change.added);
  effect.rows.inserted = RowCount(change.added) - effect.updated();
  WEIR_TRY(change.added_deletes, WriteRowDeletes(target, files.tasks, effect.deletes, context, account));
  uncommitted.Add(change.added_deletes);
  change.referenced_files = effect.deletes.PathsOf(files.tasks);
  WEIR_TRY(ExprPtr matter, RowsThatMatter(command, shape, keys, files));
  change.read = table::ReadSet{std::move(matter), rules.merge_isolation};
  if (!shape.only_inserts()) change.summary = Summary(effect.rows);
  WEIR_DO(CommitChange(target, change, "merge", uncommitted, context));
  return effect.rows;
}

Result<std::vector<std::string>> ExplainMerge(const plan::MergeCommand& command,
                                              const OperationContext& context) {
  const MergeShape shape = ShapeOf(command);
  plan::ColumnIds ids(kFirstInternalColumn);
  WEIR_TRY(const MergeSource source, KeepSource(command, shape, ids, context));
  WEIR_TRY(const MergeKeys keys, CollectKeys(command, shape, source, context));
  WEIR_TRY(const MergeFiles files, PlanFiles(command, shape, keys, context));
  WEIR_TRY(const auto pages, DescribePages(command, shape, keys, files, ids, context));
  return Describe(shape, keys, files, pages, command.target);
}

}  // namespace weir::ops
