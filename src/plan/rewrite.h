#pragma once

/// Rules that rewrite a resolved plan to one with the same rows that moves less. Thread rule: pure functions,
/// but for PlanScans, which does the I/O of planning on the calling thread.

#include <functional>
#include <memory>

#include "base/cancellation.h"
#include "ledger/ledger.h"
#include "plan/logical.h"

namespace weir::plan {

/// Computes an expression without columns, with Spark's meaning: the executor's part. Errors: what the
/// expression raises.
using EvaluateConstant = std::function<Result<Scalar>(const ExprPtr&)>;

/// All pure rules below, in a fixed order. Subqueries in expressions are rewritten too. `evaluate` may be
/// empty.
Result<NodePtr> Optimize(const NodePtr& plan, const EvaluateConstant& evaluate = {});

/// Computes deterministic parts without columns, so that predicates compare columns with plain values: casts
/// of literals that keep the value always, anything else through `evaluate` if it is given. A part that
/// raises an error stays as it is, since it may never run.
Result<NodePtr> FoldConstants(const NodePtr& plan, const EvaluateConstant& evaluate = {});
/// As above, inside one expression.
Result<ExprPtr> FoldConstants(const ExprPtr& expr, const EvaluateConstant& evaluate = {});
/// Moves conjuncts of filters down to where their columns come from, through projections, sorts, unions,
/// group keys and the sides of joins that keep their rows, and hands them to table scans as a hint; the
/// filter itself stays, just above the scan. Only deterministic conjuncts move, and past a join only those
/// that cannot fail.
Result<NodePtr> PushPredicates(const NodePtr& plan);
/// Drops columns that nobody reads. The output of the root stays.
Result<NodePtr> PruneColumns(const NodePtr& plan);

/// Replaces each TableScan by a FileScan of the files that Table::Plan finds for its columns and predicate.
/// Charges metadata and avoided bytes to the operator "scan <name>" of the ledger.
Result<NodePtr> PlanScans(const NodePtr& plan, Ledger& ledger, const Cancellation& cancellation);

/// Applies `rule` to the plan and to the plan of every subquery in its expressions, and theirs.
using PlanRule = std::function<Result<NodePtr>(const NodePtr&)>;
Result<NodePtr> ForEachPlan(const NodePtr& plan, const PlanRule& rule);

}  // namespace weir::plan
