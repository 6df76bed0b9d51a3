#include <algorithm>

#include "expr/expr.h"
#include "expr/signature.h"

namespace weir {
namespace {

Result<Signature> Abs(std::string_view, std::span<const Argument> args, const Semantics&) {
  std::optional<Type> type = ImplicitCast(args[0].type, "numeric");
  if (!type) {
    return UnexpectedInputType(0, "(\"NUMERIC\" or \"INTERVAL DAY TO SECOND\" or \"INTERVAL YEAR TO MONTH\")",
                               args[0]);
  }
  return Coerced(args, {*type}, *type);
}

/// ceil and floor: decimal stays decimal without fraction, anything else gives bigint.
Result<Signature> WholeNumber(std::string_view name, std::span<const Argument> args, const Semantics&) {
  if (args.size() > 1) return Unsupported("{} with a number of digits is not implemented", name);
  std::optional<Type> type = ImplicitCast(args[0].type, "double|decimal|bigint");
  if (!type) return UnexpectedInputType(0, "(\"DOUBLE\" or \"DECIMAL\" or \"BIGINT\")", args[0]);
  Type result = Type::Long();
  if (type->kind() == TypeKind::kDecimal) {
    result = type->scale() == 0 ? *type : BoundedDecimal(type->precision() - type->scale() + 1, 0);
  }
  return Signature{{*type}, result, true};
}

Type RoundedDecimal(const Type& type, int64_t digits) {
  int whole = type.precision() - type.scale() + 1;
  if (digits < 0)
    return BoundedDecimal(std::max(whole, static_cast<int>(std::min<int64_t>(-digits, 38)) + 1), 0);
  int scale = static_cast<int>(std::min<int64_t>(type.scale(), digits));
  return BoundedDecimal(whole + scale, scale);
}

/// round and bround: the number of digits must be constant, since it decides the type.
Result<Signature> Round(std::string_view, std::span<const Argument> args, const Semantics&) {
  std::optional<Type> type = ImplicitCast(args[0].type, "numeric");
  if (!type) return UnexpectedInputType(0, "\"NUMERIC\"", args[0]);
  const Scalar* digits = LiteralOf(args[1]);
  if (digits == nullptr) return NotConstant("scale", Type::Int(), args[1]);
  if (!digits->type().is_integral() || digits->is_null()) {
    return Unsupported("round needs an integer literal as its number of digits");
  }
  Type result = type->kind() == TypeKind::kDecimal ? RoundedDecimal(*type, digits->integer()) : *type;
  return Signature{{*type, Type::Int()}, result, true};
}

Result<Signature> Log(std::string_view name, std::span<const Argument> args, const Semantics&) {
  return ResolveShape("double, ... -> double?", name, args);
}

Result<Signature> SignOf(std::string_view, std::span<const Argument> args, const Semantics&) {
  std::optional<Type> type = ImplicitCast(args[0].type, "double");
  if (!type) {
    return UnexpectedInputType(0, "(\"DOUBLE\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL DAY TO SECOND\")",
                               args[0]);
  }
  return Signature{{*type}, Type::Double(), true};
}

constexpr SignatureRule kUnary = Typed<"double -> double?">;
constexpr SignatureRule kBinary = Typed<"double, double -> double">;

Function Unary(std::string_view name, std::string_view display, std::string_view aliases = {}) {
  return {.name = name,
          .signature = kUnary,
          .aliases = aliases,
          .min_args = 1,
          .max_args = 1,
          .display = display};
}

}  // namespace

std::span<const Function> MathFunctions() {
  static const Function kFunctions[] = {
      {.name = "abs", .signature = Abs, .min_args = 1, .max_args = 1},
      {.name = "ceil",
       .signature = WholeNumber,
       .aliases = "ceiling",
       .min_args = 1,
       .max_args = 2,
       .display = "CEIL"},
      {.name = "floor", .signature = WholeNumber, .min_args = 1, .max_args = 2, .display = "FLOOR"},
      {.name = "round", .signature = Round, .min_args = 1, .max_args = 2, .defaults = IntDefaults<0>},
      {.name = "bround", .signature = Round, .min_args = 1, .max_args = 2, .defaults = IntDefaults<0>},
      {.name = "signum",
       .signature = SignOf,
       .aliases = "sign",
       .min_args = 1,
       .max_args = 1,
       .display = "SIGNUM"},
      Unary("sqrt", "SQRT"),
      Unary("cbrt", "CBRT"),
      Unary("exp", "EXP"),
      Unary("ln", "ln"),
      Unary("log10", "LOG10"),
      Unary("log2", "LOG2"),
      Unary("sin", "SIN"),
      Unary("cos", "COS"),
      Unary("tan", "TAN"),
      Unary("asin", "ASIN"),
      Unary("acos", "ACOS"),
      Unary("atan", "ATAN"),
      Unary("degrees", "DEGREES"),
      Unary("radians", "RADIANS"),
      {.name = "atan2", .signature = kBinary, .min_args = 2, .max_args = 2, .display = "ATAN2"},
      {.name = "power",
       .signature = kBinary,
       .aliases = "pow",
       .min_args = 2,
       .max_args = 2,
       .display = "POWER"},
      // log(x) is the natural logarithm, log(b, x) that of base b.
      {.name = "log", .pretty = PrettyForm::kCustom, .signature = Log, .min_args = 1, .max_args = 2},
      {.name = "pi", .signature = Typed<"-> double!">, .min_args = 0, .max_args = 0, .display = "PI"},
      {.name = "rand",
       .signature = Typed<"bigint -> double!">,
       .deterministic = false,
       .aliases = "random*",
       .min_args = 0,
       .max_args = 1},
  };
  return kFunctions;
}

}  // namespace weir
