#include "type/time_zone.h"

#include <gtest/gtest.h>

#include "type/calendar.h"
#include "type/datetime_text.h"

namespace weir {
namespace {

TimeZone Zone(std::string_view name) {
  auto zone = TimeZone::Find(name);
  EXPECT_TRUE(zone) << name;
  return zone ? **zone : TimeZone::Fixed(0);
}

TEST(TimeZoneTest, NamesAsJavaReadsThem) {
  struct Case {
    const char* name;
    int64_t offset_seconds;
  };
  for (const Case& c : {Case{"UTC", 0},
                        {"Z", 0},
                        {"GMT", 0},
                        {"GMT+2", 7200},
                        {"UTC-01:30", -5400},
                        {"UT+1", 3600},
                        {"+1", 3600},
                        {"+01", 3600},
                        {"-1:30", -5400},
                        {"+01:3", 3780},
                        {"+0130", 5400},
                        {"+010203", 3723},
                        {"+01:02:03", 3723},
                        {"-18:00", -64800},
                        {"EST", -18000},
                        {"Asia/Tokyo", 32400},
                        {"JST", 32400}}) {
    EXPECT_EQ(Zone(c.name).OffsetAt(0), c.offset_seconds * kMicrosPerSecond) << c.name;
  }
  for (const char* name : {"", "X", "est", "+19", "+18:01", "+1:2:3:4", "+01:60", "UTC+", "Europe/Nowhere",
                           "../etc/passwd", "/etc/passwd", "right/UTC", "Europe", "+123"}) {
    const auto zone = TimeZone::Find(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_EQ(zone.error().code(), ErrorCode::kInvalid) << name;
  }
}

// Values seen on Java 17.
TEST(TimeZoneTest, WallClocksSkipAndRepeat) {
  struct Case {
    const char* zone;
    const char* wall;
    int64_t seconds;
  };
  for (const Case& c : {Case{"America/New_York", "2021-03-14 02:30:00", 1615707000},
                        {"America/New_York", "2021-11-07 01:30:00", 1636263000},
                        {"America/New_York", "1800-01-01 00:00:00", -5364644638},
                        {"America/New_York", "2400-07-01 00:00:00", 13585204800},
                        {"Europe/Dublin", "2050-07-01 00:00:00", 2540242800},
                        {"Australia/Sydney", "2099-12-31 23:00:00", 4102401600}}) {
    const int64_t wall = ReadTimestampNtz(c.wall).value();
    EXPECT_EQ(Zone(c.zone).ToInstant(wall), c.seconds * kMicrosPerSecond) << c.zone << ' ' << c.wall;
  }
}

TEST(TimeZoneTest, ReadingsRoundTripThroughEveryHourOfAYear) {
  const TimeZone zone = Zone("Europe/Berlin");
  const int64_t start = ReadTimestampNtz("2037-01-01").value();
  for (int64_t hour = 0; hour < 2 * 366 * 24; ++hour) {
    const int64_t instant = start + hour * kMicrosPerHour;
    const int64_t again = zone.ToInstant(zone.ToWall(instant));
    // One hour a year is read twice by the clock.
    ASSERT_TRUE(again == instant || again == instant - kMicrosPerHour) << hour;
  }
}

TEST(TimeZoneTest, BrokenFilesAreRefused) {
  for (const std::string& bytes :
       {std::string(), std::string("TZif"), std::string("TZif2") + std::string(39, '\xff'),
        std::string("TZif2") + std::string(39, '\0'), std::string(100, 'x')}) {
    const auto zone = TimeZone::Parse(bytes, "x");
    ASSERT_FALSE(zone);
    EXPECT_EQ(zone.error().code(), ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace weir
