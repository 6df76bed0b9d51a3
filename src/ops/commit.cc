#include "ops/commit.h"

namespace weir::ops {

UncommittedFiles::~UncommittedFiles() {
  for (const std::string& path : paths_) {
    // A cancelled statement still cleans up, so the statement's own cancellation is not used here.
    auto location = stores_.Find(path);
    if (!location) continue;
    const Store store(location->storage, account_.For(Purpose::kCommit), Cancellation());
    (void)store.Delete(std::span<const std::string>(&location->path, 1));
  }
}

void UncommittedFiles::Add(const std::vector<table::NewDataFile>& files) {
  for (const auto& file : files) Add(file.file.path);
}

void UncommittedFiles::Add(const std::vector<table::NewDeleteFile>& files) {
  for (const auto& file : files) Add(file.file.path);
}

Status CommitChange(const plan::WriteTarget& target, const table::Change& change, std::string_view verb,
                    UncommittedFiles& files, const OperationContext& context) {
  WEIR_DO(context.run.cancellation.Check());
  files.Release();
  const Account account = context.AccountFor(verb, target.name, Purpose::kCommit);
  WEIR_TRY_CONTEXT(const table::CommitOutcome outcome, fmt::format("{} {}", verb, target.name),
                   target.table->Commit(change, account, context.run.cancellation));
  if (const auto* conflict = std::get_if<table::Conflicted>(&outcome)) {
    return Unavailable(
        "{} {}: a concurrent change conflicts: {}; nothing was changed, the statement may be run again", verb,
        target.name, conflict->reason);
  }
  if (const auto* lost = std::get_if<table::OutcomeNotKnown>(&outcome)) {
    return UnknownOutcome(
        fmt::format("{} {}: it is not known whether the commit happened: {}; look at {}.snapshots "
                    "before running it again",
                    verb, target.name, lost->reason, target.name));
  }
  return {};
}

Status CheckDeleteForm(table::RowDeleteForm form, std::string_view statement, std::string_view property,
                       const plan::WriteTarget& target) {
  if (target.snapshot->rules_error) return *target.snapshot->rules_error;
  switch (form) {
    case table::RowDeleteForm::kPositionFile:
      return {};
    case table::RowDeleteForm::kRewrite:
      return Unsupported(
          "{} {}: copy-on-write is not supported yet; set '{}'='merge-on-read' with ALTER TABLE {} SET "
          "TBLPROPERTIES ('{}'='merge-on-read')",
          statement, target.name, property, target.name, property);
    case table::RowDeleteForm::kDeletionVector:
      return Unsupported("{} {}: deletion vectors are not supported yet", statement, target.name);
  }
  return Internal("row delete form {}", static_cast<int>(form));
}

}  // namespace weir::ops
