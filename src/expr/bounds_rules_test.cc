#include "expr/bounds_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace weir {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string Text(Outcomes outcomes) {
  std::string text;
  if (outcomes.CanBe(Outcomes::kTrue)) text += 'T';
  if (outcomes.CanBe(Outcomes::kFalse)) text += 'F';
  if (outcomes.CanBe(Outcomes::kNull)) text += 'N';
  return text;
}

Scalar Str(std::string text) { return Scalar::String(std::move(text)); }

ExprPtr Column(int id, Type type) {
  return MakeColumn(ColumnId{id}, "c" + std::to_string(id), std::move(type), true);
}
ExprPtr Lit(Scalar value) { return MakeLiteral(std::move(value)); }
ExprPtr Null(Type type) { return MakeLiteral(Scalar::Null(std::move(type))); }

/// 4 of 10 values are NULL unless said otherwise.
ColumnBounds Range(std::optional<Scalar> lower, std::optional<Scalar> upper, uint64_t nulls = 4) {
  return {.lower = std::move(lower),
          .upper = std::move(upper),
          .null_count = nulls,
          .value_count = 10,
          .may_have_nan = false,
          .exact = false};
}
ColumnBounds WithNan(ColumnBounds bounds) {
  bounds.may_have_nan = true;
  return bounds;
}

struct Row {
  ExprPtr predicate;
  ColumnBounds bounds;  ///< Of column 1.
  std::string expected;
};

void Check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    Bounds bounds;
    bounds.row_count = 10;
    bounds.columns[ColumnId{1}] = row.bounds;
    const auto show = [](const std::optional<Scalar>& end) { return end ? end->ToString() : "?"; };
    EXPECT_EQ(Text(Evaluate(*row.predicate, bounds)), row.expected)
        << ToString(*row.predicate) << " over " << show(row.bounds.lower) << " .. " << show(row.bounds.upper);
  }
}

// Each formula against all 64 pairs of sets, value by value.
TEST(Outcomes, LogicIsExactForAllPairsOfSets) {
  constexpr uint8_t kValues[] = {Outcomes::kTrue, Outcomes::kFalse, Outcomes::kNull};
  const auto truth_and = [](uint8_t a, uint8_t b) -> uint8_t {
    if (a == Outcomes::kFalse || b == Outcomes::kFalse) return Outcomes::kFalse;
    return a == Outcomes::kNull || b == Outcomes::kNull ? Outcomes::kNull : Outcomes::kTrue;
  };
  const auto truth_or = [](uint8_t a, uint8_t b) -> uint8_t {
    if (a == Outcomes::kTrue || b == Outcomes::kTrue) return Outcomes::kTrue;
    return a == Outcomes::kNull || b == Outcomes::kNull ? Outcomes::kNull : Outcomes::kFalse;
  };
  for (uint8_t a = 0; a < 8; ++a) {
    uint8_t negated = 0;
    for (uint8_t x : kValues) {
      if (a & x)
        negated |= x == Outcomes::kTrue ? Outcomes::kFalse : x == Outcomes::kFalse ? Outcomes::kTrue : x;
    }
    EXPECT_EQ(Not(Outcomes(a)).bits(), negated);
    for (uint8_t b = 0; b < 8; ++b) {
      uint8_t both = 0, either = 0;
      for (uint8_t x : kValues) {
        for (uint8_t y : kValues) {
          if (!(a & x) || !(b & y)) continue;
          both |= truth_and(x, y);
          either |= truth_or(x, y);
        }
      }
      EXPECT_EQ(And(Outcomes(a), Outcomes(b)).bits(), both) << int{a} << " " << int{b};
      EXPECT_EQ(Or(Outcomes(a), Outcomes(b)).bits(), either) << int{a} << " " << int{b};
    }
  }
}

TEST(BoundsRules, CompareAColumnWithALiteral) {
  const ExprPtr c = Column(1, Type::Int());
  const ColumnBounds some = Range(Scalar::Int(5), Scalar::Int(9));
  const ColumnBounds full = Range(Scalar::Int(5), Scalar::Int(9), 0);
  const ColumnBounds one = Range(Scalar::Int(5), Scalar::Int(5), 0);
  const ColumnBounds nulls = Range({}, {}, 10);
  const auto lit = [](int v) { return Lit(Scalar::Int(v)); };
  Check({
      {MakePredicate("=", {c, lit(5)}), some, "TFN"},
      {MakePredicate("=", {c, lit(4)}), some, "FN"},
      {MakePredicate("=", {c, lit(10)}), full, "F"},
      {MakePredicate("=", {c, lit(5)}), one, "T"},
      {MakePredicate("=", {lit(10), c}), full, "F"},
      {MakePredicate("=", {c, Null(Type::Int())}), full, "N"},
      {MakePredicate("=", {c, Null(Type::Void())}), full, "N"},
      {MakePredicate("=", {c, lit(1)}), nulls, "N"},
      {MakePredicate("not", {MakePredicate("=", {c, lit(10)})}), full, "T"},
      {MakePredicate("not", {MakePredicate("=", {c, lit(5)})}), one, "F"},
      {MakePredicate("not", {MakePredicate("=", {c, lit(10)})}), some, "TN"},
      {MakePredicate("<", {c, lit(5)}), full, "F"},
      {MakePredicate("<", {c, lit(6)}), full, "TF"},
      {MakePredicate("<", {c, lit(10)}), full, "T"},
      {MakePredicate("<=", {c, lit(4)}), full, "F"},
      {MakePredicate("<=", {c, lit(5)}), full, "TF"},
      {MakePredicate("<=", {c, lit(9)}), full, "T"},
      {MakePredicate(">", {c, lit(9)}), full, "F"},
      {MakePredicate(">", {c, lit(4)}), full, "T"},
      {MakePredicate(">=", {c, lit(10)}), full, "F"},
      {MakePredicate(">=", {c, lit(5)}), some, "TN"},
      {MakePredicate(">", {lit(5), c}), full, "F"},
      {MakePredicate("<", {lit(4), c}), full, "T"},
      {MakePredicate("<=>", {c, lit(10)}), some, "F"},
      {MakePredicate("<=>", {c, Null(Type::Int())}), some, "TF"},
      {MakePredicate("<=>", {c, Null(Type::Int())}), full, "F"},
      {MakePredicate("<=>", {c, Null(Type::Int())}), nulls, "T"},
      {MakePredicate("<=>", {c, lit(5)}), one, "T"},
      {MakePredicate("isnull", {c}), some, "TF"},
      {MakePredicate("isnull", {c}), full, "F"},
      {MakePredicate("isnull", {c}), nulls, "T"},
      {MakePredicate("isnotnull", {c}), nulls, "F"},
      {MakePredicate("isnotnull", {c}), full, "T"},
      {MakePredicate("in", {c, lit(1), lit(10)}), full, "F"},
      {MakePredicate("in", {c, lit(1), lit(7)}), full, "TF"},
      {MakePredicate("in", {c, lit(1), lit(5)}), one, "T"},
      {MakePredicate("in", {c, lit(1), Null(Type::Int())}), full, "N"},
      {MakePredicate("and", {MakePredicate(">=", {c, lit(10)}), MakePredicate("<=", {c, lit(20)})}), full,
       "F"},
      {MakePredicate("or", {MakePredicate(">", {c, lit(9)}), MakePredicate("<", {c, lit(5)})}), full, "F"},
      {MakePredicate("or", {MakePredicate(">", {c, lit(9)}), MakePredicate("isnull", {c})}), some, "TFN"},
  });
}

TEST(BoundsRules, AbsentKnowledgeGivesEveryOutcome) {
  const ExprPtr c = Column(1, Type::Int());
  const ExprPtr less = MakePredicate("<", {c, Lit(Scalar::Int(5))});
  Check({
      {less, {}, "TFN"},
      {less, {.lower = Scalar::Int(7), .upper = {}, .null_count = {}, .value_count = {}}, "FN"},
      {less, {.lower = {}, .upper = Scalar::Int(3), .null_count = 0, .value_count = {}}, "T"},
      // Counts that disagree or are missing prove nothing about NULL.
      {MakePredicate("isnull", {c}), {.lower = {}, .upper = {}, .null_count = {}, .value_count = 10}, "TF"},
      {MakePredicate("isnull", {c}), {.lower = {}, .upper = {}, .null_count = 11, .value_count = 10}, "TF"},
      // Inverted bounds are not believed.
      {less, Range(Scalar::Int(9), Scalar::Int(7), 0), "TF"},
      // A bound of another kind is no bound.
      {less, Range(Str("7"), Str("9"), 0), "TF"},
  });
  EXPECT_EQ(Text(Evaluate(*less, {})), "TFN");
  Bounds empty;
  empty.row_count = 0;
  EXPECT_EQ(Text(Evaluate(*less, empty)), "");
  // Without a value count the rows count.
  Bounds bounds;
  bounds.row_count = 3;
  bounds.columns[ColumnId{1}].null_count = 3;
  EXPECT_EQ(Text(Evaluate(*less, bounds)), "N");
}

// Case A14: NaN is above all numbers and equal to itself; bounds leave it out.
TEST(BoundsRules, NanIsAboveAllAndOutsideTheBounds) {
  const ExprPtr k = Column(1, Type::Double());
  const auto lit = [](double v) { return Lit(Scalar::Double(v)); };
  const ColumnBounds with = WithNan(Range(Scalar::Double(0), Scalar::Double(1.5), 0));
  const ColumnBounds without = Range(Scalar::Double(0), Scalar::Double(1.5), 0);
  Check({
      {MakePredicate(">", {k, lit(1e300)}), with, "TF"},
      {MakePredicate(">", {k, lit(1e300)}), without, "F"},
      {MakePredicate(">=", {k, lit(1e300)}), with, "TF"},
      {MakePredicate("<", {lit(1e300), k}), with, "TF"},
      {MakePredicate("not", {MakePredicate("<=", {k, lit(1e300)})}), with, "TF"},
      {MakePredicate("not", {MakePredicate("<=", {k, lit(1e300)})}), without, "F"},
      {MakePredicate("=", {k, lit(kNan)}), with, "TF"},
      {MakePredicate("=", {k, lit(kNan)}), without, "F"},
      {MakePredicate("<", {k, lit(kNan)}), without, "T"},
      {MakePredicate("<", {k, lit(kNan)}), with, "TF"},
      {MakePredicate("<=", {k, lit(kNan)}), with, "T"},
      {MakePredicate(">", {k, lit(kNan)}), with, "F"},
      {MakePredicate("=", {k, lit(-0.0)}), without, "TF"},
      {MakePredicate("<", {k, lit(-0.0)}), without, "F"},
      {MakePredicate("=", {lit(kNan), lit(kNan)}), without, "T"},
      {MakePredicate("<=>", {k, lit(kNan)}), with, "TF"},
      {MakePredicate("isnan", {k}), with, "TF"},
      {MakePredicate("isnan", {k}), without, "F"},
      {MakePredicate("isnan", {Null(Type::Double())}), without, "F"},
      {MakePredicate("in", {k, lit(kNan), lit(7)}), without, "F"},
      {MakePredicate("in", {k, lit(kNan), lit(7)}), with, "TF"},
      // A file of NaNs alone: some writers put NaN in the bounds, others leave them out.
      {MakePredicate(">", {k, lit(1)}), WithNan(Range({}, {}, 0)), "TF"},
      {MakePredicate("<", {k, lit(1)}), Range(Scalar::Double(kNan), Scalar::Double(kNan), 0), "TF"},
      {MakePredicate("=", {k, lit(7)}), Range(Scalar::Double(0), Scalar::Double(kNan), 0), "TF"},
      {MakePredicate("=", {k, lit(7)}), WithNan(Range(Scalar::Double(7), Scalar::Double(7), 0)), "TF"},
  });
}

TEST(BoundsRules, PrefixesOfText) {
  const ExprPtr s = Column(1, Type::String());
  const auto starts = [&](std::string p) { return MakePredicate("startswith", {s, Lit(Str(std::move(p)))}); };
  const auto like = [&](std::string p) { return MakePredicate("like", {s, Lit(Str(std::move(p)))}); };
  const ColumnBounds full = Range(Str("bad"), Str("boy"), 0);
  const ColumnBounds within = Range(Str("box"), Str("boy"), 0);
  Check({
      {starts("b"), full, "T"},
      {starts("bo"), full, "TF"},
      {starts("a"), full, "F"},
      {starts("c"), full, "F"},
      {starts("boys"), full, "F"},
      {starts("badly"), full, "TF"},
      {starts("ba"), full, "TF"},
      {starts("bac"), full, "F"},
      {starts("bo"), within, "T"},
      {starts(""), full, "T"},
      {starts(""), Range({}, {}, 4), "TN"},
      {starts("x"), Range({}, {}, 10), "N"},
      {MakePredicate("startswith", {s, Null(Type::String())}), full, "N"},
      {MakePredicate("startswith", {Lit(Str("abc")), s}), full, "TFN"},
      {like("bo%"), within, "T"},
      {like("c%"), full, "F"},
      {like("a%z"), full, "F"},
      {like("b%z"), full, "TF"},
      {like("b_"), within, "TF"},
      {like("%z"), full, "TF"},
      {like("boz"), full, "F"},
      {like("bo\\%"), full, "TF"},
      {like("zo\\%"), full, "F"},
      {like("b\\%%"), full, "F"},   // Text before "ba": "b%" comes first.
      {like("bo\\"), full, "TFN"},  // An error in Spark.
      {like("b\\o"), full, "TFN"},
      {MakePredicate("like", {s, Lit(Str("c!%")), Lit(Str("!"))}), full, "F"},
      {MakePredicate("like", {s, Lit(Str("c\\%")), Lit(Str("!"))}), full, "F"},
      {MakePredicate("like", {s, Null(Type::String())}), full, "N"},
      {MakePredicate("like", {s, Lit(Str("c%")), Null(Type::String())}), full, "TFN"},
  });
}

TEST(BoundsRules, CastsThatWidenCarryBounds) {
  const auto cast = [](Type from, Type to, CastMode mode = CastMode::kAnsi) {
    return MakeCast(Column(1, std::move(from)), std::move(to), mode);
  };
  const ColumnBounds ints = Range(Scalar::Int(5), Scalar::Int(9), 0);
  Check({
      {MakePredicate("<", {cast(Type::Int(), Type::Long()), Lit(Scalar::Long(5))}), ints, "F"},
      {MakePredicate(">", {cast(Type::Int(), Type::Double()), Lit(Scalar::Double(9.5))}), ints, "F"},
      {MakePredicate(">", {cast(Type::Int(), Type::Decimal(11, 1)), Lit(Scalar::Decimal(95, 11, 1))}), ints,
       "F"},
      {MakePredicate("<", {cast(Type::Int(), Type::Long()), Lit(Scalar::Long(5))}), Range({}, {}, 0), "TF"},
      {MakePredicate("<", {cast(Type::Float(), Type::Double()), Lit(Scalar::Double(1))}),
       Range(Scalar::Float(2), Scalar::Float(3), 0), "F"},
      {MakePredicate(">", {cast(Type::Float(), Type::Double()), Lit(Scalar::Double(9))}),
       WithNan(Range(Scalar::Float(2), Scalar::Float(3), 0)), "TF"},
      // A long column of a file written when the column was an int.
      {MakePredicate("<", {Column(1, Type::Long()), Lit(Scalar::Long(5))}), ints, "F"},
      // May raise an error for other rows: with bounds that fit it cannot.
      {MakePredicate("<", {cast(Type::Int(), Type::Decimal(3, 1)), Lit(Scalar::Decimal(50, 3, 1))}), ints,
       "F"},
      {MakePredicate("<", {cast(Type::Int(), Type::Decimal(3, 1)), Lit(Scalar::Decimal(50, 3, 1))}),
       Range(Scalar::Int(5), {}, 0), "TFN"},
      {MakePredicate("<", {cast(Type::Int(), Type::Decimal(3, 1)), Lit(Scalar::Decimal(50, 3, 1))}),
       Range(Scalar::Int(5), Scalar::Int(500), 0), "TFN"},
      {MakePredicate("isnull", {cast(Type::String(), Type::Int(), CastMode::kTry)}),
       Range(Str("1"), Str("2"), 0), "TFN"},
      {MakePredicate("<", {cast(Type::Date(), Type::TimestampNtz()), Lit(Scalar::TimestampNtz(0))}),
       Range(Scalar::Date(1), Scalar::Date(2), 0), "F"},
      {MakePredicate("=", {cast(Type::TimestampNtz(), Type::Date()), Lit(Scalar::Date(1))}),
       Range(Scalar::TimestampNtz(86400000000), Scalar::TimestampNtz(172799999999), 0), "T"},
      {MakePredicate("=", {cast(Type::TimestampNtz(), Type::Date()), Lit(Scalar::Date(-1))}),
       Range(Scalar::TimestampNtz(-1), {}, 0), "TF"},
  });
}

// Whatever the session's time zone, a cast between instants and the calendar moves a value by less than a
// day.
TEST(BoundsRules, ZonedCastsCarryBoundsWithSlack) {
  constexpr int64_t kHour = 3600000000, kDay = 24 * kHour;
  const ExprPtr date = MakeCast(Column(1, Type::Timestamp()), Type::Date(), CastMode::kAnsi);
  const ExprPtr instant = MakeCast(Column(1, Type::Date()), Type::Timestamp(), CastMode::kAnsi);
  const auto day = [](int d) { return Lit(Scalar::Date(d)); };
  const ColumnBounds tenth_day = Range(Scalar::Timestamp(10 * kDay), Scalar::Timestamp(11 * kDay - 1), 0);
  const ColumnBounds date_ten = Range(Scalar::Date(10), Scalar::Date(10), 0);
  const auto at = [](int64_t micros) { return Lit(Scalar::Timestamp(micros)); };
  Check({
      {MakePredicate("=", {date, day(8)}), tenth_day, "F"},
      {MakePredicate("=", {date, day(9)}), tenth_day, "TF"},
      {MakePredicate("=", {date, day(11)}), tenth_day, "TF"},
      {MakePredicate("=", {date, day(12)}), tenth_day, "F"},
      {MakePredicate(">", {date, day(8)}), tenth_day, "T"},
      {MakePredicate(">", {date, day(12)}), Range({}, Scalar::Timestamp(11 * kDay), 0), "F"},
      {MakePredicate("<", {instant, at(10 * kDay - 18 * kHour)}), date_ten, "F"},
      {MakePredicate("<", {instant, at(10 * kDay - 18 * kHour + 1)}), date_ten, "TF"},
      {MakePredicate(">", {instant, at(10 * kDay + 18 * kHour)}), date_ten, "F"},
      {MakePredicate(">=", {instant, at(10 * kDay + 18 * kHour)}), date_ten, "TF"},
      // Days far away raise an error.
      {MakePredicate("<", {instant, at(0)}), Range(Scalar::Date(10), {}, 0), "TFN"},
      {MakePredicate("<", {instant, at(0)}), Range(Scalar::Date(10), Scalar::Date(INT32_MAX), 0), "TFN"},
  });
}

TEST(BoundsRules, ColumnsWithColumnsAndPlainBooleans) {
  Bounds bounds;
  bounds.row_count = 10;
  bounds.columns[ColumnId{1}] = Range(Scalar::Int(1), Scalar::Int(3), 0);
  bounds.columns[ColumnId{2}] = Range(Scalar::Int(4), Scalar::Int(6), 0);
  bounds.columns[ColumnId{3}] = Range(Scalar::Boolean(true), Scalar::Boolean(true), 4);
  const ExprPtr a = Column(1, Type::Int()), b = Column(2, Type::Int()), flag = Column(3, Type::Boolean());
  const std::pair<ExprPtr, std::string> rows[] = {
      {MakePredicate("<", {a, b}), "T"},
      {MakePredicate("=", {a, b}), "F"},
      {MakePredicate(">=", {a, b}), "F"},
      {MakePredicate("=", {a, a}), "TF"},
      {flag, "TN"},
      {MakePredicate("not", {flag}), "FN"},
      {MakePredicate("=", {flag, Lit(Scalar::Boolean(false))}), "FN"},
      {MakePredicate("=", {MakePredicate("<", {a, b}), Lit(Scalar::Boolean(false))}), "F"},
      {Lit(Scalar::Boolean(true)), "T"},
      {Lit(Scalar::Boolean(false)), "F"},
      {Null(Type::Boolean()), "N"},
      {Null(Type::Void()), "N"},
      {MakeColumn(ColumnId{9}, "unknown", Type::Boolean(), true), "TFN"},
      {MakePredicate("=", {a, Column(3, Type::Boolean())}), "TFN"},  // No coercion took place: not believed.
      {MakePredicate("contains", {a, b}), "TFN"},
      {MakePredicate("and", {MakePredicate("contains", {a, b}), MakePredicate("=", {a, b})}), "F"},
  };
  for (const auto& [predicate, expected] : rows) {
    EXPECT_EQ(Text(Evaluate(*predicate, bounds)), expected) << ToString(*predicate);
  }
}

}  // namespace
}  // namespace weir
