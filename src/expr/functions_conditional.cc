#include "expr/signature.h"

namespace weir {
namespace {

/// NULL only if every argument may be.
Result<Signature> Coalesce(std::string_view name, std::span<const Argument> args,
                           const Semantics& semantics) {
  std::vector<Type> types = TypesOf(args);
  std::optional<Type> common = WiderTypeOf(types, RulesOf(semantics));
  if (!common) return ArgumentsDiffer(name, AlternativesOf(types));
  bool nullable = true;
  for (const Argument& arg : args) nullable = nullable && NullableAs(arg, *common);
  return Signature{std::vector<Type>(args.size(), *common), *common, nullable};
}

/// Skips NULLs: NULL only if every argument is.
Result<Signature> Extreme(std::string_view name, std::span<const Argument> args, const Semantics& semantics) {
  std::vector<Type> types = TypesOf(args);
  std::optional<Type> common = WiderTypeWithoutStrings(types, RulesOf(semantics));
  if (!common) return ArgumentsDiffer(name, QuotedList(args));
  if (!IsOrderable(*common)) return NotOrderable(name, *common);
  bool nullable = true;
  for (const Argument& arg : args) nullable = nullable && NullableAs(arg, *common);
  return Signature{std::vector<Type>(args.size(), *common), *common, nullable};
}

/// The first value unless it is NaN: double unless both are float.
Result<Signature> NanValue(std::string_view name, std::span<const Argument> args, const Semantics&) {
  auto single = [](const Argument& arg) { return arg.type.kind() == TypeKind::kFloat; };
  bool null_second = args[1].type.kind() == TypeKind::kVoid;
  bool both = single(args[0]) && (single(args[1]) || null_second);
  return ResolveShape(both ? "float, float -> 1" : "double|float, double -> double", name, args);
}

}  // namespace

// if, nvl, nvl2, nullif and between are resolved to CASE and comparisons, so they have no entry.
std::span<const Function> ConditionalFunctions() {
  static const Function kFunctions[] = {
      {.name = "coalesce", .signature = Coalesce, .min_args = 1},
      {.name = "nanvl", .signature = NanValue, .min_args = 2, .max_args = 2},
      {.name = "greatest", .signature = Extreme, .min_args = 2},
      {.name = "least", .signature = Extreme, .min_args = 2},
  };
  return kFunctions;
}

}  // namespace weir
