#include "exec/duckdb/write.h"

#include <algorithm>
#include <cmath>

#include "codec/parquet/file_stats.h"
#include "duckdb/common/types/column/column_data_collection.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/main/query_result.hpp"
#include "exec/duckdb/encoders.h"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/floating_stats.h"
#include "exec/duckdb/required.h"
#include "exec/duckdb/types.h"
#include "exec/duckdb/write_query.h"

namespace weir::exec {

namespace {

using duckdb::idx_t;

/// Row groups without a size set by the user: this many rows while rows are narrow, else this many bytes in
/// memory.
constexpr idx_t kRowGroupRows = 64 * 1024;
constexpr idx_t kNarrowRowBytes = 100;
constexpr idx_t kRowGroupBytes = 6_MiB;
/// The end of a sorted file, where new keys lie that are soon changed again, is cut finer.
constexpr idx_t kLastRowGroupRows = 8 * 1024;

/// One data file on its way, with what its metrics need beside the footer.
struct OpenFile {
  std::shared_ptr<ParquetFile> parquet;
  std::string path;  // As the table's metadata will spell it.
  table::PartitionTuple partition;
  FloatingStats floating;
  uint64_t rows_given = 0;
};

/// As table::SamePartition: readers take an identity partition's value for every row of its files.
bool SamePartitionValue(const duckdb::Value& a, const duckdb::Value& b) {
  if (!duckdb::Value::NotDistinctFrom(a, b)) return false;
  const duckdb::LogicalTypeId type = a.type().id();
  const bool floating = type == duckdb::LogicalTypeId::FLOAT || type == duckdb::LogicalTypeId::DOUBLE;
  if (a.IsNull() || !floating) return true;
  const double x = a.GetValue<double>();
  return std::isnan(x) || std::signbit(x) == std::signbit(b.GetValue<double>());
}

class Writer {
 public:
  Writer(Query& query, const WriteRequest& request, const WriteQuery& plan)
      : query_(query),
        request_(request),
        plan_(plan),
        layout_(request.snapshot->layout),
        account_(query.context().ledger->Open(request.operator_name, Purpose::kData)),
        encoders_(query.instance().threads()) {}

  Result<std::vector<table::NewDataFile>> Run() {
    Status status = Guard([&] { return Write(); });
    if (status) return std::move(files_);
    // The query stops before the files go.
    result_.reset();
    open_.reset();
    Abandon();
    return status.error();
  }

 private:
  Status Write() {
    WEIR_TRY(connection_, query_.instance().Connect());
    format_.fields = request_.snapshot->schema.fields;
    format_.compression = layout_.compression;
    format_.compression_level = layout_.compression_level;
    WEIR_TRY(types_, ParquetFile::TypesOf(format_));
    if (layout_.format != table::FileFormat::kParquet) {
      return Unsupported("writing data files of format {}", ToString(layout_.format));
    }
    // Unsorted rows may come in any order; sorted ones keep theirs.
    WEIR_DO(query_.AllowAnyOrder());
    WEIR_TRY(result_, query_.Send(plan_.statement->Copy(), Delivery::kStreamed));
    while (true) {
      WEIR_TRY(duckdb::unique_ptr<duckdb::DataChunk> chunk, query_.Fetch(*result_));
      if (!chunk) break;
      WEIR_DO(Take(*chunk));
    }
    query_.BookCounts();
    WEIR_DO(CloseFile());
    WEIR_DO(encoders_.Drain());
    account_.Count({.written = rows_written_});
    return {};
  }

  /// Splits a chunk where the partition changes: rows come sorted by partition.
  Status Take(duckdb::DataChunk& chunk) {
    WEIR_DO(CheckRequired(format_.fields, chunk));
    idx_t from = 0;
    while (from < chunk.size()) {
      const idx_t to = EndOfPartition(chunk, from);
      if (!open_ || !SamePartition(chunk, from)) WEIR_DO(NextFile(chunk, from));
      WEIR_DO(Append(chunk, from, to));
      from = to;
    }
    return {};
  }

  bool RowsEqual(duckdb::DataChunk& chunk, idx_t a, idx_t b) const {
    for (size_t column = types_.size(); column < chunk.ColumnCount(); ++column) {
      if (!SamePartitionValue(chunk.GetValue(column, a), chunk.GetValue(column, b))) return false;
    }
    return true;
  }

  /// The end of the run of rows that share the partition of row `from`, found by halving.
  idx_t EndOfPartition(duckdb::DataChunk& chunk, idx_t from) const {
    if (chunk.ColumnCount() == types_.size() || RowsEqual(chunk, from, chunk.size() - 1)) return chunk.size();
    idx_t low = from, high = chunk.size() - 1;  // low is equal, high is not.
    while (high - low > 1) {
      const idx_t middle = low + (high - low) / 2;
      (RowsEqual(chunk, from, middle) ? low : high) = middle;
    }
    return high;
  }

  bool SamePartition(duckdb::DataChunk& chunk, idx_t row) const {
    for (size_t i = 0; i < partition_.size(); ++i) {
      if (!SamePartitionValue(partition_[i], chunk.GetValue(types_.size() + i, row))) return false;
    }
    return true;
  }

  Status NextFile(duckdb::DataChunk& chunk, idx_t row) {
    WEIR_DO(CloseFile());
    partition_.clear();
    for (size_t i = types_.size(); i < chunk.ColumnCount(); ++i) partition_.push_back(chunk.GetValue(i, row));
    return OpenNext();
  }

  /// Starts a file of the partition `partition_`.
  Status OpenNext() {
    auto file = std::make_shared<OpenFile>();
    WEIR_TRY(file->partition, plan_.PartitionOf(partition_));
    file->path = request_.table->NewFilePath(*request_.snapshot, file->partition, ".parquet");
    WEIR_TRY(Location location, query_.shared().stores->Find(file->path));
    const Store store(location.storage, account_, query_.context().cancellation);
    WEIR_TRY(file->parquet,
             ParquetFile::Begin(*connection_, query_.instance().tickets(), store, location.path, format_));
    file->floating = FloatingStats(format_.fields);
    open_ = std::move(file);
    NewBuffer();
    return {};
  }

  void NewBuffer() {
    buffer_ = duckdb::make_uniq<duckdb::ColumnDataCollection>(*connection_->context, types_);
    buffer_->InitializeAppend(append_state_);
  }

  Status Append(duckdb::DataChunk& chunk, idx_t from, idx_t to) {
    duckdb::DataChunk rows;
    rows.InitializeEmpty(types_);
    for (size_t i = 0; i < types_.size(); ++i) {
      if (from == 0 && to == chunk.size()) {
        rows.data[i].Reference(chunk.data[i]);
      } else {
        rows.data[i].Slice(chunk.data[i], from, to);
      }
    }
    rows.SetCardinality(to - from);
    open_->floating.Add(rows);
    buffer_->Append(append_state_, rows);
    if (!RowGroupIsFull()) return {};
    WEIR_DO(EncodeBuffer());
    if (IsLargeEnough()) {
      WEIR_DO(CloseFile());
      return OpenNext();
    }
    NewBuffer();
    return {};
  }

  bool RowGroupIsFull() const {
    const idx_t rows = buffer_->Count();
    const idx_t bytes = buffer_->SizeInBytes();
    if (layout_.row_group_size_bytes) return bytes >= *layout_.row_group_size_bytes;
    if (rows >= kRowGroupRows) return true;
    return bytes >= kRowGroupBytes && bytes > rows * kNarrowRowBytes;
  }

  /// By what is written, and by the same rate for what is still being encoded.
  bool IsLargeEnough() const {
    const uint64_t written = open_->parquet->size_bytes();
    const uint64_t rows = rows_appended_;
    const uint64_t estimate = rows == 0 ? written : written / rows * open_->rows_given + written % rows;
    return std::max(written, estimate) >= layout_.target_file_size_bytes;
  }

  /// What is left of a file, in pieces.
  Status EncodeRest() {
    if (layout_.row_group_size_bytes || buffer_->Count() <= kLastRowGroupRows) return EncodeBuffer();
    append_state_.current_chunk_state.handles.clear();
    const duckdb::unique_ptr<duckdb::ColumnDataCollection> rest = std::move(buffer_);
    NewBuffer();
    for (duckdb::DataChunk& chunk : rest->Chunks()) {
      if (buffer_->Count() + chunk.size() > kLastRowGroupRows) {
        WEIR_DO(EncodeBuffer());
        NewBuffer();
      }
      buffer_->Append(append_state_, chunk);
    }
    return EncodeBuffer();
  }

  Status EncodeBuffer() {
    const idx_t rows = buffer_->Count();
    if (rows == 0) return {};
    append_state_.current_chunk_state.handles.clear();
    open_->rows_given += rows;
    WEIR_DO(encoders_.Give(open_->parquet, std::move(buffer_)));
    return encoders_.Then([this, rows]() -> Status {
      rows_appended_ += rows;
      return {};
    });
  }

  Status CloseFile() {
    if (!open_) return {};
    if (buffer_) WEIR_DO(EncodeRest());
    buffer_.reset();
    std::shared_ptr<OpenFile> file = std::move(open_);
    open_.reset();
    return encoders_.Then([this, file] { return Finish(*file); });
  }

  Status Finish(OpenFile& file) {
    rows_appended_ = 0;
    if (file.rows_given == 0) return {};
    // A write whose outcome is not known may have made the file.
    paths_.push_back(file.path);
    WEIR_TRY(FinishedFile finished, file.parquet->Finish());
    files_.push_back(Describe(file, finished));
    rows_written_ += file.rows_given;
    return {};
  }

  table::NewDataFile Describe(const OpenFile& file, const FinishedFile& finished) const {
    table::NewDataFile written;
    table::DataFile& data = written.file;
    data.path = file.path;
    data.format = table::FileFormat::kParquet;
    data.size_bytes = finished.size_bytes;
    data.row_count = static_cast<uint64_t>(finished.footer.row_count);
    data.partition = file.partition;
    data.sort_order_id = plan_.sort_order_id;
    for (const parquet::RowGroup& group : finished.footer.row_groups) {
      if (!group.columns.empty())
        data.split_offsets.push_back(static_cast<int64_t>(group.columns[0].start_bytes()));
    }
    data.bounds.row_count = data.row_count;
    for (const parquet::LeafStats& leaf : parquet::FileStats(finished.footer, request_.snapshot->schema)) {
      table::NewDataFile::LeafMetrics metrics{.field = leaf.field,
                                              .size_bytes = leaf.size_bytes,
                                              .value_count = leaf.bounds.value_count,
                                              .null_count = leaf.bounds.null_count,
                                              .nan_count = {},
                                              .lower = leaf.bounds.lower,
                                              .upper = leaf.bounds.upper};
      // DuckDB leaves bounds out where there are NaNs, and does not count them.
      file.floating.Fill(leaf.field, metrics);
      ColumnBounds bounds{.lower = metrics.lower,
                          .upper = metrics.upper,
                          .null_count = metrics.null_count,
                          .value_count = metrics.value_count,
                          .may_have_nan = metrics.nan_count.value_or(1) > 0,
                          .exact = leaf.bounds.exact};
      data.bounds.columns[ColumnOf(leaf.field)] = std::move(bounds);
      written.metrics.push_back(std::move(metrics));
    }
    return written;
  }

  /// Deletes what was or may have been finished before an error; nothing names it yet.
  void Abandon() {
    for (const std::string& path : paths_) {
      Result<Location> location = query_.shared().stores->Find(path);
      if (!location) continue;
      const Store store(location->storage, account_, Cancellation());
      // The error that led here is what the caller must see.
      (void)store.Delete(std::span<const std::string>(&location->path, 1));
    }
    files_.clear();
  }

  Query& query_;
  const WriteRequest& request_;
  const WriteQuery& plan_;
  const table::WriteLayout& layout_;
  Account account_;
  std::unique_ptr<duckdb::Connection> connection_;  // For writing; the query's own is busy.
  ParquetFormat format_;
  duckdb::vector<duckdb::LogicalType> types_;
  duckdb::unique_ptr<duckdb::QueryResult> result_;
  std::vector<duckdb::Value> partition_;
  std::shared_ptr<OpenFile> open_;
  duckdb::unique_ptr<duckdb::ColumnDataCollection> buffer_;
  duckdb::ColumnDataAppendState append_state_;
  uint64_t rows_appended_ = 0;  // To the file at the front of the encoders' queue.
  uint64_t rows_written_ = 0;
  std::vector<std::string> paths_;  ///< Of files that were or may have been finished.
  std::vector<table::NewDataFile> files_;
  Encoders encoders_;  // Last: its threads use the rest.
};

}  // namespace

Result<std::vector<table::NewDataFile>> WriteFiles(Query& query, const plan::NodePtr& plan,
                                                   const WriteRequest& request) {
  WEIR_TRY(WriteQuery prepared, PrepareWrite(query, plan, *request.snapshot));
  return Writer(query, request, prepared).Run();
}

}  // namespace weir::exec
