#include "exec/duckdb/functions/wall_clock.h"

#include <limits>
#include <string>

#include "base/ascii.h"
#include "type/calendar.h"

namespace weir::exec {

namespace {

int32_t DaysInMonth(int64_t year, int32_t month) {
  const int64_t first = DaysFromCivil({year, month, 1});
  const int64_t next = month == 12 ? DaysFromCivil({year + 1, 1, 1}) : DaysFromCivil({year, month + 1, 1});
  return static_cast<int32_t>(next - first);
}

}  // namespace

int64_t InstantNear(const TimeZone& zone, int64_t wall_micros, int64_t offset_micros) {
  const int64_t kept = wall_micros - offset_micros;
  return zone.OffsetAt(kept) == offset_micros ? kept : zone.ToInstant(wall_micros);
}

std::optional<int32_t> AddMonths(int32_t days, int64_t months) {
  const CivilDate date = CivilFromDays(days);
  const int64_t month = date.year * 12 + (date.month - 1) + months;
  const int64_t year = FloorDiv(month, 12);
  const auto month_of_year = static_cast<int32_t>(FloorMod(month, 12) + 1);
  const int64_t moved =
      DaysFromCivil({year, month_of_year, std::min(date.day, DaysInMonth(year, month_of_year))});
  if (moved != static_cast<int32_t>(moved)) return std::nullopt;
  return static_cast<int32_t>(moved);
}

int32_t LastDayOfMonth(int32_t days) {
  const CivilDate date = CivilFromDays(days);
  return days + (DaysInMonth(date.year, date.month) - date.day);
}

std::optional<TimeLevel> ReadTimeLevel(std::string_view text) {
  struct Name {
    std::string_view name;
    TimeLevel level;
  };
  static constexpr Name kNames[] = {
      {"MICROSECOND", TimeLevel::kMicrosecond},
      {"MILLISECOND", TimeLevel::kMillisecond},
      {"SECOND", TimeLevel::kSecond},
      {"MINUTE", TimeLevel::kMinute},
      {"HOUR", TimeLevel::kHour},
      {"DAY", TimeLevel::kDay},
      {"DD", TimeLevel::kDay},
      {"WEEK", TimeLevel::kWeek},
      {"MON", TimeLevel::kMonth},
      {"MONTH", TimeLevel::kMonth},
      {"MM", TimeLevel::kMonth},
      {"QUARTER", TimeLevel::kQuarter},
      {"YEAR", TimeLevel::kYear},
      {"YYYY", TimeLevel::kYear},
      {"YY", TimeLevel::kYear},
  };
  const std::string upper = AsciiUpper(text);
  for (const Name& name : kNames) {
    if (name.name == upper) return name.level;
  }
  return std::nullopt;
}

int32_t TruncateDate(int32_t days, TimeLevel level) {
  // 1970-01-01 was a Thursday; weeks start on Monday.
  if (level == TimeLevel::kWeek) return static_cast<int32_t>(days - FloorMod(int64_t{days} + 3, 7));
  CivilDate date = CivilFromDays(days);
  date.day = 1;
  if (level == TimeLevel::kQuarter) date.month -= (date.month - 1) % 3;
  if (level == TimeLevel::kYear) date.month = 1;
  return static_cast<int32_t>(DaysFromCivil(date));
}

int64_t TruncateInstant(const TimeZone& zone, int64_t micros, TimeLevel level) {
  if (level == TimeLevel::kMicrosecond) return micros;
  if (level == TimeLevel::kMillisecond) return micros - FloorMod(micros, 1000);
  if (level == TimeLevel::kSecond) return micros - FloorMod(micros, kMicrosPerSecond);
  const int64_t offset = zone.OffsetAt(micros);
  const int64_t wall = micros + offset;
  if (level <= TimeLevel::kDay) {
    const int64_t unit = level == TimeLevel::kMinute ? 60 * kMicrosPerSecond
                         : level == TimeLevel::kHour ? kMicrosPerHour
                                                     : kMicrosPerDay;
    return InstantNear(zone, wall - FloorMod(wall, unit), offset);
  }
  const auto days = static_cast<int32_t>(FloorDiv(wall, kMicrosPerDay));
  return zone.ToInstant(TruncateDate(days, level) * kMicrosPerDay);
}

}  // namespace weir::exec
