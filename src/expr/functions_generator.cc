#include "expr/expr.h"
#include "expr/signature.h"

namespace weir {
namespace {

/// The column is nullable if its field is, or if the generator makes a row of NULLs out of nothing.
Field ColumnField(std::string name, const Type& type, bool nullable) {
  return {{}, std::move(name), type, !nullable, {}};
}

Signature Columns(std::span<const Argument> args, std::vector<Field> columns) {
  return Signature{TypesOf(args), Type::Struct(std::move(columns)), false};
}

/// The elements of an array, or the keys and values of a map.
Result<Signature> Explode(std::string_view name, std::span<const Argument> args, const Semantics&) {
  const Type& type = args[0].type;
  const bool outer = name.ends_with("_outer");
  std::vector<Field> columns;
  if (name.starts_with("pos")) columns.push_back(ColumnField("pos", Type::Int(), outer));
  if (type.kind() == TypeKind::kArray) {
    const Field& element = type.fields()[0];
    columns.push_back(ColumnField("col", element.type, outer || !element.required));
  } else if (type.kind() == TypeKind::kMap) {
    columns.push_back(ColumnField("key", type.fields()[0].type, outer));
    columns.push_back(ColumnField("value", type.fields()[1].type, outer || !type.fields()[1].required));
  } else {
    return UnexpectedInputType(0, "(\"ARRAY\" or \"MAP\")", args[0]);
  }
  return Columns(args, std::move(columns));
}

/// The members of the structs of an array.
Result<Signature> Inline(std::string_view name, std::span<const Argument> args, const Semantics&) {
  const Type& type = args[0].type;
  if (type.kind() != TypeKind::kArray || type.fields()[0].type.kind() != TypeKind::kStruct)
    return UnexpectedInputType(0, "\"ARRAY<STRUCT>\"", args[0]);
  const Field& element = type.fields()[0];
  std::vector<Field> columns;
  for (const Field& member : element.type.fields()) {
    const bool nullable = name.ends_with("_outer") || !element.required || !member.required;
    columns.push_back(ColumnField(member.name, member.type, nullable));
  }
  return Columns(args, std::move(columns));
}

/// stack(n, a, b, ..): n rows, filled from left to right.
Result<Signature> Stack(std::string_view, std::span<const Argument> args, const Semantics&) {
  const Scalar* rows = LiteralOf(args[0]);
  if (rows == nullptr && args[0].expr != nullptr && ColumnsOf(*args[0].expr).empty())
    return Unsupported("stack with a number of rows that is not a literal is not implemented");
  if (rows == nullptr) return NotConstant("n", Type::Int(), args[0]);
  if (rows->type().kind() != TypeKind::kInt) return UnexpectedInputType(0, "\"INT\"", args[0]);
  const int64_t count = rows->is_null() ? 0 : rows->integer();
  if (count < 1) {
    return Mismatch(
        "VALUE_OUT_OF_RANGE",
        {{"exprName", "`n`"}, {"valueRange", "(0, 2147483647]"}, {"currentValue", std::to_string(count)}},
        fmt::format("stack makes at least one row, found {}", count));
  }
  const size_t values = args.size() - 1, height = static_cast<size_t>(count);
  const size_t width = (values + height - 1) / height;
  std::vector<Field> columns;
  std::vector<Type> types = {Type::Int()};
  for (size_t i = 0; i < values; ++i) {
    const Type& type = args[1 + i].type;
    if (i < width) columns.push_back(ColumnField(fmt::format("col{}", i), type, true));
    Type& column = columns[i % width].type;
    if (column.kind() == TypeKind::kVoid) column = type;
    if (type.kind() == TypeKind::kVoid || SameShape(type, column)) continue;
    return Mismatch("STACK_COLUMN_DIFF_TYPES",
                    {{"columnIndex", std::to_string(i % width)},
                     {"leftParamIndex", std::to_string(i % width + 1)},
                     {"leftType", Quoted(column)},
                     {"rightParamIndex", std::to_string(i + 1)},
                     {"rightType", Quoted(type)}},
                    fmt::format("column {} of stack has values of types {} and {}", i % width, Quoted(column),
                                Quoted(type)));
  }
  for (size_t i = 0; i < values; ++i) types.push_back(columns[i % width].type);
  return Signature{std::move(types), Type::Struct(std::move(columns)), false};
}

Function Make(std::string_view name, SignatureRule rule, int min_args = 1, int max_args = 1) {
  return {.name = name,
          .kind = FunctionKind::kGenerator,
          .signature = rule,
          .min_args = min_args,
          .max_args = max_args};
}

}  // namespace

std::span<const Function> GeneratorFunctions() {
  static const Function kFunctions[] = {
      Make("explode", Explode),
      Make("explode_outer", Explode),
      Make("posexplode", Explode),
      Make("posexplode_outer", Explode),
      Make("inline", Inline),
      Make("inline_outer", Inline),
      Make("stack", Stack, 2, Function::kAnyNumber),
  };
  return kFunctions;
}

}  // namespace weir
