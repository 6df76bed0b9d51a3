#pragma once

#include <algorithm>

#include "type/type.h"

namespace weir {

/// Whether values of the type are, or have in them, floating numbers: then two that are equal need not be the
/// same, since -0.0 equals 0.0.
inline bool HoldsFloating(const Type& type) {
  return type.is_floating() ||
         std::ranges::any_of(type.fields(), [](const Field& field) { return HoldsFloating(field.type); });
}

}  // namespace weir
