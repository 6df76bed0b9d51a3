#include "exec/duckdb/drive.h"

#include <chrono>
#include <thread>

#include "duckdb/common/error_data.hpp"
#include "duckdb/common/exception.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/main/materialized_query_result.hpp"
#include "duckdb/main/pending_query_result.hpp"
#include "duckdb/main/stream_query_result.hpp"

namespace weir::exec {

namespace {

/// Sleeps longer the longer there has been nothing to do.
class Idle {
 public:
  void Reset() { turns_ = 0; }
  void Wait() {
    constexpr int kYields = 64;
    constexpr std::chrono::microseconds kShort{50}, kLong{1000};
    ++turns_;
    if (turns_ < kYields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(turns_ < 2 * kYields ? kShort : kLong);
    }
  }

 private:
  int turns_ = 0;
};

/// Stops the other threads too when it is time.
Status Proceed(duckdb::ClientContext& context, const Cancellation& cancellation) {
  Status status = cancellation.Check();
  if (!status) context.Interrupt();
  return status;
}

duckdb::unique_ptr<duckdb::QueryResult> Failed(const duckdb::ErrorData& error) {
  return duckdb::make_uniq<duckdb::MaterializedQueryResult>(error);
}

/// A thread that fails interrupts the others, this one too. Once it goes on, it meets what the other failed
/// with.
duckdb::StreamExecutionResult StepOf(duckdb::StreamQueryResult& stream) {
  try {
    return stream.ExecuteTask();
  } catch (const duckdb::InterruptException&) {
    return duckdb::StreamExecutionResult::EXECUTION_CANCELLED;
  }
}

}  // namespace

Result<duckdb::unique_ptr<duckdb::QueryResult>> RunStatement(
    duckdb::Connection& connection, duckdb::unique_ptr<duckdb::SQLStatement> statement, Delivery delivery,
    const Cancellation& cancellation) {
  auto pending =
      connection.PendingQuery(std::move(statement), duckdb::QueryParameters(delivery == Delivery::kStreamed));
  Idle idle;
  while (!pending->HasError()) {
    WEIR_DO(Proceed(*connection.context, cancellation));
    const duckdb::PendingExecutionResult step = pending->ExecuteTask();
    if (duckdb::PendingQueryResult::IsResultReady(step)) break;
    if (step == duckdb::PendingExecutionResult::BLOCKED) {
      pending->WaitForTask();
    } else if (step == duckdb::PendingExecutionResult::NO_TASKS_AVAILABLE) {
      idle.Wait();
    } else {
      idle.Reset();
    }
  }
  // Asked for its result, a failed statement would throw another error than its own.
  if (pending->HasError()) return Failed(pending->GetErrorObject());
  return pending->Execute();
}

Result<duckdb::unique_ptr<duckdb::DataChunk>> FetchRows(duckdb::QueryResult& result,
                                                        const Cancellation& cancellation) {
  if (result.type == duckdb::QueryResultType::STREAM_RESULT) {
    auto& stream = result.Cast<duckdb::StreamQueryResult>();
    Idle idle;
    if (!stream.IsOpen()) return duckdb::unique_ptr<duckdb::DataChunk>();
    while (true) {
      WEIR_DO(Proceed(*stream.context, cancellation));
      const duckdb::StreamExecutionResult step = StepOf(stream);
      if (step == duckdb::StreamExecutionResult::EXECUTION_CANCELLED) {
        WEIR_DO(Proceed(*stream.context, cancellation));
        stream.context->ClearInterrupt();
        continue;
      }
      if (duckdb::StreamQueryResult::IsChunkReady(step)) break;
      if (step == duckdb::StreamExecutionResult::BLOCKED) {
        stream.WaitForTask();
      } else if (step == duckdb::StreamExecutionResult::NO_TASKS_AVAILABLE) {
        idle.Wait();
      } else {
        idle.Reset();
      }
    }
  }
  if (result.HasError()) return duckdb::unique_ptr<duckdb::DataChunk>();
  return result.Fetch();
}

}  // namespace weir::exec
