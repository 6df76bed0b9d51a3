#include "ops/merge_apply.h"

#include <algorithm>

#include "ops/clauses.h"

namespace weir::ops {
namespace {

Error CardinalityViolation() {
  return Invalid(
             "MERGE: several source rows match the same target row; which of them should change it is not "
             "defined")
      .WithCondition({"MERGE_CARDINALITY_VIOLATION", "23K01", {}, std::nullopt, ""});
}

plan::Column ClauseColumn(plan::ColumnIds& ids) { return {ids.Next(), "_clause", Type::Int(), false}; }

ExprPtr TookSomeClause(const plan::Column& clause) {
  return MakePredicate(">=", {plan::ColumnExpr(clause), MakeLiteral(Scalar::Int(0))});
}

Tasks JoinTasks(const MergeFiles& files) {
  return std::make_shared<const std::vector<table::ScanTask>>(files.tasks.begin(),
                                                              files.tasks.begin() + files.join_end);
}

/// The rows with further target columns.
plan::NodePtr WithColumns(const MergeState& state, plan::NodePtr rows, const std::vector<size_t>& columns,
                          const RowPlaces& places) {
  return ReadMore(state.command.target, std::move(rows), state.matches.place, JoinTasks(state.files), columns,
                  places.Selection(state.files.join_end), state.ids);
}

/// The pairs with their source columns.
plan::NodePtr WithSource(const MergeState& state, plan::NodePtr pairs) {
  if (state.shape.source_columns.empty()) return pairs;
  const std::vector<plan::Column> output = Joined(pairs->output, state.shape.source_columns);
  return Pick(plan::MakeJoin(std::move(pairs), ScanKept(*state.source.rows), plan::JoinType::kInner,
                             EqualColumns(state.matches.source_number, state.source.number)),
              output);
}

Result<RowPlaces> AllPlaces(const MergeState& state) {
  RowPlaces places(state.files.tasks.size());
  const plan::NodePtr pairs =
      Pick(ScanKept(*state.matches.rows), {state.matches.place.task, state.matches.place.pos});
  WEIR_DO(ForEachPlace(state.context, pairs, false,
                       [&](int64_t task, int64_t pos, int64_t) { return places.Add(task, pos); }));
  if (places.Settle() && state.shape.check_cardinality) return CardinalityViolation();
  return places;
}

plan::NodePtr NewVersions(const MergeState& state, plan::NodePtr rows,
                          const std::vector<plan::MergeAction>& actions, const plan::Column& clause) {
  const plan::WriteTarget& target = state.command.target;
  return MakeRows(target, std::move(rows), ValuesByClause(actions, clause, target.columns.size()), state.ids);
}

/// Every pair takes clause 0, so nothing has to be decided row by row.
Status ApplyToAllPairs(const MergeState& state, RowPlaces places, MergeEffect& effect) {
  const auto pairs = static_cast<uint64_t>(state.matches.rows->row_count());
  const bool updates = AnyWrites(state.shape.matched);
  (updates ? effect.rows.matched_updated : effect.rows.matched_deleted) += pairs;
  if (updates) {
    plan::NodePtr rows = WithSource(state, ScanKept(*state.matches.rows));
    rows = WithColumns(state, std::move(rows), state.shape.update_columns, places);
    effect.new_rows.push_back(NewVersions(state, std::move(rows), state.shape.matched, {}));
  }
  effect.deletes.Merge(std::move(places));
  return {};
}

/// Counts and collects the rows of a kept relation that starts with a place and its clause.
Status Collect(const MergeState& state, const plan::NodePtr& rows,
               const std::vector<plan::MergeAction>& actions, int64_t task_offset, uint64_t& updated,
               uint64_t& deleted, RowPlaces& all, RowPlaces* written) {
  return ForEachPlace(state.context, rows, true, [&](int64_t task, int64_t pos, int64_t clause) -> Status {
    const bool writes = actions[static_cast<size_t>(clause)].kind != plan::MergeAction::Kind::kDelete;
    ++(writes ? updated : deleted);
    if (writes && written != nullptr) WEIR_DO(written->Add(task + task_offset, pos));
    return all.Add(task + task_offset, pos);
  });
}

}  // namespace

Status ApplyMatched(const MergeState& state, MergeEffect& effect) {
  if (state.shape.matched.empty() || state.matches.rows == nullptr) return {};
  WEIR_TRY(RowPlaces places, AllPlaces(state));
  if (TakesAll(state.shape.matched)) return ApplyToAllPairs(state, std::move(places), effect);

  // Conditions are evaluated once and their outcome is kept, with the columns that new values read.
  const std::vector<plan::MergeAction>& actions = state.shape.matched;
  plan::NodePtr rows = WithSource(state, ScanKept(*state.matches.rows));
  rows = WithColumns(state, std::move(rows), state.shape.clause_columns, places);
  const plan::Column clause = ClauseColumn(state.ids);
  std::vector<plan::Column> kept;
  const RowPlace& place = state.matches.place;
  for (const plan::Column& column : rows->output) {
    if (column.id != place.task.id && column.id != place.pos.id) kept.push_back(column);
  }
  rows = Pick(rows, rows->output, {{clause, ClauseOf(actions)}});
  rows = plan::MakeFilter(std::move(rows), TookSomeClause(clause));
  rows = Pick(std::move(rows), Joined({place.task, place.pos, clause}, kept));
  WEIR_TRY(exec::RelationPtr taken, KeepRows(rows, state.context));

  RowPlaces written(state.files.tasks.size());
  WEIR_DO(Collect(state, Pick(ScanKept(*taken), {place.task, place.pos, clause}), actions, 0,
                  effect.rows.matched_updated, effect.rows.matched_deleted, effect.deletes, &written));
  if (effect.rows.matched_updated > 0) {
    written.Settle();
    plan::NodePtr updates = plan::MakeFilter(ScanKept(*taken), WritesRow(actions, clause));
    updates = WithColumns(state, std::move(updates), state.shape.update_columns, written);
    effect.new_rows.push_back(NewVersions(state, std::move(updates), actions, clause));
  }
  effect.kept.push_back(std::move(taken));
  return {};
}

Status ApplyNotMatched(const MergeState& state, MergeEffect& effect) {
  const std::vector<plan::MergeAction>& actions = state.shape.not_matched;
  if (actions.empty() || state.source.rows->row_count() == 0) return {};
  plan::NodePtr rows = ScanKept(*state.source.rows);
  if (state.matches.rows != nullptr) {
    plan::NodePtr matched = Pick(ScanKept(*state.matches.rows), {state.matches.source_number});
    rows = plan::MakeJoin(std::move(rows), std::move(matched), plan::JoinType::kLeftAnti,
                          EqualColumns(state.source.number, state.matches.source_number));
  }
  const plan::Column clause = ClauseColumn(state.ids);
  if (!TakesAll(actions)) {
    rows = Pick(rows, rows->output, {{clause, ClauseOf(actions)}});
    rows = plan::MakeFilter(std::move(rows), TookSomeClause(clause));
  }
  effect.new_rows.push_back(NewVersions(state, std::move(rows), actions, clause));
  return {};
}

Status ApplyBySource(const MergeState& state, MergeEffect& effect) {
  const std::vector<plan::MergeAction>& actions = state.shape.by_source;
  const MergeFiles& files = state.files;
  if (actions.empty() || files.first_by_source == files.tasks.size()) return {};
  const auto offset = static_cast<int32_t>(files.first_by_source);
  TargetScan scan;
  scan.tasks =
      std::make_shared<const std::vector<table::ScanTask>>(files.tasks.begin() + offset, files.tasks.end());
  scan.columns = state.shape.by_source_columns;
  if (state.context.pruning.row_groups) scan.predicate = files.by_source_predicate;
  const RowPlace place = MakeRowPlace(state.ids);
  plan::NodePtr rows = ScanRows(state.command.target, std::move(scan), place);
  if (state.matches.rows != nullptr) {
    // Both sides count tasks from the start of their own scan.
    const RowPlace matched = MakeRowPlace(state.ids);
    const RowPlace& from = state.matches.place;
    const ExprPtr shifted =
        std::make_shared<const Expr>(Call{FindFunction("-"),
                                          {plan::ColumnExpr(from.task), MakeLiteral(Scalar::Int(offset))},
                                          false,
                                          nullptr},
                                     Type::Int(), false);
    plan::NodePtr pairs = Pick(ScanKept(*state.matches.rows), {},
                               {{matched.task, shifted}, {matched.pos, plan::ColumnExpr(from.pos)}});
    rows = plan::MakeJoin(
        std::move(rows), std::move(pairs), plan::JoinType::kLeftAnti,
        Conjunction({EqualColumns(place.task, matched.task), EqualColumns(place.pos, matched.pos)}));
  }
  const plan::Column clause = ClauseColumn(state.ids);
  const std::vector<plan::Column> columns = ColumnsAt(state.command.target, state.shape.by_source_columns);
  rows = Pick(std::move(rows), Joined({place.task, place.pos}, columns), {{clause, ClauseOf(actions)}});
  rows = plan::MakeFilter(std::move(rows), TookSomeClause(clause));
  rows = Pick(std::move(rows), Joined({place.task, place.pos, clause},
                                      AnyWrites(actions) ? columns : std::vector<plan::Column>{}));
  WEIR_TRY(exec::RelationPtr taken, KeepRows(rows, state.context));
  WEIR_DO(Collect(state, Pick(ScanKept(*taken), {place.task, place.pos, clause}), actions, offset,
                  effect.rows.by_source_updated, effect.rows.by_source_deleted, effect.deletes, nullptr));
  if (effect.rows.by_source_updated > 0) {
    plan::NodePtr updates = plan::MakeFilter(ScanKept(*taken), WritesRow(actions, clause));
    effect.new_rows.push_back(NewVersions(state, std::move(updates), actions, clause));
  }
  effect.kept.push_back(std::move(taken));
  return {};
}

}  // namespace weir::ops
