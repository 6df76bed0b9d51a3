#pragma once

/// Spark's lattice of types: which type two operands meet in, what may be cast, what an implicit cast allows.
/// Casts are those of ANSI mode. Thread rule: pure functions.
/// Spec: Spark SQL, "ANSI Compliance": type promotion and precedence; TypeCoercion.scala for legacy rules.

#include <optional>
#include <span>

#include "type/type.h"

namespace weir {

/// How types meet: with spark.sql.ansi.enabled, and without.
enum class TypeRules : uint8_t { kAnsi, kLegacy };

/// The type both can become without loss: NULL becomes anything, integers widen, int with float gives double
/// (legacy: float), date widens to timestamps. Decimals meet other decimals only through WiderType.
std::optional<Type> TightestCommonType(const Type& a, const Type& b, TypeRules rules = TypeRules::kAnsi);
/// As above, and with decimals widened (losing fraction digits at 38) and strings becoming the other type
/// (legacy: the other type becomes string).
std::optional<Type> WiderType(const Type& a, const Type& b, TypeRules rules = TypeRules::kAnsi);
/// WiderType over all, from the left (legacy: strings first), starting at NULL. Nullopt if two do not meet.
std::optional<Type> WiderTypeOf(std::span<const Type> types, TypeRules rules = TypeRules::kAnsi);
/// As WiderTypeOf, but a string meets strings only (greatest, least).
std::optional<Type> WiderTypeWithoutStrings(std::span<const Type> types, TypeRules rules = TypeRules::kAnsi);
/// What a string becomes beside `other` in a comparison: bigint, double, or the other type (legacy: the other
/// type, but double for decimals). Nullopt: they do not meet.
std::optional<Type> PromotedString(const Type& other, TypeRules rules = TypeRules::kAnsi);

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
