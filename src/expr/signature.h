#pragma once

/// How the groups of the function table write down their signatures, and implicit casts by that notation.
///
/// A shape is text such as "string|binary, int -> 1": the types the arguments are cast to when Spark allows
/// it implicitly, and the result. A trailing "..." repeats the last argument. Argument types: a type name, or
/// one of `any`, `numeric`, `integral`, `anytimestamp` (timestamp or timestamp_ntz), `orderable`;
/// alternatives by "|". Result: a type name, or the number of the argument whose type it has; then "!" if
/// never NULL, "?" if maybe NULL whatever the arguments are. Otherwise the result may be NULL if an argument
/// may be, coercion included.

#include <algorithm>

#include "expr/coercion.h"
#include "expr/function.h"
#include "expr/mismatch.h"

namespace weir {

template <size_t kSize>
struct ShapeText {
  char text[kSize];
  consteval ShapeText(const char (&source)[kSize]) { std::copy_n(source, kSize, text); }  // NOLINT: implicit
};

/// Coerces the arguments to the shape. Errors: DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE,
/// INVALID_ORDERING_TYPE.
Result<Signature> ResolveShape(std::string_view shape, std::string_view name, std::span<const Argument> args);

/// A signature rule for a shape: .signature = Typed<"string, int -> string">.
template <ShapeText kShape>
Result<Signature> Typed(std::string_view name, std::span<const Argument> args, const Semantics&) {
  return ResolveShape(kShape.text, name, args);
}

/// The implicit cast of an argument to a shape's argument type; nullopt if Spark allows none.
std::optional<Type> ImplicitCast(const Type& from, std::string_view expected);

inline TypeRules RulesOf(const Semantics& semantics) {
  return semantics.ansi ? TypeRules::kAnsi : TypeRules::kLegacy;
}

/// True if the argument may be NULL after the cast to `type`.
bool NullableAs(const Argument& arg, const Type& type);
/// A signature whose result may be NULL if some argument may be after coercion.
Signature Coerced(std::span<const Argument> args, std::vector<Type> types, Type result);
/// Types of the arguments.
std::vector<Type> TypesOf(std::span<const Argument> args);
/// The literal that the argument is; null if it is another expression. A cast literal counts as not one.
const Scalar* LiteralOf(const Argument& arg);

/// Default arguments made of integers or of one text.
template <int... kValues>
std::vector<Scalar> IntDefaults() {
  return {Scalar::Int(kValues)...};
}
template <ShapeText kText>
std::vector<Scalar> TextDefault() {
  return {Scalar::String(kText.text)};
}

/// Groups of the function table, one per source file.
std::span<const Function> OperatorFunctions();
std::span<const Function> PredicateFunctions();
std::span<const Function> ConditionalFunctions();
std::span<const Function> MathFunctions();
std::span<const Function> StringFunctions();
std::span<const Function> DatetimeFunctions();
std::span<const Function> HashFunctions();
std::span<const Function> CollectionFunctions();
std::span<const Function> AggregateFunctions();
std::span<const Function> WindowFunctions();
std::span<const Function> GeneratorFunctions();

}  // namespace weir
