#include "table/iceberg/write_rules.h"

#include <gmock/gmock.h>

#include "table/iceberg/fixture_for_test.h"
#include "table/iceberg/snapshot_noun.h"
#include "table/iceberg/table_metadata_json.h"

namespace weir::iceberg {
namespace {

using table::Change;
using testing::HasSubstr;

/// As another engine may leave it: our own commits would refuse some of it.
void PutMetadata(World& world, const TableMetadata& metadata) {
  Must(world.store().Put(kTableLocation + "/metadata/v1.metadata.json",
                         AsBytes(TableMetadataToJson(metadata)), PutIf::Always()));
}

TEST(WriteRules, NewFilesLieWhereThePropertiesSay) {
  const std::string data = kTableLocation + "/data/";
  const auto path = [](Properties properties) {
    World world;
    Client client(world);
    client.Create(SampleMetadata({}, std::move(properties)));
    return client.table.NewFilePath(*client.Load(), {}, ".parquet");
  };
  EXPECT_THAT(path({}), testing::MatchesRegex(data + "[^/]+"));
  EXPECT_THAT(path({{"write.data.path", "mem:/x//"}}), testing::MatchesRegex("mem:/x/[^/]+"));
  const Properties spread = {{"write.object-storage.enabled", "TRUE"},
                             {"write.object-storage.partitioned-paths", "FALSE"}};
  EXPECT_THAT(path(spread), testing::MatchesRegex(data + "[01]{4}/[01]{4}/[01]{4}/[01]{8}-[^/]+"));
}

TEST(WriteRules, RulesOfAWrongPropertyComeWithTheirError) {
  World world;
  Client client(world);
  TableMetadata metadata = SampleMetadata();
  metadata.properties["write.merge.isolation-level"] = "foo";
  client.Create(metadata);
  ASSERT_TRUE(client.Load()->rules_error.has_value());
  EXPECT_THAT(client.Load()->rules_error->message(), HasSubstr("write.merge.isolation-level"));
}

TEST(WriteRules, WhatCannotBeWrittenIsRefusedByName) {
  struct Case {
    const char* what;
    std::function<void(TableMetadata&)> edit;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"location provider", [](TableMetadata& m) { m.properties["write.location-provider.impl"] = "x"; },
       "write.location-provider.impl"},
      {"metadata elsewhere", [](TableMetadata& m) { m.properties["write.metadata.path"] = "x"; },
       "write.metadata.path"},
      {"metadata codec", [](TableMetadata& m) { m.properties["write.metadata.compression-codec"] = "lzo"; },
       "lzo"},
      {"manifest codec", [](TableMetadata& m) { m.properties["write.manifest.compression-codec"] = "lzo"; },
       "lzo"},
      {"bad number", [](TableMetadata& m) { m.properties["commit.retry.num-retries"] = "many"; },
       "commit.retry.num-retries"},
      {"sort order", [](TableMetadata& m) { m.default_sort_order_id = 7; }, "default-sort-order-id 7"},
      {"uuid partition", [](TableMetadata& m) { m.schemas[0].fields[1].type = Type::Uuid(); }, "uuid"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.what);
    World world;
    Client client(world);
    TableMetadata metadata = SampleMetadata({{{"color"}, Transform(), ""}});
    test.edit(metadata);
    PutMetadata(world, metadata);
    const auto before = world.Paths();
    const auto outcome =
        client.Commit(Append(client.Load(), {NewFile(world, "a", 1, 1, {Scalar::String("x")})}));
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message(), HasSubstr(test.message));
    EXPECT_EQ(world.Paths(), before);
  }
}

// A property that another engine has set wrongly must not lock anybody out: the table is read, and the
// property removed.
TEST(WriteRules, WrongPropertiesCanBeRepaired) {
  struct Case {
    std::string name, value;
    ErrorCode code = ErrorCode::kInvalid;
  };
  for (const auto& [name, value, code] :
       std::vector<Case>{{"write.delete.mode", "sometimes"},
                         {"write.merge.isolation-level", "none"},
                         {"write.target-file-size-bytes", "big"},
                         {"write.parquet.compression-level", "4294967299"},
                         {"write.delete.granularity", "table"},
                         {"write.object-storage.enabled", "yes"},
                         {"write.object-storage.partitioned-paths", "no"},
                         {"commit.retry.num-retries", "many"},
                         // Of a table without encrypted files, which Spark reads too.
                         {"encryption.key-id", "x", ErrorCode::kUnsupported}}) {
    SCOPED_TRACE(name);
    World world;
    Client client(world);
    TableMetadata metadata = SampleMetadata();
    metadata.properties[name] = value;
    PutMetadata(world, metadata);
    const auto refused = client.Commit(Append(client.Load(), {}));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(), HasSubstr(name));
    Change repair;
    repair.base = client.Load();
    repair.metadata.emplace();
    repair.metadata->properties = {{name, std::nullopt}};
    client.MustCommit(repair);
    client.MustCommit(Append(client.Load(), {NewFile(world, "a", 1, 1)}));
    // And nobody sets it wrongly through us.
    Change wrong;
    wrong.base = client.Load();
    wrong.metadata.emplace();
    wrong.metadata->properties = {{name, value}};
    const int64_t version = DetailOf(*wrong.base).table.version;
    const auto outcome = client.Commit(wrong);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code(), code);
    EXPECT_EQ(DetailOf(*client.Load()).table.version, version);
  }
}

}  // namespace
}  // namespace weir::iceberg
