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
#include "ledger/ledger.h"
#include "plan/logical.h"
#include "plan/unresolved.h"
#include "session/host.h"
#include "session/views.h"

namespace weir::session {

struct RunOptions {
  Cancellation cancellation;
  std::function<void(double)> progress;  ///< See exec::RunContext.
  /// TIMESTAMP columns of a query come as STRING, printed in the session's zone, for faces that show text.
  bool times_as_text = false;
};

/// One statement that ran, or whose rows are being made. Thread rule: one thread. Dropping it stops the
/// query. Must not outlive the session.
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

/// Thread rule: any thread; statements run side by side, each under the settings that it found.
class Session {
 public:
  /// A session of its own host.
  static Result<std::unique_ptr<Session>> Open(const HostOptions& options);
  /// `conf` comes on top of the host's. Errors: kInvalid (INVALID_CONF_VALUE.*).
  static Result<std::unique_ptr<Session>> Open(std::shared_ptr<const Host> host, const ConfMap& conf = {});
  ~Session();

  /// Parses, analyses and runs one statement. Commands have been carried out when it returns; a query's rows
  /// are made as they are read. Errors carry Spark's condition, the place in the text, and a suggestion where
  /// Spark gives one.
  Result<std::unique_ptr<Run>> Execute(std::string_view statement, const RunOptions& options = {});
  /// As above, for a statement that was parsed or built before. `text` is what it was parsed from, or empty.
  Result<std::unique_ptr<Run>> Execute(const unresolved::Statement& statement, std::string_view text,
                                       const RunOptions& options = {});
  /// Parses in the session's time zone. Errors: as sql::ParseStatement.
  Result<unresolved::Statement> Parse(std::string_view statement) const;
  /// The columns of a query; nothing runs, but tables are looked up. Errors: as Execute.
  Result<std::vector<plan::Column>> Describe(const unresolved::RelationPtr& query, std::string_view text,
                                             const RunOptions& options = {});

  /// Errors: those of the query; kExists (TEMP_TABLE_OR_VIEW_ALREADY_EXISTS) unless `replace`.
  Status CreateView(const std::string& name, unresolved::RelationPtr query, bool replace,
                    const RunOptions& options = {});
  /// False if there was none.
  bool DropView(std::string_view name);

  /// Settings as they are now.
  Conf conf() const;
  CurrentNamespace current() const;
  /// Errors: as Conf::Set.
  Status Set(std::string_view key, std::string_view value);
  void Reset(std::string_view key);

  /// What sessions keep; named here for session.cc alone.
  struct State;

 private:
  struct Statement;
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::session
