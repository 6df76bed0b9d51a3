#include "session/explain.h"

#include "ops/merge.h"
#include "ops/row_scan.h"
#include "plan/rewrite.h"

namespace weir::session {
namespace {

std::string Indented(const std::string& text, std::string_view indent) {
  std::string result;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    result += fmt::format("{}{}\n", indent, std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

class Explainer {
 public:
  explicit Explainer(const ops::OperationContext& context) : context_(context) {}

  Result<std::string> operator()(const plan::QueryCommand& query) { return Query(query.plan, ""); }

  Result<std::string> operator()(const plan::InsertCommand& insert) {
    using Mode = plan::InsertCommand::Mode;
    std::string text = fmt::format("Insert {}{}\n", insert.target.name,
                                   insert.mode == Mode::kAppend            ? ""
                                   : insert.mode == Mode::kOverwriteStatic ? ", overwrite by filter"
                                                                           : ", overwrite partitions");
    if (insert.overwrite != nullptr) text += fmt::format("  filter {}\n", ToString(*insert.overwrite));
    WEIR_TRY(const std::string query, Query(insert.query, "  "));
    return text + query;
  }

  Result<std::string> operator()(const plan::DeleteCommand& command) {
    return RowLevel("Delete", command.target, command.condition);
  }
  Result<std::string> operator()(const plan::UpdateCommand& command) {
    return RowLevel("Update", command.target, command.condition);
  }

  Result<std::string> operator()(const plan::MergeCommand& merge) {
    std::string text = fmt::format("Merge {}, ON {}\n", merge.target.name, ToString(*merge.condition));
    AddClauses("WHEN MATCHED", merge.matched, text);
    AddClauses("WHEN NOT MATCHED", merge.not_matched, text);
    AddClauses("WHEN NOT MATCHED BY SOURCE", merge.not_matched_by_source, text);
    WEIR_TRY(const std::vector<std::string> lines, ops::ExplainMerge(merge, context_));
    for (const std::string& line : lines) text += fmt::format("  {}\n", line);
    text += "  source\n";
    WEIR_TRY(const std::string source, Query(merge.source, "    "));
    return text + source;
  }

  Result<std::string> operator()(const plan::CreateTableCommand& create) {
    std::string text = fmt::format("Create table {}.{}\n", create.catalog, fmt::join(create.name, "."));
    if (create.query == nullptr) return text;
    WEIR_TRY(const std::string query, Query(create.query, "  "));
    return text + query;
  }

  template <typename Other>
  Result<std::string> operator()(const Other&) {
    return std::string("Command\n");
  }

 private:
  Result<std::string> Query(const plan::NodePtr& plan, std::string_view indent) {
    WEIR_TRY(const plan::NodePtr optimized, plan::Optimize(plan, context_.evaluate));
    WEIR_TRY(const plan::NodePtr planned,
             plan::PlanScans(optimized, *context_.run.ledger, context_.run.cancellation));
    return Indented(plan::ToString(planned), indent);
  }

  Result<std::string> RowLevel(std::string_view verb, const plan::WriteTarget& target,
                               const ExprPtr& condition) {
    std::string text = fmt::format("{} {}", verb, target.name);
    if (condition != nullptr) text += ", WHERE " + ToString(*condition);
    text += '\n';
    WEIR_TRY(const ops::TargetFiles files, ops::PlanTargetFiles(target, condition, context_));
    if (files.predicate != nullptr)
      text += fmt::format("  predicate on the target: {}\n", ToString(*files.predicate));
    for (const std::string& line : ops::DescribePruning("files to read", files.pruned, files.tasks.size())) {
      text += fmt::format("  {}\n", line);
    }
    return text;
  }

  static void AddClauses(std::string_view when, const std::vector<plan::MergeAction>& actions,
                         std::string& text) {
    for (const plan::MergeAction& action : actions) {
      const char* what = action.kind == plan::MergeAction::Kind::kUpdate   ? "UPDATE"
                         : action.kind == plan::MergeAction::Kind::kDelete ? "DELETE"
                                                                           : "INSERT";
      const std::string condition = action.condition == nullptr ? "" : " AND " + ToString(*action.condition);
      text += fmt::format("  {}{} THEN {}\n", when, condition, what);
    }
  }

  const ops::OperationContext& context_;
};

}  // namespace

Result<std::string> Explain(const plan::ExplainCommand& command, const ops::OperationContext& context) {
  WEIR_TRY(const std::string text, std::visit(Explainer(context), command.command->node));
  return "== Physical Plan ==\n" + text;
}

}  // namespace weir::session
