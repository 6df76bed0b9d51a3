#include "session/session.h"

#include <algorithm>

#include "analyze/analyzer.h"
#include "ops/ddl.h"
#include "ops/delete.h"
#include "ops/insert.h"
#include "ops/merge.h"
#include "ops/update.h"
#include "session/constants.h"
#include "session/explain.h"
#include "session/listing.h"
#include "session/names.h"
#include "session/wiring.h"
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

struct Session::State {
  State(Conf session_conf, Clock& session_clock) : conf(std::move(session_conf)), clock(session_clock) {}

  Conf conf;
  Clock& clock;
  CurrentNamespace current;
  std::shared_ptr<const Stores> stores;
  std::unique_ptr<exec::Engine> engine;
  std::unique_ptr<catalog::Catalogs> catalogs;

  Result<std::unique_ptr<Run>> Carry(const plan::Command& command, const exec::RunContext& run,
                                     bool times_as_text, plan::ColumnIds& ids);
};

namespace {

/// Carries out one resolved command; nullopt for a command without rows.
class Carrier {
 public:
  Carrier(Conf& conf, CurrentNamespace& current, const ops::OperationContext& context)
      : conf_(conf), current_(current), context_(context) {}

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
      current_ = {command.catalog, {}};
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
        current_ = {command.catalog, command.name};
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
      set.key.empty() ? conf_.ResetAll() : conf_.Reset(set.key);
      context_.catalogs.Configure(conf_.values());
      return Listing{};
    }
    if (!set.value) return ListSettings(conf_, set.key);
    WEIR_DO(conf_.Set(set.key, *set.value));
    context_.catalogs.Configure(conf_.values());
    return ListSettings(conf_, set.key);
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

  Conf& conf_;
  CurrentNamespace& current_;
  const ops::OperationContext& context_;
};

}  // namespace

Result<std::unique_ptr<Run>> Session::State::Carry(const plan::Command& command, const exec::RunContext& run,
                                                   bool times_as_text, plan::ColumnIds& ids) {
  const ops::OperationContext context{*engine, *stores,        *catalogs,
                                      run,     conf.pruning(), ConstantsBy(*engine, run)};
  if (const auto* query = std::get_if<plan::QueryCommand>(&command.node)) {
    WEIR_TRY(std::unique_ptr<exec::BatchStream> stream,
             ops::RunPlan(times_as_text ? TimesAsText(query->plan, ids) : query->plan, context));
    return std::unique_ptr<Run>(std::make_unique<QueryRun>(std::move(stream), run.ledger));
  }
  WEIR_TRY(Listing listing, std::visit(Carrier(conf, current, context), command.node));
  return std::unique_ptr<Run>(std::make_unique<ListingRun>(std::move(listing), run.ledger));
}

Result<std::unique_ptr<Session>> Session::Open(const SessionOptions& options) {
  WEIR_TRY(Conf conf, Conf::Make(options.conf));
  Clock& clock = options.clock != nullptr ? *options.clock : SystemClock();
  auto state = std::make_unique<State>(std::move(conf), clock);
  Random& random = options.random != nullptr ? *options.random : SystemRandom();
  state->stores = std::make_shared<const Stores>(MakeStores(options.local_storage, clock, random));
  WEIR_TRY(const exec::EngineOptions engine_options, state->conf.EngineFrom(options.engine));
  WEIR_TRY(state->engine, exec::Engine::Open(engine_options, *state->stores));
  state->catalogs = std::make_unique<catalog::Catalogs>(state->stores, clock, random);
  state->catalogs->Configure(state->conf.values());
  state->current.catalog = *state->conf.Get("spark.sql.defaultCatalog");
  if (state->current.catalog != "spark_catalog") state->current.name.clear();
  return std::unique_ptr<Session>(new Session(std::move(state)));
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() = default;

Result<std::unique_ptr<Run>> Session::Execute(std::string_view text, const RunOptions& options) {
  exec::RunContext run;
  run.ledger = Ledger::Make();
  run.cancellation = options.cancellation;
  run.semantics = state_->conf.semantics();
  run.progress = options.progress;
  WEIR_TRY(const unresolved::Statement statement, sql::ParseStatement(text, {run.semantics.time_zone}));
  Names names(*state_->catalogs, *state_->engine, *state_->stores, state_->current, run);
  analyze::Settings settings;
  settings.semantics = run.semantics;
  settings.now_us = state_->clock.NowMicros();
  settings.dynamic_partition_overwrite = state_->conf.DynamicPartitionOverwrite();
  settings.evaluate = ConstantsBy(*state_->engine, run);
  plan::ColumnIds ids;
  WEIR_TRY(const plan::Command command, analyze::Analyze(statement, names, settings, ids, text));
  return state_->Carry(command, run, options.times_as_text, ids);
}

const Conf& Session::conf() const { return state_->conf; }

}  // namespace weir::session
