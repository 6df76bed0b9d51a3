#include "ops/row_scan.h"

#include <algorithm>
#include <iterator>

#include "ledger/amounts.h"
#include "ops/key_derivation.h"

namespace weir::ops {
namespace {

std::vector<size_t> WithConditionColumns(const plan::WriteTarget& target, const ExprPtr& condition,
                                         const std::vector<size_t>& columns) {
  const std::vector<size_t> read = ColumnsRead({condition}, target);
  std::vector<size_t> all;
  std::set_union(read.begin(), read.end(), columns.begin(), columns.end(), std::back_inserter(all));
  return all;
}

}  // namespace

Result<TargetFiles> PlanTargetFiles(const plan::WriteTarget& target, const ExprPtr& condition,
                                    const OperationContext& context) {
  TargetFiles files;
  if (condition != nullptr) {
    WEIR_TRY(files.predicate, PruningPredicate(Conjuncts(condition), target));
  }
  if (!target.snapshot->id) return files;
  table::ScanRequest request;
  if (context.pruning.files) request.predicate = files.predicate;
  const Account account = context.AccountFor("scan", target.name, Purpose::kMetadata);
  WEIR_TRY(table::ScanPlan plan,
           target.table->Plan(*target.snapshot, request, account, context.run.cancellation));
  files.tasks = std::move(plan.tasks);
  files.pruned = plan.pruned;
  return files;
}

plan::NodePtr MatchingRows(const plan::WriteTarget& target, Tasks tasks, const ExprPtr& condition,
                           const std::vector<size_t>& columns, const ExprPtr& predicate,
                           const RowPlace& place, const OperationContext& context) {
  TargetScan scan;
  scan.tasks = std::move(tasks);
  scan.columns = WithConditionColumns(target, condition, columns);
  if (context.pruning.row_groups) scan.predicate = predicate;
  plan::NodePtr rows = ScanRows(target, std::move(scan), place);
  return condition == nullptr ? rows : plan::MakeFilter(std::move(rows), condition);
}

std::vector<std::string> DescribePruning(std::string_view what, const table::PruneReport& report,
                                         size_t files_left) {
  std::vector<std::string> lines = {
      fmt::format("{}: {} of {} ({} of data in all), manifests read: {} of {}", what, files_left,
                  report.files_total, BytesText(report.table_bytes),
                  report.manifests_total - report.manifests_skipped, report.manifests_total)};
  if (report.files_by_manifest > 0)
    lines.push_back(fmt::format("  avoided by manifest: {} files", report.files_by_manifest));
  if (report.files_by_partition > 0) {
    lines.push_back(fmt::format("  avoided by partition: {} files, {}", report.files_by_partition,
                                BytesText(report.bytes_by_partition)));
  }
  if (report.files_by_bounds > 0) {
    lines.push_back(fmt::format("  avoided by bounds: {} files, {}", report.files_by_bounds,
                                BytesText(report.bytes_by_bounds)));
  }
  return lines;
}

}  // namespace weir::ops
