#pragma once

/// The bounds rules of the predicates that can prune, referenced by the function table. Each gives a superset
/// of the truth values that the call takes over any rows within the bounds. Thread rule: pure functions.

#include "expr/outcomes.h"

namespace weir {

Outcomes EqualBounds(const Call& call, const Bounds& bounds);           ///< =
Outcomes NullSafeEqualBounds(const Call& call, const Bounds& bounds);   ///< <=>
Outcomes LessBounds(const Call& call, const Bounds& bounds);            ///< <
Outcomes LessOrEqualBounds(const Call& call, const Bounds& bounds);     ///< <=
Outcomes GreaterBounds(const Call& call, const Bounds& bounds);         ///< >
Outcomes GreaterOrEqualBounds(const Call& call, const Bounds& bounds);  ///< >=
Outcomes InBounds(const Call& call, const Bounds& bounds);              ///< in: the value, then the list.
Outcomes AndBounds(const Call& call, const Bounds& bounds);
Outcomes OrBounds(const Call& call, const Bounds& bounds);
Outcomes NotBounds(const Call& call, const Bounds& bounds);
Outcomes IsNullBounds(const Call& call, const Bounds& bounds);
Outcomes IsNotNullBounds(const Call& call, const Bounds& bounds);
Outcomes IsNanBounds(const Call& call, const Bounds& bounds);
Outcomes StartsWithBounds(const Call& call, const Bounds& bounds);
/// like: the text, the pattern, optionally the escape.
Outcomes LikeBounds(const Call& call, const Bounds& bounds);

}  // namespace weir
