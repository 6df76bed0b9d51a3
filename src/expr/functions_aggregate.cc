#include "expr/signature.h"

namespace weir {
namespace {

/// The type sum and avg read: numbers as they are, text and instants as double.
Result<Type> Summand(const Argument& arg) {
  const Type& type = arg.type;
  if (type.is_numeric()) return type;
  TypeKind kind = type.kind();
  if (kind == TypeKind::kString || kind == TypeKind::kVoid || kind == TypeKind::kTimestamp)
    return Type::Double();
  if (kind == TypeKind::kIntervalDayTime || kind == TypeKind::kIntervalYearMonth) {
    return Unsupported("sum and avg of intervals are not implemented");
  }
  return UnexpectedInputType(0, "\"NUMERIC\" or \"ANSI INTERVAL\"", arg);
}

Result<Signature> Sum(std::string_view, std::span<const Argument> args, const Semantics&) {
  WEIR_TRY(Type type, Summand(args[0]));
  Type result = Type::Double();
  if (type.is_integral()) result = Type::Long();
  if (type.kind() == TypeKind::kDecimal) result = BoundedDecimal(type.precision() + 10, type.scale());
  return Signature{{type}, result, true};
}

Result<Signature> Avg(std::string_view, std::span<const Argument> args, const Semantics&) {
  WEIR_TRY(Type type, Summand(args[0]));
  Type result = Type::Double();
  if (type.kind() == TypeKind::kDecimal) result = BoundedDecimal(type.precision() + 4, type.scale() + 4);
  return Signature{{type}, result, true};
}

/// NULLs are left out; the list is never NULL.
Result<Signature> Collect(std::string_view name, std::span<const Argument> args, const Semantics&) {
  if (name == "collect_set" && !IsOrderable(args[0].type)) {
    return Mismatch("UNSUPPORTED_INPUT_TYPE",
                    {{"functionName", "`collect_set`"}, {"dataType", "\"MAP\" or \"COLLATED STRING\""}},
                    "collect_set does not take maps");
  }
  return Signature{{args[0].type}, Type::Array({{}, "element", args[0].type, true, {}}), false};
}

constexpr SignatureRule kExtreme = Typed<"orderable -> 1?">;
constexpr SignatureRule kOneOf = Typed<"any, boolean -> 1?">;
constexpr SignatureRule kBoolean = Typed<"boolean -> boolean?">;
constexpr SignatureRule kDouble = Typed<"double -> double?">;
constexpr SignatureRule kTwoDoubles = Typed<"double, double -> double?">;
constexpr SignatureRule kBy = Typed<"any, orderable -> 1?">;
constexpr SignatureRule kBits = Typed<"integral -> 1?">;

Function Make(std::string_view name, SignatureRule rule, int min_args, int max_args,
              std::string_view aliases = {}) {
  return {.name = name,
          .kind = FunctionKind::kAggregate,
          .signature = rule,
          .aliases = aliases,
          .min_args = min_args,
          .max_args = max_args};
}

/// The second argument says whether NULLs are skipped; it does not show.
Function OneOf(std::string_view name, std::string_view aliases = {}) {
  Function function = Make(name, kOneOf, 1, 2, aliases);
  function.pretty = PrettyForm::kCustom;
  function.defaults = [] { return std::vector{Scalar::Boolean(false)}; };
  return function;
}

}  // namespace

std::span<const Function> AggregateFunctions() {
  static const Function kFunctions[] = {
      // Rows in which no argument is NULL.
      Make("count", Typed<"any, ... -> bigint!">, 1, Function::kAnyNumber),
      Make("count_if", Typed<"boolean -> bigint!">, 1, 1),
      Make("sum", Sum, 1, 1),
      Make("avg", Avg, 1, 1, "mean"),
      Make("min", kExtreme, 1, 1),
      Make("max", kExtreme, 1, 1),
      OneOf("first", "first_value"),
      OneOf("last", "last_value"),
      OneOf("any_value"),
      Make("bool_and", kBoolean, 1, 1, "every"),
      Make("bool_or", kBoolean, 1, 1, "some any"),
      Make("bit_and", kBits, 1, 1),
      Make("bit_or", kBits, 1, 1),
      Make("bit_xor", kBits, 1, 1),
      Make("stddev_samp", kDouble, 1, 1, "stddev std"),
      Make("stddev_pop", kDouble, 1, 1),
      Make("var_samp", kDouble, 1, 1, "variance"),
      Make("var_pop", kDouble, 1, 1),
      Make("collect_list", Collect, 1, 1, "array_agg*"),
      Make("collect_set", Collect, 1, 1),
      Make("max_by", kBy, 2, 2),
      Make("min_by", kBy, 2, 2),
      Make("corr", kTwoDoubles, 2, 2),
      Make("covar_pop", kTwoDoubles, 2, 2),
      Make("covar_samp", kTwoDoubles, 2, 2),
      // Which keys the row's grouping set lacks: known once there are groups, never computed from rows.
      Make("grouping", Typed<"any -> tinyint!">, 1, 1),
      Make("grouping_id", Typed<"any, ... -> bigint!">, 0, Function::kAnyNumber),
  };
  return kFunctions;
}

}  // namespace weir
