#include "expr/expr.h"
#include "expr/signature.h"

namespace weir {
namespace {

weir::Field ElementField(Type type, bool nullable) { return {{}, "element", std::move(type), !nullable, {}}; }

Result<Signature> Array(std::string_view name, std::span<const Argument> args, const Semantics& semantics) {
  std::vector<Type> types = TypesOf(args);
  std::optional<Type> common = WiderTypeOf(types, RulesOf(semantics));
  if (!common) return ArgumentsDiffer(name, AlternativesOf(types));
  bool nullable = false;
  for (const Argument& arg : args) nullable = nullable || NullableAs(arg, *common);
  return Signature{std::vector<Type>(args.size(), *common), Type::Array(ElementField(*common, nullable)),
                   false};
}

/// map(k, v, k, v, ...).
Result<Signature> Map(std::string_view name, std::span<const Argument> args, const Semantics& semantics) {
  std::vector<Argument> keys, values;
  for (size_t i = 0; i + 1 < args.size(); i += 2) {
    keys.push_back(args[i]);
    values.push_back(args[i + 1]);
  }
  std::optional<Type> key = WiderTypeOf(TypesOf(keys), RulesOf(semantics)),
                      value = WiderTypeOf(TypesOf(values), RulesOf(semantics));
  if (!key)
    return Mismatch("CREATE_MAP_KEY_DIFF_TYPES", {{"functionName", "`map`"}, {"dataType", QuotedList(keys)}},
                    "keys of one type are needed");
  if (!value)
    return Mismatch("CREATE_MAP_VALUE_DIFF_TYPES",
                    {{"functionName", "`map`"}, {"dataType", QuotedList(values)}},
                    "values of one type are needed");
  if (!IsOrderable(*key)) {
    return Mismatch("INVALID_MAP_KEY_TYPE", {{"keyType", Quoted(*key)}},
                    fmt::format("{} keys cannot hold maps", name));
  }
  bool nullable = false;
  for (const Argument& arg : values) nullable = nullable || NullableAs(arg, *value);
  std::vector<Type> types;
  for (size_t i = 0; i < args.size(); ++i) types.push_back(i % 2 == 0 ? *key : *value);
  return Signature{std::move(types),
                   Type::Map({{}, "key", *key, true, {}}, {{}, "value", *value, !nullable, {}}), false};
}

/// named_struct(name, value, ...); names are string literals.
Result<Signature> NamedStruct(std::string_view, std::span<const Argument> args, const Semantics&) {
  std::vector<weir::Field> fields;
  for (size_t i = 0; i + 1 < args.size(); i += 2) {
    const Scalar* name = LiteralOf(args[i]);
    if (name == nullptr || name->type().kind() != TypeKind::kString || name->is_null()) {
      std::string quoted = Quoted(args[i]);
      return Mismatch("CREATE_NAMED_STRUCT_WITHOUT_FOLDABLE_STRING", {{"inputExprs", "[" + quoted + "]"}},
                      "member names must be constant strings, found " + quoted);
    }
    fields.push_back({{}, name->text(), args[i + 1].type, !args[i + 1].nullable, {}});
  }
  return Signature{TypesOf(args), Type::Struct(std::move(fields)), false};
}

Result<Signature> ElementAt(std::string_view name, std::span<const Argument> args, const Semantics&) {
  const Type& base = args[0].type;
  if (base.kind() == TypeKind::kArray) {
    TypeKind kind = args[1].type.kind();
    bool index = kind == TypeKind::kInt || kind == TypeKind::kShort || kind == TypeKind::kByte ||
                 kind == TypeKind::kVoid;
    if (!index) return UnexpectedInputType(1, "\"INT\"", args[1]);
    return Signature{{base, Type::Int()}, base.fields()[0].type, true};
  }
  if (base.kind() == TypeKind::kMap) {
    const Type& key = base.fields()[0].type;
    std::optional<Type> common = TightestCommonType(key, args[1].type);
    if (!common || !SameShape(*common, key)) {
      return Mismatch("MAP_FUNCTION_DIFF_TYPES",
                      {{"functionName", fmt::format("`{}`", name)},
                       {"dataType", "\"MAP\""},
                       {"leftType", Quoted(base)},
                       {"rightType", Quoted(args[1].type)}},
                      fmt::format("{} needs a key of the map's type, found {}", name, Quoted(args[1].type)));
    }
    return Signature{{base, key}, base.fields()[1].type, true};
  }
  return UnexpectedInputType(0, "(\"ARRAY\" or \"MAP\")", args[0]);
}

/// NULL when the value is not found beside a NULL element.
Result<Signature> ArrayContains(std::string_view name, std::span<const Argument> args,
                                const Semantics& semantics) {
  const Type& base = args[0].type;
  if (args[1].type.kind() == TypeKind::kVoid) {
    return Mismatch("NULL_TYPE", {{"functionName", fmt::format("`{}`", name)}},
                    "the value looked for is NULL");
  }
  if (base.kind() != TypeKind::kArray) return UnexpectedInputType(0, "\"ARRAY\"", args[0]);
  std::optional<Type> element = TightestCommonType(base.fields()[0].type, args[1].type, RulesOf(semantics));
  if (!element) {
    return Mismatch("ARRAY_FUNCTION_DIFF_TYPES",
                    {{"functionName", fmt::format("`{}`", name)},
                     {"dataType", "\"ARRAY\""},
                     {"leftType", Quoted(base)},
                     {"rightType", Quoted(args[1].type)}},
                    fmt::format("{} needs a value of the array's element type", name));
  }
  if (!IsOrderable(*element)) return NotOrderable(name, *element);
  bool element_nullable = !base.fields()[0].required;
  bool nullable = args[0].nullable || args[1].nullable || element_nullable;
  return Signature{
      {Type::Array(ElementField(*element, element_nullable)), *element}, Type::Boolean(), nullable};
}

Result<Signature> ArrayExtreme(std::string_view name, std::span<const Argument> args, const Semantics&) {
  if (args[0].type.kind() == TypeKind::kVoid) return Signature{{Type::Void()}, Type::Void(), true};
  if (args[0].type.kind() != TypeKind::kArray) return UnexpectedInputType(0, "\"ARRAY\"", args[0]);
  const Type& element = args[0].type.fields()[0].type;
  if (!IsOrderable(element)) return NotOrderable(name, element);
  return Signature{{args[0].type}, element, true};
}

template <size_t kField>
Result<Signature> MapPart(std::string_view, std::span<const Argument> args, const Semantics&) {
  std::optional<Type> map = ImplicitCast(args[0].type, "map");
  if (!map) return UnexpectedInputType(0, "\"MAP\"", args[0]);
  const weir::Field& part = map->fields()[kField];
  return Signature{{*map}, Type::Array(ElementField(part.type, !part.required)), args[0].nullable};
}

constexpr SignatureRule kSize = Typed<"array|map -> int">;

}  // namespace

// struct(...) is resolved to named_struct.
std::span<const Function> CollectionFunctions() {
  static const Function kFunctions[] = {
      {.name = "array", .signature = Array},
      {.name = "map", .signature = Map},
      {.name = "named_struct", .signature = NamedStruct, .min_args = 2},
      {.name = "size", .signature = kSize, .aliases = "cardinality", .min_args = 1, .max_args = 1},
      {.name = "array_size", .signature = Typed<"array -> int">, .min_args = 1, .max_args = 1},
      {.name = "element_at", .signature = ElementAt, .min_args = 2, .max_args = 2},
      {.name = "array_contains", .signature = ArrayContains, .min_args = 2, .max_args = 2},
      {.name = "array_max", .signature = ArrayExtreme, .min_args = 1, .max_args = 1},
      {.name = "array_min", .signature = ArrayExtreme, .min_args = 1, .max_args = 1},
      {.name = "array_distinct", .signature = Typed<"array -> 1">, .min_args = 1, .max_args = 1},
      {.name = "map_keys", .signature = MapPart<0>, .min_args = 1, .max_args = 1},
      {.name = "map_values", .signature = MapPart<1>, .min_args = 1, .max_args = 1},
  };
  return kFunctions;
}

}  // namespace weir
