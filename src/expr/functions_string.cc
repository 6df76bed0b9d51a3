#include <algorithm>

#include "expr/signature.h"

namespace weir {
namespace {

bool AllOf(std::span<const Argument> args, TypeKind kind) {
  return !args.empty() &&
         std::ranges::all_of(args, [&](const Argument& arg) { return arg.type.kind() == kind; });
}

/// All binary, all arrays, or all as strings.
Result<Signature> Concat(std::string_view name, std::span<const Argument> args, const Semantics& semantics) {
  std::vector<Type> types = TypesOf(args);
  if (AllOf(args, TypeKind::kBinary)) return Coerced(args, types, Type::Binary());
  if (AllOf(args, TypeKind::kArray)) {
    std::optional<Type> common = WiderTypeOf(types, RulesOf(semantics));
    if (!common) return ArgumentsDiffer(name, QuotedList(args));
    return Coerced(args, std::vector<Type>(args.size(), *common), *common);
  }
  bool arrays = false;
  for (size_t i = 0; i < args.size(); ++i) {
    if (auto text = ImplicitCast(args[i].type, "string")) types[i] = *text;
    arrays = arrays || types[i].kind() == TypeKind::kArray;
    TypeKind kind = types[i].kind();
    if (kind != TypeKind::kString && kind != TypeKind::kArray) {
      return UnexpectedInputType(i, "(\"STRING\" or \"BINARY\" or \"ARRAY\")", args[i]);
    }
  }
  if (arrays) return ArgumentsDiffer(name, AlternativesOf(types));
  return Coerced(args, std::move(types), Type::String());
}

/// The separator, then strings and arrays of strings; NULLs are skipped.
Result<Signature> ConcatWithSeparator(std::string_view, std::span<const Argument> args, const Semantics&) {
  std::vector<Type> types;
  bool nullable = false;
  for (size_t i = 0; i < args.size(); ++i) {
    const Type& type = args[i].type;
    Type target = Type::String();
    if (i > 0 && type.kind() == TypeKind::kArray)
      target = Type::Array({{}, "element", Type::String(), false, {}});
    bool castable = target.kind() == TypeKind::kArray ? CanStoreAssign(type, target)
                                                      : ImplicitCast(type, "string").has_value();
    if (!castable) {
      return UnexpectedInputType(i, i == 0 ? "\"STRING\"" : "(\"ARRAY<STRING>\" or \"STRING\")", args[i]);
    }
    if (i == 0) nullable = NullableAs(args[0], target);
    types.push_back(std::move(target));
  }
  return Signature{std::move(types), Type::String(), nullable};
}

/// Spark pads binary by other rules than text; only text is implemented.
Result<Signature> Pad(std::string_view name, std::span<const Argument> args, const Semantics&) {
  if (args[0].type.kind() == TypeKind::kBinary)
    return Unsupported("{} of binary values is not implemented", name);
  return ResolveShape("string, int, string -> string", name, args);
}

constexpr SignatureRule kText = Typed<"string -> string">;
constexpr SignatureRule kTextText = Typed<"string, string -> string">;
constexpr SignatureRule kTextInt = Typed<"string|binary, int -> 1">;
constexpr SignatureRule kLength = Typed<"string|binary -> int">;

}  // namespace

std::span<const Function> StringFunctions() {
  static const Function kFunctions[] = {
      {.name = "length",
       .signature = kLength,
       .aliases = "char_length character_length len",
       .min_args = 1,
       .max_args = 1},
      {.name = "octet_length", .signature = kLength, .min_args = 1, .max_args = 1},
      {.name = "bit_length", .signature = kLength, .min_args = 1, .max_args = 1},
      {.name = "upper", .signature = kText, .aliases = "ucase", .min_args = 1, .max_args = 1},
      {.name = "lower", .signature = kText, .aliases = "lcase", .min_args = 1, .max_args = 1},
      {.name = "initcap", .signature = kText, .min_args = 1, .max_args = 1},
      // With two arguments: the characters to remove, then the text.
      {.name = "trim", .pretty = PrettyForm::kCustom, .signature = kTextText, .min_args = 1, .max_args = 2},
      {.name = "ltrim", .pretty = PrettyForm::kCustom, .signature = kTextText, .min_args = 1, .max_args = 2},
      {.name = "rtrim", .pretty = PrettyForm::kCustom, .signature = kTextText, .min_args = 1, .max_args = 2},
      // With two arguments: the text, then the characters to remove.
      {.name = "btrim", .signature = kTextText, .min_args = 1, .max_args = 2},
      {.name = "substring",
       .signature = Typed<"string|binary, int, int -> 1">,
       .aliases = "substr",
       .min_args = 2,
       .max_args = 3,
       .defaults = IntDefaults<2147483647>},
      {.name = "left", .signature = kTextInt, .min_args = 2, .max_args = 2},
      {.name = "right", .signature = Typed<"string, int -> string">, .min_args = 2, .max_args = 2},
      {.name = "lpad", .signature = Pad, .min_args = 2, .max_args = 3, .defaults = TextDefault<" ">},
      {.name = "rpad", .signature = Pad, .min_args = 2, .max_args = 3, .defaults = TextDefault<" ">},
      {.name = "concat", .signature = Concat, .aliases = "||*"},
      {.name = "concat_ws", .signature = ConcatWithSeparator, .min_args = 1},
      {.name = "replace",
       .signature = Typed<"string, string, string -> string">,
       .min_args = 2,
       .max_args = 3,
       .defaults = TextDefault<"">},
      {.name = "instr", .signature = Typed<"string, string -> int">, .min_args = 2, .max_args = 2},
      {.name = "locate",
       .signature = Typed<"string, string, int -> int">,
       .aliases = "position",
       .min_args = 2,
       .max_args = 3,
       .defaults = IntDefaults<1>},
      {.name = "repeat", .signature = Typed<"string, int -> string">, .min_args = 2, .max_args = 2},
      {.name = "reverse", .signature = Typed<"string|array -> 1">, .min_args = 1, .max_args = 1},
      {.name = "split",
       .signature = Typed<"string, string, int -> array<string>">,
       .min_args = 2,
       .max_args = 3,
       .defaults = IntDefaults<-1>},
      {.name = "translate",
       .signature = Typed<"string, string, string -> string">,
       .min_args = 3,
       .max_args = 3},
      {.name = "ascii", .signature = Typed<"string -> int">, .min_args = 1, .max_args = 1},
      {.name = "chr",
       .signature = Typed<"bigint -> string">,
       .aliases = "char",
       .min_args = 1,
       .max_args = 1},
      {.name = "substring_index",
       .signature = Typed<"string, string, int -> string">,
       .min_args = 3,
       .max_args = 3},
      {.name = "regexp_replace",
       .signature = Typed<"string, string, string, int -> string">,
       .min_args = 3,
       .max_args = 4,
       .defaults = IntDefaults<1>},
      {.name = "regexp_extract",
       .signature = Typed<"string, string, int -> string">,
       .min_args = 2,
       .max_args = 3,
       .defaults = IntDefaults<1>},
  };
  return kFunctions;
}

}  // namespace weir
