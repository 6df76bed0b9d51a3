#pragma once

/// What every operation runs under and what it tells afterwards. Thread rule: one thread per operation.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "exec/engine.h"
#include "plan/command.h"
#include "plan/rewrite.h"
#include "storage/stores.h"

namespace weir::ops {

/// What pruning may be used; all of it by default. Switching one off costs bytes, never rows: property tests
/// compare.
struct PruningSwitches {
  bool keys = true;        ///< Derive keys from the source of a MERGE.
  bool files = true;       ///< Skip files by partition and bounds.
  bool row_groups = true;  ///< Skip row groups by the predicate.
  bool pages = true;       ///< Read single pages of key columns.
};

/// Everything outlives the operation.
struct OperationContext {
  exec::Engine& engine;
  const Stores& stores;
  catalog::Catalogs& catalogs;
  exec::RunContext run;
  PruningSwitches pruning;
  plan::EvaluateConstant evaluate = {};  ///< Empty: constants stay expressions.

  /// An account of the operation on `table_name`, such as "merge cat.db.t".
  Account AccountFor(std::string_view verb, std::string_view table_name, Purpose purpose) const {
    return run.ledger->Open(std::string(verb) + " " + std::string(table_name), purpose);
  }
};

/// Runs a plan whose table scans need not be planned yet: rewrites it, plans their files, hands it to the
/// engine.
Result<std::unique_ptr<exec::BatchStream>> RunPlan(const plan::NodePtr& plan,
                                                   const OperationContext& context);
Result<exec::RelationPtr> KeepRows(const plan::NodePtr& plan, const OperationContext& context);
/// Writes data files for `target`. `verb` names the operator in the ledger.
Result<std::vector<table::NewDataFile>> WriteFiles(const plan::NodePtr& plan, const plan::WriteTarget& target,
                                                   std::string_view verb, const OperationContext& context);

/// Rows that a statement changed, as Spark's snapshot summaries count them. Matched rows are counted per
/// pair.
struct ChangedRows {
  uint64_t inserted = 0;
  uint64_t matched_updated = 0;
  uint64_t matched_deleted = 0;
  uint64_t by_source_updated = 0;
  uint64_t by_source_deleted = 0;
};

/// Internal columns get ids far above those that analyze counts up from 1.
inline constexpr int32_t kFirstInternalColumn = 1 << 24;

}  // namespace weir::ops
