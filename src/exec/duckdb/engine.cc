#include "exec/engine.h"

#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "duckdb/main/client_context.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/main/query_result.hpp"
#include "duckdb/parser/parsed_data/create_table_info.hpp"
#include "duckdb/parser/statement/create_statement.hpp"
#include "exec/duckdb/batches.h"
#include "exec/duckdb/describe.h"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/file_scan.h"
#include "exec/duckdb/lower.h"
#include "exec/duckdb/page_scan.h"
#include "exec/duckdb/query.h"
#include "exec/duckdb/row_files.h"
#include "exec/duckdb/types.h"
#include "exec/duckdb/write.h"

namespace weir::exec {

namespace {

/// Rows per batch, and text after which a batch is handed out early.
constexpr int64_t kBatchRows = 64 * 1024;
constexpr size_t kBatchTextBytes = 16_MiB;

class QueryStream : public BatchStream {
 public:
  QueryStream(std::unique_ptr<Query> query, std::vector<plan::Column> columns,
              duckdb::unique_ptr<duckdb::QueryResult> result)
      : columns_(std::move(columns)),
        query_(std::move(query)),
        result_(std::move(result)),
        builder_(TypesOf(columns_)) {}
  ~QueryStream() override {
    // The result refers to the connection.
    result_.reset();
    query_.reset();
  }

  const std::vector<plan::Column>& columns() const override { return columns_; }

  Result<std::optional<Batch>> Next() override {
    if (ended_) return std::optional<Batch>();
    Result<std::optional<Batch>> next = Guard([&] { return Fetch(); });
    if (!next || !*next) ended_ = true;
    return next;
  }

  static std::vector<Type> TypesOf(const std::vector<plan::Column>& columns) {
    std::vector<Type> types;
    for (const plan::Column& column : columns) types.push_back(column.type);
    return types;
  }

 private:
  Result<std::optional<Batch>> Fetch() {
    while (!drained_ && builder_.row_count() < kBatchRows && builder_.text_bytes() < kBatchTextBytes) {
      WEIR_TRY(duckdb::unique_ptr<duckdb::DataChunk> chunk, query_->Fetch(*result_));
      if (!chunk) {
        drained_ = true;
        query_->BookCounts();
        break;
      }
      WEIR_DO(builder_.Append(*chunk));
    }
    if (builder_.row_count() == 0) return std::optional<Batch>();
    return std::optional<Batch>(builder_.Finish());
  }

  std::vector<plan::Column> columns_;
  std::unique_ptr<Query> query_;
  duckdb::unique_ptr<duckdb::QueryResult> result_;
  BatchBuilder builder_;
  bool drained_ = false;
  bool ended_ = false;
};

/// A folder of our own that goes with the engine: DuckDB's files in it have no names of their own, so that
/// two engines must not share one. `base` is empty for the system's.
Result<std::string> MakeSpillDirectory(const std::string& base) {
  std::error_code error;
  const std::filesystem::path parent =
      base.empty() ? std::filesystem::temp_directory_path(error) : std::filesystem::path(base);
  const std::filesystem::path path = parent / ("weir-spill-" + SystemRandom().Uuid());
  if (!error) std::filesystem::create_directories(path, error);
  if (error) return Unavailable("{}: cannot be made for spilling: {}", path.string(), error.message());
  return path.string();
}

}  // namespace

struct Engine::State {
  EngineOptions options;
  Shared shared;
  std::string spill_directory;
  int opened = 0;
  std::mutex mutex;
  std::shared_ptr<Instance> instance;

  ~State() {
    shared.row_files.reset();
    instance.reset();
    std::error_code ignored;
    if (!spill_directory.empty()) std::filesystem::remove_all(spill_directory, ignored);
  }

  /// The database to run on; a new one if the last has failed.
  Result<std::shared_ptr<Instance>> Current() {
    std::lock_guard lock(mutex);
    if (instance && !instance->invalidated()) return instance;
    // A database that has failed may still be ending in its own folder.
    WEIR_TRY(instance, Instance::Open(options, spill_directory + "/" + std::to_string(++opened)));
    return instance;
  }

  Result<std::unique_ptr<Query>> Start(const RunContext& context) {
    WEIR_TRY(std::shared_ptr<Instance> current, Current());
    return Query::Start(std::move(current), shared, context);
  }
};

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options, const Stores& stores) {
  auto state = std::make_unique<State>();
  state->options = options;
  if (options.threads == 0) {
    // Not more than the process may use of the machine.
    const auto files = duckdb::FileSystem::CreateLocal();
    state->options.threads = std::max<size_t>(1, duckdb::DBConfig::GetSystemMaxThreads(*files));
  }
  WEIR_TRY(state->spill_directory, MakeSpillDirectory(options.spill_directory));
  state->shared.stores = &stores;
  state->shared.relations = std::make_shared<Relations>();
  state->shared.footers = std::make_shared<pages::FooterCache>(options.footer_cache_bytes);
  try {
    state->shared.watch = std::make_shared<Watch>();
  } catch (const std::system_error& error) {
    return Unavailable("cannot start a thread: {}", error.what());
  }
  State* raw = state.get();
  state->shared.row_files = MakeRowFiles([raw] { return raw->Current(); });
  WEIR_DO(state->Current());
  return std::unique_ptr<Engine>(new Engine(std::move(state)));
}

std::shared_ptr<Instance> InstanceOf(Engine& engine) {
  Result<std::shared_ptr<Instance>> current = engine.state_->Current();
  return current ? *std::move(current) : nullptr;
}

Result<std::unique_ptr<BatchStream>> Engine::Run(const plan::NodePtr& plan, const RunContext& context) {
  WEIR_TRY(std::unique_ptr<Query> query, state_->Start(context));
  return Guard([&]() -> Result<std::unique_ptr<BatchStream>> {
    Lowering lowering(*query);
    WEIR_TRY(auto statement, lowering.Statement(plan));
    WEIR_TRY(auto result, query->Send(std::move(statement), Delivery::kStreamed));
    return std::unique_ptr<BatchStream>(
        std::make_unique<QueryStream>(std::move(query), plan->output, std::move(result)));
  });
}

Result<RelationPtr> Engine::Materialize(const plan::NodePtr& plan, const RunContext& context) {
  WEIR_TRY(std::shared_ptr<Instance> instance, state_->Current());
  WEIR_TRY(std::unique_ptr<Query> query, Query::Start(instance, state_->shared, context));
  return Guard([&]() -> Result<RelationPtr> {
    Lowering lowering(*query);
    WEIR_TRY(auto select, lowering.Statement(plan));
    const int64_t id = state_->shared.relations->NextId();
    auto info = duckdb::make_uniq<duckdb::CreateTableInfo>();
    info->table = KeptRelation::TableName(id);
    info->query = std::move(select);
    auto create = duckdb::make_uniq<duckdb::CreateStatement>();
    create->info = std::move(info);
    WEIR_DO(query->AllowAnyOrder());
    WEIR_TRY(auto result, query->Send(std::move(create), Delivery::kKept));
    WEIR_TRY(auto count, query->Fetch(*result));
    if (!count) return Internal("rows were kept and not counted");
    const int64_t rows = count->GetValue(0, 0).GetValue<int64_t>();
    auto relation = std::make_shared<const KeptRelation>(instance, id, plan->output, rows);
    query->BookCounts();
    state_->shared.relations->Add(relation);
    return RelationPtr(relation);
  });
}

Result<std::vector<table::NewDataFile>> Engine::Write(const plan::NodePtr& plan, const WriteRequest& request,
                                                      const RunContext& context) {
  WEIR_TRY(std::unique_ptr<Query> query, state_->Start(context));
  return Guard([&] { return WriteFiles(*query, plan, request); });
}

Result<std::vector<Field>> Engine::DescribeParquet(const std::vector<std::string>& paths,
                                                   const RunContext& context) {
  WEIR_TRY(std::unique_ptr<Query> query, state_->Start(context));
  return Guard([&] { return DescribeFiles(*query, paths); });
}

Result<std::optional<PageReport>> Engine::DescribePages(const plan::NodePtr& scan,
                                                        const RunContext& context) {
  const auto* files = scan->As<plan::FileScan>();
  if (!files || files->selection || !ReadsPages(*scan, *files)) return std::optional<PageReport>();
  WEIR_TRY(std::unique_ptr<Query> query, state_->Start(context));
  return Guard([&]() -> Result<std::optional<PageReport>> {
    WEIR_TRY(PageReport report, DescribePageScan(*query, *scan, *files));
    return std::optional<PageReport>(std::move(report));
  });
}

size_t Engine::threads() const { return state_->options.threads; }

std::shared_ptr<table::RowFiles> Engine::row_files() { return state_->shared.row_files; }

plan::NodePtr ScanOf(const Relation& relation, plan::ColumnIds& ids) {
  plan::RelationScan scan;
  scan.relation_id = relation.id();
  std::vector<plan::Column> output;
  for (size_t i = 0; i < relation.columns().size(); ++i) {
    plan::Column column = relation.columns()[i];
    column.id = ids.Next();
    output.push_back(std::move(column));
    scan.columns.push_back(static_cast<int32_t>(i));
  }
  return plan::MakeNode(std::move(scan), {}, std::move(output));
}

}  // namespace weir::exec
