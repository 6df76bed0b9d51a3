#include "table/key_set.h"

#include <gtest/gtest.h>

#include <cmath>

namespace weir::table {
namespace {

PartitionSpec Spec(int32_t id, std::vector<PartitionField> fields) { return {id, std::move(fields)}; }
PartitionField On(int32_t source, const char* transform) {
  return {FieldId{source}, FieldId{1000}, "p", *Transform::Parse(transform)};
}

KeySet Build(std::vector<FieldId> fields, std::vector<PartitionSpec> specs,
             std::vector<std::vector<Scalar>> keys, KeySetBuilder::Limits limits = {}) {
  KeySetBuilder builder(std::move(fields), std::move(specs), limits);
  for (auto& key : keys) EXPECT_TRUE(builder.Add(std::move(key)));
  return std::move(builder).Finish();
}

TEST(KeySet, KeysAreDistinctAndSortedAndNullsAreDropped) {
  const KeySet set = Build({FieldId{1}, FieldId{2}}, {},
                           {{Scalar::Long(3), Scalar::String("b")},
                            {Scalar::Long(1), Scalar::Null(Type::String())},
                            {Scalar::Long(3), Scalar::String("a")},
                            {Scalar::Long(2), Scalar::String("z")},
                            {Scalar::Long(3), Scalar::String("b")}});
  ASSERT_TRUE(set.keys.has_value());
  ASSERT_EQ(set.keys->size(), 3u);
  EXPECT_EQ((*set.keys)[0][0], Scalar::Long(2));
  EXPECT_EQ((*set.keys)[1][1], Scalar::String("a"));
  EXPECT_EQ((*set.keys)[2][1], Scalar::String("b"));
  EXPECT_EQ(set.lower[0], Scalar::Long(2));
  EXPECT_EQ(set.upper[0], Scalar::Long(3));
  EXPECT_EQ(set.lower[1], Scalar::String("a"));
  EXPECT_EQ(set.upper[1], Scalar::String("z"));
}

TEST(KeySet, NothingButNullsIsEmpty) {
  const KeySet set = Build({FieldId{1}}, {}, {{Scalar::Null(Type::Long())}});
  EXPECT_TRUE(set.empty());
  ASSERT_TRUE(set.keys.has_value());
  EXPECT_TRUE(set.keys->empty());
}

TEST(KeySet, NanIsAKeyAboveAllAndZeroesAreOneKey) {
  const double nan = std::nan("");
  const KeySet set =
      Build({FieldId{1}}, {},
            {{Scalar::Double(nan)}, {Scalar::Double(-0.0)}, {Scalar::Double(0.0)}, {Scalar::Double(nan)}});
  ASSERT_TRUE(set.keys.has_value());
  EXPECT_EQ(set.keys->size(), 2u);
  EXPECT_TRUE(set.upper[0].is_nan());
}

TEST(KeySet, KeysOfTooManyBytesLeaveBounds) {
  KeySetBuilder::Limits limits;
  limits.max_key_bytes = 5;
  const std::vector<std::vector<Scalar>> five = {{Scalar::String("abc")}, {Scalar::String("de")}};
  EXPECT_TRUE(Build({FieldId{1}}, {}, five, limits).keys.has_value());
  limits.max_key_bytes = 4;
  const KeySet set = Build({FieldId{1}}, {}, five, limits);
  EXPECT_FALSE(set.keys.has_value());
  EXPECT_EQ(set.lower[0], Scalar::String("abc"));
  EXPECT_EQ(set.upper[0], Scalar::String("de"));
}

TEST(KeySet, PartitionsOfTimesBefore1970AreNotCertain) {
  const int64_t before = -1, after = 1;  // Microseconds.
  const std::vector<PartitionSpec> specs = {Spec(0, {On(1, "month")})};
  EXPECT_EQ(Build({FieldId{1}}, specs, {{Scalar::Timestamp(after)}}).partitions.size(), 1u);
  EXPECT_EQ(
      Build({FieldId{1}}, specs, {{Scalar::Timestamp(after)}, {Scalar::Timestamp(before)}}).partitions.size(),
      0u);
}

TEST(KeySet, TooManyKeysLeaveBoundsAndPartitions) {
  std::vector<std::vector<Scalar>> keys;
  for (int64_t i = 0; i < 20; ++i) keys.push_back({Scalar::Long(i)});
  const KeySet set =
      Build({FieldId{1}}, {Spec(0, {On(1, "truncate[10]")})}, keys, {.max_keys = 5, .max_partitions = 10});
  EXPECT_FALSE(set.keys.has_value());
  EXPECT_EQ(set.lower[0], Scalar::Long(0));
  EXPECT_EQ(set.upper[0], Scalar::Long(19));
  ASSERT_EQ(set.partitions.size(), 1u);
  EXPECT_EQ(set.partitions[0].tuples.size(), 2u);
  EXPECT_TRUE(set.partitions[0].tuples.contains(PartitionTuple{0, {Scalar::Long(10)}}));
}

TEST(KeySet, TooManyPartitionsLeaveThatSpecOut) {
  std::vector<std::vector<Scalar>> keys;
  for (int64_t i = 0; i < 20; ++i) keys.push_back({Scalar::Long(i)});
  const KeySet set = Build({FieldId{1}}, {Spec(0, {On(1, "identity")}), Spec(1, {On(1, "truncate[10]")})},
                           keys, {.max_keys = 100, .max_partitions = 10});
  ASSERT_EQ(set.partitions.size(), 1u);
  EXPECT_EQ(set.partitions[0].spec_id, 1);
  EXPECT_EQ(set.keys->size(), 20u);
}

TEST(KeySet, SpecsAreLeftOutWhereOlderFilesMayStateAnotherPartition) {
  const auto specs = {Spec(0, {On(1, "truncate[10]")}), Spec(1, {On(1, "bucket[4]")})};
  // As an int it was truncated to 2147483646, as a long it is to -2147483650.
  EXPECT_EQ(Build({FieldId{1}}, specs, {{Scalar::Long(INT32_MIN)}, {Scalar::Long(5)}}).partitions.size(), 1u);
  for (const int64_t same : {int64_t{INT32_MIN} + 8, int64_t{INT32_MIN} - 1, int64_t{INT32_MAX}}) {
    EXPECT_EQ(Build({FieldId{1}}, specs, {{Scalar::Long(same)}}).partitions.size(), 2u) << same;
  }
  EXPECT_EQ(Build({FieldId{1}}, specs, {{Scalar::Int(INT32_MIN)}}).partitions.size(), 2u);
}

TEST(SamePartition, IsFinerThanEqualityOfValues) {
  const auto same = [](Scalar a, Scalar b) {
    return SamePartition()({0, {Scalar::Int(1), std::move(a)}}, {0, {Scalar::Int(1), std::move(b)}});
  };
  EXPECT_FALSE(same(Scalar::Double(0.0), Scalar::Double(-0.0)));
  EXPECT_FALSE(same(Scalar::Float(-0.0f), Scalar::Float(0.0f)));
  EXPECT_TRUE(same(Scalar::Double(-0.0), Scalar::Double(-0.0)));
  EXPECT_TRUE(same(Scalar::Double(std::nan("")), Scalar::Double(-std::nan(""))));
  EXPECT_TRUE(same(Scalar::Null(Type::Float()), Scalar::Null(Type::Float())));
  EXPECT_FALSE(same(Scalar::Null(Type::Float()), Scalar::Float(0.0f)));
  EXPECT_FALSE(same(Scalar::Double(1), Scalar::Double(-1)));
  EXPECT_FALSE(SamePartition()({0, {}}, {1, {}}));
}

TEST(KeySet, SpecsThatNoKeyDeterminesAreLeftOut) {
  const KeySet set = Build({FieldId{1}},
                           {Spec(0, {}), Spec(1, {On(7, "identity")}), Spec(2, {On(1, "void")}),
                            Spec(3, {On(7, "identity"), On(1, "bucket[4]")})},
                           {{Scalar::Long(34)}});
  ASSERT_EQ(set.partitions.size(), 1u);
  EXPECT_EQ(set.partitions[0].spec_id, 3);
  // 34 hashes to 2017239379, the spec's vector.
  EXPECT_TRUE(set.partitions[0].tuples.contains(PartitionTuple{3, {Scalar(), Scalar::Int(2017239379 % 4)}}));
}

TEST(KeySet, AKeyOfTheWrongWidthIsAnError) {
  KeySetBuilder builder({FieldId{1}}, {}, {});
  EXPECT_FALSE(builder.Add({Scalar::Long(1), Scalar::Long(2)}));
}

}  // namespace
}  // namespace weir::table
