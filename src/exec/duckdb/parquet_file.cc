#include "exec/duckdb/parquet_file.h"

#include "base/ascii.h"
#include "codec/parquet/footer.h"
#include "duckdb/catalog/catalog.hpp"
#include "duckdb/catalog/catalog_entry/copy_function_catalog_entry.hpp"
#include "duckdb/common/types/column/column_data_collection.hpp"
#include "duckdb/function/copy_function.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/parser/parsed_data/copy_info.hpp"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

namespace {

using duckdb::Value;

constexpr char kFieldIdKey[] = "__duckdb_field_id";

/// The FIELD_IDS option: {a: 1, b: {__duckdb_field_id: 2, element: 3}}.
Value FieldIds(const std::vector<Field>& fields, std::optional<FieldId> own) {
  duckdb::child_list_t<Value> members;
  if (own) members.emplace_back(kFieldIdKey, Value::INTEGER(own->value));
  for (const Field& field : fields) {
    Value id =
        field.type.is_nested() ? FieldIds(field.type.fields(), field.id) : Value::INTEGER(field.id.value);
    members.emplace_back(field.name, std::move(id));
  }
  return Value::STRUCT(std::move(members));
}

/// Version 2 halves sorted longs, but writes floats as BYTE_STREAM_SPLIT, which Spark 4.1 refuses, and 32-bit
/// integers whose difference overflows as a DELTA_BINARY_PACKED block that Arrow cannot read.
bool HasLeafForVersion1(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kFloat:
    case TypeKind::kDouble:
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInt:
    case TypeKind::kDate:
      return true;
    case TypeKind::kDecimal:
      return type.precision() <= 9;
    default:
      break;
  }
  for (const Field& field : type.fields()) {
    if (HasLeafForVersion1(field.type)) return true;
  }
  return false;
}

bool HasKind(const Type& type, TypeKind kind) {
  if (type.kind() == kind) return true;
  for (const Field& field : type.fields()) {
    if (HasKind(field.type, kind)) return true;
  }
  return false;
}

Result<std::string> CodecName(const std::string& property) {
  const std::string compression = AsciiLower(property);
  if (compression == "zstd" || compression == "snappy" || compression == "gzip" || compression == "brotli") {
    return compression;
  }
  if (compression == "uncompressed" || compression == "none") return std::string("uncompressed");
  if (compression == "lz4") return std::string("lz4_raw");
  return Unsupported("compression {} for Parquet files", property);
}

Result<duckdb::CopyInfo> OptionsOf(const ParquetFormat& format) {
  duckdb::CopyInfo info;
  info.format = "parquet";
  WEIR_TRY(std::string codec, CodecName(format.compression));
  auto set = [&](const char* name, Value value) { info.options[name] = {std::move(value)}; };
  if (codec == "zstd" && format.compression_level)
    set("compression_level", Value::BIGINT(*format.compression_level));
  set("compression", Value(codec));
  set("field_ids", FieldIds(format.fields, std::nullopt));
  bool version_1 = !format.delta_encodings;
  bool floating = false;
  for (const Field& field : format.fields) {
    version_1 |= HasLeafForVersion1(field.type);
    floating |= field.type.holds_floating();
  }
  // DuckDB's dictionaries take -0.0 for 0.0 (test/property/row_level_test.cc); the option is one for all
  // columns.
  if (floating) set("dictionary_size_limit", Value::UBIGINT(0));
  set("parquet_version", Value(version_1 ? "V1" : "V2"));
  return info;
}

}  // namespace

struct ParquetFile::RowGroup {
  duckdb::unique_ptr<duckdb::PreparedBatchData> prepared;
};

struct ParquetFile::State {
  duckdb::ClientContext& context;
  duckdb::CopyFunction function{""};
  duckdb::unique_ptr<duckdb::FunctionData> bind_data;
  duckdb::unique_ptr<duckdb::GlobalFunctionData> global;

  explicit State(duckdb::ClientContext& in_context) : context(in_context) {}
};

ParquetFile::ParquetFile(Tickets& tickets, std::string path) : tickets_(tickets), path_(std::move(path)) {}

ParquetFile::~ParquetFile() {
  // The writer's handle is dropped before the ticket: an upload that was not finished leaves nothing.
  state_.reset();
  if (number_ != 0) tickets_.Withdraw(number_);
}

Result<duckdb::vector<duckdb::LogicalType>> ParquetFile::TypesOf(const ParquetFormat& format) {
  duckdb::vector<duckdb::LogicalType> types;
  for (const Field& field : format.fields) {
    if (HasKind(field.type, TypeKind::kFixed)) {
      return Unsupported("column {} of type {} cannot be written", field.name, field.type.ToString());
    }
    WEIR_TRY(duckdb::LogicalType type, ToStoredDuckType(field.type));
    types.push_back(std::move(type));
  }
  return types;
}

Result<std::unique_ptr<ParquetFile>> ParquetFile::Begin(duckdb::Connection& connection, Tickets& tickets,
                                                        const Store& store, const std::string& path,
                                                        const ParquetFormat& format) {
  return Guard([&]() -> Result<std::unique_ptr<ParquetFile>> {
    WEIR_TRY(duckdb::CopyInfo info, OptionsOf(format));
    WEIR_TRY(duckdb::vector<duckdb::LogicalType> types, TypesOf(format));
    std::unique_ptr<ParquetFile> file(new ParquetFile(tickets, path));
    file->ticket_ = std::make_shared<WriteTicket>(store, path);
    file->number_ = tickets.Issue(file->ticket_);
    file->state_ = std::make_unique<State>(*connection.context);
    State& state = *file->state_;
    duckdb::vector<std::string> names;
    for (const Field& field : format.fields) names.push_back(field.name);
    connection.context->RunFunctionInTransaction([&] {
      auto& catalog = duckdb::Catalog::GetSystemCatalog(*connection.context);
      state.function =
          catalog.GetEntry<duckdb::CopyFunctionCatalogEntry>(*connection.context, DEFAULT_SCHEMA, "parquet")
              .function;
      duckdb::CopyFunctionBindInput input(info);
      state.bind_data = state.function.copy_to_bind(state.context, input, names, types);
      state.global = state.function.copy_to_initialize_global(state.context, *state.bind_data,
                                                              WritePathOf(file->number_));
    });
    return file;
  });
}

Result<std::shared_ptr<ParquetFile::RowGroup>> ParquetFile::Encode(
    duckdb::unique_ptr<duckdb::ColumnDataCollection> rows) {
  return Guard([&]() -> Result<std::shared_ptr<RowGroup>> {
    auto group = std::make_shared<RowGroup>();
    group->prepared =
        state_->function.prepare_batch(state_->context, *state_->bind_data, *state_->global, std::move(rows));
    return group;
  });
}

Status ParquetFile::Append(RowGroup& group) {
  return Guard([&]() -> Status {
    state_->function.flush_batch(state_->context, *state_->bind_data, *state_->global, *group.prepared);
    group.prepared.reset();
    return {};
  });
}

Result<FinishedFile> ParquetFile::Finish() {
  return Guard([&]() -> Result<FinishedFile> {
    ticket_->keep_from_now = true;
    state_->function.copy_to_finalize(state_->context, *state_->bind_data, *state_->global);
    state_->global.reset();
    if (!ticket_->finished) return Internal("{}: the writer did not close the file", path_);
    FinishedFile finished;
    finished.size_bytes = ticket_->size_bytes;
    WEIR_TRY_CONTEXT(finished.footer, path_,
                     parquet::ParseFooterTail(AsBytes(ticket_->kept), finished.size_bytes));
    return finished;
  });
}

}  // namespace weir::exec
