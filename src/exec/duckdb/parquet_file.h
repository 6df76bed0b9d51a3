#pragma once

/// One Parquet file written through DuckDB's writer: row groups are encoded on any thread and written in
/// order. Thread rule: Encode from any thread, the rest from one.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/parquet/format.h"
#include "exec/duckdb/file_system.h"
#include "type/type.h"

namespace duckdb {
class ColumnDataCollection;
class Connection;
struct CopyFunctionFileStatistics;
}  // namespace duckdb

namespace weir::exec {

/// How all files of one kind are written.
struct ParquetFormat {
  std::vector<Field> fields;  ///< Top-level columns with ids at every level.
  std::string compression = "zstd";
  std::optional<int> compression_level;
  /// Write version 2 encodings where every reader has them. Off for delete files: pyiceberg reads their paths
  /// as a dictionary, which Arrow cannot do for DELTA_LENGTH_BYTE_ARRAY.
  bool delta_encodings = true;
};

/// A file that was finished.
struct FinishedFile {
  uint64_t size_bytes = 0;
  parquet::Footer footer;
};

class ParquetFile {
 public:
  /// Begins an object that does not exist. `connection` stays until the file is gone; its own statement, if
  /// one runs, is not touched. Errors: kUnsupported for types that cannot be written (fixed, unknown
  /// compression).
  static Result<std::unique_ptr<ParquetFile>> Begin(duckdb::Connection& connection, Tickets& tickets,
                                                    const Store& store, const std::string& path,
                                                    const ParquetFormat& format);
  /// Drops what was written unless Finish succeeded.
  ~ParquetFile();

  struct RowGroup;
  /// Encodes rows of the stored types (see ToStoredDuckType). The collection is not empty.
  Result<std::shared_ptr<RowGroup>> Encode(duckdb::unique_ptr<duckdb::ColumnDataCollection> rows);
  Status Append(RowGroup& group);
  Result<FinishedFile> Finish();

  const std::string& path() const { return path_; }
  /// Bytes written so far.
  uint64_t size_bytes() const { return ticket_->size_bytes; }

  /// The DuckDB types of the format's columns.
  static Result<duckdb::vector<duckdb::LogicalType>> TypesOf(const ParquetFormat& format);

 private:
  struct State;
  ParquetFile(Tickets& tickets, std::string path);
  Tickets& tickets_;
  std::string path_;
  std::shared_ptr<WriteTicket> ticket_;
  uint64_t number_ = 0;
  std::unique_ptr<State> state_;
};

}  // namespace weir::exec
