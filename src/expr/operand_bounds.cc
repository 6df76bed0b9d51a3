#include "expr/operand_bounds.h"

#include "expr/evaluate.h"
#include "expr/outcomes.h"
#include "type/calendar.h"

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

OperandBounds ColumnOperand(const Type& type, const ColumnBounds& column, const Bounds& bounds) {
  OperandBounds operand;
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
  if (operand.lower && operand.upper && std::is_gt(Compare(*operand.lower, *operand.upper))) {
    operand.lower.reset();
    operand.upper.reset();
  }
  return operand;
}

bool IsCalendar(const Type& type) {
  return type.kind() == TypeKind::kDate || type.kind() == TypeKind::kTimestamp ||
         type.kind() == TypeKind::kTimestampNtz;
}

/// One end of a cast between date and timestamps, moved by `shift` before days are cut off.
std::optional<Scalar> CalendarEnd(const Scalar& end, const Type& type, int64_t shift_micros) {
  const int64_t unit = end.type().kind() == TypeKind::kDate ? kMicrosPerDay : 1;
  const Int128 micros = Int128{end.integer()} * unit + shift_micros;
  const auto in_64_bits = static_cast<int64_t>(micros);
  if (in_64_bits != micros) return std::nullopt;
  if (type.kind() != TypeKind::kDate) return Scalar(type, in_64_bits);
  return Scalar(type, FloorDiv(in_64_bits, kMicrosPerDay));
}

std::optional<Scalar> CastEnd(const Scalar& end, const Type& type, int64_t shift_micros) {
  if (IsCalendar(end.type()) && IsCalendar(type)) return CalendarEnd(end, type, shift_micros);
  Result<Scalar> converted = CastInOrder(end, type);
  if (!converted) return std::nullopt;
  return *std::move(converted);
}

/// How far the session's time zone, which is not known here, may move a value: no zone is further from UTC.
int64_t ZoneSlackMicros(const Type& from, const Type& to) {
  const bool is_instant = from.kind() == TypeKind::kTimestamp;
  const bool becomes_instant = to.kind() == TypeKind::kTimestamp;
  return is_instant != becomes_instant ? 18 * kMicrosPerHour : 0;
}

std::optional<OperandBounds> CastOperand(const Cast& cast, const Type& type, const Bounds& bounds) {
  std::optional<OperandBounds> operand = OperandOf(*cast.input, bounds);
  if (!operand) return std::nullopt;
  if (!operand->may_be_value()) return operand;
  const Type& from = cast.input->type();
  if (SameShape(from, type)) return operand;
  if (operand->may_be_nan && !type.is_floating()) return std::nullopt;
  const bool always_fits = CastAlwaysFits(from, type) || (IsCalendar(from) && type.kind() == TypeKind::kDate);
  const int64_t slack = ZoneSlackMicros(from, type);
  const auto convert = [&](std::optional<Scalar>& end, int64_t shift_micros) {
    const bool was_known = end.has_value();
    if (was_known) end = CastEnd(*end, type, shift_micros);
    return always_fits || (was_known && end);
  };
  if (!convert(operand->lower, -slack) || !convert(operand->upper, slack)) return std::nullopt;
  return operand;
}

OperandBounds BooleanOperand(Outcomes outcomes) {
  OperandBounds operand;
  operand.lower = Scalar::Boolean(!outcomes.CanBe(Outcomes::kFalse));
  operand.upper = Scalar::Boolean(outcomes.CanBe(Outcomes::kTrue));
  operand.may_be_ordinary = outcomes.CanBe(Outcomes::kTrue | Outcomes::kFalse);
  operand.may_be_null = outcomes.CanBe(Outcomes::kNull);
  return operand;
}

}  // namespace

bool OperandBounds::is_single_value() const {
  return may_be_ordinary && !may_be_nan && lower && upper && std::is_eq(Compare(*lower, *upper));
}

OperandBounds OperandOf(const Scalar& literal) {
  OperandBounds operand;
  operand.may_be_null = literal.is_null();
  operand.may_be_nan = literal.is_nan();
  operand.may_be_ordinary = !operand.may_be_null && !operand.may_be_nan;
  if (operand.may_be_ordinary) operand.lower = operand.upper = literal;
  return operand;
}

std::optional<OperandBounds> OperandOf(const Expr& expr, const Bounds& bounds) {
  if (const Scalar* literal = expr.As<Scalar>()) return OperandOf(*literal);
  // The order of nested values is not described by bounds.
  if (expr.type().is_nested()) return std::nullopt;
  if (const ColumnRef* column = expr.As<ColumnRef>()) {
    static const ColumnBounds unknown;
    const ColumnBounds* known = bounds.Find(column->id);
    return ColumnOperand(expr.type(), known != nullptr ? *known : unknown, bounds);
  }
  if (const Cast* cast = expr.As<Cast>()) return CastOperand(*cast, expr.type(), bounds);
  if (expr.type().kind() == TypeKind::kBoolean && expr.As<Call>() != nullptr) {
    return BooleanOperand(Evaluate(expr, bounds));
  }
  return std::nullopt;
}

}  // namespace weir
