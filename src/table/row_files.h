#pragma once

/// The seam through which formats read and write small row files (delete files): declared here, implemented
/// by the executor, injected by the session. Thread rule: any thread.

#include <functional>
#include <limits>
#include <memory>
#include <optional>
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
  /// Batches one after another; nullopt at the end.
  using BatchSource = std::function<Result<std::optional<Batch>>()>;
  /// Writes one Parquet file (zstd, field ids set) that did not exist; takes no further batch once the file
  /// has `enough_bytes`. Errors: kExists; those of `next`. Memory: one row group.
  virtual Result<WrittenRowFile> Write(const Store& store, std::string_view path,
                                       std::span<const Field> fields, const BatchSource& next,
                                       uint64_t enough_bytes) = 0;
  /// All of the batches in one file.
  Result<WrittenRowFile> Write(const Store& store, std::string_view path, std::span<const Field> fields,
                               std::span<const Batch> batches) {
    const BatchSource next = [&batches]() -> Result<std::optional<Batch>> {
      if (batches.empty()) return std::optional<Batch>();
      Batch first = batches.front();
      batches = batches.subspan(1);
      return std::optional<Batch>(std::move(first));
    };
    return Write(store, path, fields, next, std::numeric_limits<uint64_t>::max());
  }
};

}  // namespace weir::table
