#pragma once

/// Runs DuckDB statements from the calling thread, which helps as one of DuckDB's threads and sleeps when the
/// others have all the work. (DuckDB's own loop would keep a core busy.) Thread rule: one thread.

#include "base/cancellation.h"
#include "base/result.h"
#include "duckdb/main/query_result.hpp"
#include "duckdb/parser/sql_statement.hpp"

namespace duckdb {
class Connection;
}

namespace weir::exec {

/// How rows come: as they are fetched, or kept until asked for.
enum class Delivery : uint8_t { kStreamed, kKept };
/// Starts a statement whose rows are made as they are fetched, or runs it to its end and keeps the rows.
/// Errors: kCancelled; those of the statement are in the result.
Result<duckdb::unique_ptr<duckdb::QueryResult>> RunStatement(
    duckdb::Connection& connection, duckdb::unique_ptr<duckdb::SQLStatement> statement, Delivery delivery,
    const Cancellation& cancellation);

/// The next rows; null or empty at the end, or after an error, which is in the result. Errors: kCancelled.
Result<duckdb::unique_ptr<duckdb::DataChunk>> FetchRows(duckdb::QueryResult& result,
                                                        const Cancellation& cancellation);

}  // namespace weir::exec
