#pragma once

/// Reads, writes and deletes the files of a table by location, whichever store holds them. Thread rule: any
/// thread.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/stores.h"
#include "table/iceberg/manifest.h"

namespace weir::iceberg {

class TableFiles {
 public:
  TableFiles(std::shared_ptr<const Stores> stores, Account account, Cancellation cancellation)
      : stores_(std::move(stores)), account_(std::move(account)), cancellation_(std::move(cancellation)) {}

  /// The store of a location and the path that it knows. Errors: as Stores::Find.
  Result<std::pair<Store, std::string>> Open(std::string_view location) const;
  /// A whole file. `known_size_bytes` saves a request.
  Result<std::string> Read(const std::string& location, std::optional<uint64_t> known_size_bytes = {}) const;
  Status Write(const std::string& location, std::string_view bytes) const;
  /// Absent files count as deleted. Every location is tried; the first error is returned.
  Status Delete(const std::vector<std::string>& locations) const;

  /// Reads and parses the manifest list of a snapshot.
  Result<std::vector<ManifestFile>> ReadManifestList(const SnapshotRecord& snapshot) const;

  TableFiles For(Purpose purpose) const { return {stores_, account_.For(purpose), cancellation_}; }
  TableFiles With(Cancellation cancellation) const { return {stores_, account_, std::move(cancellation)}; }
  const Account& account() const { return account_; }
  const Cancellation& cancellation() const { return cancellation_; }
  const Stores& stores() const { return *stores_; }

 private:
  std::shared_ptr<const Stores> stores_;
  Account account_;
  Cancellation cancellation_;
};

}  // namespace weir::iceberg
