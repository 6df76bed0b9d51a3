#include "session/session.h"

#include <algorithm>
#include <mutex>

#include "analyze/analyzer.h"
#include "base/ascii.h"
#include "ops/ddl.h"
#include "ops/delete.h"
#include "ops/insert.h"
#include "ops/merge.h"
#include "ops/update.h"
#include "session/constants.h"
#include "session/explain.h"
#include "session/listing.h"
#include "session/names.h"
#include "sql/parser.h"
#include "type/identifier.h"

namespace weir::session {
namespace {

/// Rows that are known in full, as one batch.
class ListingRun final : public Run {
 public:
  ListingRun(Listing listing, std::shared_ptr<Ledger> ledger)
      : listing_(std::move(listing)), ledger_(std::move(ledger)) {}
  const std::vector<plan::Column>& columns() const override { return listing_.columns; }
  bool is_report() const override { return listing_.is_report; }
  Result<std::optional<Batch>> Next() override {
    if (done_ || listing_.rows.empty()) return std::optional<Batch>();
    done_ = true;
    return std::optional<Batch>(ToBatch(listing_));
  }
  const Ledger& ledger() const override { return *ledger_; }

 private:
  Listing listing_;
  std::shared_ptr<Ledger> ledger_;
  bool done_ = false;
};

class QueryRun final : public Run {
 public:
  QueryRun(std::unique_ptr<exec::BatchStream> stream, std::shared_ptr<Ledger> ledger)
      : stream_(std::move(stream)), ledger_(std::move(ledger)) {}
  const std::vector<plan::Column>& columns() const override { return stream_->columns(); }
  Result<std::optional<Batch>> Next() override { return stream_->Next(); }
  const Ledger& ledger() const override { return *ledger_; }

 private:
  std::unique_ptr<exec::BatchStream> stream_;
  std::shared_ptr<Ledger> ledger_;
};

bool HoldsTimestamp(const Type& type) {
  return type.kind() == TypeKind::kTimestamp ||
         std::ranges::any_of(type.fields(), [](const Field& field) { return HoldsTimestamp(field.type); });
}

/// Columns with instants at any depth become text in the session's zone.
plan::NodePtr TimesAsText(const plan::NodePtr& plan, plan::ColumnIds& ids) {
  bool any = false;
  std::vector<ExprPtr> exprs;
  std::vector<std::string> names;
  for (const plan::Column& column : plan->output) {
    ExprPtr expr = plan::ColumnExpr(column);
    if (HoldsTimestamp(column.type)) {
      any = true;
      expr = MakeCast(std::move(expr), Type::String(), CastMode::kAnsi);
    }
    exprs.push_back(std::move(expr));
    names.push_back(column.name);
  }
  return any ? plan::MakeProject(plan, std::move(exprs), std::move(names), ids) : plan;
}

Error SchemaNotFound(const std::string& catalog, const std::vector<std::string>& name) {
  const std::string quoted = QuoteName({catalog}) + "." + QuoteName(name);
  return NotFound("there is no namespace {}; check its spelling and the current catalog, or say IF EXISTS",
                  quoted)
      .WithCondition({"SCHEMA_NOT_FOUND", "42704", {{"schemaName", quoted}}, std::nullopt, ""});
}

}  // namespace

/// What statements find, and may change for those after them.
struct Settings {
  Conf conf;
  CurrentNamespace current;
  Views views;
};

struct Session::State {
  State(std::shared_ptr<const Host> session_host, Settings first)
      : host(std::move(session_host)),
        catalogs(host->stores(), host->clock(), host->random()),
        settings(std::move(first)) {
    catalogs.Configure(settings.conf.values());
  }

  Settings Now() const {
    const std::lock_guard lock(mutex);
    return settings;
  }
  Status Set(std::string_view key, std::string_view value) {
    const std::lock_guard lock(mutex);
    WEIR_DO(settings.conf.Set(key, value));
    catalogs.Configure(settings.conf.values());
    return {};
  }
  /// No key: all of them.
  void Reset(std::string_view key) {
    const std::lock_guard lock(mutex);
    key.empty() ? settings.conf.ResetAll() : settings.conf.Reset(key);
    catalogs.Configure(settings.conf.values());
  }
  void Use(CurrentNamespace current) {
    const std::lock_guard lock(mutex);
    settings.current = std::move(current);
  }

  const std::shared_ptr<const Host> host;
  catalog::Catalogs catalogs;
  mutable std::mutex mutex;  ///< Over what follows.
  Settings settings;
};

namespace {

/// Carries out one resolved command; nullopt for a command without rows.
class Carrier {
 public:
  Carrier(Session::State& state, const ops::OperationContext& context) : state_(state), context_(context) {}

  using Outcome = Result<Listing>;

  Outcome operator()(const plan::InsertCommand& command) { return Done(ops::Insert(command, context_)); }
  Outcome operator()(const plan::DeleteCommand& command) { return Done(ops::Delete(command, context_)); }
  Outcome operator()(const plan::UpdateCommand& command) { return Done(ops::Update(command, context_)); }
  Outcome operator()(const plan::MergeCommand& command) {
    WEIR_DO(ops::Merge(command, context_));
    return Listing{};
  }
  Outcome operator()(const plan::CreateTableCommand& command) {
    return Done(ops::CreateTable(command, context_));
  }
  Outcome operator()(const plan::DropTableCommand& command) {
    return Done(ops::DropTable(command, context_));
  }
  Outcome operator()(const plan::AlterTableCommand& command) {
    return Done(ops::AlterTable(command, context_));
  }
  Outcome operator()(const plan::DescribeCommand& command) {
    return DescribeTable(*command.target.snapshot, command.target.name, command.extended);
  }

  Outcome operator()(const plan::NamespaceCommand& command) {
    if (command.kind == plan::NamespaceCommand::Kind::kUse && command.name.empty()) {
      // USE catalog: the catalog's own default namespace, which Iceberg catalogs do not have.
      CurrentNamespace current;
      if (command.catalog != current.catalog) current = {command.catalog, {}};
      state_.Use(std::move(current));
      return Listing{};
    }
    WEIR_TRY(std::shared_ptr<catalog::Catalog> catalog, context_.catalogs.Find(command.catalog));
    const Account account = context_.run.ledger->Open("catalog " + command.catalog, Purpose::kCommit);
    const Cancellation& cancellation = context_.run.cancellation;
    switch (command.kind) {
      case plan::NamespaceCommand::Kind::kCreate:
        return Done(catalog->CreateNamespace(command.name, command.if_not_exists, account, cancellation));
      case plan::NamespaceCommand::Kind::kDrop:
        return Done(
            catalog->DropNamespace(command.name, command.if_exists, command.cascade, account, cancellation));
      case plan::NamespaceCommand::Kind::kUse: {
        WEIR_TRY(const bool exists, catalog->NamespaceExists(command.name, account, cancellation));
        if (!exists) return SchemaNotFound(command.catalog, command.name);
        state_.Use({command.catalog, command.name});
        return Listing{};
      }
    }
    return Internal("namespace command {}", static_cast<int>(command.kind));
  }

  Outcome operator()(const plan::ShowCommand& command) {
    WEIR_TRY(std::shared_ptr<catalog::Catalog> catalog, context_.catalogs.Find(command.catalog));
    const Account account = context_.run.ledger->Open("catalog " + command.catalog, Purpose::kListing);
    const Cancellation& cancellation = context_.run.cancellation;
    if (command.kind == plan::ShowCommand::Kind::kTables) {
      WEIR_TRY(const auto tables, catalog->ListTables(command.in_namespace, account, cancellation));
      return ListTables(tables, command.pattern);
    }
    WEIR_TRY(const auto namespaces, catalog->ListNamespaces(command.in_namespace, account, cancellation));
    return ListNamespaces(namespaces, command.pattern);
  }

  Outcome operator()(const plan::SetCommand& command) {
    const unresolved::SetConfiguration& set = command.setting;
    if (set.is_reset) {
      state_.Reset(set.key);
      return Listing{};
    }
    if (set.value) WEIR_DO(state_.Set(set.key, *set.value));
    return ListSettings(state_.Now().conf, set.key);
  }

  Outcome operator()(const plan::ExplainCommand& command) {
    WEIR_TRY(std::string text, Explain(command, context_));
    return PlanText(std::move(text));
  }

  Outcome operator()(const plan::QueryCommand&) { return Internal("a query is not a command"); }

 private:
  static Outcome Done(Status status) {
    if (!status) return std::move(status).error();
    return Listing{};
  }

  Session::State& state_;
  const ops::OperationContext& context_;
};

}  // namespace

/// One statement of a session: the settings that it found, and what it runs under.
struct Session::Statement {
  Statement(State& session_state, const RunOptions& options)
      : state(session_state), found(state.Now()), run(RunUnder(found.conf, options)) {
    settings.semantics = run.semantics;
    settings.now_us = state.host->clock().NowMicros();
    settings.dynamic_partition_overwrite = found.conf.DynamicPartitionOverwrite();
    settings.evaluate = ConstantsBy(engine(), run);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  exec::Engine& engine() const { return state.host->engine(); }
  Result<plan::Command> Analyze(const unresolved::Statement& statement, std::string_view text) {
    return analyze::Analyze(statement, names, settings, ids, text);
  }
  static exec::RunContext RunUnder(const Conf& conf, const RunOptions& options) {
    exec::RunContext run;
    run.ledger = Ledger::Make();
    run.cancellation = options.cancellation;
    run.semantics = conf.semantics();
    run.progress = options.progress;
    return run;
  }

  State& state;
  const Settings found;
  const exec::RunContext run;
  Names names{state.catalogs, engine(), *state.host->stores(), found.current, found.views, run};
  analyze::Settings settings;
  plan::ColumnIds ids;
};

Result<std::unique_ptr<Session>> Session::Open(const HostOptions& options) {
  WEIR_TRY(std::shared_ptr<const Host> host, Host::Open(options));
  return Open(std::move(host));
}

Result<std::unique_ptr<Session>> Session::Open(std::shared_ptr<const Host> host, const ConfMap& conf) {
  ConfMap together = conf;
  together.insert(host->conf().values().begin(), host->conf().values().end());
  WEIR_TRY(Conf initial, Conf::Make(together));
  CurrentNamespace current;
  current.catalog = *initial.Get("spark.sql.defaultCatalog");
  if (current.catalog != "spark_catalog") current.name.clear();
  auto state = std::make_unique<State>(std::move(host), Settings{std::move(initial), std::move(current), {}});
  return std::unique_ptr<Session>(new Session(std::move(state)));
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() = default;

Result<unresolved::Statement> Session::Parse(std::string_view text) const {
  return sql::ParseStatement(text, {state_->Now().conf.semantics().time_zone});
}

Result<std::unique_ptr<Run>> Session::Execute(std::string_view text, const RunOptions& options) {
  WEIR_TRY(const unresolved::Statement statement, Parse(text));
  return Execute(statement, text, options);
}

Result<std::unique_ptr<Run>> Session::Execute(const unresolved::Statement& parsed, std::string_view text,
                                              const RunOptions& options) {
  Statement statement(*state_, options);
  const exec::RunContext& run = statement.run;
  WEIR_TRY(const plan::Command command, statement.Analyze(parsed, text));
  const ops::OperationContext context{statement.engine(),
                                      *state_->host->stores(),
                                      state_->catalogs,
                                      run,
                                      statement.found.conf.pruning(),
                                      ConstantsBy(statement.engine(), run)};
  if (const auto* query = std::get_if<plan::QueryCommand>(&command.node)) {
    const plan::NodePtr plan = options.times_as_text ? TimesAsText(query->plan, statement.ids) : query->plan;
    WEIR_TRY(std::unique_ptr<exec::BatchStream> stream, ops::RunPlan(plan, context));
    return std::unique_ptr<Run>(std::make_unique<QueryRun>(std::move(stream), run.ledger));
  }
  WEIR_TRY(Listing listing, std::visit(Carrier(*state_, context), command.node));
  return std::unique_ptr<Run>(std::make_unique<ListingRun>(std::move(listing), run.ledger));
}

Result<std::vector<plan::Column>> Session::Describe(const unresolved::RelationPtr& query,
                                                    std::string_view text, const RunOptions& options) {
  Statement statement(*state_, options);
  WEIR_TRY(const plan::Command command, statement.Analyze({unresolved::Query{query}, {}}, text));
  return std::get<plan::QueryCommand>(command.node).plan->output;
}

Status Session::CreateView(const std::string& name, unresolved::RelationPtr query, bool replace,
                           const RunOptions& options) {
  Statement statement(*state_, options);
  WEIR_TRY([[maybe_unused]] const plan::Command command,
           statement.Analyze({unresolved::Query{query}, {}}, {}));
  auto view = std::make_shared<const View>(
      View{name, std::move(query), statement.found.current, statement.names.used_views()});
  const std::lock_guard lock(state_->mutex);
  std::shared_ptr<const View>& place = state_->settings.views[AsciiLower(name)];
  if (place != nullptr && !replace) {
    const std::string quoted = QuoteName({name});
    return Exists("there is a temporary view {} already; drop it first, or replace it", quoted)
        .WithCondition(
            {"TEMP_TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", {{"relationName", quoted}}, std::nullopt, ""});
  }
  place = std::move(view);
  return {};
}

bool Session::DropView(std::string_view name) {
  const std::lock_guard lock(state_->mutex);
  return state_->settings.views.erase(AsciiLower(name)) > 0;
}

Conf Session::conf() const { return state_->Now().conf; }
CurrentNamespace Session::current() const { return state_->Now().current; }
Status Session::Set(std::string_view key, std::string_view value) { return state_->Set(key, value); }
void Session::Reset(std::string_view key) { state_->Reset(key); }

}  // namespace weir::session
