#pragma once

/// Tables that are folders: metadata/v<N>.metadata.json, each put there if absent, and version-hint.text.
/// The hint may be stale or missing; it only says where to begin looking. Thread rule: any thread.
/// Spec: Iceberg, "File System Tables".

#include <mutex>

#include "storage/stores.h"
#include "table/iceberg/committer.h"

namespace weir::iceberg {

/// 12 for "v12.metadata.json", compressed or not; nothing for other names.
std::optional<int64_t> VersionOf(std::string_view name);

class HadoopCommitter : public Committer {
 public:
  /// `location` is the table's folder without trailing slash.
  HadoopCommitter(std::shared_ptr<const Stores> stores, std::string location);

  Result<std::optional<VersionedMetadata>> Current(const Account& account,
                                                   const Cancellation& cancellation) override;
  /// Puts v<N+1>. When the store does not say whether that happened, the file itself is asked, as often as
  /// commit.status-check.num-retries says (20 times at most), or until it is cancelled.
  Result<ReplaceOutcome> Replace(const std::optional<VersionedMetadata>& base, const TableMetadata& next,
                                 const Account& account, const Cancellation& cancellation) override;
  const std::string& metadata_location() const override { return metadata_location_; }

 private:
  struct Found {
    int64_t version = 0;
    std::string file;
    ObjectInfo info;
  };
  struct Kept {
    ObjectTag tag;
    bool files_go_away = false;  ///< Old metadata files are deleted, so that names do not tell the newest.
    VersionedMetadata metadata;
  };

  Result<Store> Open(const Account& account, const Cancellation& cancellation, Purpose purpose) const;
  Result<std::string> PathOf(const std::string& name) const;
  Result<std::optional<Found>> Probe(const Store& store, int64_t version) const;
  Result<int64_t> ReadHint(const Store& store) const;
  Result<int64_t> HighestListed(const Store& store) const;
  Result<std::optional<Found>> Newest(const Store& store) const;
  /// Metadata of a file, parsed unless it is what was read last.
  Result<Kept> ReadOnce(const Store& store, const Found& found);
  /// `checker` is the same store with a cancellation that nobody requests.
  Result<ReplaceOutcome> Put(const Store& store, const Store& checker, const std::string& name,
                             const std::string& bytes, int64_t checks) const;
  Result<TableMetadataPtr> ReadVersion(const Store& store, int64_t version) const;
  /// For tables whose metadata files are deleted: the name of `written` may have been free because that
  /// version came and went. If so its file is removed again, before a reader can meet it: the hint and the
  /// listing lead past it.
  ReplaceOutcome Settle(const Store& checker, const std::optional<VersionedMetadata>& base,
                        const VersionedMetadata& written) const;
  void WriteHint(const Store& store, const std::string& name, int64_t version, bool files_go_away) const;

  std::shared_ptr<const Stores> stores_;
  std::string metadata_location_;
  std::mutex mutex_;
  std::optional<Kept> kept_;  ///< The last metadata that was read, so that it is parsed once.
};

}  // namespace weir::iceberg
