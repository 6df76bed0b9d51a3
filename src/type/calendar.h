#pragma once

/// The proleptic Gregorian calendar, for every day and instant that Spark can hold. Thread rule: pure
/// functions.

#include <cstdint>
#include <string>

namespace weir {

inline constexpr int64_t kMicrosPerSecond = 1'000'000;
inline constexpr int64_t kMicrosPerHour = 3600 * kMicrosPerSecond;
inline constexpr int64_t kMicrosPerDay = 24 * kMicrosPerHour;

/// Division and remainder rounding towards minus infinity. The divisor is positive.
constexpr int64_t FloorDiv(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}
constexpr int64_t FloorMod(int64_t value, int64_t divisor) {
  const int64_t rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}

struct CivilDate {
  int64_t year;   ///< Astronomical: year 0 exists.
  int32_t month;  ///< From 1.
  int32_t day;    ///< From 1.
  bool operator==(const CivilDate&) const = default;
};

/// Converts between days since 1970-01-01 and a date. Valid for every year whose days fit 53 bits.
CivilDate CivilFromDays(int64_t days);
int64_t DaysFromCivil(const CivilDate& date);

/// "2025-01-01"; "+12345-01-01" beyond year 9999; "-0001-01-01" before year 0.
std::string DateText(int64_t days);
/// "10:00:00" with the fraction of a second cut of trailing zeros; micros in [0, kMicrosPerDay).
std::string TimeText(int64_t micros);
/// DateText and TimeText in UTC with a space between.
std::string TimestampText(int64_t micros);

}  // namespace weir
