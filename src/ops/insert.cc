#include "ops/insert.h"

#include <unordered_set>

#include "ops/commit.h"
#include "ops/file_match.h"
#include "ops/row_scan.h"

namespace weir::ops {
namespace {

/// What an overwrite takes away. Rows that come into its place meanwhile are a conflict: kept, they would be
/// rows that no order of the two statements leaves; taken away, they would be lost unseen.
struct Replaced {
  std::vector<table::DataFilePtr> files;
  table::ReadSet read;
};

Result<Replaced> FilesToReplace(const plan::InsertCommand& command, const OperationContext& context) {
  const plan::WriteTarget& target = command.target;
  Replaced replaced;
  WEIR_TRY(const TargetFiles files, PlanTargetFiles(target, command.overwrite, context));
  for (const table::ScanTask& task : files.tasks) {
    WEIR_TRY(const FileMatch match, MatchFile(command.overwrite, *task.file, target));
    if (match == FileMatch::kSome) {
      return Invalid(
          "INSERT OVERWRITE {}: the filter {} may match only some rows of {}, and files can only be replaced "
          "whole",
          target.name, ToString(*command.overwrite), task.file->path);
    }
    if (match == FileMatch::kAll) replaced.files.push_back(task.file);
  }
  replaced.read.predicate = files.predicate;
  return replaced;
}

Result<Replaced> FilesOfPartitions(const plan::InsertCommand& command,
                                   const std::vector<table::NewDataFile>& added,
                                   const OperationContext& context) {
  std::unordered_set<table::PartitionTuple, table::PartitionTupleHash, table::SamePartition> partitions;
  for (const table::NewDataFile& file : added) partitions.insert(file.file.partition);
  Replaced replaced;
  WEIR_TRY(const TargetFiles files, PlanTargetFiles(command.target, nullptr, context));
  const bool partitioned = !table::IsUnpartitioned(command.target.snapshot->default_spec());
  for (const table::ScanTask& task : files.tasks) {
    if (!partitioned || partitions.contains(task.file->partition)) replaced.files.push_back(task.file);
  }
  if (partitioned) replaced.read.partitions.emplace(partitions.begin(), partitions.end());
  return replaced;
}

}  // namespace

Status Insert(const plan::InsertCommand& command, const OperationContext& context) {
  const plan::WriteTarget& target = command.target;
  const Account account = context.AccountFor("insert", target.name, Purpose::kData);
  UncommittedFiles uncommitted(context.stores, account);
  table::Change change;
  change.base = target.snapshot;
  if (command.mode == plan::InsertCommand::Mode::kOverwriteStatic) {
    // Before writing: a filter that splits a file should not cost the whole query first.
    WEIR_TRY(Replaced replaced, FilesToReplace(command, context));
    change.removed = std::move(replaced.files);
    change.read = std::move(replaced.read);
  }
  WEIR_TRY(change.added, WriteFiles(command.query, target, "insert", context));
  uncommitted.Add(change.added);
  switch (command.mode) {
    case plan::InsertCommand::Mode::kAppend:
      change.intent = table::Intent::kAppend;
      break;
    case plan::InsertCommand::Mode::kOverwriteStatic:
      change.intent = table::Intent::kOverwrite;
      break;
    case plan::InsertCommand::Mode::kOverwriteDynamic: {
      if (change.added.empty()) return {};
      change.intent = table::Intent::kOverwrite;
      WEIR_TRY(Replaced replaced, FilesOfPartitions(command, change.added, context));
      change.removed = std::move(replaced.files);
      change.read = std::move(replaced.read);
      change.summary = {{"replace-partitions", "true"}};
      break;
    }
  }
  return CommitChange(target, change, "insert", uncommitted, context);
}

}  // namespace weir::ops
