#pragma once

/// One evaluator for all pruning: which truth values may a predicate take over the rows that bounds describe?
/// A set of outcomes negates correctly, and answers "all match" as well as "none matches".
/// Thread rule: immutable values.

#include <cstdint>

#include "expr/bounds.h"
#include "expr/expr.h"

namespace weir {

/// A subset of {true, false, null}. The empty set means: no rows.
class Outcomes {
 public:
  static constexpr uint8_t kTrue = 1, kFalse = 2, kNull = 4;

  constexpr explicit Outcomes(uint8_t bits) : bits_(bits) {}
  static constexpr Outcomes All() { return Outcomes(kTrue | kFalse | kNull); }
  static constexpr Outcomes None() { return Outcomes(0); }

  constexpr bool CanBe(uint8_t outcome) const { return (bits_ & outcome) != 0; }
  constexpr bool Only(uint8_t outcome) const { return bits_ == outcome; }
  constexpr uint8_t bits() const { return bits_; }
  constexpr bool operator==(const Outcomes&) const = default;

 private:
  uint8_t bits_;
};

Outcomes Not(Outcomes a);
Outcomes And(Outcomes a, Outcomes b);
Outcomes Or(Outcomes a, Outcomes b);

/// A superset of the truth values that the boolean `predicate` takes over any rows within `bounds`, under
/// Spark's comparison rules (NaN above all and equal to itself, -0.0 = 0.0). Unknown functions, missing
/// statistics, subqueries and anything that may raise an error give All(): that costs bytes, never rows.
/// Cost: no I/O.
Outcomes Evaluate(const Expr& predicate, const Bounds& bounds);

}  // namespace weir
