#pragma once

/// The seam through which formats read and write small row files (delete files): declared here, implemented
/// by the executor, injected by the session. Thread rule: any thread.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/stores.h"
#include "table/data_file.h"
#include "type/batch.h"

namespace weir::table {

/// A Parquet file that was written.
struct WrittenRowFile {
  uint64_t size_bytes = 0;
  uint64_t row_count = 0;
};

class RowFiles {
 public:
  virtual ~RowFiles() = default;
  /// Streams the columns `fields` (by field id; a column that the file lacks is NULL) in file order.
  /// Errors: kCorrupt naming the file; kUnsupported for a format other than Parquet; what `sink` returns.
  virtual Status Read(const Store& store, std::string_view path, uint64_t size_bytes, FileFormat format,
                      std::span<const Field> fields, const std::function<Status(const Batch&)>& sink) = 0;
  /// Writes one Parquet file (zstd, field ids set) that did not exist. Errors: kExists.
  virtual Result<WrittenRowFile> Write(const Store& store, std::string_view path,
                                       std::span<const Field> fields, std::span<const Batch> batches) = 0;
};

}  // namespace weir::table
