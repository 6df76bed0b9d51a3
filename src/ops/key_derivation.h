#pragma once

/// What the ON condition of a MERGE says about target rows before any of them is read.
/// Thread rule: pure functions over immutable values.

#include <optional>
#include <string>
#include <vector>

#include "expr/expr.h"
#include "plan/command.h"
#include "type/scalar.h"

namespace weir::ops {

/// A conjunct `target column = source expression`, with lossless widenings of the column stripped: a target
/// row can only match if its column equals the expression of some source row, brought back to the column's
/// type.
struct JoinKey {
  size_t column = 0;  ///< Position in the target's columns.
  FieldId field;
  /// Types that the condition widens the column through, innermost first; empty if it is compared as it is
  /// stored.
  std::vector<Type> widened;
  ExprPtr source;  ///< Over source columns; its type is the last of `widened`, else the column's.
};

/// The conjuncts of ON by what they depend on. Together they are the whole condition.
struct OnCondition {
  std::vector<JoinKey> keys;         ///< Also in `join`: a key is never assumed to be the whole condition.
  std::vector<ExprPtr> target_only;  ///< Over target columns, at least one.
  std::vector<ExprPtr> source_only;  ///< Over source columns, or none at all (constants).
  std::vector<ExprPtr> join;         ///< Over both.
  /// For EXPLAIN: one line per conjunct of `join` that gave no key, with the reason.
  std::vector<std::string> not_derived;
};

/// Splits the condition. A condition that is not deterministic or has a subquery gives no keys and no
/// one-sided parts.
OnCondition SplitOn(const ExprPtr& condition, const plan::WriteTarget& target);

/// The target value that equals `value` after widening through `widened`, or nullopt when there is none (such
/// as 1.5 or 3000000000 for an INT column). NULL gives nullopt: it equals nothing. Precondition: `value` has
/// the last type of `widened`, or `stored` if that is empty.
std::optional<Scalar> NarrowKey(const Scalar& value, const Type& stored, const std::vector<Type>& widened);

/// True if a predicate over target columns may prune files: deterministic, no subquery, and no column whose
/// stored type differs from the type Spark computes with.
bool CanPrune(const Expr& predicate, const plan::WriteTarget& target);
/// The predicate over ColumnOf(field id) in place of the target's plan columns. Precondition: CanPrune.
Result<ExprPtr> OverFields(const ExprPtr& predicate, const plan::WriteTarget& target);
/// The conjuncts of `condition` that can prune, over fields; null if there is none.
Result<ExprPtr> PruningPredicate(const std::vector<ExprPtr>& conjuncts, const plan::WriteTarget& target);

}  // namespace weir::ops
