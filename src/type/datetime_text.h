#pragma once

/// How Spark reads dates and times from text. Thread rule: pure functions.
/// Spec: Spark SQL, "Datetime literals" and casts from string.

#include <cstdint>
#include <optional>
#include <string_view>

#include "type/time_zone.h"

namespace weir {

/// `text` without blanks and control characters at both ends, as Spark's casts trim it.
std::string_view TrimForCast(std::string_view text);

/// Days since 1970-01-01 of a day of the calendar; nullopt if there is no such day.
std::optional<int64_t> DaysOf(int64_t year, int64_t month, int64_t day);

/// Days of "[+-]yyyy[y..][-m[m][-d[d][( |T)..]]]"; nullopt if the text is no such date.
std::optional<int32_t> ReadDate(std::string_view text);

/// A wall clock reading, and the zone that was written behind it.
struct WallTime {
  int64_t wall_micros = 0;
  bool has_date = true;   ///< False for a time of day alone: wall_micros counts from midnight.
  std::string_view zone;  ///< Empty if none is written.
};
/// Reads "date[( |T)h[h][:m[m][:s[s][.fraction][zone]]]]" or a time of day alone; digits of the fraction
/// behind the sixth are cut. Nullopt: no such text.
std::optional<WallTime> ReadWallTime(std::string_view text);

/// The instant that the text means; `zone` stands for one that is not written, and a time of day alone is one
/// of the day of `now_micros`. Nullopt: no such text, an unknown zone, or beyond the range of timestamps.
std::optional<int64_t> ReadTimestamp(std::string_view text, const TimeZone& zone, int64_t now_micros);

/// The wall clock reading that the text means; a zone in it is checked and left out. Nullopt as above, and
/// for a time of day alone.
std::optional<int64_t> ReadTimestampNtz(std::string_view text);

}  // namespace weir
