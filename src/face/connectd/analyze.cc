#include "face/connectd/analyze.h"

#include "connect/show.h"
#include "face/connectd/result_stream.h"

namespace weir::connectd {
namespace {

Result<std::vector<plan::Column>> SchemaOf(const proto::Plan& plan, ClientSession& client) {
  if (!plan.has_root()) return connect::InvalidPlan("only a relation has a schema");
  const proto::Relation& root = plan.root();
  if (root.has_show_string())
    return std::vector<plan::Column>{{ColumnId{0}, "show_string", Type::String(), false}};
  if (root.has_html_string())
    return std::vector<plan::Column>{{ColumnId{0}, "html_string", Type::String(), false}};
  const proto::Relation& relation = root.has_tail() ? root.tail().input() : root;
  const connect::DecodeContext decoding = client.Decoding();
  WEIR_TRY(unresolved::RelationPtr query, connect::DecodeRelation(relation, decoding));
  return client.session().Describe(query, {});
}

unresolved::ExplainMode ModeOf(proto::AnalyzePlanRequest::Explain::ExplainMode mode) {
  using Explain = proto::AnalyzePlanRequest::Explain;
  switch (mode) {
    case Explain::EXPLAIN_MODE_EXTENDED:
      return unresolved::ExplainMode::kExtended;
    case Explain::EXPLAIN_MODE_CODEGEN:
      return unresolved::ExplainMode::kCodegen;
    case Explain::EXPLAIN_MODE_COST:
      return unresolved::ExplainMode::kCost;
    case Explain::EXPLAIN_MODE_FORMATTED:
      return unresolved::ExplainMode::kFormatted;
    default:
      return unresolved::ExplainMode::kSimple;
  }
}

Result<std::string> ExplainText(const proto::AnalyzePlanRequest::Explain& request, ClientSession& client) {
  const connect::DecodeContext decoding = client.Decoding();
  WEIR_TRY(unresolved::RelationPtr query, connect::DecodeRelation(request.plan().root(), decoding));
  auto statement = std::make_shared<const unresolved::Statement>(
      unresolved::Statement{unresolved::Query{std::move(query)}, {}});
  const unresolved::Explain explain{ModeOf(request.explain_mode()), std::move(statement)};
  WEIR_TRY(const std::unique_ptr<session::Run> run,
           client.session().Execute(unresolved::Statement{explain, {}}, {}));
  std::string text;
  while (true) {
    WEIR_TRY(const std::optional<Batch> batch, run->Next());
    if (!batch) break;
    for (int64_t row = 0; row < batch->row_count; ++row) text += batch->At(row, 0).ToString();
  }
  return text;
}

}  // namespace

Status Analyze(const proto::AnalyzePlanRequest& request, ClientSession& session,
               proto::AnalyzePlanResponse& response) {
  using Request = proto::AnalyzePlanRequest;
  switch (request.analyze_case()) {
    case Request::kSchema: {
      WEIR_TRY(const std::vector<plan::Column> columns, SchemaOf(request.schema().plan(), session));
      *response.mutable_schema()->mutable_schema() = connect::EncodeSchema(columns);
      return {};
    }
    case Request::kTreeString: {
      WEIR_TRY(const std::vector<plan::Column> columns, SchemaOf(request.tree_string().plan(), session));
      const int levels = request.tree_string().has_level() ? request.tree_string().level() : 0;
      response.mutable_tree_string()->set_tree_string(
          connect::TreeText(FieldsOf(columns), std::max(0, levels)));
      return {};
    }
    case Request::kExplain: {
      WEIR_TRY(std::string text, ExplainText(request.explain(), session));
      response.mutable_explain()->set_explain_string(std::move(text));
      return {};
    }
    case Request::kIsLocal:
      response.mutable_is_local()->set_is_local(request.is_local().plan().root().has_local_relation());
      return {};
    case Request::kIsStreaming:
      response.mutable_is_streaming()->set_is_streaming(false);
      return {};
    case Request::kSparkVersion:
      response.mutable_spark_version()->set_version(kSparkVersion);
      return {};
    case Request::kDdlParse: {
      WEIR_TRY(const std::vector<Field> fields, connect::ParseSchema(request.ddl_parse().ddl_string()));
      *response.mutable_ddl_parse()->mutable_parsed() = connect::EncodeSchema(fields);
      return {};
    }
    case Request::ANALYZE_NOT_SET:
      return connect::InvalidPlan("a request asks for nothing");
    default: {
      const auto* field = Request::descriptor()->FindFieldByNumber(request.analyze_case());
      return connect::NotImplemented("analysis " + (field != nullptr ? field->name() : "of an unknown kind"));
    }
  }
}

}  // namespace weir::connectd
