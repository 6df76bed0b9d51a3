#include "ops/operation.h"

namespace weir::ops {
namespace {

Result<plan::NodePtr> Prepared(const plan::NodePtr& plan, const OperationContext& context) {
  WEIR_TRY(const plan::NodePtr optimized, plan::Optimize(plan, context.evaluate));
  return plan::PlanScans(optimized, *context.run.ledger, context.run.cancellation);
}

}  // namespace

Result<std::unique_ptr<exec::BatchStream>> RunPlan(const plan::NodePtr& plan,
                                                   const OperationContext& context) {
  WEIR_TRY(const plan::NodePtr prepared, Prepared(plan, context));
  return context.engine.Run(prepared, context.run);
}

Result<exec::RelationPtr> KeepRows(const plan::NodePtr& plan, const OperationContext& context) {
  WEIR_TRY(const plan::NodePtr prepared, Prepared(plan, context));
  return context.engine.Materialize(prepared, context.run);
}

Result<std::vector<table::NewDataFile>> WriteFiles(const plan::NodePtr& plan, const plan::WriteTarget& target,
                                                   std::string_view verb, const OperationContext& context) {
  WEIR_TRY(const plan::NodePtr prepared, Prepared(plan, context));
  return context.engine.Write(
      prepared, {target.table, target.snapshot, fmt::format("{} {}", verb, target.name)}, context.run);
}

}  // namespace weir::ops
