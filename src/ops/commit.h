#pragma once

/// The end of every operation: what was written becomes a snapshot, or goes away. Thread rule: one thread.

#include <string>
#include <string_view>
#include <vector>

#include "ops/operation.h"

namespace weir::ops {

/// Files that no snapshot names yet; deleted when dropped, unless released. Deleting is best effort.
class UncommittedFiles {
 public:
  UncommittedFiles(const Stores& stores, Account account) : stores_(stores), account_(std::move(account)) {}
  ~UncommittedFiles();
  UncommittedFiles(const UncommittedFiles&) = delete;
  UncommittedFiles& operator=(const UncommittedFiles&) = delete;

  void Add(std::string path) { paths_.push_back(std::move(path)); }
  void Add(const std::vector<table::NewDataFile>& files);
  void Add(const std::vector<table::NewDeleteFile>& files);
  void Release() { paths_.clear(); }

 private:
  const Stores& stores_;
  Account account_;
  std::vector<std::string> paths_;
};

/// Commits; from here on the table owns the files, so `files` is released first.
/// Errors: kUnavailable when a concurrent change conflicts (the table is as the other writer left it and the
/// statement may be run again) or when the outcome is not known; what Table::Commit gives.
Status CommitChange(const plan::WriteTarget& target, const table::Change& change, std::string_view verb,
                    UncommittedFiles& files, const OperationContext& context);

/// Refuses copy-on-write by name. `property` such as "write.merge.mode". Errors: kUnsupported.
Status CheckDeleteForm(table::RowDeleteForm form, std::string_view statement, std::string_view property,
                       const plan::WriteTarget& target);

}  // namespace weir::ops
