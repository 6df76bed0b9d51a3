#include "ops/key_derivation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "type/calendar.h"
#include "type/integral.h"
#include "type/scalar.h"

namespace weir::ops {
namespace {

std::unordered_map<ColumnId, size_t> PositionsOf(const plan::WriteTarget& target) {
  std::unordered_map<ColumnId, size_t> positions;
  for (size_t i = 0; i < target.columns.size(); ++i) positions.emplace(target.columns[i].id, i);
  return positions;
}

bool StoredAsComputed(const plan::WriteTarget& target, size_t column) {
  const Type& stored = target.snapshot->schema.fields[column].type;
  return SparkType(stored) == stored;
}

/// True if different values stay different and keep their order and value: only then does equality after the
/// cast say everything about equality before it.
bool IsLosslessWidening(const Type& from, const Type& to) {
  if (from == to) return true;
  if (from.is_integral() && to.is_integral()) return from.kind() < to.kind();
  if (from.is_integral() && to.kind() == TypeKind::kDecimal) {
    return to.precision() - to.scale() >= IntegralDigits(from.kind());
  }
  // A double holds every int and a float every short; a long does not fit a double.
  if (from.is_integral() && to.kind() == TypeKind::kDouble) return from.kind() != TypeKind::kLong;
  if (from.is_integral() && to.kind() == TypeKind::kFloat) return from.kind() <= TypeKind::kShort;
  if (from.kind() == TypeKind::kFloat && to.kind() == TypeKind::kDouble) return true;
  if (from.kind() == TypeKind::kDecimal && to.kind() == TypeKind::kDecimal) {
    return to.scale() >= from.scale() && to.precision() - to.scale() >= from.precision() - from.scale();
  }
  return from.kind() == TypeKind::kDate && to.kind() == TypeKind::kTimestampNtz;
}

std::pair<int64_t, int64_t> IntegralRange(TypeKind kind) {
  switch (kind) {
    case TypeKind::kByte:
      return {std::numeric_limits<int8_t>::min(), std::numeric_limits<int8_t>::max()};
    case TypeKind::kShort:
      return {std::numeric_limits<int16_t>::min(), std::numeric_limits<int16_t>::max()};
    case TypeKind::kInt:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
    default:
      return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  }
}

std::optional<Scalar> IntegralOf(Int128 value, const Type& type) {
  const auto [low, high] = IntegralRange(type.kind());
  if (value < low || value > high) return std::nullopt;
  return Scalar(type, static_cast<int64_t>(value));
}

std::optional<Scalar> IntegralOf(double value, const Type& type) {
  // 2^31 and below is exact in a double, so the comparison is too.
  const auto [low, high] = IntegralRange(type.kind());
  if (!(value >= static_cast<double>(low) && value <= static_cast<double>(high))) return std::nullopt;
  if (value != std::trunc(value)) return std::nullopt;
  return Scalar(type, static_cast<int64_t>(value));
}

std::optional<Scalar> Rescaled(Int128 unscaled, int from_scale, const Type& to) {
  const Int128 factor = PowerOfTen(from_scale - to.scale());
  if (unscaled % factor != 0) return std::nullopt;
  const Int128 value = unscaled / factor;
  const Int128 limit = PowerOfTen(to.precision());
  if (value >= limit || value <= -limit) return std::nullopt;
  return Scalar(to, value);
}

/// One step back through a lossless widening from `type` to the type of `value`.
std::optional<Scalar> NarrowOnce(const Scalar& value, const Type& type) {
  const Type& from = value.type();
  if (from == type) return value;
  switch (from.kind()) {
    case TypeKind::kFloat:
      return IntegralOf(static_cast<double>(value.float32()), type);
    case TypeKind::kDouble: {
      if (type.is_integral()) return IntegralOf(value.float64(), type);
      const auto narrow = static_cast<float>(value.float64());
      if (!std::isnan(narrow) && static_cast<double>(narrow) != value.float64()) return std::nullopt;
      return Scalar::Float(narrow);
    }
    case TypeKind::kDecimal: {
      if (type.kind() == TypeKind::kDecimal) return Rescaled(value.unscaled(), from.scale(), type);
      const Int128 factor = PowerOfTen(from.scale());
      if (value.unscaled() % factor != 0) return std::nullopt;
      return IntegralOf(value.unscaled() / factor, type);
    }
    case TypeKind::kTimestampNtz: {
      if (value.integer() % kMicrosPerDay != 0) return std::nullopt;
      return Scalar(type, value.integer() / kMicrosPerDay);
    }
    default:
      return IntegralOf(static_cast<Int128>(value.integer()), type);
  }
}

struct WidenedColumn {
  size_t column;
  std::vector<Type> widened;
};

/// The target column behind lossless widenings, or the reason why there is none.
std::optional<WidenedColumn> StripWidenings(const ExprPtr& side, const plan::WriteTarget& target,
                                            const std::unordered_map<ColumnId, size_t>& positions,
                                            std::string& reason) {
  std::vector<Type> widened;
  const Expr* expr = side.get();
  while (const auto* cast = expr->As<Cast>()) {
    if (!IsLosslessWidening(cast->input->type(), expr->type())) {
      reason = "the cast of the target column to " + expr->type().ToSql() + " loses values";
      return std::nullopt;
    }
    if (!(cast->input->type() == expr->type())) widened.push_back(expr->type());
    expr = cast->input.get();
  }
  const auto* column = expr->As<ColumnRef>();
  if (column == nullptr) {
    reason = "the target side is not a column";
    return std::nullopt;
  }
  const size_t position = positions.at(column->id);
  if (!StoredAsComputed(target, position) || expr->type().is_nested()) {
    reason = "keys of type " + expr->type().ToSql() + " are not used";
    return std::nullopt;
  }
  std::reverse(widened.begin(), widened.end());
  return WidenedColumn{position, std::move(widened)};
}

class Splitter {
 public:
  Splitter(const plan::WriteTarget& target) : target_(target), positions_(PositionsOf(target)) {}

  OnCondition Split(const ExprPtr& condition) {
    for (const ExprPtr& conjunct : Conjuncts(condition)) Place(conjunct);
    return std::move(result_);
  }

 private:
  struct Sides {
    bool target = false, source = false;
  };
  Sides SidesOf(const Expr& expr) const {
    Sides sides;
    for (ColumnId id : ColumnsOf(expr)) (positions_.contains(id) ? sides.target : sides.source) = true;
    return sides;
  }

  void Place(const ExprPtr& conjunct) {
    const Sides sides = SidesOf(*conjunct);
    if (!IsDeterministic(*conjunct) || HasSubquery(*conjunct)) {
      result_.join.push_back(conjunct);
      NotDerived(*conjunct, HasSubquery(*conjunct) ? "it has a subquery" : "it is not deterministic");
    } else if (sides.target && sides.source) {
      result_.join.push_back(conjunct);
      DeriveKey(conjunct);
    } else if (sides.target) {
      result_.target_only.push_back(conjunct);
    } else {
      result_.source_only.push_back(conjunct);
    }
  }

  void DeriveKey(const ExprPtr& conjunct) {
    const auto* call = conjunct->As<Call>();
    if (call == nullptr || call->function->name != "=") {
      NotDerived(*conjunct, call != nullptr && call->function->name == "<=>" ? "NULL matches NULL"
                                                                             : "it is not an equality");
      return;
    }
    const Sides left = SidesOf(*call->args[0]);
    const bool target_left = left.target;
    const ExprPtr& target_side = call->args[target_left ? 0 : 1];
    const ExprPtr& source_side = call->args[target_left ? 1 : 0];
    const Sides of_target = SidesOf(*target_side), of_source = SidesOf(*source_side);
    if (of_target.source || of_source.target) {
      NotDerived(*conjunct, "a side mixes both tables");
      return;
    }
    std::string reason;
    auto column = StripWidenings(target_side, target_, positions_, reason);
    if (!column) {
      NotDerived(*conjunct, reason);
      return;
    }
    result_.keys.push_back({column->column, target_.snapshot->schema.fields[column->column].id,
                            std::move(column->widened), source_side});
  }

  void NotDerived(const Expr& conjunct, std::string_view reason) {
    result_.not_derived.push_back(fmt::format("{}: {}", ToString(conjunct), reason));
  }

  const plan::WriteTarget& target_;
  std::unordered_map<ColumnId, size_t> positions_;
  OnCondition result_;
};

}  // namespace

OnCondition SplitOn(const ExprPtr& condition, const plan::WriteTarget& target) {
  return Splitter(target).Split(condition);
}

std::optional<Scalar> NarrowKey(const Scalar& value, const Type& stored, const std::vector<Type>& widened) {
  if (value.is_null()) return std::nullopt;
  std::optional<Scalar> current = value;
  for (size_t i = widened.size(); i > 0 && current; --i) {
    current = NarrowOnce(*current, i == 1 ? stored : widened[i - 2]);
  }
  return current;
}

bool CanPrune(const Expr& predicate, const plan::WriteTarget& target) {
  if (!IsDeterministic(predicate) || HasSubquery(predicate)) return false;
  const auto positions = PositionsOf(target);
  for (ColumnId id : ColumnsOf(predicate)) {
    const auto it = positions.find(id);
    if (it == positions.end() || !StoredAsComputed(target, it->second)) return false;
  }
  return true;
}

Result<ExprPtr> OverFields(const ExprPtr& predicate, const plan::WriteTarget& target) {
  std::unordered_map<ColumnId, ExprPtr> fields;
  for (size_t i = 0; i < target.columns.size(); ++i) {
    const plan::Column& column = target.columns[i];
    const FieldId field = target.snapshot->schema.fields[i].id;
    fields.emplace(column.id, MakeColumn(ColumnOf(field), column.name, column.type, column.nullable));
  }
  return ReplaceColumns(predicate, fields);
}

Result<ExprPtr> PruningPredicate(const std::vector<ExprPtr>& conjuncts, const plan::WriteTarget& target) {
  std::vector<ExprPtr> usable;
  for (const ExprPtr& conjunct : conjuncts) {
    if (!CanPrune(*conjunct, target)) continue;
    WEIR_TRY(usable.emplace_back(), OverFields(conjunct, target));
  }
  if (usable.empty()) return ExprPtr();
  return Conjunction(std::move(usable));
}

}  // namespace weir::ops
