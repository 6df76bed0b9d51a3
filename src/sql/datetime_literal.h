#pragma once

/// Dates and times of literals. Thread rule: pure functions.
/// Spec: Spark SQL, "Datetime literals"; the forms are those of Spark's cast from string.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace weir::sql {

/// Days since 1970-01-01 of `[+-]yyyy[y..][-m[m][-d[d]]]`, with anything behind a blank or a T after the day.
/// Nullopt: not such a text, or not a day of the calendar.
std::optional<int32_t> ParseDateText(std::string_view text);

/// A wall clock reading, and the zone that was written behind it.
struct TimestampText {
  int64_t wall_micros = 0;
  bool has_date = true;   ///< False for a time of day alone: wall_micros counts from midnight.
  std::string_view zone;  ///< Empty if none is written.
};
/// Reads `[date[( |T)h[h][:m[m][:s[s][.fraction][zone]]]]]` or a time of day alone. Digits of the fraction
/// behind the sixth are cut. Nullopt: not such a text.
std::optional<TimestampText> ParseTimestampText(std::string_view text);

/// Micros east of UTC of "Z", "UTC", "GMT", "UT", an offset, or one of these names with an offset.
/// Errors: kUnsupported for a region name, which may or may not exist; kInvalid for an offset that is none.
Result<int64_t> ZoneOffsetMicros(std::string_view zone);

}  // namespace weir::sql
