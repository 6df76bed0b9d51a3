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
      {"spark.sql.session.timeZone", "Asia/Tokyo", "ok"},
      {"spark.sql.session.timeZone", "+02:00", "ok"},
      {"spark.sql.session.timeZone", "Nowhere/X", "INVALID_CONF_VALUE.TIME_ZONE"},
      {"spark.sql.session.timeZone", "../etc/passwd", "INVALID_CONF_VALUE.TIME_ZONE"},
      {"spark.sql.warehouse.dir", "/x", "CANNOT_MODIFY_STATIC_CONFIG"},
      {"spark.sql.ansi.enabled", "maybe", "INVALID_CONF_VALUE.TYPE_MISMATCH"},
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

TEST(Conf, SwitchesPruningOff) {
  Conf conf = *Conf::Make({{"spark.weir.pruning.pages", "false"}});
  EXPECT_FALSE(conf.pruning().pages);
  EXPECT_TRUE(conf.pruning().files);
  EXPECT_FALSE(Conf::Make({{"spark.weir.pruning.pages", "no"}}));
}

}  // namespace
}  // namespace weir::session
