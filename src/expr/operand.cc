#include "expr/operand.h"

#include "expr/evaluate.h"
#include "expr/outcomes.h"

namespace weir {
namespace {

/// A bound in the expression's own type; file formats may keep the type the file was written with.
std::optional<Scalar> BoundAs(const std::optional<Scalar>& bound, const Type& type) {
  if (!bound || bound->is_null() || bound->is_nan()) return std::nullopt;
  if (bound->type() == type) return bound;
  Result<Scalar> widened = WidenTo(*bound, type);
  if (!widened) return std::nullopt;
  return *std::move(widened);
}

bool IsNan(const std::optional<Scalar>& bound) { return bound && bound->is_nan(); }

Operand OperandOfColumn(const Type& type, const ColumnBounds& column, const Bounds& bounds) {
  Operand operand;
  operand.may_be_null = !column.null_count || *column.null_count > 0;
  const std::optional<uint64_t> count = column.value_count ? column.value_count : bounds.row_count;
  if (column.null_count && count && *column.null_count == *count) operand.may_be_ordinary = false;
  operand.may_be_nan = type.is_floating() && column.may_have_nan && operand.may_be_ordinary;
  // Writers that let a NaN into their bounds cannot be trusted for either.
  if (IsNan(column.lower) || IsNan(column.upper)) {
    operand.may_be_nan = operand.may_be_ordinary;
    return operand;
  }
  operand.lower = BoundAs(column.lower, type);
  operand.upper = BoundAs(column.upper, type);
  if (operand.lower && operand.upper && Compare(*operand.lower, *operand.upper) > 0) {
    operand.lower.reset();
    operand.upper.reset();
  }
  return operand;
}

std::optional<Operand> OperandOfCast(const Cast& cast, const Type& type, const Bounds& bounds) {
  std::optional<Operand> operand = OperandOf(*cast.input, bounds);
  if (!operand) return std::nullopt;
  if (!operand->may_be_value()) return operand;
  const Type& from = cast.input->type();
  if (SameShape(from, type)) return operand;
  if (operand->may_be_nan && !type.is_floating()) return std::nullopt;
  const auto convert = [&](std::optional<Scalar>& end) {
    if (!end) return CastAlwaysFits(from, type);
    Result<Scalar> converted = CastInOrder(*end, type);
    if (converted) end = *std::move(converted);
    return converted.has_value();
  };
  if (!convert(operand->lower) || !convert(operand->upper)) return std::nullopt;
  return operand;
}

Operand OperandOfOutcomes(Outcomes outcomes) {
  Operand operand;
  operand.lower = Scalar::Boolean(!outcomes.CanBe(Outcomes::kFalse));
  operand.upper = Scalar::Boolean(outcomes.CanBe(Outcomes::kTrue));
  operand.may_be_ordinary = outcomes.CanBe(Outcomes::kTrue | Outcomes::kFalse);
  operand.may_be_null = outcomes.CanBe(Outcomes::kNull);
  return operand;
}

}  // namespace

bool Operand::is_single_value() const {
  return may_be_ordinary && !may_be_nan && lower && upper && Compare(*lower, *upper) == 0;
}

Operand OperandOf(const Scalar& literal) {
  Operand operand;
  operand.may_be_null = literal.is_null();
  operand.may_be_nan = literal.is_nan();
  operand.may_be_ordinary = !operand.may_be_null && !operand.may_be_nan;
  if (operand.may_be_ordinary) operand.lower = operand.upper = literal;
  return operand;
}

std::optional<Operand> OperandOf(const Expr& expr, const Bounds& bounds) {
  if (const Scalar* literal = expr.As<Scalar>()) return OperandOf(*literal);
  // The order of nested values is not described by bounds.
  if (expr.type().is_nested()) return std::nullopt;
  if (const ColumnRef* column = expr.As<ColumnRef>()) {
    static const ColumnBounds unknown;
    const ColumnBounds* known = bounds.Find(column->id);
    return OperandOfColumn(expr.type(), known != nullptr ? *known : unknown, bounds);
  }
  if (const Cast* cast = expr.As<Cast>()) return OperandOfCast(*cast, expr.type(), bounds);
  if (expr.type().kind() == TypeKind::kBoolean && expr.As<Call>() != nullptr) {
    return OperandOfOutcomes(Evaluate(expr, bounds));
  }
  return std::nullopt;
}

}  // namespace weir
