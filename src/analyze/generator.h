#pragma once

/// Generators: functions that make rows. Thread rule: one thread.

#include "analyze/query.h"

namespace weir::analyze {

/// Whether the expression is a call of a generator, which is resolved by ResolveGenerator.
bool IsGenerator(const unresolved::Expr& expr);

/// A generator over the columns that `names` reach, and the columns that it makes.
struct Generator {
  ExprPtr call;
  bool outer = false;
  std::vector<plan::Column> columns;
};
/// `columns` rename the columns if there are any. Errors: those of a call; UDTF_ALIAS_NUMBER_MISMATCH for
/// another number of names.
Result<Generator> ResolveGenerator(const unresolved::Call& call, const std::vector<std::string>& columns,
                                   const Names& names, Context& context);

/// The input with the generator's columns behind its own.
plan::NodePtr MakeGenerate(plan::NodePtr input, const Generator& generator);

Result<Query> ResolveLateralView(const unresolved::LateralView& view, const Environment& environment,
                                 Context& context);
/// A generator in FROM.
Result<Query> ResolveGeneratorTable(const unresolved::TableFunction& function, const Environment& environment,
                                    Context& context);

}  // namespace weir::analyze
