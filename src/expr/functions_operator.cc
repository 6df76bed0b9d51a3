#include "expr/expr.h"
#include "expr/operands.h"
#include "expr/signature.h"

namespace weir {
namespace {

using DecimalResult = Type (*)(const Type&, const Type&);

template <OperandRule kRule, DecimalResult kDecimal, bool kAlwaysNullable>
Result<Signature> Arithmetic(std::string_view, std::span<const Argument> args, const Semantics& semantics) {
  WEIR_TRY(Operands types, CoerceOperands(kRule, args[0], args[1], RulesOf(semantics)));
  bool decimal = types.left.kind() == TypeKind::kDecimal;
  Type result = decimal ? kDecimal(types.left, types.right) : types.left;
  Signature signature = Coerced(args, {types.left, types.right}, std::move(result));
  if (kAlwaysNullable) signature.nullable = true;
  return signature;
}

constexpr SignatureRule kAdd = Arithmetic<OperandRule::kArithmetic, DecimalSum, false>;
constexpr SignatureRule kMultiply = Arithmetic<OperandRule::kProduct, DecimalProduct, false>;
// A zero divisor is an error under ANSI, yet Spark calls these results nullable.
constexpr SignatureRule kDivide = Arithmetic<OperandRule::kDivision, DecimalQuotient, true>;
constexpr SignatureRule kRemainder = Arithmetic<OperandRule::kRemainder, DecimalRemainder, true>;

Result<Signature> IntegralDivide(std::string_view, std::span<const Argument> args,
                                 const Semantics& semantics) {
  WEIR_TRY(Operands types,
           CoerceOperands(OperandRule::kIntegralDivision, args[0], args[1], RulesOf(semantics)));
  return Signature{{types.left, types.right}, Type::Long(), true};
}

Result<Signature> Bitwise(std::string_view, std::span<const Argument> args, const Semantics& semantics) {
  WEIR_TRY(Operands types, CoerceOperands(OperandRule::kBitwise, args[0], args[1], RulesOf(semantics)));
  return Coerced(args, {types.left, types.right}, types.left);
}

Result<Signature> Sign(std::string_view, std::span<const Argument> args, const Semantics&) {
  const Type& type = args[0].type;
  bool interval = type.kind() == TypeKind::kIntervalDayTime || type.kind() == TypeKind::kIntervalYearMonth;
  std::optional<Type> target = interval ? type : ImplicitCast(type, "numeric");
  if (!target) {
    return UnexpectedInputType(
        0, "(\"NUMERIC\" or \"INTERVAL DAY TO SECOND\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL\")",
        args[0]);
  }
  return Coerced(args, {*target}, *target);
}

/// a[i] of an array counts from 0; m[k] of a map. Structs are resolved before they get here.
Result<Signature> Subscript(std::string_view, std::span<const Argument> args, const Semantics& semantics) {
  const Type& base = args[0].type;
  if (base.kind() == TypeKind::kMap) {
    const Type& key = base.fields()[0].type;
    std::optional<Type> common = TightestCommonType(key, args[1].type, RulesOf(semantics));
    bool castable = (common && SameShape(*common, key)) || CanStoreAssign(args[1].type, key) ||
                    args[1].type.kind() == TypeKind::kString;
    if (!castable) return UnexpectedInputType(1, Quoted(key), args[1]);
    return Signature{{base, key}, base.fields()[1].type, true};
  }
  if (base.kind() != TypeKind::kArray) {
    return Invalid("only an array, a map or a struct has members, found {}", Quoted(base))
        .WithCondition({"INVALID_EXTRACT_BASE_FIELD_TYPE",
                        "42000",
                        {{"base", Quoted(args[0])}, {"other", Quoted(base)}},
                        {},
                        {}});
  }
  std::optional<Type> index = ImplicitCast(args[1].type, "integral");
  if (!index) return UnexpectedInputType(1, "\"INTEGRAL\"", args[1]);
  return Signature{{base, *index}, base.fields()[0].type, true};
}

}  // namespace

std::span<const Function> OperatorFunctions() {
  static const Function kFunctions[] = {
      {.name = "+", .pretty = PrettyForm::kInfix, .signature = kAdd, .min_args = 2, .max_args = 2},
      {.name = "-", .pretty = PrettyForm::kInfix, .signature = kAdd, .min_args = 2, .max_args = 2},
      {.name = "*", .pretty = PrettyForm::kInfix, .signature = kMultiply, .min_args = 2, .max_args = 2},
      {.name = "/", .pretty = PrettyForm::kInfix, .signature = kDivide, .min_args = 2, .max_args = 2},
      {.name = "%",
       .pretty = PrettyForm::kInfix,
       .signature = kRemainder,
       .aliases = "mod",
       .min_args = 2,
       .max_args = 2},
      {.name = "div",
       .pretty = PrettyForm::kInfix,
       .signature = IntegralDivide,
       .min_args = 2,
       .max_args = 2},
      {.name = "pmod", .signature = kRemainder, .min_args = 2, .max_args = 2},
      {.name = "&", .pretty = PrettyForm::kInfix, .signature = Bitwise, .min_args = 2, .max_args = 2},
      {.name = "|", .pretty = PrettyForm::kInfix, .signature = Bitwise, .min_args = 2, .max_args = 2},
      {.name = "^", .pretty = PrettyForm::kInfix, .signature = Bitwise, .min_args = 2, .max_args = 2},
      {.name = "~",
       .pretty = PrettyForm::kCustom,
       .signature = Typed<"integral -> 1">,
       .min_args = 1,
       .max_args = 1},
      {.name = "negative",
       .pretty = PrettyForm::kPrefix,
       .signature = Sign,
       .min_args = 1,
       .max_args = 1,
       .display = "-"},
      {.name = "positive",
       .pretty = PrettyForm::kPrefix,
       .signature = Sign,
       .min_args = 1,
       .max_args = 1,
       .display = "+"},
      // -0.0 as 0.0, at any depth; the executor's own.
      {.name = "+0", .signature = Typed<"any -> 1">, .min_args = 1, .max_args = 1},
      {.name = "[]", .pretty = PrettyForm::kCustom, .signature = Subscript, .min_args = 2, .max_args = 2},
  };
  return kFunctions;
}

}  // namespace weir
