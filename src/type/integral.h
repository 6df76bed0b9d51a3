#pragma once

/// What integral types can hold. Thread rule: pure functions.

#include "type/type.h"

namespace weir {

/// Digits left of the decimal point that a decimal needs for every value of an integral type: 3, 5, 10 or 19.
/// Precondition: `kind` is that of an integral type.
constexpr int IntegralDigits(TypeKind kind) {
  switch (kind) {
    case TypeKind::kByte:
      return 3;
    case TypeKind::kShort:
      return 5;
    case TypeKind::kInt:
      return 10;
    default:
      return 19;
  }
}

}  // namespace weir
