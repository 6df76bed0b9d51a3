#include "ops/file_match.h"

#include <gtest/gtest.h>

namespace weir::ops {
namespace {

/// t(a int) in files of spec 0, partitioned by identity(a) if `partitioned`.
plan::WriteTarget Target(bool partitioned) {
  auto snapshot = std::make_shared<table::Snapshot>();
  snapshot->schema.fields = {{FieldId{1}, "a", Type::Int(), false, ""}};
  table::PartitionSpec spec;
  if (partitioned) spec.fields = {{FieldId{1}, FieldId{1000}, "a", {}}};
  snapshot->specs = {spec};
  plan::WriteTarget target;
  target.name = "cat.db.t";
  target.columns = {{ColumnId{5}, "a", Type::Int(), true}};
  target.snapshot = std::move(snapshot);
  return target;
}

table::DataFile FileOf(int32_t lower, int32_t upper, uint64_t nulls) {
  table::DataFile file;
  file.row_count = 3;
  ColumnBounds bounds;
  bounds.lower = Scalar::Int(lower);
  bounds.upper = Scalar::Int(upper);
  bounds.null_count = nulls;
  bounds.value_count = 3;
  file.bounds.columns.emplace(ColumnOf(FieldId{1}), bounds);
  return file;
}

ExprPtr Compare(const plan::WriteTarget& target, std::string_view function, int32_t value) {
  return MakePredicate(function, {plan::ColumnExpr(target.columns[0]), MakeLiteral(Scalar::Int(value))});
}

TEST(MatchFile, ARowWithNullKeepsTheFile) {
  const plan::WriteTarget target = Target(false);
  const ExprPtr positive = Compare(target, ">", 0);
  EXPECT_EQ(*MatchFile(positive, FileOf(1, 2, 0), target), FileMatch::kAll);
  EXPECT_EQ(*MatchFile(positive, FileOf(1, 2, 1), target), FileMatch::kSome);
  EXPECT_EQ(*MatchFile(MakePredicate("not", {positive}), FileOf(1, 2, 1), target), FileMatch::kNone);
  EXPECT_EQ(*MatchFile(nullptr, FileOf(1, 2, 1), target), FileMatch::kAll);
  EXPECT_EQ(*MatchFile(positive, FileOf(0, 2, 0), target), FileMatch::kSome);
}

TEST(MatchFile, AFileWithoutStatisticsIsReadUnlessItsPartitionDecides) {
  table::DataFile file;
  file.row_count = 3;
  EXPECT_EQ(*MatchFile(Compare(Target(false), "=", 7), file, Target(false)), FileMatch::kSome);
  file.partition.values = {Scalar::Int(7)};
  EXPECT_EQ(*MatchFile(Compare(Target(true), "=", 7), file, Target(true)), FileMatch::kAll);
  EXPECT_EQ(*MatchFile(Compare(Target(true), "=", 8), file, Target(true)), FileMatch::kNone);
  file.partition.values = {Scalar::Null(Type::Int())};
  const ExprPtr other = MakePredicate("not", {Compare(Target(true), "=", 7)});
  EXPECT_EQ(*MatchFile(other, file, Target(true)), FileMatch::kNone);
}

}  // namespace
}  // namespace weir::ops
