#pragma once

/// Resolves a statement: names, types and every coercion. Thread rule: one thread per call.
/// Spec: Spark SQL 4.1 with ANSI mode on.

#include <string_view>

#include "plan/command.h"
#include "plan/name_resolver.h"
#include "plan/rewrite.h"
#include "plan/unresolved.h"

namespace weir::analyze {

/// What of the session changes the meaning of a statement.
struct Settings {
  Semantics semantics;
  int64_t now_us = 0;  ///< current_timestamp(): one instant for the whole statement.
  /// spark.sql.sources.partitionOverwriteMode = dynamic.
  bool dynamic_partition_overwrite = false;
  /// Computes constants that decide a plan (TIMESTAMP AS OF, LIMIT, PARTITION values); without it only
  /// literals do.
  plan::EvaluateConstant evaluate;
};

/// The resolved statement. `statement_text` is what was parsed; errors quote their place in it.
/// Errors: kInvalid or kNotFound with Spark's condition; kUnsupported naming what Weir does not do; what the
/// resolver returns when a table cannot be loaded.
Result<plan::Command> Analyze(const unresolved::Statement& statement, plan::NameResolver& tables,
                              const Settings& settings, plan::ColumnIds& ids,
                              std::string_view statement_text);

}  // namespace weir::analyze
