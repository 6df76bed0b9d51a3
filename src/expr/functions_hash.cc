#include <algorithm>

#include "expr/signature.h"

namespace weir {
namespace {

bool HasMap(const Type& type) {
  return type.kind() == TypeKind::kMap ||
         std::ranges::any_of(type.fields(), [](const Field& field) { return HasMap(field.type); });
}

/// Hashes of any values but maps, whose order of entries means nothing.
template <ShapeText kResult>
Result<Signature> HashOfAll(std::string_view name, std::span<const Argument> args, const Semantics&) {
  for (const Argument& arg : args) {
    if (HasMap(arg.type)) {
      return Mismatch("HASH_MAP_TYPE", {{"functionName", fmt::format("`{}`", name)}},
                      fmt::format("{} does not take maps", name));
    }
  }
  return ResolveShape(kResult.text, name, args);
}

}  // namespace

std::span<const Function> HashFunctions() {
  static const Function kFunctions[] = {
      {.name = "hash", .signature = HashOfAll<"any, ... -> int!">, .min_args = 1},
      {.name = "xxhash64", .signature = HashOfAll<"any, ... -> bigint!">, .min_args = 1},
      {.name = "md5", .signature = Typed<"binary -> string">, .min_args = 1, .max_args = 1},
      {.name = "sha1",
       .signature = Typed<"binary -> string">,
       .aliases = "sha",
       .min_args = 1,
       .max_args = 1},
      {.name = "sha2", .signature = Typed<"binary, int -> string?">, .min_args = 2, .max_args = 2},
      {.name = "crc32", .signature = Typed<"binary -> bigint">, .min_args = 1, .max_args = 1},
      {.name = "hex", .signature = Typed<"bigint|binary|string -> string">, .min_args = 1, .max_args = 1},
      {.name = "unhex", .signature = Typed<"string -> binary?">, .min_args = 1, .max_args = 1},
      {.name = "base64", .signature = Typed<"binary -> string">, .min_args = 1, .max_args = 1},
      {.name = "unbase64", .signature = Typed<"string -> binary">, .min_args = 1, .max_args = 1},
      {.name = "typeof", .signature = Typed<"any -> string!">, .min_args = 1, .max_args = 1},
      {.name = "uuid",
       .signature = Typed<"-> string!">,
       .deterministic = false,
       .min_args = 0,
       .max_args = 0},
  };
  return kFunctions;
}

}  // namespace weir
