#include "exec/duckdb/lower_cast.h"

#include "exec/duckdb/types.h"
#include "type/integral.h"

namespace weir::exec {

namespace {

int IntegralRank(const Type& type) {
  return static_cast<int>(type.kind()) - static_cast<int>(TypeKind::kByte);
}

/// Casts whose DuckDB meaning equals Spark's for every value.
bool IsNative(const Type& from, const Type& to) {
  const TypeKind target = to.kind();
  if (from.is_integral()) {
    if (to.is_integral()) return IntegralRank(to) >= IntegralRank(from);
    if (to.is_floating() || target == TypeKind::kString) return true;
    return target == TypeKind::kDecimal && to.precision() - to.scale() >= IntegralDigits(from.kind());
  }
  switch (from.kind()) {
    case TypeKind::kBoolean:
      return to.is_integral() || to.is_floating() || target == TypeKind::kString;
    case TypeKind::kFloat:
      return target == TypeKind::kDouble;
    case TypeKind::kDate:
      return target == TypeKind::kTimestampNtz;
    case TypeKind::kDecimal:
      return target == TypeKind::kDecimal && to.scale() >= from.scale() &&
             to.precision() - to.scale() >= from.precision() - from.scale();
    default:
      return false;
  }
}

/// The type as a kernel reads it: names of members may hold anything, and a cast goes by position.
Type Nameless(const Type& type) {
  if (!type.is_nested()) return type;
  std::vector<Field> fields;
  for (const Field& field : type.fields()) {
    fields.push_back({.id = {},
                      .name = fmt::format("m{}", fields.size()),
                      .type = Nameless(field.type),
                      .required = false,
                      .doc = {}});
  }
  if (type.kind() == TypeKind::kStruct) return Type::Struct(std::move(fields));
  if (type.kind() == TypeKind::kMap) return Type::Map(std::move(fields[0]), std::move(fields[1]));
  return Type::Array(std::move(fields[0]));
}

const char* ModeText(CastMode mode) {
  switch (mode) {
    case CastMode::kLegacy:
      return "legacy";
    case CastMode::kTry:
      return "try";
    case CastMode::kStore:
      return "store";
    default:
      return "ansi";
  }
}

}  // namespace

Result<ParsedPtr> LowerCast(Lowering& lowering, ParsedPtr input, const Type& from, const Type& to,
                            CastMode mode, const std::string& column) {
  WEIR_TRY(duckdb::LogicalType target, ToDuckType(to));
  WEIR_TRY(duckdb::LogicalType source, ToDuckType(from));
  if (SameShape(from, to) && source == target) return input;
  if (from.kind() == TypeKind::kVoid) {
    return IfElse(Constant(duckdb::Value::BOOLEAN(true)), TypeMarker(target), TypeMarker(target));
  }
  if (IsNative(from, to)) return CastTo(target, std::move(input));
  return CallOf("weir_cast", ListOf(std::move(input), Constant(duckdb::Value(ModeText(mode))),
                                    Constant(duckdb::Value(Nameless(from).ToString())),
                                    Constant(duckdb::Value(Nameless(to).ToString())),
                                    Constant(duckdb::Value(lowering.semantics().time_zone)),
                                    Constant(duckdb::Value(column)), TypeMarker(target)));
}

}  // namespace weir::exec
