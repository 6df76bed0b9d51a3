#include "expr/operands.h"

#include "expr/expr.h"

namespace weir {
namespace {

constexpr std::string_view kNumericOrInterval =
    "(\"NUMERIC\" or \"INTERVAL DAY TO SECOND\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL\")";

bool IsDecimal(const Type& type) { return type.kind() == TypeKind::kDecimal; }
bool IsVoid(const Type& type) { return type.kind() == TypeKind::kVoid; }

bool Accepts(OperandRule rule, const Type& type) {
  bool interval = type.kind() == TypeKind::kIntervalDayTime || type.kind() == TypeKind::kIntervalYearMonth;
  switch (rule) {
    case OperandRule::kArithmetic:
      return type.is_numeric() || interval;
    case OperandRule::kProduct:
    case OperandRule::kRemainder:
      return type.is_numeric();
    case OperandRule::kDivision:
      return type.kind() == TypeKind::kDouble || IsDecimal(type);
    case OperandRule::kIntegralDivision:
      return type.kind() == TypeKind::kLong || IsDecimal(type) || interval;
    case OperandRule::kBitwise:
      return type.is_integral();
    case OperandRule::kLogical:
      return type.kind() == TypeKind::kBoolean;
    case OperandRule::kComparison:
      return true;
  }
  return false;
}

std::string_view Required(OperandRule rule) {
  switch (rule) {
    case OperandRule::kArithmetic:
      return kNumericOrInterval;
    case OperandRule::kProduct:
    case OperandRule::kRemainder:
      return "\"NUMERIC\"";
    case OperandRule::kDivision:
      return "(\"DOUBLE\" or \"DECIMAL\")";
    case OperandRule::kIntegralDivision:
      return "(\"BIGINT\" or \"DECIMAL\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL DAY TO SECOND\")";
    case OperandRule::kBitwise:
      return "\"INTEGRAL\"";
    case OperandRule::kLogical:
      return "\"BOOLEAN\"";
    case OperandRule::kComparison:
      return "\"ANY\"";
  }
  return {};
}

/// What an operator makes of NULL beside NULL.
Type TypeOfNulls(OperandRule rule) {
  switch (rule) {
    case OperandRule::kBitwise:
      return Type::Int();
    case OperandRule::kLogical:
      return Type::Boolean();
    case OperandRule::kIntegralDivision:
      return Type::Long();
    case OperandRule::kComparison:
      return Type::Void();
    default:
      return Type::Double();
  }
}

/// The decimal beside another decimal operand: a literal needs only its own digits.
Type DecimalBeside(const Argument& argument) {
  const Scalar* literal = LiteralOf(argument);
  if (literal == nullptr || literal->is_null()) return DecimalOf(argument.type);
  std::string digits = std::to_string(literal->integer());
  return Type::Decimal(static_cast<int>(digits.size()) - (digits[0] == '-' ? 1 : 0), 0);
}

void PromoteString(OperandRule rule, TypeRules rules, Operands& types) {
  bool left = types.left.kind() == TypeKind::kString, right = types.right.kind() == TypeKind::kString;
  if (rules == TypeRules::kLegacy && rule == OperandRule::kLogical) return;
  if (rules == TypeRules::kLegacy && rule != OperandRule::kComparison) {
    // Without ANSI every string in arithmetic is a double.
    if (left) types.left = Type::Double();
    if (right) types.right = Type::Double();
    return;
  }
  if (left == right) return;
  if (auto promoted = PromotedString(left ? types.right : types.left, rules)) types = {*promoted, *promoted};
}

void MeetDecimal(OperandRule rule, const Argument& left, const Argument& right, Operands& types) {
  bool l = IsDecimal(types.left), r = IsDecimal(types.right);
  if (r && types.left.is_integral()) {
    types.left = left.type.is_integral() ? DecimalBeside(left) : DecimalOf(types.left);
  } else if (l && types.right.is_integral()) {
    types.right = right.type.is_integral() ? DecimalBeside(right) : DecimalOf(types.right);
  } else if (r && types.left.is_floating()) {
    types.right = Type::Double();
  } else if (l && types.right.is_floating()) {
    types.left = Type::Double();
  }
  if (rule == OperandRule::kComparison && IsDecimal(types.left) && IsDecimal(types.right)) {
    Type wider = WiderDecimal(types.left, types.right);
    types = {wider, wider};
  }
}

bool IsNumericOrVoid(const Type& type) { return type.is_numeric() || IsVoid(type); }

void MeetForDivision(OperandRule rule, Operands& types) {
  if (rule == OperandRule::kDivision) {
    bool decimals = IsDecimal(types.left) && IsDecimal(types.right);
    // NULL takes the type of a decimal that it divides, but not of one that it is divided by.
    bool over_null = IsDecimal(types.left) && IsVoid(types.right);
    if (!decimals && !over_null && IsNumericOrVoid(types.left) && IsNumericOrVoid(types.right)) {
      types = {Type::Double(), Type::Double()};
    }
  } else if (rule == OperandRule::kIntegralDivision) {
    if (types.left.is_integral()) types.left = Type::Long();
    if (types.right.is_integral()) types.right = Type::Long();
  }
}

void MeetTightest(OperandRule rule, TypeRules rules, Operands& types) {
  bool decimal = IsDecimal(types.left) || IsDecimal(types.right);
  bool with_null = IsVoid(types.left) || IsVoid(types.right);
  if (types.left == types.right || (decimal && !with_null)) return;
  std::optional<Type> common = TightestCommonType(types.left, types.right, rules);
  if (common && Accepts(rule, *common)) types = {*common, *common};
}

}  // namespace

Result<Operands> CoerceOperands(OperandRule rule, const Argument& left, const Argument& right,
                                TypeRules rules) {
  Operands types{left.type, right.type};
  if (IsVoid(left.type) && IsVoid(right.type)) {
    Type type = TypeOfNulls(rule);
    return Operands{type, type};
  }
  PromoteString(rule, rules, types);
  MeetDecimal(rule, left, right, types);
  MeetForDivision(rule, types);
  MeetTightest(rule, rules, types);
  bool decimals = IsDecimal(types.left) && IsDecimal(types.right);
  if (!decimals && !SameShape(types.left, types.right)) return OperandsDiffer(types.left, types.right);
  if (!Accepts(rule, types.left)) return OperandsNotAccepted(Required(rule), types.left);
  return types;
}

}  // namespace weir
