#include "ops/partition_change.h"

#include <gtest/gtest.h>

namespace weir::ops {
namespace {

/// (id bigint, v string, p string, ts timestamp) by (bucket(10, id), p, days(ts)).
table::Snapshot Base() {
  table::Snapshot snapshot;
  snapshot.schema.fields = {{FieldId{1}, "id", Type::Long(), false, ""},
                            {FieldId{2}, "v", Type::String(), false, ""},
                            {FieldId{3}, "p", Type::String(), false, ""},
                            {FieldId{4}, "ts", Type::Timestamp(), false, ""}};
  table::PartitionSpec spec;
  spec.fields = {{FieldId{1}, FieldId{1000}, "id_bucket", {Transform::Kind::kBucket, 10, ""}},
                 {FieldId{3}, FieldId{1001}, "p", {}},
                 {FieldId{4}, FieldId{1002}, "ts_day", {Transform::Kind::kDay, 0, ""}}};
  snapshot.specs = {spec};
  return snapshot;
}

unresolved::PartitionTransform Wanted(std::string column, Transform transform = {}) {
  return {{std::move(column)}, std::move(transform), "as written", {}};
}

std::vector<std::string> Names(const Result<table::PartitionSpec>& spec) {
  std::vector<std::string> names;
  if (!spec) return {"error: " + spec.error().message()};
  for (const auto& field : spec->fields) names.push_back(field.name);
  return names;
}
using List = std::vector<std::string>;

TEST(PartitionChange, LeavesNamesToTheFormat) {
  const auto added = AddField(Base(), {Wanted("V", {Transform::Kind::kTruncate, 4, ""}), ""});
  EXPECT_EQ(Names(added), (List{"id_bucket", "p", "ts_day", ""}));
  EXPECT_EQ(added->fields[3].source_id, FieldId{2});
  EXPECT_EQ(Names(AddField(Base(), {Wanted("v", {Transform::Kind::kBucket, 16, ""}), "shard"})),
            (List{"id_bucket", "p", "ts_day", "shard"}));
}

TEST(PartitionChange, DropsByTransformOrByName) {
  EXPECT_EQ(Names(DropField(Base(), {Wanted("ts", {Transform::Kind::kDay, 0, ""})})),
            (List{"id_bucket", "p"}));
  EXPECT_EQ(Names(DropField(Base(), {Wanted("ts_day")})), (List{"id_bucket", "p"}));
  EXPECT_EQ(Names(DropField(Base(), {Wanted("p")})), (List{"id_bucket", "ts_day"}));
}

TEST(PartitionChange, ReplacesAtTheEnd) {
  const auto replaced = ReplaceField(Base(), {Wanted("id", {Transform::Kind::kBucket, 10, ""}),
                                              Wanted("id", {Transform::Kind::kBucket, 20, ""}), ""});
  EXPECT_EQ(Names(replaced), (List{"p", "ts_day", ""}));
}

TEST(PartitionChange, AFieldReplacedByItselfKeepsItsIdAndPlace) {
  const auto renamed = ReplaceField(Base(), {Wanted("p"), Wanted("p"), "q"});
  EXPECT_EQ(Names(renamed), (List{"id_bucket", "q", "ts_day"}));
  EXPECT_EQ(renamed->fields[1].field_id, FieldId{1001});
  const auto same = ReplaceField(Base(), {Wanted("p"), Wanted("p"), ""});
  EXPECT_EQ(Names(same), (List{"id_bucket", "p", "ts_day"}));
}

TEST(PartitionChange, RefusesByName) {
  EXPECT_FALSE(AddField(Base(), {Wanted("p"), ""}));
  EXPECT_FALSE(AddField(Base(), {Wanted("nocol", {Transform::Kind::kBucket, 3, ""}), ""}));
  EXPECT_FALSE(AddField(Base(), {Wanted("v", {Transform::Kind::kHour, 0, ""}), ""}));
  EXPECT_FALSE(AddField(Base(), {Wanted("ts", {Transform::Kind::kHour, 0, ""}), "v"}));
  EXPECT_FALSE(DropField(Base(), {Wanted("id", {Transform::Kind::kBucket, 11, ""})}));
  EXPECT_FALSE(DropField(Base(), {Wanted("nosuch")}));
}

}  // namespace
}  // namespace weir::ops
