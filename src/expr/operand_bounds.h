#pragma once

/// What bounds say about the values of one operand. Private to this folder. Thread rule: immutable values.

#include <optional>

#include "expr/bounds.h"
#include "expr/expr.h"

namespace weir {

/// A superset of the values that an expression takes: ordinary values within a closed range (an absent end is
/// open), and NaN and NULL, which lie outside the range.
struct OperandBounds {
  std::optional<Scalar> lower;
  std::optional<Scalar> upper;
  bool may_be_ordinary = true;  ///< Neither NULL nor NaN.
  bool may_be_nan = false;
  bool may_be_null = true;

  bool may_be_value() const { return may_be_ordinary || may_be_nan; }
  /// Exactly one ordinary value, NULL apart.
  bool is_single_value() const;
};

/// Nullopt if nothing is known, or if evaluation may raise an error.
std::optional<OperandBounds> OperandOf(const Expr& expr, const Bounds& bounds);
/// A single literal value.
OperandBounds OperandOf(const Scalar& literal);

}  // namespace weir
