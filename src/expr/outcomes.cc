#include "expr/outcomes.h"

#include "expr/operand_bounds.h"

namespace weir {
namespace {

constexpr uint8_t If(bool condition, uint8_t outcome) { return condition ? outcome : 0; }

}  // namespace

Outcomes Not(Outcomes a) {
  return Outcomes(static_cast<uint8_t>(If(a.CanBe(Outcomes::kTrue), Outcomes::kFalse) |
                                       If(a.CanBe(Outcomes::kFalse), Outcomes::kTrue) |
                                       (a.bits() & Outcomes::kNull)));
}

Outcomes And(Outcomes a, Outcomes b) {
  constexpr uint8_t kNotFalse = Outcomes::kTrue | Outcomes::kNull;
  const bool can_be_false = (a.CanBe(Outcomes::kFalse) && b != Outcomes::None()) ||
                            (b.CanBe(Outcomes::kFalse) && a != Outcomes::None());
  const bool can_be_null =
      (a.CanBe(Outcomes::kNull) && b.CanBe(kNotFalse)) || (b.CanBe(Outcomes::kNull) && a.CanBe(kNotFalse));
  return Outcomes(static_cast<uint8_t>((a.bits() & b.bits() & Outcomes::kTrue) |
                                       If(can_be_false, Outcomes::kFalse) |
                                       If(can_be_null, Outcomes::kNull)));
}

Outcomes Or(Outcomes a, Outcomes b) { return Not(And(Not(a), Not(b))); }

Outcomes Evaluate(const Expr& predicate, const Bounds& bounds) {
  if (bounds.row_count == uint64_t{0}) return Outcomes::None();
  if (const Call* call = predicate.As<Call>()) {
    return call->function->bounds == nullptr ? Outcomes::All() : call->function->bounds(*call, bounds);
  }
  const std::optional<OperandBounds> operand = OperandOf(predicate, bounds);
  const bool is_boolean = predicate.type().kind() == TypeKind::kBoolean;
  // A NULL literal may still have the type of NULL.
  if (!operand || !(is_boolean || !operand->may_be_value())) return Outcomes::All();
  const bool can_be_true = operand->may_be_ordinary && (!operand->upper || operand->upper->boolean());
  const bool can_be_false = operand->may_be_ordinary && (!operand->lower || !operand->lower->boolean());
  return Outcomes(static_cast<uint8_t>(If(can_be_true, Outcomes::kTrue) | If(can_be_false, Outcomes::kFalse) |
                                       If(operand->may_be_null, Outcomes::kNull)));
}

}  // namespace weir
