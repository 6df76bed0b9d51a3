#include "face/cli/demo_merge.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "face/cli/demo_figures.h"
#include "face/cli/interrupts.h"
#include "face/cli/movement.h"
#include "face/cli/progress.h"
#include "face/cli/tell.h"
#include "ledger/amounts.h"
#include "session/session.h"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kColumns =
    "order_id BIGINT, customer_id BIGINT, order_ts TIMESTAMP, channel STRING, product_type STRING, "
    "amount DECIMAL(12,2), status STRING";

constexpr std::string_view kMerge = R"(MERGE INTO mycatalog.db.target AS tgt
USING mycatalog.db.source AS src
ON tgt.order_id = src.order_id
WHEN MATCHED THEN UPDATE SET
  tgt.customer_id = src.customer_id, tgt.order_ts = src.order_ts, tgt.channel = src.channel,
  tgt.product_type = src.product_type, tgt.amount = src.amount, tgt.status = src.status
WHEN NOT MATCHED THEN INSERT (order_id, customer_id, order_ts, channel, product_type, amount, status)
  VALUES (src.order_id, src.customer_id, src.order_ts, src.channel, src.product_type, src.amount, src.status))";

std::string CreateTable(std::string_view name) {
  return fmt::format(
      "CREATE TABLE mycatalog.db.{} ({}) USING iceberg PARTITIONED BY (bucket(10, order_id), channel) "
      "TBLPROPERTIES ('format-version'='2', 'write.delete.mode'='merge-on-read', "
      "'write.update.mode'='merge-on-read', 'write.merge.mode'='merge-on-read')",
      name, kColumns);
}

std::string InsertTarget(int64_t rows) {
  return fmt::format(
      "INSERT INTO mycatalog.db.target SELECT id, id % 5000 + 100000, "
      "CASE WHEN id <= 10000 THEN TIMESTAMP '2025-01-01 10:00:00' WHEN id <= 20000 THEN TIMESTAMP "
      "'2025-01-02 "
      "10:00:00' ELSE TIMESTAMP '2025-01-03 10:00:00' END, "
      "CASE id % 3 WHEN 0 THEN 'WEB' WHEN 1 THEN 'APP' ELSE 'STORE' END, "
      "CASE id % 4 WHEN 0 THEN 'BOOK' WHEN 1 THEN 'FOOD' WHEN 2 THEN 'TOY' ELSE 'OTHER' END, "
      "CAST(id * 1.15 AS DECIMAL(12,2)), 'ACTIVE' FROM range(1, {})",
      rows + 1);
}

std::string SelectSource(int64_t first, int64_t last, std::string_view ts, std::string_view product,
                         std::string_view factor, std::string_view status) {
  return fmt::format(
      "SELECT id, id % 5000 + 100000, TIMESTAMP '{}', CASE id % 2 WHEN 0 THEN 'WEB' ELSE 'STORE' END, '{}', "
      "CAST(id * {} AS DECIMAL(12,2)), '{}' FROM range({}, {})",
      ts, product, factor, status, first, last + 1);
}

std::string InsertSource(int64_t rows) {
  return "INSERT INTO mycatalog.db.source " +
         SelectSource(rows - kDemoUpdates + 1, rows, "2025-01-03 12:00:00", "UPDATED_ITEM", "2.00",
                      "UPDATED") +
         " UNION ALL " +
         SelectSource(rows + 1, rows + kDemoInserts, "2025-01-04 09:00:00", "NEW_ITEM", "3.00", "NEW");
}

/// A folder for the tables; removed at the end unless the user named it.
class Folder {
 public:
  static Result<Folder> Make(const std::optional<std::string>& wanted) {
    std::error_code error;
    if (wanted) {
      const fs::path path = fs::absolute(*wanted, error);
      if (!error) fs::create_directories(path, error);
      if (error) return Denied("cannot create {}: {}", *wanted, error.message());
      return Folder(path, true);
    }
    std::string name = (fs::temp_directory_path(error) / "weir-demo-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) return Denied("cannot create a temporary folder");
    return Folder(name, false);
  }
  Folder(Folder&& other) noexcept : path_(std::move(other.path_)), keep_(std::exchange(other.keep_, true)) {}
  Folder& operator=(Folder&&) = delete;
  ~Folder() {
    std::error_code ignored;
    if (!keep_) fs::remove_all(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  Folder(fs::path path, bool keep) : path_(std::move(path)), keep_(keep) {}
  fs::path path_;
  bool keep_;
};

struct Answer {
  std::vector<std::vector<Scalar>> rows;
  MovementTotals moved;
  std::vector<Ledger::Entry> operators;
  double seconds = 0;
};

class Demo {
 public:
  Demo(const DemoOptions& options, Cancellation cancellation)
      : options_(options), cancellation_(std::move(cancellation)) {}

  Result<ExitCode> Run() {
    WEIR_TRY(const Folder folder, Folder::Make(options_.directory));
    session::HostOptions session_options;
    session_options.conf = {{"spark.sql.catalog.mycatalog", "org.apache.iceberg.spark.SparkCatalog"},
                            {"spark.sql.catalog.mycatalog.type", "hadoop"},
                            {"spark.sql.catalog.mycatalog.warehouse", folder.path() + "/warehouse"},
                            {"spark.sql.session.timeZone", "UTC"}};
    WEIR_TRY(session_, session::Session::Open(session_options));
    WEIR_DO(MakeTables());
    if (options_.only_tables) return kSuccess;
    WEIR_TRY(
        const Answer files,
        Ask("SELECT count(*), sum(file_size_in_bytes) FROM mycatalog.db.target.files WHERE content = 0"));
    bytes_table_ = static_cast<uint64_t>(files.rows[0][1].integer());
    WEIR_DO(Say(fmt::format("table: {} rows in {} files, {}\n\n{}\n", CountText(options_.rows),
                            CountText(files.rows[0][0].integer()), BytesText(bytes_table_), kMerge)));
    WEIR_TRY(const Answer merge, Ask(std::string(kMerge)));
    WEIR_TRY(const bool checked, Check());
    WEIR_DO(Report(merge, checked));
    return checked ? kSuccess : kWrongResult;
  }

 private:
  Result<Answer> Ask(const std::string& statement) {
    const auto start = std::chrono::steady_clock::now();
    session::RunOptions run_options;
    run_options.cancellation = cancellation_;
    ProgressBar bar;
    run_options.progress = [&bar](double share) { bar.Update(share); };
    WEIR_TRY(const std::unique_ptr<session::Run> run, session_->Execute(statement, run_options));
    Answer answer;
    while (true) {
      WEIR_TRY(const std::optional<Batch> batch, run->Next());
      if (!batch) break;
      for (int64_t row = 0; row < batch->row_count; ++row) {
        std::vector<Scalar>& values = answer.rows.emplace_back();
        for (size_t column = 0; column < batch->columns.size(); ++column)
          values.push_back(batch->At(row, column));
      }
    }
    answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    answer.moved = run->ledger().Total();
    answer.operators = run->ledger().Entries();
    return answer;
  }

  Status MakeTables() {
    WEIR_DO(Say(fmt::format("making the tables of {} and {} rows\n", CountText(options_.rows),
                            CountText(kDemoUpdates + kDemoInserts))));
    const std::string statements[] = {"CREATE NAMESPACE IF NOT EXISTS mycatalog.db",
                                      "DROP TABLE IF EXISTS mycatalog.db.target PURGE",
                                      "DROP TABLE IF EXISTS mycatalog.db.source PURGE",
                                      CreateTable("target"),
                                      CreateTable("source"),
                                      InsertTarget(options_.rows),
                                      InsertSource(options_.rows)};
    for (const std::string& statement : statements) WEIR_DO(Done(Ask(statement)));
    return {};
  }

  static Status Done(Result<Answer> answer) {
    if (!answer) return std::move(answer).error();
    return {};
  }

  Result<bool> Check() {
    WEIR_DO(Say("checking every row of the result\n"));
    WEIR_TRY(const Answer answer,
             Ask("SELECT channel, product_type, status, count(*), sum(order_id), sum(customer_id), "
                 "CAST(sum(amount) * 100 AS BIGINT), min(order_ts), max(order_ts) FROM mycatalog.db.target "
                 "GROUP BY "
                 "channel, product_type, status"));
    DemoResult found;
    for (const std::vector<Scalar>& row : answer.rows) {
      for (const Scalar& value : row) {
        if (value.is_null()) return false;
      }
      found[{row[0].text(), row[1].text(), row[2].text()}] = {row[3].integer(), row[4].integer(),
                                                              row[5].integer(), row[6].integer(),
                                                              row[7].integer(), row[8].integer()};
    }
    WEIR_TRY(const Answer distinct, Ask("SELECT count(DISTINCT order_id) FROM mycatalog.db.target"));
    return found == ExpectedAfterMerge(options_.rows) &&
           distinct.rows[0][0].integer() == options_.rows + kDemoInserts;
  }

  /// Only what the scan of the target counted: the source's 2,000 rows are not the target's.
  RowCounts TargetRows(const Answer& merge) const {
    RowCounts rows;
    for (const Ledger::Entry& entry : merge.operators) {
      if (entry.operator_name == "scan mycatalog.db.target") rows += entry.totals.rows;
    }
    return rows;
  }

  Status Report(const Answer& merge, bool checked) {
    const Traffic moved = merge.moved.Traffics();
    const RowCounts rows = TargetRows(merge);
    const double share =
        bytes_table_ == 0 ? 0
                          : 100.0 * static_cast<double>(moved.bytes_read) / static_cast<double>(bytes_table_);
    std::string text = "\n";
    const auto line = [&](std::string_view label, const std::string& value) {
      text += fmt::format("  {:<30}{:>20}\n", label, value);
    };
    line("rows in the table", CountText(options_.rows));
    line("rows whose key was decoded", CountText(rows.decoded));
    line("rows into the join", CountText(rows.into_join));
    line("bytes of the table", BytesText(bytes_table_));
    line("bytes read, metadata included", fmt::format("{} ({:.2f} %)", BytesText(moved.bytes_read), share));
    line("bytes written", BytesText(moved.bytes_written));
    for (int i = 0; i < kAvoidReasonCount; ++i) {
      const Avoided& avoided = merge.moved.by_reason[i];
      if (avoided.bytes == 0) continue;
      line(fmt::format("bytes avoided by {}", ToString(static_cast<AvoidReason>(i))),
           BytesText(avoided.bytes));
    }
    line("requests", CountText(moved.requests));
    line("seconds", fmt::format("{:.3f}", merge.seconds));
    line("result", checked ? "as computed" : "WRONG");
    WEIR_DO(Say(text));
    if (!options_.json) return {};
    return Say(fmt::format(
        "{{\"rows_target\":{},\"rows_into_join\":{},\"rows_decoded\":{},\"bytes_table\":{},\"bytes_read\":{},"
        "\"bytes_written\":{},\"requests\":{},\"seconds\":{:.6f},\"checked\":{}}}\n",
        options_.rows, rows.into_join, rows.decoded, bytes_table_, moved.bytes_read, moved.bytes_written,
        moved.requests, merge.seconds, checked));
  }

  const DemoOptions& options_;
  Cancellation cancellation_;
  std::unique_ptr<session::Session> session_;
  uint64_t bytes_table_ = 0;
};

}  // namespace

ExitCode RunDemoMerge(const DemoOptions& options) {
  const Cancellation cancellation;
  const InterruptScope interrupts(cancellation);
  const Result<ExitCode> code = Demo(options, cancellation).Run();
  if (code) return *code;
  if (cancellation.requested()) return AskedToEnd() != kSuccess ? AskedToEnd() : kInterrupted;
  if (code.error().code() == ErrorCode::kDenied && std::ferror(stdout) != 0) return kOutputClosed;
  Tell("weir demo merge: {}\n", code.error().ToString());
  return kStatementFailed;
}

}  // namespace weir::cli
