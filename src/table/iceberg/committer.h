#pragma once

/// Who decides which metadata is current. Apart from the format on purpose. Thread rule: any thread.

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/cancellation.h"
#include "ledger/ledger.h"
#include "table/iceberg/table_metadata.h"

namespace weir::iceberg {

/// Metadata that was current at some time.
struct VersionedMetadata {
  TableMetadataPtr metadata;
  std::string file;     ///< Location of the metadata file.
  int64_t version = 0;  ///< Position in the table's history, if the committer counts.
};

/// How an attempt to replace the current metadata ended.
struct Replaced {
  VersionedMetadata current;
};
/// Someone else was faster; nothing was changed.
struct LostRace {};
/// It may or may not have happened, and looking did not help.
struct NotKnown {
  std::string reason;
};
using ReplaceOutcome = std::variant<Replaced, LostRace, NotKnown>;

class Committer {
 public:
  virtual ~Committer() = default;
  /// The current metadata; null if the table does not exist. Errors: as ParseTableMetadata, and of the store.
  virtual Result<std::optional<VersionedMetadata>> Current(const Account& account,
                                                           const Cancellation& cancellation) = 0;
  /// Makes `next` current if `base` (absent: no table) still is. An error means that nothing was changed.
  virtual Result<ReplaceOutcome> Replace(const std::optional<VersionedMetadata>& base,
                                         const TableMetadata& next, const Account& account,
                                         const Cancellation& cancellation) = 0;
  /// Folder for metadata files of the table, without trailing slash.
  virtual const std::string& metadata_location() const = 0;
};

}  // namespace weir::iceberg
