#include "ops/merge_match.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "expr/outcomes.h"
#include "ledger/amounts.h"
#include "ops/clauses.h"
#include "ops/row_scan.h"

namespace weir::ops {
namespace {

/// Keys by distinct field: the first conjunct of a field stands for it, the others are left to the join.
std::vector<JoinKey> DistinctKeys(const std::vector<JoinKey>& keys) {
  std::vector<JoinKey> distinct;
  for (const JoinKey& key : keys) {
    const bool seen = std::any_of(distinct.begin(), distinct.end(),
                                  [&](const JoinKey& other) { return other.field == key.field; });
    if (!seen) distinct.push_back(key);
  }
  return distinct;
}

/// Source rows that can match at all.
plan::NodePtr MatchableSource(const MergeShape& shape, const MergeSource& source) {
  plan::NodePtr rows = ScanKept(*source.rows);
  if (shape.on.source_only.empty()) return rows;
  return plan::MakeFilter(std::move(rows), Conjunction(shape.on.source_only));
}

/// NOT MATCHED BY SOURCE looks at a row only if some clause's condition holds; null if one has none, or
/// cannot prune.
Result<ExprPtr> BySourcePredicate(const MergeShape& shape, const plan::WriteTarget& target) {
  ExprPtr any;
  for (const plan::MergeAction& action : shape.by_source) {
    if (action.condition == nullptr) return ExprPtr();
    WEIR_TRY(ExprPtr one, PruningPredicate(Conjuncts(action.condition), target));
    if (one == nullptr) return ExprPtr();
    any = any == nullptr ? std::move(one) : MakePredicate("or", {std::move(any), std::move(one)});
  }
  return any;
}

/// Lays the two file lists over each other; see MergeFiles.
void Arrange(std::vector<table::ScanTask> join, std::vector<table::ScanTask> by_source, MergeFiles& files) {
  std::unordered_set<std::string_view> in_join, in_by_source;
  for (const auto& task : join) in_join.insert(task.file->path);
  for (const auto& task : by_source) in_by_source.insert(task.file->path);
  for (const auto& task : join) {
    if (!in_by_source.contains(task.file->path)) files.tasks.push_back(task);
  }
  files.first_by_source = files.tasks.size();
  for (const auto& task : join) {
    if (in_by_source.contains(task.file->path)) files.tasks.push_back(task);
  }
  files.join_end = files.tasks.size();
  for (const auto& task : by_source) {
    if (!in_join.contains(task.file->path)) files.tasks.push_back(task);
  }
}

/// The target's columns for the join, with places.
plan::NodePtr JoinScan(const plan::MergeCommand& command, const MergeShape& shape, const MergeKeys& keys,
                       const MergeFiles& files, const RowPlace& place, const OperationContext& context) {
  TargetScan scan;
  scan.tasks = std::make_shared<const std::vector<table::ScanTask>>(files.tasks.begin(),
                                                                    files.tasks.begin() + files.join_end);
  scan.columns = shape.join_columns;
  if (context.pruning.row_groups) scan.predicate = files.join_predicate;
  if (context.pruning.pages) scan.keys = keys.keys;
  return ScanRows(command.target, std::move(scan), place);
}

std::vector<std::string> PageLines(const exec::PageReport& pages) {
  std::vector<std::string> lines = {fmt::format("  by page: {} files, {} rows in {}", pages.page_files,
                                                pages.row_count, BytesText(pages.selected_bytes))};
  if (pages.skipped_files > 0) {
    lines.push_back(fmt::format("  avoided by row groups and pages: {} files", pages.skipped_files));
  }
  for (const auto& [reason, count] : pages.plain) {
    lines.push_back(fmt::format("  read whole: {} files ({})", count, reason));
  }
  return lines;
}

void Append(std::vector<std::string> more, std::vector<std::string>& lines) {
  std::move(more.begin(), more.end(), std::back_inserter(lines));
}

}  // namespace

Result<MergeSource> KeepSource(const plan::MergeCommand& command, const MergeShape& shape,
                               plan::ColumnIds& ids, const OperationContext& context) {
  plan::NodePtr rows = command.source;
  // Rows that cannot match are of no use unless NOT MATCHED takes them.
  if (shape.not_matched.empty() && !shape.on.source_only.empty()) {
    rows = plan::MakeFilter(std::move(rows), Conjunction(shape.on.source_only));
  }
  rows = Pick(std::move(rows), shape.source_columns);
  MergeSource source;
  source.number = {ids.Next(), "_source_row", Type::Long(), false};
  std::vector<plan::Column> output = shape.source_columns;
  output.push_back(source.number);
  rows = plan::MakeNode(plan::RowNumber{}, {std::move(rows)}, std::move(output));
  WEIR_TRY(source.rows, KeepRows(rows, context));
  return source;
}

Result<MergeKeys> CollectKeys(const plan::MergeCommand& command, const MergeShape& shape,
                              const MergeSource& source, const OperationContext& context) {
  MergeKeys result;
  if (source.rows->row_count() == 0) {
    result.none_can_match = true;
    return result;
  }
  const std::vector<JoinKey> keys = DistinctKeys(shape.on.keys);
  if (keys.empty() || !context.pruning.keys) return result;

  plan::ColumnIds ids(kFirstInternalColumn * 2);
  std::vector<NamedExpr> exprs;
  std::vector<FieldId> fields;
  for (const JoinKey& key : keys) {
    exprs.push_back({{ids.Next(), "key", key.source->type(), key.source->nullable()}, key.source});
    fields.push_back(key.field);
  }
  const plan::NodePtr plan = Pick(MatchableSource(shape, source), {}, std::move(exprs));
  const table::Snapshot& snapshot = *command.target.snapshot;
  table::KeySetBuilder builder(std::move(fields), snapshot.specs, {});
  WEIR_TRY(auto stream, RunPlan(plan, context));
  while (true) {
    WEIR_TRY(const std::optional<Batch> batch, stream->Next());
    if (!batch) break;
    for (int64_t row = 0; row < batch->row_count; ++row) {
      std::vector<Scalar> key;
      for (size_t i = 0; i < keys.size(); ++i) {
        const Type& stored = snapshot.schema.fields[keys[i].column].type;
        auto narrow = NarrowKey(batch->At(row, i), stored, keys[i].widened);
        if (!narrow) break;
        key.push_back(*std::move(narrow));
      }
      if (key.size() == keys.size()) WEIR_DO(builder.Add(std::move(key)));
    }
  }
  auto set = std::make_shared<table::KeySet>(std::move(builder).Finish());
  result.none_can_match = set->empty();
  result.keys = std::move(set);
  return result;
}

Result<MergeFiles> PlanFiles(const plan::MergeCommand& command, const MergeShape& shape,
                             const MergeKeys& keys, const OperationContext& context) {
  const plan::WriteTarget& target = command.target;
  const Account account = context.AccountFor("scan", target.name, Purpose::kMetadata);
  MergeFiles files;
  WEIR_TRY(files.join_predicate, PruningPredicate(shape.on.target_only, target));
  WEIR_TRY(files.by_source_predicate, BySourcePredicate(shape, target));

  std::vector<table::ScanTask> join, by_source;
  if (!keys.none_can_match && target.snapshot->id) {
    table::ScanRequest request;
    if (context.pruning.files) {
      request.predicate = files.join_predicate;
      if (keys.keys != nullptr) request.keys = *keys.keys;
    }
    WEIR_TRY(table::ScanPlan plan,
             target.table->Plan(*target.snapshot, request, account, context.run.cancellation));
    join = std::move(plan.tasks);
    files.join_report = plan.pruned;
  }
  if (!shape.by_source.empty() && target.snapshot->id) {
    table::ScanRequest request;
    if (context.pruning.files) request.predicate = files.by_source_predicate;
    WEIR_TRY(table::ScanPlan plan,
             target.table->Plan(*target.snapshot, request, account, context.run.cancellation));
    by_source = std::move(plan.tasks);
    files.by_source_report = plan.pruned;
  }
  Arrange(std::move(join), std::move(by_source), files);
  return files;
}

Result<MergeMatches> Match(const plan::MergeCommand& command, const MergeShape& shape,
                           const MergeSource& source, const MergeKeys& keys, const MergeFiles& files,
                           plan::ColumnIds& ids, const OperationContext& context) {
  MergeMatches matches;
  matches.place = MakeRowPlace(ids);
  matches.source_number = {ids.Next(), "_source_row", Type::Long(), false};
  if (files.join_end == 0) return matches;

  plan::NodePtr target_rows = JoinScan(command, shape, keys, files, matches.place, context);
  if (!shape.on.target_only.empty()) {
    target_rows = plan::MakeFilter(std::move(target_rows), Conjunction(shape.on.target_only));
  }
  const ExprPtr condition = shape.on.join.empty() ? nullptr : Conjunction(shape.on.join);
  plan::NodePtr joined = plan::MakeJoin(std::move(target_rows), MatchableSource(shape, source),
                                        plan::JoinType::kInner, condition);
  std::vector<plan::Column> kept = {matches.place.task, matches.place.pos};
  for (const plan::Column& column : ColumnsAt(command.target, shape.join_columns)) kept.push_back(column);
  joined = Pick(std::move(joined), kept, {{matches.source_number, plan::ColumnExpr(source.number)}});
  WEIR_TRY(exec::RelationPtr rows, KeepRows(joined, context));
  if (rows->row_count() > 0) matches.rows = std::move(rows);
  return matches;
}

Result<ExprPtr> RowsThatMatter(const plan::MergeCommand& command, const MergeShape& shape,
                               const MergeKeys& keys, const MergeFiles& files) {
  std::vector<ExprPtr> conjuncts;
  if (files.join_predicate != nullptr) conjuncts.push_back(files.join_predicate);
  if (keys.none_can_match && shape.by_source.empty()) return MakeLiteral(Scalar::Boolean(false));
  if (keys.keys != nullptr && !keys.none_can_match) {
    for (size_t i = 0; i < keys.keys->fields.size(); ++i) {
      const Field* field = command.target.snapshot->schema.Find(keys.keys->fields[i]);
      const ExprPtr column = MakeColumn(ColumnOf(field->id), field->name, field->type, !field->required);
      conjuncts.push_back(MakePredicate(">=", {column, MakeLiteral(keys.keys->lower[i])}));
      conjuncts.push_back(MakePredicate("<=", {column, MakeLiteral(keys.keys->upper[i])}));
    }
  }
  if (shape.by_source.empty()) {
    return conjuncts.empty() ? ExprPtr() : Conjunction(std::move(conjuncts));
  }
  if (files.by_source_predicate == nullptr) return ExprPtr();
  if (keys.none_can_match) return files.by_source_predicate;
  if (conjuncts.empty()) return ExprPtr();
  return MakePredicate("or", {Conjunction(std::move(conjuncts)), files.by_source_predicate});
}

Result<std::optional<exec::PageReport>> DescribePages(const plan::MergeCommand& command,
                                                      const MergeShape& shape, const MergeKeys& keys,
                                                      const MergeFiles& files, plan::ColumnIds& ids,
                                                      const OperationContext& context) {
  if (files.join_end == 0) return std::optional<exec::PageReport>();
  return context.engine.DescribePages(JoinScan(command, shape, keys, files, MakeRowPlace(ids), context),
                                      context.run);
}

std::vector<std::string> Describe(const MergeShape& shape, const MergeKeys& keys, const MergeFiles& files,
                                  const std::optional<exec::PageReport>& pages,
                                  const plan::WriteTarget& target) {
  std::vector<std::string> lines;
  for (const JoinKey& key : shape.on.keys) {
    std::string line = fmt::format("key from the source: target {} = {}", target.columns[key.column].name,
                                   ToString(*key.source));
    if (keys.keys != nullptr && !keys.keys->empty()) {
      for (size_t i = 0; i < keys.keys->fields.size(); ++i) {
        if (keys.keys->fields[i] != key.field) continue;
        line += fmt::format(", from {} to {}", keys.keys->lower[i].ToSql(), keys.keys->upper[i].ToSql());
      }
    }
    lines.push_back(std::move(line));
  }
  if (keys.keys != nullptr) {
    lines.push_back(keys.keys->keys ? fmt::format("distinct keys: {}", keys.keys->keys->size())
                                    : std::string("distinct keys: too many to keep, their range is used"));
    for (const auto& spec : keys.keys->partitions) {
      lines.push_back(
          fmt::format("partitions of spec {} that the keys fall into: {}", spec.spec_id, spec.tuples.size()));
    }
  }
  for (const std::string& reason : shape.on.not_derived) lines.push_back("no key from " + reason);
  if (files.join_predicate != nullptr) {
    lines.push_back("predicate on the target: " + ToString(*files.join_predicate));
  }
  if (keys.none_can_match) {
    lines.emplace_back("no source row can match: the target is not read for the join");
  } else {
    Append(DescribePruning("files to join", files.join_report, files.join_end), lines);
    if (pages) Append(PageLines(*pages), lines);
  }
  if (files.by_source_report) {
    if (files.by_source_predicate == nullptr) {
      lines.emplace_back(
          "NOT MATCHED BY SOURCE reads every file: a clause has no condition that excludes one");
    }
    Append(DescribePruning("files for NOT MATCHED BY SOURCE", *files.by_source_report,
                           files.tasks.size() - files.first_by_source),
           lines);
  }
  return lines;
}

}  // namespace weir::ops
