#pragma once

/// A session: configuration, current namespace, catalogs and the engine behind one call. Every face uses only
/// this.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancellation.h"
#include "base/clock.h"
#include "exec/engine.h"
#include "ledger/ledger.h"
#include "plan/logical.h"
#include "session/conf.h"

namespace weir::session {

struct SessionOptions {
  ConfMap conf;  ///< Spark's keys; spark.sql.catalog.<name> groups configure catalogs.
  exec::EngineOptions engine;
  /// Put under the decorators in place of the local store; for fault tests. Null: the machine's files.
  std::shared_ptr<Storage> local_storage;
  Clock* clock = nullptr;    ///< Null: the machine's. Must outlive the session.
  Random* random = nullptr;  ///< Null: the operating system's. Must outlive the session.
};

struct RunOptions {
  Cancellation cancellation;
  std::function<void(double)> progress;  ///< See exec::RunContext.
  /// TIMESTAMP columns of a query come as STRING, printed in the session's zone, for faces that show text.
  bool times_as_text = false;
};

/// One statement that ran, or whose rows are being made. Thread rule: one thread. Dropping it stops the
/// query.
class Run {
 public:
  virtual ~Run() = default;
  /// Empty for statements without a result, as in Spark.
  virtual const std::vector<plan::Column>& columns() const = 0;
  /// The one value is a text of several lines, for reading as it is: EXPLAIN.
  virtual bool is_report() const { return false; }
  /// Nullopt at the end. Errors: as exec::BatchStream.
  virtual Result<std::optional<Batch>> Next() = 0;
  /// What moved so far; complete after the last batch.
  virtual const Ledger& ledger() const = 0;
};

/// Thread rule: one statement at a time; Cancellation may be requested from any thread.
class Session {
 public:
  static Result<std::unique_ptr<Session>> Open(const SessionOptions& options);
  ~Session();

  /// Parses, analyses and runs one statement. Commands have been carried out when it returns; a query's rows
  /// are made as they are read. Errors carry Spark's condition, the place in the text, and a suggestion where
  /// Spark gives one.
  Result<std::unique_ptr<Run>> Execute(std::string_view statement, const RunOptions& options = {});

  const Conf& conf() const;

 private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::session
