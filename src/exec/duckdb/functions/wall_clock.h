#pragma once

/// Arithmetic on instants by the clock of a zone, as java.time's ZonedDateTime does it. Thread rule: pure
/// functions.

#include <cstdint>
#include <optional>
#include <string_view>

#include "type/time_zone.h"

namespace weir::exec {

/// The instant of a reading that was made by moving the clock: `offset_micros`, the offset before the move,
/// stays where it can.
int64_t InstantNear(const TimeZone& zone, int64_t wall_micros, int64_t offset_micros);

/// Days since 1970-01-01 moved by months; a day that the month lacks becomes its last. Nullopt beyond the
/// range.
std::optional<int32_t> AddMonths(int32_t days, int64_t months);
int32_t LastDayOfMonth(int32_t days);

/// What trunc and date_trunc cut to.
enum class TimeLevel : uint8_t {
  kMicrosecond,
  kMillisecond,
  kSecond,
  kMinute,
  kHour,
  kDay,
  kWeek,
  kMonth,
  kQuarter,
  kYear
};
/// Reads "yyyy", "MON", "week", ... in any case. Nullopt: NULL for Spark.
std::optional<TimeLevel> ReadTimeLevel(std::string_view text);
/// Precondition: level >= kWeek.
int32_t TruncateDate(int32_t days, TimeLevel level);
int64_t TruncateInstant(const TimeZone& zone, int64_t micros, TimeLevel level);

}  // namespace weir::exec
