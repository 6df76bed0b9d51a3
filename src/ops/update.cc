#include "ops/update.h"

#include "ops/commit.h"
#include "ops/row_deletes.h"
#include "ops/row_scan.h"

namespace weir::ops {

Status Update(const plan::UpdateCommand& command, const OperationContext& context) {
  const plan::WriteTarget& target = command.target;
  const table::WriteRules& rules = target.snapshot->rules;
  WEIR_DO(CheckDeleteForm(rules.update_form, "UPDATE", "write.update.mode", target));
  const std::vector<size_t> read_later =
      command.condition == nullptr
          ? std::vector<size_t>{}
          : Without(ColumnsRead(command.values, target), ColumnsRead({command.condition}, target));
  const std::vector<size_t> read_now = Without(ColumnsRead(command.values, target), read_later);
  WEIR_TRY(TargetFiles files, PlanTargetFiles(target, command.condition, context));
  const Tasks tasks = std::make_shared<const std::vector<table::ScanTask>>(std::move(files.tasks));

  table::Change change;
  change.base = target.snapshot;
  change.intent = table::Intent::kUpdate;
  change.read = table::ReadSet{files.predicate, rules.update_isolation};
  const Account account = context.AccountFor("update", target.name, Purpose::kData);
  UncommittedFiles uncommitted(context.stores, account);
  if (tasks->empty()) return CommitChange(target, change, "update", uncommitted, context);

  plan::ColumnIds ids(kFirstInternalColumn);
  const RowPlace place = MakeRowPlace(ids);
  WEIR_TRY(const exec::RelationPtr kept,
           KeepRows(MatchingRows(target, tasks, command.condition, read_now, files.predicate, place, context),
                    context));
  RowPlaces places(tasks->size());
  WEIR_DO(ForEachPlace(context, Pick(ScanKept(*kept), {place.task, place.pos}), false,
                       [&](int64_t task, int64_t pos, int64_t) { return places.Add(task, pos); }));
  places.Settle();
  if (!places.empty()) {
    plan::NodePtr rows =
        ReadMore(target, ScanKept(*kept), place, tasks, read_later, places.Selection(tasks->size()), ids);
    rows = MakeRows(target, std::move(rows), command.values, ids);
    WEIR_TRY(change.added, WriteFiles(rows, target, "update", context));
    uncommitted.Add(change.added);
    WEIR_TRY(change.added_deletes, WriteRowDeletes(target, *tasks, places, context, account));
    uncommitted.Add(change.added_deletes);
    change.referenced_files = places.PathsOf(*tasks);
  }
  return CommitChange(target, change, "update", uncommitted, context);
}

}  // namespace weir::ops
