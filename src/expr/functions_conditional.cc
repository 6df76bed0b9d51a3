#include "expr/signature.h"

namespace weir {
namespace {

/// NULL only if every argument may be.
Result<Signature> Coalesce(std::string_view name, std::span<const Argument> args, const Semantics&) {
  std::vector<Type> types = TypesOf(args);
  std::optional<Type> common = WiderTypeOf(types);
  if (!common) {
    std::string list = Quoted(types[0]);
    for (size_t i = 1; i < types.size(); ++i) list += " or " + Quoted(types[i]);
    return ArgumentsDiffer(name, "(" + list + ")");
  }
  bool nullable = true;
  for (const Argument& arg : args) nullable = nullable && NullableAs(arg, *common);
  return Signature{std::vector<Type>(args.size(), *common), *common, nullable};
}

/// Skips NULLs: NULL only if every argument is.
Result<Signature> Extreme(std::string_view name, std::span<const Argument> args, const Semantics&) {
  std::vector<Type> types = TypesOf(args);
  std::optional<Type> common = WiderTypeWithoutStrings(types);
  if (!common) return ArgumentsDiffer(name, QuotedList(args));
  if (!IsOrderable(*common)) return NotOrderable(name, *common);
  bool nullable = true;
  for (const Argument& arg : args) nullable = nullable && NullableAs(arg, *common);
  return Signature{std::vector<Type>(args.size(), *common), *common, nullable};
}

}  // namespace

// if, nvl2, nullif and between are resolved to CASE and comparisons, so they have no entry.
std::span<const Function> ConditionalFunctions() {
  static const Function kFunctions[] = {
      {.name = "coalesce", .signature = Coalesce, .min_args = 1},
      {.name = "nvl", .signature = Coalesce, .aliases = "ifnull", .min_args = 2, .max_args = 2},
      {.name = "nanvl", .signature = Typed<"double|float, double|float -> 1">, .min_args = 2, .max_args = 2},
      {.name = "greatest", .signature = Extreme, .min_args = 2},
      {.name = "least", .signature = Extreme, .min_args = 2},
  };
  return kFunctions;
}

}  // namespace weir
