#include "exec/duckdb/query.h"

#include "duckdb/common/error_data.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/main/query_result.hpp"
#include "exec/duckdb/errors.h"

namespace weir::exec {

Result<std::unique_ptr<Query>> Query::Start(std::shared_ptr<Instance> instance, Shared shared,
                                            RunContext context) {
  WEIR_DO(context.cancellation.Check());
  std::unique_ptr<Query> query(new Query(std::move(instance), std::move(shared), std::move(context)));
  query->spill_ = query->instance_->spill().Follow(query->context_.ledger);
  WEIR_TRY(query->connection_, query->instance_->Connect());
  query->watch_ = query->shared_.watch->Follow(query->connection_->context, query->context_.cancellation,
                                               query->context_.progress);
  return query;
}

Query::Query(std::shared_ptr<Instance> instance, Shared shared, RunContext context)
    : instance_(std::move(instance)), shared_(std::move(shared)), context_(std::move(context)) {}

Query::~Query() {
  watch_.reset();
  // A task that fills a sort or an aggregate looks for nothing else until its input ends.
  if (connection_) connection_->Interrupt();
  // The connection goes first: its tasks use what is withdrawn here.
  connection_.reset();
  for (const auto& [number, source] : scans_) instance_->scans().Withdraw(number);
  for (uint64_t number : tickets_) instance_->tickets().Withdraw(number);
}

Result<duckdb::OpenFileInfo> Query::AddFile(const std::string& uri, uint64_t size_bytes,
                                            const Account& account) {
  WEIR_TRY(Location location, shared_.stores->Find(uri));
  auto ticket = std::make_shared<ReadTicket>();
  ticket->store.emplace(location.storage, account, context_.cancellation);
  ticket->path = location.path;
  ticket->size_bytes = size_bytes;
  tickets_.push_back(instance_->tickets().Issue(std::shared_ptr<const ReadTicket>(std::move(ticket))));
  return InfoOf(tickets_.back(), uri);
}

duckdb::OpenFileInfo Query::AddFile(std::shared_ptr<const pages::SynthesizedFile> file) {
  auto ticket = std::make_shared<ReadTicket>();
  ticket->path = file->path();
  ticket->size_bytes = file->size_bytes();
  ticket->synthesized = file;
  tickets_.push_back(instance_->tickets().Issue(std::shared_ptr<const ReadTicket>(std::move(ticket))));
  return InfoOf(tickets_.back(), file->path());
}

Result<std::string> Query::RelationTable(int64_t id) {
  std::shared_ptr<const KeptRelation> relation = shared_.relations->Find(id);
  if (!relation) return Internal("relation {} is not kept any more", id);
  if (relation->instance() != instance_) {
    return Internal("relation {} was lost when the executor had to start anew after a failure", id);
  }
  used_relations_.push_back(std::move(relation));
  return KeptRelation::TableName(id);
}

uint64_t Query::AddScan(std::shared_ptr<ScanSource> source) {
  const uint64_t number = instance_->scans().Register(source);
  scans_.emplace_back(number, std::move(source));
  return number;
}

Result<duckdb::unique_ptr<duckdb::QueryResult>> Query::Send(
    duckdb::unique_ptr<duckdb::SQLStatement> statement, Delivery delivery) {
  WEIR_TRY(auto result, RunStatement(*connection_, std::move(statement), delivery, context_.cancellation));
  if (result->HasError()) return Translate(result->GetErrorObject());
  return result;
}

Result<duckdb::unique_ptr<duckdb::DataChunk>> Query::Fetch(duckdb::QueryResult& result) {
  WEIR_TRY(auto chunk, FetchRows(result, context_.cancellation));
  if (result.HasError()) return Translate(result.GetErrorObject());
  if (chunk && chunk->size() == 0) chunk.reset();
  return chunk;
}

Status Query::AllowAnyOrder() {
  auto result = connection_->Query("SET SESSION preserve_insertion_order = false");
  if (result->HasError()) return Translate(result->GetErrorObject());
  return {};
}

Error Query::Translate(const duckdb::ErrorData& data) const {
  if (context_.cancellation.requested()) return Cancelled();
  Error error = ToError(data);
  std::string plain = PlainMessage(error.message());
  if (plain == error.message()) return error;
  Error renamed(error.code(), std::move(plain));
  if (error.condition()) renamed = std::move(renamed).WithCondition(*error.condition());
  return renamed;
}

void Query::BookCounts() {
  for (const auto& [number, source] : scans_) source->BookCounts(*connection_->context);
}

}  // namespace weir::exec
