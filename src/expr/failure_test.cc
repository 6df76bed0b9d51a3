#include "expr/failure.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

ExprPtr Column(const Type& type) {
  return std::make_shared<const Expr>(ColumnRef{ColumnId{1}, "c"}, type, true);
}

ExprPtr Like(ExprPtr pattern, std::vector<ExprPtr> escape = {}) {
  std::vector<ExprPtr> args = {Column(Type::String()), std::move(pattern)};
  args.insert(args.end(), escape.begin(), escape.end());
  Call call{.function = FindFunction("like"), .args = std::move(args)};
  return std::make_shared<const Expr>(std::move(call), Type::Boolean(), true);
}

ExprPtr Text(std::string text) { return MakeLiteral(Scalar::String(std::move(text))); }

TEST(MayFail, OfLikeByItsPattern) {
  EXPECT_FALSE(MayFail(*Like(Text("a%\\_"))));
  EXPECT_FALSE(MayFail(*Like(Text("a!%"), {Text("!")})));
  EXPECT_TRUE(MayFail(*Like(Text("a\\"))));
  EXPECT_TRUE(MayFail(*Like(Text("a!b"), {Text("!")})));
  EXPECT_TRUE(MayFail(*Like(Column(Type::String()))));
  EXPECT_TRUE(MayFail(*Like(Text("a"), {Column(Type::String())})));
}

TEST(MayFail, OfCastsByTheirTypes) {
  EXPECT_FALSE(MayFail(*MakeCast(Column(Type::Int()), Type::Long(), CastMode::kAnsi)));
  EXPECT_FALSE(MayFail(*MakeCast(Column(Type::Long()), Type::String(), CastMode::kAnsi)));
  EXPECT_TRUE(MayFail(*MakeCast(Column(Type::Long()), Type::Int(), CastMode::kAnsi)));
  EXPECT_FALSE(MayFail(*MakeCast(Column(Type::Long()), Type::Int(), CastMode::kTry)));
  EXPECT_TRUE(MayFail(*MakeCast(Column(Type::Long()), Type::Decimal(10, 0), CastMode::kAnsi)));
}

TEST(MayFail, OfAnythingInside) {
  const ExprPtr bad = MakeCast(Column(Type::String()), Type::Int(), CastMode::kAnsi);
  EXPECT_FALSE(MayFail(*MakePredicate("isnull", {Column(Type::Int())})));
  EXPECT_TRUE(MayFail(*MakePredicate("isnull", {bad})));
  EXPECT_TRUE(MayFail(*MakePredicate("+", {Column(Type::Int()), Column(Type::Int())})));
}

}  // namespace
}  // namespace weir
