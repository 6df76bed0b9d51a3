#include "analyze/interval.h"

#include "expr/pretty.h"
#include "type/calendar.h"

namespace weir::analyze {
namespace {

TypeKind KindOf(const ExprPtr& expr) { return expr->type().kind(); }

bool IsInstant(const ExprPtr& expr) {
  return KindOf(expr) == TypeKind::kTimestamp || KindOf(expr) == TypeKind::kTimestampNtz;
}
bool IsDate(const ExprPtr& expr) { return KindOf(expr) == TypeKind::kDate; }
bool IsInterval(const ExprPtr& expr) {
  return KindOf(expr) == TypeKind::kIntervalYearMonth || KindOf(expr) == TypeKind::kIntervalDayTime;
}

/// INTERVAL '3' DAY, which keeps a date a date.
bool IsDaysOnly(const ExprPtr& interval, int64_t value) {
  return value % kMicrosPerDay == 0 && PrettySql(*interval).ends_with("' DAY");
}

ExprPtr DateOfText(const ExprPtr& expr, const Context& context) {
  return KindOf(expr) == TypeKind::kString ? Coerce(expr, Type::Date(), context) : expr;
}

Result<ExprPtr> Shift(const ExprPtr& base, const ExprPtr& interval, bool subtract, const Context& context) {
  const Scalar* literal = interval->As<Scalar>();
  if (literal == nullptr || literal->is_null()) {
    return Unsupported("arithmetic with an interval that is not a literal ({}) is not implemented",
                       PrettySql(*interval));
  }
  int64_t value = subtract ? -literal->integer() : literal->integer();
  std::string shown = fmt::format("{} {} {}", PrettySql(*base), subtract ? "-" : "+", PrettySql(*interval));
  bool months = KindOf(interval) == TypeKind::kIntervalYearMonth;
  ExprPtr start = base;
  if (IsDate(base)) {
    if (months) {
      WEIR_TRY(
          ExprPtr moved,
          MakeCall("add_months", {base, MakeLiteral(Scalar::Int(static_cast<int32_t>(value)))}, context));
      return ShownAs(moved, std::move(shown));
    }
    if (IsDaysOnly(interval, value)) {
      ExprPtr days = MakeLiteral(Scalar::Int(static_cast<int32_t>(value / kMicrosPerDay)));
      WEIR_TRY(ExprPtr moved, MakeCall("date_add", {base, days}, context));
      std::string extracted = fmt::format("extractansiintervaldays({})", PrettySql(*interval));
      if (subtract) extracted = fmt::format("(- {})", extracted);
      return ShownAs(moved, fmt::format("date_add({}, {})", PrettySql(*base), extracted));
    }
    start = Coerce(base, Type::Timestamp(), context);
  }
  ExprPtr shift = MakeLiteral(Scalar(interval->type(), value));
  WEIR_TRY(ExprPtr moved, MakeCall("+interval", {start, shift}, context));
  return ShownAs(moved, std::move(shown));
}

}  // namespace

Result<ExprPtr> AddTime(std::string_view, const std::vector<ExprPtr>& args, const Context& context) {
  if (args.size() != 2) return ExprPtr();
  const ExprPtr& left = args[0];
  const ExprPtr& right = args[1];
  if ((IsDate(left) || IsInstant(left)) && IsInterval(right)) return Shift(left, right, false, context);
  if (IsInterval(left) && (IsDate(right) || IsInstant(right))) return Shift(right, left, false, context);
  // A string beside a date is read as a date, which is no number of days.
  if (IsDate(left)) return MakeCall("date_add", {left, DateOfText(right, context)}, context);
  if (IsDate(right) && KindOf(left) == TypeKind::kString) return MakeCall("date_add", {left, right}, context);
  if (IsDate(right)) return MakeCall("date_add", {right, left}, context);
  return ExprPtr();
}

Result<ExprPtr> SubtractTime(std::string_view, const std::vector<ExprPtr>& args, const Context& context) {
  if (args.size() != 2) return ExprPtr();
  const ExprPtr& left = args[0];
  const ExprPtr& right = args[1];
  if ((IsDate(left) || IsInstant(left)) && IsInterval(right)) return Shift(left, right, true, context);
  if (IsInstant(left) || IsInstant(right) || IsDate(right)) {
    return Unsupported(
        "the difference of two dates or timestamps as an interval is not implemented; use datediff");
  }
  if (IsDate(left) && KindOf(right) != TypeKind::kString) return MakeCall("date_sub", {left, right}, context);
  return ExprPtr();
}

}  // namespace weir::analyze
