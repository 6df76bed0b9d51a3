#include "ops/delete.h"

#include "ops/commit.h"
#include "ops/file_match.h"
#include "ops/key_derivation.h"
#include "ops/row_deletes.h"
#include "ops/row_scan.h"

namespace weir::ops {
namespace {

bool IsFalse(const ExprPtr& condition) {
  const auto* literal = condition == nullptr ? nullptr : condition->As<Scalar>();
  return literal != nullptr && literal->type().kind() == TypeKind::kBoolean &&
         (literal->is_null() || !literal->boolean());
}

}  // namespace

Status Delete(const plan::DeleteCommand& command, const OperationContext& context) {
  if (IsFalse(command.condition)) return {};
  const plan::WriteTarget& target = command.target;
  const Account account = context.AccountFor("delete", target.name, Purpose::kData);
  WEIR_TRY(const TargetFiles files, PlanTargetFiles(target, command.condition, context));

  table::Change change;
  change.base = target.snapshot;
  change.intent = table::Intent::kDelete;
  std::vector<table::ScanTask> partial;
  for (const table::ScanTask& task : files.tasks) {
    WEIR_TRY(const FileMatch match, MatchFile(command.condition, *task.file, target));
    if (match == FileMatch::kAll) {
      change.removed.push_back(task.file);
      account.Avoid(AvoidReason::kDeleteOnly, 1, task.file->size_bytes);
    } else if (match == FileMatch::kSome) {
      partial.push_back(task);
    }
  }
  UncommittedFiles uncommitted(context.stores, account);
  if (!partial.empty()) {
    WEIR_DO(CheckDeleteForm(target.snapshot->rules.delete_form, "DELETE FROM", "write.delete.mode", target));
    const Tasks tasks = std::make_shared<const std::vector<table::ScanTask>>(std::move(partial));
    plan::ColumnIds ids(kFirstInternalColumn);
    const RowPlace place = MakeRowPlace(ids);
    const plan::NodePtr rows =
        MatchingRows(target, tasks, command.condition, {}, files.predicate, place, context);
    RowPlaces places(tasks->size());
    WEIR_DO(ForEachPlace(context, Pick(rows, {place.task, place.pos}), false,
                         [&](int64_t task, int64_t pos, int64_t) { return places.Add(task, pos); }));
    places.Settle();
    WEIR_TRY(change.added_deletes, WriteRowDeletes(target, *tasks, places, context, account));
    uncommitted.Add(change.added_deletes);
    change.referenced_files = places.PathsOf(*tasks);
  }
  change.read = table::ReadSet{files.predicate, target.snapshot->rules.delete_isolation};
  return CommitChange(target, change, "delete", uncommitted, context);
}

}  // namespace weir::ops
