#include "expr/signature.h"

#include "base/ascii.h"
#include "expr/expr.h"

namespace weir {
namespace {

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Cuts the text before the first separator off `rest`.
std::string_view TakeUntil(std::string_view& rest, std::string_view separator) {
  size_t at = rest.find(separator);
  std::string_view head = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + separator.size());
  return Trimmed(head);
}

std::optional<Type> NamedType(std::string_view name) {
  auto parsed = ParseType(name);
  return parsed ? std::optional<Type>(*std::move(parsed)) : std::nullopt;
}

bool Accepts(std::string_view expected, const Type& type) {
  if (expected == "any") return true;
  if (expected == "orderable") return true;
  if (expected == "numeric") return type.is_numeric();
  if (expected == "integral") return type.is_integral();
  if (expected == "decimal") return type.kind() == TypeKind::kDecimal;
  if (expected == "array") return type.kind() == TypeKind::kArray;
  if (expected == "map") return type.kind() == TypeKind::kMap;
  if (expected == "anytimestamp") {
    return type.kind() == TypeKind::kTimestamp || type.kind() == TypeKind::kTimestampNtz;
  }
  std::optional<Type> named = NamedType(expected);
  return named && *named == type;
}

/// The type that stands for a class of types when a cast must name one.
std::optional<Type> Concrete(std::string_view expected) {
  if (expected == "numeric") return Type::Double();
  if (expected == "integral") return Type::Int();
  if (expected == "decimal") return Type::Decimal(10, 0);
  if (expected == "anytimestamp") return Type::Timestamp();
  if (expected == "array") return Type::Array({{}, "element", Type::Void(), false, {}});
  if (expected == "map")
    return Type::Map({{}, "key", Type::Void(), true, {}}, {{}, "value", Type::Void(), false, {}});
  return NamedType(expected);
}

std::optional<Type> CastToOne(const Type& from, std::string_view expected) {
  if (Accepts(expected, from)) return from;
  bool abstract_integral = expected == "integral";
  if (abstract_integral && (from.is_floating() || from.kind() == TypeKind::kDecimal)) return std::nullopt;
  if (expected == "decimal" && from.is_numeric()) return DecimalOf(from);
  std::optional<Type> target = Concrete(expected);
  if (!target) return std::nullopt;
  if (from.kind() == TypeKind::kString && !abstract_integral && !target->is_nested()) return target;
  return CanStoreAssign(from, *target) ? target : std::nullopt;
}

/// Spark's name of a shape's argument type: "STRING" or ("STRING" or "BINARY"), with the double quotes.
std::string RequiredText(std::string_view expected) {
  std::string text;
  size_t count = 0;
  for (std::string_view rest = expected; !rest.empty(); ++count) {
    std::string_view one = TakeUntil(rest, "|");
    std::string name;
    if (one == "anytimestamp") {
      name = "(TIMESTAMP OR TIMESTAMP WITHOUT TIME ZONE)";
    } else if (std::optional<Type> type = NamedType(one); type && one != "decimal") {
      name = type->ToSql();
    } else {
      name = AsciiUpper(one);
    }
    text += (count == 0 ? "\"" : " or \"") + name + "\"";
  }
  return count > 1 ? "(" + text + ")" : text;
}

struct ResultText {
  std::string_view type;
  char null_mark = ' ';
};

ResultText ParseResult(std::string_view text) {
  text = Trimmed(text);
  char last = text.back();
  if (last != '!' && last != '?') return {text};
  return {text.substr(0, text.size() - 1), last};
}

}  // namespace

std::optional<Type> ImplicitCast(const Type& from, std::string_view expected) {
  for (std::string_view rest = expected; !rest.empty();) {
    if (Accepts(TakeUntil(rest, "|"), from)) return from;
  }
  for (std::string_view rest = expected; !rest.empty();) {
    if (auto type = CastToOne(from, TakeUntil(rest, "|"))) return type;
  }
  return std::nullopt;
}

bool NullableAs(const Argument& arg, const Type& type) {
  return arg.nullable || CastForcesNullable(arg.type, type);
}

Signature Coerced(std::span<const Argument> args, std::vector<Type> types, Type result) {
  bool nullable = false;
  for (size_t i = 0; i < args.size(); ++i) nullable = nullable || NullableAs(args[i], types[i]);
  return {std::move(types), std::move(result), nullable};
}

std::vector<Type> TypesOf(std::span<const Argument> args) {
  std::vector<Type> types;
  for (const Argument& arg : args) types.push_back(arg.type);
  return types;
}

const Scalar* LiteralOf(const Argument& arg) {
  return arg.expr == nullptr ? nullptr : arg.expr->As<Scalar>();
}

Result<Signature> ResolveShape(std::string_view shape, std::string_view name,
                               std::span<const Argument> args) {
  std::string_view rest = shape;
  std::string_view expected_list = TakeUntil(rest, "->");
  ResultText result_text = ParseResult(rest);
  std::vector<Type> types;
  std::string_view expected;
  for (size_t i = 0; i < args.size(); ++i) {
    if (!expected_list.empty() && Trimmed(expected_list) != "...") expected = TakeUntil(expected_list, ",");
    std::optional<Type> type = ImplicitCast(args[i].type, expected);
    if (!type) return UnexpectedInputType(i, RequiredText(expected), args[i]);
    if (expected == "orderable" && !IsOrderable(*type)) return NotOrderable(name, *type);
    types.push_back(*std::move(type));
  }
  char first = result_text.type.front();
  Type result;
  if (first >= '1' && first <= '9') {
    result = types.at(static_cast<size_t>(first - '1'));
  } else {
    WEIR_TRY(result, ParseType(result_text.type));
  }
  Signature signature = Coerced(args, std::move(types), std::move(result));
  if (result_text.null_mark == '!') signature.nullable = false;
  if (result_text.null_mark == '?') signature.nullable = true;
  return signature;
}

}  // namespace weir
