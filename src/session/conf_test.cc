#include "session/conf.h"

#include <gtest/gtest.h>

namespace weir::session {
namespace {

std::string ConditionOf(const Status& status) {
  if (status) return "ok";
  return status.error().condition() == nullptr ? "none" : status.error().condition()->name;
}

TEST(Conf, AcceptsAndRefusesAsSparkDoes) {
  Conf conf = *Conf::Make({});
  struct Case {
    const char *key, *value, *expected;
  };
  const Case cases[] = {
      {"spark.sql.foo", "bar", "ok"},
      {"foo", "bar", "ok"},
      {"spark.sql.session.timeZone", "PST", "ok"},
      {"spark.sql.session.timeZone", "Asia/Tokyo", "ok"},
      {"spark.sql.session.timeZone", "+02:00", "ok"},
      {"spark.sql.session.timeZone", "Nowhere/X", "INVALID_CONF_VALUE.TIME_ZONE"},
      {"spark.sql.session.timeZone", "+99:99", "INVALID_CONF_VALUE.TIME_ZONE"},
      {"spark.sql.session.timeZone", "zone.tab", "INVALID_CONF_VALUE.TIME_ZONE"},
      {"spark.sql.session.timeZone", "../etc/passwd", "INVALID_CONF_VALUE.TIME_ZONE"},
      {"spark.sql.warehouse.dir", "/x", "CANNOT_MODIFY_STATIC_CONFIG"},
      {"spark.sql.ansi.enabled", "maybe", "INVALID_CONF_VALUE.TYPE_MISMATCH"},
      {"spark.sql.sources.partitionOverwriteMode", "dynamc", "INVALID_CONF_VALUE.OUT_OF_RANGE_OF_OPTIONS"},
      {"spark.sql.ansi.enabled", " FALSE ", "ok"},
      {"spark.executor.memory", "3g", "CANNOT_MODIFY_CONFIG"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(ConditionOf(conf.Set(c.key, c.value)), c.expected) << c.key << "=" << c.value;
  EXPECT_FALSE(conf.semantics().ansi);
  EXPECT_EQ(conf.semantics().time_zone, "+02:00");
}

TEST(Conf, ResetGoesBackToTheStart) {
  Conf conf = *Conf::Make({{"a", "1"}, {"spark.executor.memory", "3g"}});
  ASSERT_TRUE(conf.Set("a", "2"));
  ASSERT_TRUE(conf.Set("b", "3"));
  conf.Reset("a");
  conf.Reset("b");
  EXPECT_EQ(conf.Get("a"), "1");
  EXPECT_EQ(conf.Get("b"), std::nullopt);
  EXPECT_EQ(conf.Get("spark.sql.shuffle.partitions"), "200");
}

TEST(Conf, RefusesSettingsThatWouldChangeTheMeaning) {
  Conf conf = *Conf::Make({});
  for (const auto& [key, value] : ConfMap{{"spark.sql.caseSensitive", "true"},
                                          {"spark.sql.storeAssignmentPolicy", "LEGACY"},
                                          {"spark.sql.timestampType", "TIMESTAMP_NTZ"}}) {
    const Status set = conf.Set(key, value);
    ASSERT_FALSE(set) << key;
    EXPECT_EQ(set.error().code(), ErrorCode::kUnsupported);
    EXPECT_NE(set.error().message().find(key), std::string::npos);
    EXPECT_FALSE(Conf::Make({{key, value}})) << key;
  }
  EXPECT_TRUE(conf.Set("spark.sql.caseSensitive", "FALSE"));
  EXPECT_TRUE(conf.Set("spark.sql.storeAssignmentPolicy", "ansi"));
}

TEST(Conf, SwitchesPruningOff) {
  Conf conf = *Conf::Make({{"spark.weir.pruning.pages", "false"}});
  EXPECT_FALSE(conf.pruning().pages);
  EXPECT_TRUE(conf.pruning().files);
  EXPECT_FALSE(Conf::Make({{"spark.weir.pruning.pages", "no"}}));
}

TEST(Conf, GivesTheEngineMemoryAndAFolderForSpilling) {
  struct Case {
    const char* text;
    uint64_t bytes;  // 0: refused.
  };
  for (const Case& c :
       {Case{"2g", 2ull << 30}, Case{" 512MB ", 512ull << 20}, Case{"1024", 1ull << 30},
        Case{"131072k", 128ull << 20}, Case{"67108864b", 64ull << 20}, Case{"1.5g", 0}, Case{"2x", 0},
        Case{"-1g", 0}, Case{"", 0}, Case{"63m", 0}, Case{"99999999999t", 0}}) {
    const auto options = Conf::Make({{"spark.driver.memory", c.text}})->EngineFrom({});
    EXPECT_EQ(options ? options->memory_limit_bytes : 0, c.bytes) << c.text;
    if (c.bytes == 0) {
      EXPECT_NE(options.error().message().find("spark.driver.memory"), std::string::npos);
    }
  }
  const auto plain = Conf::Make({})->EngineFrom({});
  EXPECT_EQ(plain->memory_limit_bytes, 0u);
  EXPECT_EQ(plain->spill_directory, "");
  EXPECT_EQ(Conf::Make({{"spark.local.dir", "/a b, /c"}})->EngineFrom({})->spill_directory, "/a b");
}

}  // namespace
}  // namespace weir::session
