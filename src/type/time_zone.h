#pragma once

/// Time zones with Java's meaning, read from the system's zone files. Thread rule: immutable, shared.
/// Spec: RFC 8536 (TZif); java.time.ZoneId for names, ZonedDateTime.ofLocal for gaps and overlaps.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace weir {

class TimeZone {
 public:
  /// Finds a zone by a region ("Europe/Berlin"), an offset ("+01:00", "-8", "+1:30"), "Z", "UTC", "GMT+1", or
  /// one of Java's short names ("PST"). Zones are read once and kept. Errors: kInvalid with INVALID_TIMEZONE
  /// for a name that is none; kCorrupt for a zone file that breaks its format.
  static Result<std::shared_ptr<const TimeZone>> Find(std::string_view name);
  /// Parses the bytes of a zone file. Errors: kCorrupt.
  static Result<TimeZone> Parse(std::string_view bytes, std::string_view name);
  static TimeZone Fixed(int32_t offset_seconds);

  /// Micros east of UTC.
  int64_t OffsetAt(int64_t instant_micros) const;
  /// The wall clock reading at an instant. Wraps at the ends of the range.
  int64_t ToWall(int64_t instant_micros) const;
  /// The instant of a wall clock reading: the earlier of two; a reading that the clock skips is moved on by
  /// as much as the clock was.
  int64_t ToInstant(int64_t wall_micros) const;

 private:
  /// When a half of the year starts: a day, and seconds from its midnight by the clock before.
  struct Rule {
    enum class Kind : uint8_t { kMonthWeekDay, kJulian, kDayOfYear } kind = Kind::kMonthWeekDay;
    int32_t month = 0, week = 0, day = 0;
    int32_t seconds = 7200;
    int64_t Seconds(int64_t year) const;
  };
  /// The rule behind the last transition of the file.
  struct Tail {
    int32_t standard = 0;
    int32_t daylight = 0;
    bool has_daylight = false;
    Rule start, end;
    int32_t OffsetAt(int64_t seconds) const;
  };
  class TailParser;

  std::vector<int64_t> transitions_;  ///< Seconds, ascending.
  std::vector<int32_t> offsets_;      ///< offsets_[i] holds in front of transitions_[i]; one more at the end.
  Tail tail_;
};

}  // namespace weir
