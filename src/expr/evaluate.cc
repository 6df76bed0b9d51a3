#include "expr/evaluate.h"

#include "expr/like_pattern.h"
#include "type/calendar.h"

namespace weir {
namespace {

Scalar NullBoolean() { return Scalar::Null(Type::Boolean()); }

bool IsTrue(const Scalar& value) { return !value.is_null() && value.boolean(); }
bool IsFalse(const Scalar& value) { return !value.is_null() && !value.boolean(); }

/// The comparison operators but <=>: does an order of two values satisfy the operator?
bool Satisfies(std::string_view op, std::strong_ordering order) {
  if (op == "=") return std::is_eq(order);
  if (op == "<") return std::is_lt(order);
  if (op == "<=") return std::is_lteq(order);
  if (op == ">") return std::is_gt(order);
  return std::is_gteq(order);
}

class RowEvaluator {
 public:
  explicit RowEvaluator(const ColumnLookup& columns) : columns_(columns) {}

  Result<Scalar> Run(const Expr& expr) const {
    if (const Scalar* literal = expr.As<Scalar>()) return *literal;
    if (const ColumnRef* column = expr.As<ColumnRef>()) return columns_(*column);
    if (const Cast* cast = expr.As<Cast>()) {
      WEIR_TRY(const Scalar value, Run(*cast->input));
      return CastInOrder(value, expr.type());
    }
    if (const Call* call = expr.As<Call>()) return RunCall(*call, expr);
    return Unsupported("evaluation of {}", ToString(expr));
  }

 private:
  Result<Scalar> RunCall(const Call& call, const Expr& expr) const {
    const std::string_view name = call.function->name;
    if (name == "and" || name == "or") return Logical(call, name == "and");
    if (name == "in") return In(call);
    std::vector<Scalar> args;
    for (const ExprPtr& arg : call.args) {
      WEIR_TRY(Scalar value, Run(*arg));
      args.push_back(std::move(value));
    }
    if (name == "isnull") return Scalar::Boolean(args[0].is_null());
    if (name == "isnotnull") return Scalar::Boolean(!args[0].is_null());
    if (name == "isnan") return Scalar::Boolean(args[0].is_nan());
    if (name == "<=>") return Scalar::Boolean(std::is_eq(Compare(args[0], args[1])));
    for (const Scalar& arg : args) {
      if (arg.is_null()) return NullBoolean();
    }
    if (name == "not") return Scalar::Boolean(!args[0].boolean());
    if (name == "=" || name == "<" || name == "<=" || name == ">" || name == ">=") {
      return Scalar::Boolean(Satisfies(name, Compare(args[0], args[1])));
    }
    if (name == "startswith") return Scalar::Boolean(args[0].text().starts_with(args[1].text()));
    if (name == "like") return Like(args);
    return Unsupported("evaluation of {}", ToString(expr));
  }

  /// AND and OR stop at the value that decides, as Spark does.
  Result<Scalar> Logical(const Call& call, bool is_and) const {
    const auto decides = [&](const Scalar& value) { return is_and ? IsFalse(value) : IsTrue(value); };
    WEIR_TRY(Scalar left, Run(*call.args[0]));
    if (decides(left)) return left;
    WEIR_TRY(Scalar right, Run(*call.args[1]));
    return decides(right) || left.is_null() == right.is_null() || right.is_null() ? right : left;
  }

  Result<Scalar> In(const Call& call) const {
    WEIR_TRY(const Scalar value, Run(*call.args[0]));
    bool found_null = value.is_null();
    for (size_t i = 1; i < call.args.size() && !value.is_null(); ++i) {
      WEIR_TRY(const Scalar item, Run(*call.args[i]));
      if (item.is_null()) {
        found_null = true;
      } else if (std::is_eq(Compare(value, item))) {
        return Scalar::Boolean(true);
      }
    }
    return found_null ? NullBoolean() : Scalar::Boolean(false);
  }

  static Result<Scalar> Like(const std::vector<Scalar>& args) {
    if (args.size() > 2 && args[2].text().size() != 1) {
      return Unsupported("LIKE with the escape '{}'", args[2].text());
    }
    WEIR_TRY(const LikePattern pattern,
             LikePattern::Parse(args[1].text(), args.size() > 2 ? args[2].text()[0] : '\\'));
    return Scalar::Boolean(pattern.Matches(args[0].text()));
  }

  const ColumnLookup& columns_;
};

}  // namespace

Result<Scalar> EvaluateRow(const Expr& expr, const ColumnLookup& columns) {
  return RowEvaluator(columns).Run(expr);
}

Result<Scalar> CastInOrder(const Scalar& value, const Type& type) {
  if (!value.is_null() && value.type().is_integral()) {
    if (type.kind() == TypeKind::kDouble) return Scalar(type, static_cast<double>(value.integer()));
    if (type.kind() == TypeKind::kFloat) return Scalar(type, static_cast<float>(value.integer()));
  }
  if (!value.is_null() && value.type().kind() == TypeKind::kTimestampNtz && type.kind() == TypeKind::kDate) {
    return Scalar(type, FloorDiv(value.integer(), kMicrosPerDay));
  }
  return WidenTo(value, type);
}

bool CastAlwaysFits(const Type& from, const Type& to) {
  return (from.is_integral() && to.is_floating()) ||
         (from.kind() == TypeKind::kTimestampNtz && to.kind() == TypeKind::kDate) || AlwaysWidens(from, to);
}

}  // namespace weir
