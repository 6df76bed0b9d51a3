#pragma once

/// How Spark writes values as text. Thread rule: pure functions.

#include <string>

#include "type/scalar.h"

namespace weir {

/// As Java 19 and later write it: "1.0", "1.0E7", "NaN", "-Infinity"; the fewest digits that read back as the
/// same value, but at least two. Java 17 sometimes writes more digits for magnitudes beyond 1e17.
std::string FloatText(float value);
std::string DoubleText(double value);
/// Plain decimal notation, such as "-0.05".
std::string DecimalText(Int128 unscaled, int scale);
/// As Java's BigDecimal.toString: an exponent for tiny values, such as "1E-7". Spark's literals and Iceberg's
/// paths.
std::string BigDecimalText(Int128 unscaled, int scale);
/// The canonical lower case form of 16 bytes, such as "f79c3e09-677c-4bbd-a479-3f349cb785e7".
std::string UuidText(std::string_view bytes);

/// As Spark's CAST(.. AS STRING) in UTC. Nulls inside nested values are "null". Precondition: not null.
std::string ScalarText(const Scalar& value);
/// As Spark's Literal.sql.
std::string ScalarSql(const Scalar& value);

}  // namespace weir
