#include "expr/bounds_rules.h"

#include <compare>

#include "expr/like_pattern.h"
#include "expr/operand_bounds.h"

namespace weir {
namespace {

Outcomes Make(bool can_be_true, bool can_be_false, bool can_be_null) {
  return Outcomes(static_cast<uint8_t>((can_be_true ? Outcomes::kTrue : 0) |
                                       (can_be_false ? Outcomes::kFalse : 0) |
                                       (can_be_null ? Outcomes::kNull : 0)));
}

/// True if the order of the operands' values is known. Without values on one side the types do not matter,
/// and NULL may have a type of its own.
bool AreComparable(const Expr& left, const OperandBounds& a, const Expr& right, const OperandBounds& b) {
  return (left.type().kind() == right.type().kind() && !left.type().is_nested()) || !a.may_be_value() ||
         !b.may_be_value();
}

/// Both operands of a comparison; nullopt if either is unknown or the types are not alike.
struct Pair {
  OperandBounds left;
  OperandBounds right;
};
std::optional<Pair> PairOf(const Expr& left, const Expr& right, const Bounds& bounds) {
  std::optional<OperandBounds> a = OperandOf(left, bounds);
  std::optional<OperandBounds> b = OperandOf(right, bounds);
  if (!a || !b || !AreComparable(left, *a, right, *b)) return std::nullopt;
  return Pair{*std::move(a), *std::move(b)};
}

/// True if some value of `a` may be below (or, unless strict, equal to) some value of `b`. NaN is above all.
bool MayBeBelow(const OperandBounds& a, const OperandBounds& b, bool strict) {
  if (!a.may_be_value() || !b.may_be_value()) return false;
  if (!a.may_be_ordinary) return b.may_be_nan && !strict;
  if (b.may_be_nan || !a.lower || !b.upper) return true;
  const std::strong_ordering order = Compare(*a.lower, *b.upper);
  return strict ? std::is_lt(order) : std::is_lteq(order);
}

Outcomes Less(const OperandBounds& a, const OperandBounds& b, bool strict) {
  const bool can_be_false = MayBeBelow(b, a, !strict);
  return Make(MayBeBelow(a, b, strict), can_be_false, a.may_be_null || b.may_be_null);
}

bool MayBeEqual(const OperandBounds& a, const OperandBounds& b) {
  if (a.may_be_nan && b.may_be_nan) return true;
  if (!a.may_be_ordinary || !b.may_be_ordinary) return false;
  return (!a.lower || !b.upper || std::is_lteq(Compare(*a.lower, *b.upper))) &&
         (!b.lower || !a.upper || std::is_lteq(Compare(*b.lower, *a.upper)));
}

bool MayDiffer(const OperandBounds& a, const OperandBounds& b) {
  if (!a.may_be_value() || !b.may_be_value()) return false;
  if (!a.may_be_ordinary && !b.may_be_ordinary) return false;  // only NaNs
  return !a.is_single_value() || !b.is_single_value() || std::is_neq(Compare(*a.lower, *b.lower));
}

Outcomes Equal(const OperandBounds& a, const OperandBounds& b) {
  return Make(MayBeEqual(a, b), MayDiffer(a, b), a.may_be_null || b.may_be_null);
}

Outcomes Ordering(const Expr& left, const Expr& right, const Bounds& bounds, bool strict) {
  const std::optional<Pair> pair = PairOf(left, right, bounds);
  return pair ? Less(pair->left, pair->right, strict) : Outcomes::All();
}

/// The outcomes of "starts with `prefix`".
Outcomes StartsWith(const OperandBounds& text, std::string_view prefix) {
  bool can_be_true = text.may_be_ordinary;
  bool can_be_false = text.may_be_ordinary && !prefix.empty();
  const auto starts = [&](const std::optional<Scalar>& end) {
    return end && end->text().starts_with(prefix);
  };
  if (text.upper && text.upper->text() < prefix) can_be_true = false;
  if (text.lower && std::string_view(text.lower->text()).substr(0, prefix.size()) > prefix)
    can_be_true = false;
  // What lies between two texts with the prefix has it too.
  if (starts(text.lower) && starts(text.upper)) can_be_false = false;
  return Make(can_be_true, can_be_false, text.may_be_null);
}

/// The value of a literal of type string; null if it is anything else.
const Scalar* TextLiteral(const ExprPtr& expr) {
  const Scalar* literal = expr->As<Scalar>();
  return literal != nullptr && (literal->is_null() || literal->type().kind() == TypeKind::kString) ? literal
                                                                                                   : nullptr;
}

/// Outcomes over the first argument, a text, given by `rule`; All() if nothing is known about it.
template <typename Rule>
Outcomes OverText(const Call& call, const Bounds& bounds, const Rule& rule) {
  const std::optional<OperandBounds> text = OperandOf(*call.args[0], bounds);
  if (!text || (text->may_be_value() && call.args[0]->type().kind() != TypeKind::kString))
    return Outcomes::All();
  return rule(*text);
}

}  // namespace

Outcomes EqualBounds(const Call& call, const Bounds& bounds) {
  const std::optional<Pair> pair = PairOf(*call.args[0], *call.args[1], bounds);
  return pair ? Equal(pair->left, pair->right) : Outcomes::All();
}

Outcomes NullSafeEqualBounds(const Call& call, const Bounds& bounds) {
  const std::optional<Pair> pair = PairOf(*call.args[0], *call.args[1], bounds);
  if (!pair) return Outcomes::All();
  const auto& [a, b] = *pair;
  return Make(MayBeEqual(a, b) || (a.may_be_null && b.may_be_null),
              MayDiffer(a, b) || (a.may_be_null && b.may_be_value()) || (b.may_be_null && a.may_be_value()),
              false);
}

Outcomes LessBounds(const Call& call, const Bounds& bounds) {
  return Ordering(*call.args[0], *call.args[1], bounds, true);
}
Outcomes LessOrEqualBounds(const Call& call, const Bounds& bounds) {
  return Ordering(*call.args[0], *call.args[1], bounds, false);
}
Outcomes GreaterBounds(const Call& call, const Bounds& bounds) {
  return Ordering(*call.args[1], *call.args[0], bounds, true);
}
Outcomes GreaterOrEqualBounds(const Call& call, const Bounds& bounds) {
  return Ordering(*call.args[1], *call.args[0], bounds, false);
}

Outcomes InBounds(const Call& call, const Bounds& bounds) {
  const std::optional<OperandBounds> value = OperandOf(*call.args[0], bounds);
  if (!value) return Outcomes::All();
  Outcomes any(Outcomes::kFalse);
  for (size_t i = 1; i < call.args.size() && any != Outcomes::All(); ++i) {
    const std::optional<OperandBounds> item = OperandOf(*call.args[i], bounds);
    if (!item || !AreComparable(*call.args[0], *value, *call.args[i], *item)) return Outcomes::All();
    any = Or(any, Equal(*value, *item));
  }
  return any;
}

Outcomes AndBounds(const Call& call, const Bounds& bounds) {
  return And(Evaluate(*call.args[0], bounds), Evaluate(*call.args[1], bounds));
}
Outcomes OrBounds(const Call& call, const Bounds& bounds) {
  return Or(Evaluate(*call.args[0], bounds), Evaluate(*call.args[1], bounds));
}
Outcomes NotBounds(const Call& call, const Bounds& bounds) { return Not(Evaluate(*call.args[0], bounds)); }

Outcomes IsNullBounds(const Call& call, const Bounds& bounds) {
  const std::optional<OperandBounds> operand = OperandOf(*call.args[0], bounds);
  return operand ? Make(operand->may_be_null, operand->may_be_value(), false) : Outcomes::All();
}
Outcomes IsNotNullBounds(const Call& call, const Bounds& bounds) { return Not(IsNullBounds(call, bounds)); }

Outcomes IsNanBounds(const Call& call, const Bounds& bounds) {
  const std::optional<OperandBounds> operand = OperandOf(*call.args[0], bounds);
  if (!operand) return Outcomes::All();
  return Make(operand->may_be_nan, operand->may_be_ordinary || operand->may_be_null, false);
}

Outcomes StartsWithBounds(const Call& call, const Bounds& bounds) {
  const Scalar* prefix = TextLiteral(call.args[1]);
  if (prefix == nullptr) return Outcomes::All();
  return OverText(call, bounds, [&](const OperandBounds& text) {
    return prefix->is_null() ? Outcomes(Outcomes::kNull) : StartsWith(text, prefix->text());
  });
}

Outcomes LikeBounds(const Call& call, const Bounds& bounds) {
  const Scalar* pattern = TextLiteral(call.args[1]);
  const Scalar* escape = call.args.size() > 2 ? TextLiteral(call.args[2]) : nullptr;
  if (pattern == nullptr || (call.args.size() > 2 && escape == nullptr)) return Outcomes::All();
  if (escape != nullptr && (escape->is_null() || escape->text().size() != 1)) return Outcomes::All();
  return OverText(call, bounds, [&](const OperandBounds& text) {
    if (pattern->is_null()) return Outcomes(Outcomes::kNull);
    const Result<LikePattern> like =
        LikePattern::Parse(pattern->text(), escape != nullptr ? escape->text()[0] : '\\');
    if (!like) return Outcomes::All();
    if (like->is_exact()) return Equal(text, OperandOf(Scalar::String(like->prefix())));
    const Outcomes starts = StartsWith(text, like->prefix());
    return like->is_prefix() ? starts
                             : Make(starts.CanBe(Outcomes::kTrue), text.may_be_ordinary, text.may_be_null);
  });
}

}  // namespace weir
