#include "exec/duckdb/row_files.h"

#include "duckdb/common/types/column/column_data_collection.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/main/query_result.hpp"
#include "exec/duckdb/batches.h"
#include "exec/duckdb/drive.h"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/file_scan.h"
#include "exec/duckdb/parquet_file.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

namespace {

class DuckRowFiles : public table::RowFiles {
 public:
  explicit DuckRowFiles(std::function<Result<std::shared_ptr<Instance>>()> current)
      : current_(std::move(current)) {}

  Status Read(const Store& store, std::string_view path, uint64_t size_bytes, table::FileFormat format,
              std::span<const Field> fields, const std::function<Status(const Batch&)>& sink) override {
    if (format != table::FileFormat::kParquet) {
      return Unsupported("{}: files of format {} cannot be read", path, ToString(format));
    }
    WEIR_TRY(std::shared_ptr<Instance> instance, current_());
    auto ticket = std::make_shared<ReadTicket>();
    ticket->store = store;
    ticket->path = std::string(path);
    ticket->size_bytes = size_bytes;
    const uint64_t number = instance->tickets().Issue(std::shared_ptr<const ReadTicket>(std::move(ticket)));
    auto source = std::make_shared<ScanSource>();
    source->name = std::string(path);
    source->cancellation = store.cancellation();
    source->files.push_back(ScanFile{.info = InfoOf(number, std::string(path)),
                                     .row_count = 0,
                                     .task = -1,
                                     .synthesized = {},
                                     .tasks_of_synthesized = {}});
    std::vector<Type> types;
    for (const Field& field : fields) {
      types.push_back(SparkType(field.type));
      source->outputs.push_back(
          {.name = "f" + std::to_string(types.size()), .type = types.back(), .source = field});
    }
    const uint64_t scan = instance->scans().Register(std::move(source));
    Status status =
        Guard([&] { return Stream(*instance, scan, std::move(types), store.cancellation(), sink); });
    instance->scans().Withdraw(scan);
    instance->tickets().Withdraw(number);
    if (status) return {};
    Error error(status.error().code(), PlainMessage(status.error().message()));
    if (error.message().find(path) != std::string::npos) return error;
    return std::move(error).WithContext(path);
  }

  Result<table::WrittenRowFile> Write(const Store& store, std::string_view path,
                                      std::span<const Field> fields, const BatchSource& next,
                                      uint64_t enough_bytes) override {
    WEIR_TRY(std::shared_ptr<Instance> instance, current_());
    ParquetFormat format;
    format.delta_encodings = false;
    format.fields.assign(fields.begin(), fields.end());
    return Guard([&] { return WriteAll(*instance, store, std::string(path), format, next, enough_bytes); });
  }

 private:
  static Status Stream(Instance& instance, uint64_t scan, std::vector<Type> types,
                       const Cancellation& cancellation, const std::function<Status(const Batch&)>& sink) {
    constexpr int64_t kBatchRows = 16 * 1024;
    WEIR_TRY(std::unique_ptr<duckdb::Connection> connection, instance.Connect());
    const std::shared_ptr<void> stop(nullptr, [&](void*) { connection->Interrupt(); });
    SelectPtr select = SelectFrom(ScanTable(scan, "scan"));
    for (size_t i = 0; i < types.size(); ++i) {
      select->select_list.push_back(ColumnNamed("f" + std::to_string(i + 1)));
    }
    WEIR_TRY(auto result,
             RunStatement(*connection, StatementOf(std::move(select)), Delivery::kStreamed, cancellation));
    if (result->HasError()) return ToError(result->GetErrorObject());
    BatchBuilder builder(std::move(types));
    while (true) {
      WEIR_TRY(duckdb::unique_ptr<duckdb::DataChunk> chunk, FetchRows(*result, cancellation));
      if (result->HasError()) return ToError(result->GetErrorObject());
      if (!chunk || chunk->size() == 0) break;
      WEIR_DO(builder.Append(*chunk));
      if (builder.row_count() >= kBatchRows) WEIR_DO(sink(builder.Finish()));
    }
    if (builder.row_count() > 0) WEIR_DO(sink(builder.Finish()));
    return {};
  }

  static Result<table::WrittenRowFile> WriteAll(Instance& instance, const Store& store,
                                                const std::string& path, const ParquetFormat& format,
                                                const BatchSource& next, uint64_t enough_bytes) {
    constexpr duckdb::idx_t kRowGroupRows = 128 * 1024;
    WEIR_TRY(std::unique_ptr<duckdb::Connection> connection, instance.Connect());
    WEIR_TRY(std::unique_ptr<ParquetFile> file,
             ParquetFile::Begin(*connection, instance.tickets(), store, path, format));
    WEIR_TRY(duckdb::vector<duckdb::LogicalType> types, ParquetFile::TypesOf(format));
    std::vector<Type> fields;
    for (const Field& field : format.fields) fields.push_back(field.type);
    duckdb::DataChunk chunk;
    chunk.Initialize(duckdb::Allocator::DefaultAllocator(), types);
    duckdb::unique_ptr<duckdb::ColumnDataCollection> rows;
    uint64_t row_count = 0;
    auto flush = [&]() -> Status {
      if (!rows || rows->Count() == 0) return {};
      WEIR_TRY(auto group, file->Encode(std::move(rows)));
      return file->Append(*group);
    };
    while (file->size_bytes() < enough_bytes) {
      WEIR_TRY(const std::optional<Batch> batch, next());
      if (!batch) break;
      for (int64_t first = 0; first < batch->row_count; first += STANDARD_VECTOR_SIZE) {
        if (!rows) rows = duckdb::make_uniq<duckdb::ColumnDataCollection>(*connection->context, types);
        const int64_t count = std::min<int64_t>(STANDARD_VECTOR_SIZE, batch->row_count - first);
        WEIR_DO(FillChunk(*batch, fields, first, count, chunk));
        rows->Append(chunk);
        row_count += static_cast<uint64_t>(count);
        if (rows->Count() >= kRowGroupRows) WEIR_DO(flush());
      }
    }
    WEIR_DO(flush());
    WEIR_TRY(FinishedFile finished, file->Finish());
    return table::WrittenRowFile{.size_bytes = finished.size_bytes, .row_count = row_count};
  }

  std::function<Result<std::shared_ptr<Instance>>()> current_;
};

}  // namespace

std::shared_ptr<table::RowFiles> MakeRowFiles(std::function<Result<std::shared_ptr<Instance>>()> current) {
  return std::make_shared<DuckRowFiles>(std::move(current));
}

}  // namespace weir::exec
