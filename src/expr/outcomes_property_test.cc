// Evaluate must never leave out a truth value that some row takes. Random rows, random predicates, bounds
// that are exact and then widened or forgotten at random; EvaluateRow is the judge.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "expr/evaluate.h"
#include "expr/outcomes.h"

namespace weir {
namespace {

using Row = std::map<ColumnId, Scalar>;

struct ColumnSpec {
  ColumnId id;
  Type type;
};

std::vector<ColumnSpec> Columns() {
  std::vector<ColumnSpec> columns;
  // Two of each, so that columns meet columns.
  for (int copy = 0; copy < 2; ++copy) {
    for (const Type& type : {Type::Short(), Type::Int(), Type::Long(), Type::Float(), Type::Double(),
                             Type::Decimal(5, 2), Type::Decimal(20, 4), Type::String(), Type::Binary(),
                             Type::Boolean(), Type::Date(), Type::TimestampNtz(), Type::Timestamp()}) {
      columns.push_back({ColumnId{static_cast<int32_t>(columns.size())}, type});
    }
  }
  return columns;
}

/// Few values, close together and at the edges, so that comparisons are often near a tie.
std::vector<Scalar> Pool(const Type& type) {
  std::vector<Scalar> pool;
  const auto integers = [&](std::initializer_list<int64_t> values) {
    for (int64_t value : values) pool.emplace_back(type, value);
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return {Scalar::Boolean(false), Scalar::Boolean(true)};
    case TypeKind::kShort:
      integers({-32768, -1, 0, 1, 2, 32767});
      break;
    case TypeKind::kDate:
    case TypeKind::kInt:
      integers({INT32_MIN, -1, 0, 1, 2, 16777217, INT32_MAX});
      break;
    case TypeKind::kLong:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      integers({INT64_MIN, -1, 0, 1, 2, 86400000000, (1LL << 53) + 1, INT64_MAX});
      break;
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      for (double v : {-kInfinity, -1.0, -0.0, 0.0, 1.0, 1.5, 16777216.0, 1e300, kInfinity, std::nan("")}) {
        pool.push_back(type.kind() == TypeKind::kFloat ? Scalar::Float(static_cast<float>(v))
                                                       : Scalar::Double(v));
      }
      break;
    case TypeKind::kDecimal:
      for (int64_t v : {-99999, -100, -1, 0, 1, 99, 100, 150, 99999}) pool.emplace_back(type, Int128{v});
      break;
    case TypeKind::kString:
      for (const char* v : {"", "a", "ab", "ab%", "a_b", "abc", "b", "\u00e9", "\U0010FFFF", "a\U0001F600"}) {
        pool.push_back(Scalar::String(v));
      }
      pool.push_back(Scalar::String(std::string(300, 'a')));
      pool.push_back(Scalar::String(std::string(300, 'a') + "b"));
      break;
    default:
      for (const char* v : {"", "a", "a\x80", "\xff", "\xff\xff"}) pool.push_back(Scalar::Binary(v));
  }
  return pool;
}

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  bool Chance(int percent) { return Below(100) < percent; }
  int Below(int limit) { return static_cast<int>(random_() % static_cast<uint64_t>(limit)); }
  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[Below(static_cast<int>(from.size()))];
  }

  Scalar Value(const Type& type, int null_percent) {
    if (Chance(null_percent)) return Scalar::Null(type);
    return Pick(PoolOf(type));
  }

  /// Rows cluster around few values in half of the cases, so that bounds are tight.
  std::vector<Row> Rows() {
    std::vector<Row> rows(Below(5));
    for (const ColumnSpec& column : columns_) {
      const int null_percent = Pick(std::vector{0, 0, 20, 100});
      const std::vector<Scalar> values = {Pick(PoolOf(column.type)), Pick(PoolOf(column.type))};
      const bool clustered = Chance(60);
      for (Row& row : rows) {
        row[column.id] = clustered && !Chance(null_percent) ? Pick(values) : Value(column.type, null_percent);
      }
    }
    return rows;
  }

  Bounds BoundsOf(const std::vector<Row>& rows) {
    Bounds bounds;
    if (Chance(80)) bounds.row_count = rows.size();
    for (const ColumnSpec& column : columns_) {
      if (!Chance(8)) bounds.columns[column.id] = ColumnBoundsOf(rows, column);
    }
    return bounds;
  }

  ExprPtr Predicate(int depth) {
    if (depth > 0 && Chance(60)) {
      switch (Below(4)) {
        case 0:
          return MakePredicate("and", {Predicate(depth - 1), Predicate(depth - 1)});
        case 1:
          return MakePredicate("or", {Predicate(depth - 1), Predicate(depth - 1)});
        case 2:
          return MakePredicate("not", {Predicate(depth - 1)});
        default:
          return MakePredicate(Pick(kComparisons), {Predicate(depth - 1), Predicate(depth - 1)});
      }
    }
    switch (Below(10)) {
      case 0:
        return MakePredicate(Chance(50) ? "isnull" : "isnotnull", {Operand(Pick(columns_).type)});
      case 1:
        return MakePredicate("isnan", {Operand(Chance(50) ? Type::Float() : Type::Double())});
      case 2:
        return MakePredicate("startswith", {Operand(Type::String()), MakeLiteral(Value(Type::String(), 3))});
      case 3:
        return Like();
      case 4:
        return In();
      case 5:
        return Operand(Type::Boolean());
      default: {
        const Type type = Pick(columns_).type;
        return MakePredicate(Pick(kComparisons), {Operand(type), Operand(type)});
      }
    }
  }

 private:
  ColumnBounds ColumnBoundsOf(const std::vector<Row>& rows, const ColumnSpec& column) {
    ColumnBounds bounds;
    uint64_t nulls = 0;
    bool has_nan = false;
    for (const Row& row : rows) {
      const Scalar& value = row.at(column.id);
      if (value.is_null()) {
        ++nulls;
      } else if (value.is_nan()) {
        has_nan = true;
      } else {
        if (!bounds.lower || Compare(value, *bounds.lower) < 0) bounds.lower = value;
        if (!bounds.upper || Compare(value, *bounds.upper) > 0) bounds.upper = value;
      }
    }
    if (Chance(80)) bounds.null_count = nulls;
    if (Chance(80)) bounds.value_count = rows.size();
    bounds.may_have_nan = has_nan || Chance(30);
    Widen(column.type, bounds);
    return bounds;
  }

  void Widen(const Type& type, ColumnBounds& bounds) {
    if (bounds.lower && Chance(30)) {
      const Scalar candidate = Pick(PoolOf(type));
      if (!candidate.is_nan() && Compare(candidate, *bounds.lower) < 0) bounds.lower = candidate;
    }
    if (bounds.upper && Chance(30)) {
      const Scalar candidate = Pick(PoolOf(type));
      if (!candidate.is_nan() && Compare(candidate, *bounds.upper) > 0) bounds.upper = candidate;
    }
    if (bounds.lower && type.kind() == TypeKind::kString && Chance(30)) {
      bounds.lower = Scalar::String(bounds.lower->text().substr(0, 1));
    }
    if (Chance(8)) bounds.lower.reset();
    if (Chance(8)) bounds.upper.reset();
  }

  ExprPtr Operand(const Type& type) {
    if (Chance(25)) return MakeLiteral(Chance(10) ? Scalar() : Value(type, 5));
    std::vector<ExprPtr> candidates;
    for (const ColumnSpec& column : columns_) {
      const ExprPtr source = MakeColumn(column.id, "c" + std::to_string(column.id.value), column.type, true);
      if (column.type == type) {
        candidates.insert(candidates.end(), 3, source);
      } else if (CastAlwaysFits(column.type, type) || MayFit(column.type, type)) {
        candidates.push_back(MakeCast(source, type, CastMode::kAnsi));
      }
    }
    return Pick(candidates);
  }

  /// Pairs whose cast fits some values only.
  static bool MayFit(const Type& from, const Type& to) {
    return (from.kind() == TypeKind::kDate && to.kind() == TypeKind::kTimestampNtz) ||
           (to.kind() == TypeKind::kDecimal && (from.is_integral() || from.kind() == TypeKind::kDecimal));
  }

  ExprPtr In() {
    const Type type = Pick(columns_).type;
    std::vector<ExprPtr> args = {Operand(type)};
    for (int i = Below(4); i >= 0; --i)
      args.push_back(Chance(85) ? MakeLiteral(Value(type, 10)) : Operand(type));
    return MakePredicate("in", std::move(args));
  }

  ExprPtr Like() {
    static const std::vector<std::string> kPatterns = {"",    "%",   "a%",    "ab\\%%",  "_b", "a%b", "%b",
                                                       "abc", "b!%", "a\\_b", "\u00e9%", "a_", "!_%"};
    std::vector<ExprPtr> args = {Operand(Type::String()), MakeLiteral(Scalar::String(Pick(kPatterns)))};
    if (Chance(30)) args.push_back(MakeLiteral(Scalar::String("!")));
    return MakePredicate("like", std::move(args));
  }

  const std::vector<Scalar>& PoolOf(const Type& type) {
    std::vector<Scalar>& pool = pools_[type.ToString()];
    if (pool.empty()) pool = Pool(type);
    return pool;
  }

  const std::vector<std::string_view> kComparisons = {"=", "<", "<=", ">", ">=", "<=>"};
  const std::vector<ColumnSpec> columns_ = Columns();
  std::map<std::string, std::vector<Scalar>> pools_;
  std::mt19937_64 random_;
};

/// The truth values that the rows take; nullopt if some row raises an error.
std::optional<Outcomes> ExactOutcomes(const Expr& predicate, const std::vector<Row>& rows) {
  uint8_t bits = 0;
  for (const Row& row : rows) {
    const Result<Scalar> value =
        EvaluateRow(predicate, [&](const ColumnRef& column) -> Result<Scalar> { return row.at(column.id); });
    if (!value) return std::nullopt;
    bits |= value->is_null() ? Outcomes::kNull : value->boolean() ? Outcomes::kTrue : Outcomes::kFalse;
  }
  return Outcomes(bits);
}

TEST(EvaluateProperty, NeverLeavesOutWhatARowTakes) {
  Generator generator(20250101);
  int judged = 0, excludes_true = 0, could_exclude_true = 0, only_true = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::vector<Row> rows = generator.Rows();
    const Bounds bounds = generator.BoundsOf(rows);
    for (int j = 0; j < 5; ++j) {
      const ExprPtr predicate = generator.Predicate(3);
      const std::optional<Outcomes> exact = ExactOutcomes(*predicate, rows);
      if (!exact) continue;
      const Outcomes claimed = Evaluate(*predicate, bounds);
      ASSERT_EQ(exact->bits() & ~claimed.bits(), 0)
          << "round " << i << "." << j << ": " << ToString(*predicate) << " takes " << int{exact->bits()}
          << ", claimed " << int{claimed.bits()};
      ++judged;
      could_exclude_true += exact->CanBe(Outcomes::kTrue) ? 0 : 1;
      excludes_true += claimed.CanBe(Outcomes::kTrue) ? 0 : 1;
      only_true += claimed.Only(Outcomes::kTrue) ? 1 : 0;
    }
  }
  // The rules are worth something too: they see most of what could be seen.
  EXPECT_GT(judged, 20000);
  EXPECT_GT(excludes_true, could_exclude_true / 2);
  EXPECT_GT(only_true, judged / 50);
}

}  // namespace
}  // namespace weir
