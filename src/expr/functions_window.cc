#include <array>

#include "expr/signature.h"

namespace weir {
namespace {

/// The value `offset` rows away, or the default: NULL as far as one of the two may be.
Result<Signature> Offset(std::string_view name, std::span<const Argument> args, const Semantics&) {
  const Type& type = args[0].type;
  const bool is_void = args[2].type.kind() == TypeKind::kVoid;
  const std::optional<Type> otherwise = is_void ? type : ImplicitCast(args[2].type, type.ToString());
  if (!otherwise) return UnexpectedInputType(2, fmt::format("({} or \"VOID\")", Quoted(type)), args[2]);
  const bool nullable = args[0].nullable || NullableAs(args[2], type);
  WEIR_TRY(const Signature count, ResolveShape("int -> int", name, args.subspan(1, 1)));
  return Signature{{type, count.arguments[0], type}, type, nullable};
}

/// Spark coerces nothing here.
Result<Signature> Ntile(std::string_view, std::span<const Argument> args, const Semantics&) {
  if (args[0].type.kind() != TypeKind::kInt) return UnexpectedInputType(0, "\"INT\"", args[0]);
  return Signature{{Type::Int()}, Type::Int(), false};
}

Function Ranking(std::string_view name, SignatureRule rule, std::string_view display = {}) {
  // Spark takes any arguments and looks at none.
  return {.name = name, .kind = FunctionKind::kWindow, .signature = rule, .display = display};
}

Function Numbering(std::string_view name, SignatureRule rule, int max_args) {
  return {.name = name, .kind = FunctionKind::kWindow, .signature = rule, .max_args = max_args};
}

Function Shift(std::string_view name) {
  Function function = Numbering(name, Offset, 3);
  function.defaults = [] { return std::vector{Scalar(), Scalar::Int(1), Scalar()}; };
  return function;
}

}  // namespace

std::span<const Function> WindowFunctions() {
  static const auto kFunctions = [] {
    Function buckets = Numbering("ntile", Ntile, 1);
    buckets.defaults = IntDefaults<1>;
    Function nth = Numbering("nth_value", Typed<"any, int|bigint -> 1?">, 2);
    nth.min_args = 2;
    return std::array{
        Numbering("row_number", Typed<"-> int!">, 0),
        Ranking("rank", Typed<"-> int!">, "RANK"),
        Ranking("dense_rank", Typed<"-> int!">, "DENSE_RANK"),
        Ranking("percent_rank", Typed<"-> double!">, "PERCENT_RANK"),
        Numbering("cume_dist", Typed<"-> double!">, 0),
        buckets,
        Shift("lag"),
        Shift("lead"),
        nth,
    };
  }();
  return kFunctions;
}

}  // namespace weir
