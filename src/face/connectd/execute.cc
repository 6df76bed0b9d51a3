#include "face/connectd/execute.h"

#include <chrono>
#include <deque>

#include "codec/arrow/stream.h"
#include "connect/show.h"
#include "connect/write.h"
#include "face/connectd/catalog.h"
#include "face/connectd/result_stream.h"
#include "type/display_text.h"

namespace weir::connectd {
namespace {

using unresolved::RelationPtr;

class Executor {
 public:
  Executor(ClientSession& client, Operation& operation)
      : client_(client), operation_(operation), decoding_(client.Decoding()) {
    options_.cancellation = operation.cancellation();
    options_.progress = [this](double) { ReportProgress(); };
  }

  Status Run(const proto::Plan& plan) {
    switch (plan.op_type_case()) {
      case proto::Plan::kRoot:
        WEIR_DO(Root(plan.root()));
        break;
      case proto::Plan::kCommand:
        WEIR_DO(Command(plan.command()));
        break;
      case proto::Plan::OP_TYPE_NOT_SET:
        return connect::InvalidPlan("a plan has neither a root nor a command");
      default:
        return connect::NotImplemented("a compressed plan");
    }
    if (!operation_.info().reattachable) return {};
    proto::ExecutePlanResponse complete;
    complete.mutable_result_complete();
    return operation_.Add(std::move(complete));
  }

 private:
  // ---- queries ----

  Status Root(const proto::Relation& root) {
    switch (root.rel_type_case()) {
      case proto::Relation::kShowString:
        return Show(
            root.show_string().input(),
            {root.show_string().num_rows(), root.show_string().truncate(), root.show_string().vertical()},
            "show_string", connect::ShowText);
      case proto::Relation::kHtmlString:
        return Show(root.html_string().input(),
                    {root.html_string().num_rows(), root.html_string().truncate(), false}, "html_string",
                    connect::HtmlText);
      case proto::Relation::kTail:
        return Tail(root.tail());
      case proto::Relation::kCatalog: {
        WEIR_TRY(const CatalogAnswer answer, AnswerCatalog(root.catalog(), client_));
        return SendRows(answer.columns, {answer.rows}, decoding_.time_zone, operation_);
      }
      default:
        break;
    }
    WEIR_TRY(RelationPtr relation, connect::DecodeRelation(root, decoding_));
    WEIR_TRY(const std::unique_ptr<session::Run> run, Query(std::move(relation), options_));
    WEIR_DO(SendRows(*run, decoding_.time_zone, operation_));
    return SendMovement(run->ledger(), operation_);
  }

  Result<std::unique_ptr<session::Run>> Query(RelationPtr relation, const session::RunOptions& options) {
    return client_.session().Execute(unresolved::Statement{unresolved::Query{std::move(relation)}, {}}, {},
                                     options);
  }

  template <typename Format>
  Status Show(const proto::Relation& input, const connect::ShowOptions& show, const std::string& column,
              Format format) {
    WEIR_TRY(RelationPtr relation, connect::DecodeRelation(input, decoding_));
    // One row more tells whether there are more.
    const int64_t rows = std::clamp<int64_t>(show.rows, 0, INT32_MAX - 1);
    auto limit = std::make_shared<const unresolved::Expr>(
        unresolved::Expr{unresolved::Literal{Scalar::Int(static_cast<int32_t>(rows + 1)), {}}, {}});
    relation = std::make_shared<const unresolved::Relation>(
        unresolved::Relation{unresolved::Limit{std::move(relation), std::move(limit), nullptr}, {}});
    session::RunOptions options = options_;
    options.times_as_text = true;
    WEIR_TRY(const std::unique_ptr<session::Run> run, Query(std::move(relation), options));
    std::vector<std::string> names;
    for (const plan::Column& one : run->columns()) names.push_back(one.name);
    std::vector<std::vector<std::string>> cells;
    while (true) {
      WEIR_TRY(const std::optional<Batch> batch, run->Next());
      if (!batch) break;
      for (int64_t row = 0; row < batch->row_count; ++row) {
        std::vector<std::string> texts;
        for (size_t i = 0; i < names.size(); ++i) texts.push_back(CellText(batch->At(row, i)));
        cells.push_back(std::move(texts));
      }
    }
    const bool has_more = static_cast<int64_t>(cells.size()) > rows;
    if (has_more) cells.pop_back();
    const std::string text = format(std::move(names), std::move(cells), has_more, show);
    WEIR_DO(SendRows({{ColumnId{0}, column, Type::String(), false}},
                     {MakeBatch({Type::String()}, {{Scalar::String(text)}})}, decoding_.time_zone,
                     operation_));
    return SendMovement(run->ledger(), operation_);
  }

  Status Tail(const proto::Tail& tail) {
    WEIR_TRY(RelationPtr relation, connect::DecodeRelation(tail.input(), decoding_));
    WEIR_TRY(const std::unique_ptr<session::Run> run, Query(std::move(relation), options_));
    std::deque<std::vector<Scalar>> rows;
    const auto most = static_cast<size_t>(std::max(0, tail.limit()));
    while (true) {
      WEIR_TRY(const std::optional<Batch> batch, run->Next());
      if (!batch) break;
      const int64_t first = std::max<int64_t>(0, batch->row_count - static_cast<int64_t>(most));
      for (int64_t row = first; row < batch->row_count; ++row) {
        std::vector<Scalar> values;
        for (size_t i = 0; i < batch->column_count(); ++i) values.push_back(batch->At(row, i));
        rows.push_back(std::move(values));
        if (rows.size() > most) rows.pop_front();
      }
    }
    std::vector<Type> types;
    for (const plan::Column& column : run->columns()) types.push_back(column.type);
    WEIR_DO(SendRows(run->columns(), {MakeBatch(types, {rows.begin(), rows.end()})}, decoding_.time_zone,
                     operation_));
    return SendMovement(run->ledger(), operation_);
  }

  // ---- commands ----

  Status Command(const proto::Command& command) {
    switch (command.command_type_case()) {
      case proto::Command::kSqlCommand:
        return Sql(command.sql_command());
      case proto::Command::kCreateDataframeView:
        return CreateView(command.create_dataframe_view());
      case proto::Command::kWriteOperation:
        return Write(command.write_operation());
      case proto::Command::kWriteOperationV2: {
        WEIR_TRY(const unresolved::Statement write,
                 connect::DecodeWriteV2(command.write_operation_v2(), decoding_));
        return RunStatement(write);
      }
      case proto::Command::kMergeIntoTableCommand: {
        WEIR_TRY(const unresolved::Statement merge,
                 connect::DecodeMerge(command.merge_into_table_command(), decoding_));
        return RunStatement(merge);
      }
      case proto::Command::COMMAND_TYPE_NOT_SET:
        return connect::InvalidPlan("a command has no kind");
      default: {
        const auto* field = proto::Command::descriptor()->FindFieldByNumber(command.command_type_case());
        return connect::NotImplemented("command " +
                                       (field != nullptr ? field->name() : "of an unknown kind"));
      }
    }
  }

  /// A query is only analysed: the client runs it as a relation. Anything else runs now, and its rows go back
  /// as a relation of rows.
  Status Sql(const proto::SqlCommand& command) {
    proto::Relation relation;
    const bool has_input = command.has_input();
    if (has_input) {
      relation = command.input();
    } else {
      if (command.args_size() > 0 || command.pos_args_size() > 0 || command.named_arguments_size() > 0 ||
          command.pos_arguments_size() > 0) {
        return connect::NotImplemented("parameters of a SQL text");
      }
      relation.mutable_sql()->set_query(command.sql());
    }
    const bool plain = relation.has_sql() && relation.sql().args().empty() &&
                       relation.sql().pos_args().empty() && relation.sql().named_arguments().empty() &&
                       relation.sql().pos_arguments().empty();
    if (plain) {
      const std::string& text = relation.sql().query();
      WEIR_TRY(const unresolved::Statement statement, client_.session().Parse(text));
      if (!std::holds_alternative<unresolved::Query>(statement.node)) return RunCommand(statement, text);
    }
    WEIR_TRY(RelationPtr query, connect::DecodeRelation(relation, decoding_));
    WEIR_DO(client_.session().Describe(query, {}, options_));
    return AnswerSql(std::move(relation));
  }

  Status RunCommand(const unresolved::Statement& statement, const std::string& text) {
    WEIR_TRY(const std::unique_ptr<session::Run> run, client_.session().Execute(statement, text, options_));
    std::vector<Batch> batches;
    while (true) {
      WEIR_TRY(std::optional<Batch> batch, run->Next());
      if (!batch) break;
      batches.push_back(*std::move(batch));
    }
    const std::vector<Field> fields = FieldsOf(run->columns());
    const arrow_ipc::StreamEncoder encoder(fields, {decoding_.time_zone});
    WEIR_TRY(std::string bytes, encoder.Encode(batches));
    proto::Relation relation;
    relation.mutable_local_relation()->set_data(std::move(bytes));
    WEIR_DO(AnswerSql(std::move(relation)));
    return SendMovement(run->ledger(), operation_);
  }

  /// A statement whose rows nobody asks for.
  Status RunStatement(const unresolved::Statement& statement) {
    WEIR_TRY(const std::unique_ptr<session::Run> run, client_.session().Execute(statement, {}, options_));
    return SendMovement(run->ledger(), operation_);
  }

  Status Write(const proto::WriteOperation& write) {
    WEIR_TRY(unresolved::Name name, connect::TargetOf(write));
    auto table = std::make_shared<const unresolved::Relation>(
        unresolved::Relation{unresolved::NamedTable{std::move(name), {}, {}}, {}});
    const auto found = client_.session().Describe(table, {}, options_);
    if (!found && found.error().code() != ErrorCode::kNotFound) return found.error();
    const auto state = found ? connect::TableState::kPresent : connect::TableState::kAbsent;
    WEIR_TRY(const std::optional<unresolved::Statement> statement,
             connect::DecodeWrite(write, state, decoding_));
    if (!statement) return {};
    return RunStatement(*statement);
  }

  Status AnswerSql(proto::Relation relation) {
    proto::ExecutePlanResponse response;
    *response.mutable_sql_command_result()->mutable_relation() = std::move(relation);
    return operation_.Add(std::move(response));
  }

  Status CreateView(const proto::CreateDataFrameViewCommand& command) {
    if (command.is_global()) return connect::NotImplemented("a global temporary view");
    WEIR_TRY(RelationPtr relation, connect::DecodeRelation(command.input(), decoding_));
    return client_.session().CreateView(command.name(), std::move(relation), command.replace(), options_);
  }

  // ---- progress ----

  /// Called from any thread of the engine.
  void ReportProgress() {
    using Time = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kEvery{500};
    {
      const std::lock_guard lock(progress_mutex_);
      if (Time::now() - reported_ < kEvery) return;
      reported_ = Time::now();
    }
    proto::ExecutePlanResponse response;
    response.mutable_execution_progress()->set_num_inflight_tasks(1);
    operation_.Offer(std::move(response));
  }

  ClientSession& client_;
  Operation& operation_;
  const connect::DecodeContext decoding_;
  session::RunOptions options_;
  std::mutex progress_mutex_;
  std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

}  // namespace

Status Execute(const proto::Plan& plan, ClientSession& session, Operation& operation) {
  return Executor(session, operation).Run(plan);
}

}  // namespace weir::connectd
