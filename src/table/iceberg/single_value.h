#pragma once

/// Binary form of one value, as manifests keep bounds. Thread rule: pure functions.
/// Spec: Iceberg, Appendix D, "Binary single-value serialization".

#include <string>
#include <string_view>

#include "type/scalar.h"

namespace weir::iceberg {

/// Precondition: not null, not nested.
std::string ToSingleValue(const Scalar& value);

/// Reads a value of `type`. The shorter forms that were right before the column's type was promoted are
/// accepted: int for long, float for double, decimals of any length. Errors: kCorrupt naming type and length.
Result<Scalar> FromSingleValue(std::string_view bytes, const Type& type);

/// Shortest big-endian two's complement of a decimal's unscaled value.
std::string UnscaledBytes(Int128 unscaled);
/// Reads the same, also with more bytes than needed. Errors: kCorrupt beyond 16 significant bytes or without
/// any.
Result<Int128> UnscaledFromBytes(std::string_view bytes);

/// The 16 bytes of what UuidText makes. Errors: kInvalid.
Result<std::string> UuidBytes(std::string_view text);

/// The value as Spark computes with it: uuid becomes text, fixed becomes binary.
Scalar ToSparkValue(Scalar value);

}  // namespace weir::iceberg
