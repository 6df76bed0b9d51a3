#include "pages/keys.h"

#include <gtest/gtest.h>

#include <limits>

#include "pages/fixture_storage.h"

namespace weir::pages {
namespace {

using parquet::ValueBounds;

ValueBounds Longs(std::optional<int64_t> lower, std::optional<int64_t> upper) {
  ValueBounds bounds;
  if (lower) bounds.lower = Scalar::Long(*lower);
  if (upper) bounds.upper = Scalar::Long(*upper);
  return bounds;
}

TEST(Keys, SortsAndDropsWhatMatchesNothing) {
  const auto keys =
      MakeKeys({{1, Type::Long()}, {2, Type::String()}}, {{Scalar::Long(2), Scalar::String("b")},
                                                          {Scalar::Long(1), Scalar::String("z")},
                                                          {Scalar::Null(Type::Long()), Scalar::String("b")},
                                                          {Scalar::Long(2), Scalar::String("a")},
                                                          {Scalar::Long(2), Scalar::String("b")}});
  ASSERT_EQ(keys->size(), 3u);
  EXPECT_EQ(keys->At(0, 0), Scalar::Long(1));
  EXPECT_EQ(keys->At(1, 1), Scalar::String("a"));
  EXPECT_EQ(keys->At(2, 1), Scalar::String("b"));
}

TEST(Keys, RefusesTuplesOfAnotherShape) {
  const std::vector<KeyColumn> columns = {{FieldId{1}, "a", Type::Long(), {}}};
  EXPECT_FALSE(Keys::Make({}, {}).has_value());
  EXPECT_FALSE(Keys::Make(columns, {{Scalar::Long(1), Scalar::Long(2)}}).has_value());
  EXPECT_FALSE(Keys::Make(columns, {{Scalar::Int(1)}}).has_value());
  EXPECT_FALSE(
      Keys::Make({{FieldId{1}, "a", Type::Decimal(9, 2), {}}}, {{Scalar::Decimal(1, 9, 3)}}).has_value());
  EXPECT_FALSE(Keys::Make({{FieldId{1}, "a", Type::Struct({}), {}}}, {}).has_value());
}

TEST(Keys, MatchesWithinBounds) {
  const auto keys = Ids({10, 20, 30});
  struct Case {
    ValueBounds bounds;
    bool may_match;
  };
  ValueBounds nulls;
  nulls.all_null = true;
  const Case cases[] = {{Longs(11, 19), false}, {Longs(10, 10), true}, {Longs(20, 25), true},
                        {Longs(31, {}), false}, {Longs({}, 9), false}, {Longs({}, {}), true},
                        {Longs(30, {}), true},  {nulls, false}};
  for (const Case& c : cases) EXPECT_EQ(keys->MayMatch(std::span(&c.bounds, 1)), c.may_match);
  EXPECT_FALSE(Ids({})->MayMatch(std::vector<ValueBounds>{Longs({}, {})}));
}

TEST(Keys, LooksForOneTupleThatFitsAllColumns) {
  const auto keys = MakeKeys({{1, Type::Long()}, {2, Type::Long()}},
                             {{Scalar::Long(1), Scalar::Long(100)}, {Scalar::Long(2), Scalar::Long(200)}});
  const auto may_match = [&](ValueBounds a, ValueBounds b) {
    return keys->MayMatch(std::vector<ValueBounds>{std::move(a), std::move(b)});
  };
  EXPECT_TRUE(may_match(Longs(1, 1), Longs(90, 110)));
  EXPECT_FALSE(may_match(Longs(1, 1), Longs(190, 210))) << "each column fits, no tuple does";
  EXPECT_TRUE(may_match(Longs(1, 2), Longs(190, 210)));
  EXPECT_FALSE(may_match(Longs(1, 2), Longs(110, 190)));
}

TEST(Keys, LooksForNanOutsideTheBounds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto keys = MakeKeys({{1, Type::Double()}}, {{Scalar::Double(nan)}, {Scalar::Double(50)}});
  ValueBounds bounds;
  bounds.lower = Scalar::Double(1);
  bounds.upper = Scalar::Double(2);
  bounds.may_have_nan = true;
  EXPECT_TRUE(keys->MayMatch(std::span(&bounds, 1)));
  bounds.may_have_nan = false;
  EXPECT_FALSE(keys->MayMatch(std::span(&bounds, 1)));
  bounds.lower = Scalar::Double(0.0);
  bounds.upper = Scalar::Double(-0.0);
  const auto zeros = MakeKeys({{1, Type::Double()}}, {{Scalar::Double(-0.0)}, {Scalar::Double(0.0)}});
  EXPECT_EQ(zeros->size(), 1u);
  EXPECT_TRUE(zeros->MayMatch(std::span(&bounds, 1)));
}

}  // namespace
}  // namespace weir::pages
