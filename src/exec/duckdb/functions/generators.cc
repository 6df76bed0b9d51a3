#include "exec/duckdb/functions/generators.h"

#include "exec/duckdb/types.h"

namespace weir::exec {

namespace {

using duckdb::ExpressionType;
using duckdb::LogicalType;
using duckdb::Value;

ParsedPtr Unnested(size_t i) { return ColumnNamed("u" + std::to_string(i)); }

/// Where nothing would come out, one NULL of each list comes out.
ParsedPtr OneNullIfEmpty(const ParsedPtr& size, ParsedPtr list) {
  ParsedPtr empty = CompareOf(
      ExpressionType::COMPARE_EQUAL,
      OperatorOf(ExpressionType::OPERATOR_COALESCE, ListOf(size->Copy(), Constant(Value::BIGINT(0)))),
      Constant(Value::BIGINT(0)));
  return IfElse(std::move(empty), CallOf("list_value", ListOf(Constant(Value()))), std::move(list));
}

/// explode and posexplode of an array or a map, and inline.
UnnestedLists Elements(const Type& type, std::string_view name, ParsedPtr collection) {
  UnnestedLists result;
  result.inputs.emplace_back("collection", std::move(collection));
  const auto input = [] { return ColumnNamed("collection"); };
  const bool map = type.kind() == TypeKind::kMap;
  if (name.starts_with("pos")) {
    ParsedPtr size = CallOf(map ? "cardinality" : "len", ListOf(input()));
    result.lists.push_back(CallOf("range", ListOf(CastTo(LogicalType::BIGINT, std::move(size)))));
    result.columns.push_back(CastTo(LogicalType::INTEGER, Unnested(0)));
  }
  if (map) {
    for (const char* part : {"map_keys", "map_values"}) {
      result.columns.push_back(Unnested(result.lists.size()));
      result.lists.push_back(CallOf(part, ListOf(input())));
    }
    return result;
  }
  if (name.starts_with("inline")) {
    for (size_t i = 0; i < type.fields()[0].type.fields().size(); ++i) {
      result.columns.push_back(CallOf(
          "struct_extract_at", ListOf(Unnested(0), Constant(Value::BIGINT(static_cast<int64_t>(i) + 1)))));
    }
  } else {
    result.columns.push_back(Unnested(result.lists.size()));
  }
  result.lists.push_back(input());
  return result;
}

/// One list per column; the last row is filled up with NULLs.
Result<UnnestedLists> Stack(Lowering& lowering, const Call& generator) {
  UnnestedLists result;
  const size_t values = generator.args.size() - 1;
  const auto height = static_cast<size_t>(generator.args[0]->As<Scalar>()->integer());
  const size_t width = (values + height - 1) / height;
  for (size_t column = 0; column < width; ++column) {
    WEIR_TRY(LogicalType type, ToDuckType(generator.args[1 + column]->type()));
    ParsedList list;
    for (size_t row = 0; row < height; ++row) {
      const size_t i = row * width + column;
      ParsedPtr value = Constant(Value(type));
      if (i < values) {
        WEIR_TRY(value, lowering.Expression(generator.args[1 + i]));
      }
      list.push_back(std::move(value));
    }
    result.columns.push_back(Unnested(column));
    result.lists.push_back(CallOf("list_value", std::move(list)));
  }
  return result;
}

}  // namespace

Result<UnnestedLists> ListsOf(Lowering& lowering, const Call& generator, bool outer) {
  const std::string_view name = generator.function->name;
  if (name == "stack") return Stack(lowering, generator);
  const bool known =
      name.starts_with("explode") || name.starts_with("posexplode") || name.starts_with("inline");
  if (!known) return Unsupported("generator {} cannot be run", name);
  const Type& type = generator.args[0]->type();
  WEIR_TRY(ParsedPtr collection, lowering.Expression(generator.args[0]));
  UnnestedLists result = Elements(type, name, std::move(collection));
  if (!outer) return result;
  const bool map = type.kind() == TypeKind::kMap;
  const ParsedPtr size =
      CastTo(LogicalType::BIGINT, CallOf(map ? "cardinality" : "len", ListOf(ColumnNamed("collection"))));
  for (ParsedPtr& list : result.lists) list = OneNullIfEmpty(size, std::move(list));
  return result;
}

}  // namespace weir::exec
