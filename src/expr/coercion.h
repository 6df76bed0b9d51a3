#pragma once

/// Spark's lattice of types: which type two operands meet in, what may be cast, what an implicit cast allows.
/// All rules are those of ANSI mode. Thread rule: pure functions.
/// Spec: Spark SQL, "ANSI Compliance": type promotion and precedence.

#include <optional>
#include <span>

#include "type/type.h"

namespace weir {

/// The type both can become without loss: NULL becomes anything, integers widen, int with float gives double,
/// date widens to timestamps. Decimals meet other decimals only through WiderType.
std::optional<Type> TightestCommonType(const Type& a, const Type& b);
/// As above, and with decimals widened (losing fraction digits at 38) and strings becoming the other type.
std::optional<Type> WiderType(const Type& a, const Type& b);
/// WiderType over all, from the left, starting at NULL. Nullopt if two do not meet.
std::optional<Type> WiderTypeOf(std::span<const Type> types);
/// As WiderTypeOf, but a string meets strings only (greatest, least).
std::optional<Type> WiderTypeWithoutStrings(std::span<const Type> types);
/// What a string becomes beside `other` in an operator: bigint, double, or the other type. Nullopt: they do
/// not meet.
std::optional<Type> PromotedString(const Type& other);

/// The decimal that holds every value of an integral or floating type: int is decimal(10,0), double is
/// decimal(30,15).
Type DecimalOf(const Type& numeric);
/// A decimal of at most 38 digits; when there are too many, fraction digits go first.
Type WiderDecimal(const Type& a, const Type& b);
/// Result types of decimal arithmetic, at most 38 digits and then at least 6 of fraction.
Type DecimalSum(const Type& a, const Type& b);
Type DecimalProduct(const Type& a, const Type& b);
Type DecimalQuotient(const Type& a, const Type& b);
Type DecimalRemainder(const Type& a, const Type& b);
/// precision and scale cut to 38.
Type BoundedDecimal(int precision, int scale);

/// Whether CAST allows the pair of types.
bool CanCast(const Type& from, const Type& to);
/// Whether a value may be stored to a column under the ANSI store assignment policy.
bool CanStoreAssign(const Type& from, const Type& to);
/// Whether Spark calls a cast of a value that is never NULL nullable all the same.
bool CastForcesNullable(const Type& from, const Type& to);

/// Whether = and < exist: false for map, at any depth.
bool IsOrderable(const Type& type);

}  // namespace weir
