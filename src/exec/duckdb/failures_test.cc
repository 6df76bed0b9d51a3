#include <atomic>
#include <filesystem>

#include "duckdb/catalog/catalog.hpp"
#include "duckdb/common/enums/database_modification_type.hpp"
#include "duckdb/common/exception.hpp"
#include "duckdb/function/scalar_function.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/main/database_manager.hpp"
#include "duckdb/parser/parsed_data/create_scalar_function_info.hpp"
#include "duckdb/transaction/meta_transaction.hpp"
#include "exec/duckdb/instance.h"
#include "exec/duckdb/test_tables.h"
#include "storage/decorator.h"

namespace weir::exec {
namespace {

using plan::ColumnExpr;
using testing::Col;
using testing::FileTest;

/// What happens to a statement, and to the one after it, when DuckDB fails, runs out of memory or is told to
/// stop.
class FailureTest : public FileTest {
 protected:
  void Reopen(uint64_t memory_bytes) {
    spill_ = std::filesystem::path(::testing::TempDir()) / ("spill-" + SystemRandom().Uuid());
    EngineOptions options;
    options.threads = 2;
    options.memory_limit_bytes = memory_bytes;
    options.spill_directory = spill_.string();
    auto engine = Engine::Open(options, stores_);
    ASSERT_TRUE(engine) << engine.error().ToString();
    engine_ = *std::move(engine);
  }
  void TearDown() override {
    engine_.reset();
    std::error_code ignored;
    if (!spill_.empty()) std::filesystem::remove_all(spill_, ignored);
  }

  size_t SpilledFiles() const {
    size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(spill_)) {
      files += entry.is_regular_file();
    }
    return files;
  }

  /// Sorting doubles calls weir_plus_zero, which the tests below break.
  plan::NodePtr SortedDoubles() {
    auto rows = Values({Type::Double()}, {{Scalar::Double(2)}, {Scalar::Double(1)}});
    return plan::MakeSort(rows, {{ColumnExpr(rows->output[0])}});
  }

  template <typename Exception>
  void BreakPlusZero() {
    auto connection = *InstanceOf(*engine_)->Connect();
    duckdb::ClientContext& context = *connection->context;
    context.RunFunctionInTransaction([&] {
      duckdb::ScalarFunction function("weir_plus_zero", {duckdb::LogicalType::DOUBLE},
                                      duckdb::LogicalType::DOUBLE,
                                      [](duckdb::DataChunk&, duckdb::ExpressionState&, duckdb::Vector&) {
                                        throw Exception("broken by a test");
                                      });
      function.SetStability(duckdb::FunctionStability::VOLATILE);
      duckdb::CreateScalarFunctionInfo info(function);
      info.internal = false;
      auto& catalog =
          duckdb::Catalog::GetCatalog(context, duckdb::DatabaseManager::GetDefaultDatabase(context));
      duckdb::MetaTransaction::Get(context).ModifyDatabase(
          catalog.GetAttached(),
          duckdb::DatabaseModificationType(duckdb::DatabaseModificationType::CREATE_CATALOG_ENTRY));
      catalog.CreateFunction(context, info);
    });
  }

  /// Ids in falling order beside a text of 40 characters: more than a small memory holds.
  plan::NodePtr WideRows(int64_t count) {
    auto rows = RangeOf(0, count);
    auto id = ColumnExpr(rows->output[0]);
    auto text =
        Call("lpad", {MakeCast(id, Type::String(), CastMode::kAnsi), Int(40), Str("x")}, Type::String());
    return plan::MakeProject(rows, {Call("-", {Long(count - 1), id}, Type::Long()), text}, {"id", "text"},
                             ids_);
  }

  std::filesystem::path spill_;
};

TEST_F(FailureTest, AnInternalFailureEndsItsStatementAndNotTheNext) {
  for (bool fatal : {false, true}) {
    SCOPED_TRACE(fatal);
    auto kept = engine_->Materialize(Longs({1}), Context());
    ASSERT_TRUE(kept);
    const auto broken = InstanceOf(*engine_);
    fatal ? BreakPlusZero<duckdb::FatalException>() : BreakPlusZero<duckdb::InternalException>();
    const auto rows = Rows(SortedDoubles());
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().code(), ErrorCode::kInternal);
    EXPECT_NE(rows.error().message().find("broken by a test"), std::string::npos) << rows.error().message();
    EXPECT_EQ(rows.error().message().find('\n'), std::string::npos) << rows.error().message();
    EXPECT_EQ(Text(SortedDoubles()), "1.0;2.0");
    EXPECT_NE(InstanceOf(*engine_), broken);
    EXPECT_NE(Text(ScanOf(**kept, ids_)).find("start anew"), std::string::npos);
  }
}

TEST_F(FailureTest, AnInternalFailureOfAWriteLeavesNoFile) {
  auto snapshot = MakeSnapshot({Col(1, "x", Type::Double())});
  snapshot->sort_order = {
      .order_id = 1, .fields = {{.source_id = {1}, .transform = {}, .ascending = true, .nulls_first = true}}};
  BreakPlusZero<duckdb::InternalException>();
  const auto rows = Values({Type::Double()}, {{Scalar::Double(2)}, {Scalar::Double(1)}});
  const auto failed = Write(rows, snapshot);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), ErrorCode::kInternal);
  Io io{ledger_->Open("check", Purpose::kListing), {}};
  EXPECT_TRUE(raw_->List(io, "mem:", {})->objects.empty());
  const auto written = Write(rows, snapshot);
  ASSERT_TRUE(written) << written.error().ToString();
}

TEST_F(FailureTest, LackOfMemoryNamesTheLimitAndTheKey) {
  Reopen(64_MiB);
  auto rows = RangeOf(0, 20'000'000);
  auto list = plan::MakeNode(plan::Aggregate{{},
                                             {Call("collect_list", {ColumnExpr(rows->output[0])},
                                                   Type::Array(Col(1, "element", Type::Long())))}},
                             {rows},
                             {{.id = ids_.Next(),
                               .name = "l",
                               .type = Type::Array(Col(1, "element", Type::Long())),
                               .nullable = true}});
  const auto result = Rows(list);
  ASSERT_FALSE(result);
  ASSERT_NE(result.error().condition(), nullptr) << result.error().ToString();
  EXPECT_EQ(result.error().condition()->name, "UNABLE_TO_ACQUIRE_MEMORY");
  EXPECT_EQ(result.error().condition()->sql_state, "53200");
  for (const char* part : {"spark.driver.memory", "64.0 MiB used"}) {
    EXPECT_NE(result.error().message().find(part), std::string::npos) << result.error().message();
  }
  EXPECT_EQ(Text(Longs({7})), "7");
}

TEST_F(FailureTest, ASortBeyondMemorySpillsAndIsCharged) {
  Reopen(64_MiB);
  constexpr int64_t kRows = 2'000'000;
  auto wide = WideRows(kRows);
  auto stream = engine_->Run(plan::MakeSort(wide, {{ColumnExpr(wide->output[0])}}), Context());
  ASSERT_TRUE(stream) << stream.error().ToString();
  int64_t next = 0;
  while (true) {
    auto batch = (*stream)->Next();
    ASSERT_TRUE(batch) << batch.error().ToString();
    if (!*batch) break;
    for (int64_t row = 0; row < (*batch)->row_count; ++row) {
      ASSERT_EQ((*batch)->columns[0]->Value<int64_t>(row), next++);
    }
  }
  EXPECT_EQ(next, kRows);
  stream->reset();
  const Traffic spilled = ledger_->Total()[Purpose::kSpill];
  EXPECT_GT(spilled.bytes_written, 10_MiB);
  EXPECT_GT(spilled.bytes_read, 0u);
  EXPECT_EQ(SpilledFiles(), 0u);
  engine_.reset();
  EXPECT_TRUE(std::filesystem::is_empty(spill_));
}

TEST_F(FailureTest, ACancelledSortLeavesNoSpilledFile) {
  Reopen(64_MiB);
  auto wide = WideRows(1'000'000'000);
  RunContext context = Context();
  context.progress = [&](double) {
    if (ledger_->Total()[Purpose::kSpill].bytes_written > 0) context.cancellation.Request();
  };
  const auto rows = Rows(plan::MakeSort(wide, {{ColumnExpr(wide->output[0])}}), context);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(SpilledFiles(), 0u);
  EXPECT_EQ(Text(Longs({1})), "1");
}

TEST_F(FailureTest, ACancelledAggregateOverPairsEnds) {
  auto pairs =
      plan::MakeJoin(RangeOf(0, 10'000'000), RangeOf(0, 10'000'000), plan::JoinType::kInner, nullptr);
  auto counted =
      plan::MakeNode(plan::Aggregate{{}, {Call("max", {ColumnExpr(pairs->output[1])}, Type::Long())}},
                     {pairs}, {{.id = ids_.Next(), .name = "m", .type = Type::Long(), .nullable = true}});
  RunContext context = Context();
  context.progress = [&](double) { context.cancellation.Request(); };
  const auto rows = Rows(counted, context);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), ErrorCode::kCancelled);
}

/// Cancels on the n-th read, and counts those that come after it.
class CancellingStorage : public Decorator {
 public:
  CancellingStorage(std::shared_ptr<Storage> inner, int after) : Decorator(std::move(inner)), left_(after) {}
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override {
    if (--left_ == 0) cancellation.Request();
    if (left_ < 0) ++late;
    return inner().ReadRanges(io, path, ranges, buffers);
  }
  Cancellation cancellation;
  std::atomic<int> late{0};

 private:
  std::atomic<int> left_;
};

TEST_F(FailureTest, ACancelledScanOfManyFilesReadsNoFurther) {
  const auto snapshot = MakeSnapshot({Col(1, "id", Type::Long())});
  std::vector<table::ScanTask> tasks;
  for (int i = 0; i < 200; ++i) {
    auto files = Write(RangeOf(i * 10, i * 10 + 10), snapshot);
    ASSERT_TRUE(files);
    tasks.push_back(TaskOf((*files)[0]));
  }
  auto cancelling = std::make_shared<CancellingStorage>(raw_, 20);
  Stores stores;
  stores.Add("mem", cancelling);
  engine_.reset();
  engine_ = *Engine::Open({.threads = 2, .spill_directory = {}}, stores);
  RunContext context = Context();
  context.cancellation = cancelling->cancellation;
  const auto rows = Rows(Scan(snapshot, tasks, {1}), context);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), ErrorCode::kCancelled);
  // Reads that other threads had begun.
  EXPECT_LE(cancelling->late, 4);
  engine_.reset();
}

}  // namespace
}  // namespace weir::exec
