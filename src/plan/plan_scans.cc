#include "plan/rewrite.h"

namespace weir::plan {
namespace {

Result<NodePtr> PlanOne(const NodePtr& node, Ledger& ledger, const Cancellation& cancellation) {
  const TableScan& scan = *node->As<TableScan>();
  table::ScanRequest request;
  request.predicate = scan.predicate;
  Account account = ledger.Open(fmt::format("scan {}", scan.name), Purpose::kMetadata);
  WEIR_TRY_CONTEXT(table::ScanPlan plan, fmt::format("plan scan of {}", scan.name),
                   scan.table->Plan(*scan.snapshot, request, account, cancellation));
  FileScan files;
  files.snapshot = scan.snapshot;
  files.name = scan.name;
  files.columns = scan.columns;
  files.tasks = std::make_shared<const std::vector<table::ScanTask>>(std::move(plan.tasks));
  files.predicate = scan.predicate;
  files.pruned = plan.pruned;
  return MakeNode(std::move(files), {}, node->output);
}

Result<NodePtr> PlanAll(const NodePtr& node, Ledger& ledger, const Cancellation& cancellation) {
  if (node->As<TableScan>()) return PlanOne(node, ledger, cancellation);
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : node->inputs) {
    WEIR_TRY(NodePtr planned, PlanAll(input, ledger, cancellation));
    inputs.push_back(std::move(planned));
  }
  return WithInputs(node, std::move(inputs));
}

}  // namespace

Result<NodePtr> PlanScans(const NodePtr& plan, Ledger& ledger, const Cancellation& cancellation) {
  return ForEachPlan(plan, [&](const NodePtr& node) { return PlanAll(node, ledger, cancellation); });
}

}  // namespace weir::plan
