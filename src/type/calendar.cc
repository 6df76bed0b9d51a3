#include "type/calendar.h"

#include <fmt/format.h>

namespace weir {

namespace {
// Years counted from March put the leap day last, so that month lengths follow one linear formula.
constexpr int64_t kDaysPerEra = 146097;        // 400 years
constexpr int64_t kDaysToMarchYear0 = 719468;  // from 0000-03-01 to 1970-01-01
}  // namespace

CivilDate CivilFromDays(int64_t days) {
  days += kDaysToMarchYear0;
  const int64_t era = FloorDiv(days, kDaysPerEra);
  const int64_t day_of_era = FloorMod(days, kDaysPerEra);
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / (kDaysPerEra - 1)) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {.year = era * 400 + year_of_era + (month <= 2 ? 1 : 0),
          .month = static_cast<int32_t>(month),
          .day = static_cast<int32_t>(day_of_year - (153 * month_from_march + 2) / 5 + 1)};
}

int64_t DaysFromCivil(const CivilDate& date) {
  const int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const int64_t era = FloorDiv(year, 400);
  const int64_t year_of_era = FloorMod(year, 400);
  const int64_t month_from_march = date.month > 2 ? date.month - 3 : date.month + 9;
  const int64_t day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysPerEra + day_of_era - kDaysToMarchYear0;
}

std::string DateText(int64_t days) {
  const CivilDate date = CivilFromDays(days);
  const std::string_view sign = date.year < 0 ? "-" : date.year > 9999 ? "+" : "";
  return fmt::format("{}{:04}-{:02}-{:02}", sign, date.year < 0 ? -date.year : date.year, date.month,
                     date.day);
}

std::string TimeText(int64_t micros) {
  const int64_t seconds = micros / kMicrosPerSecond;
  const int64_t fraction = micros % kMicrosPerSecond;
  std::string text = fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction != 0) {
    text += fmt::format(".{:06}", fraction);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

std::string TimestampText(int64_t micros) {
  return DateText(FloorDiv(micros, kMicrosPerDay)) + ' ' + TimeText(FloorMod(micros, kMicrosPerDay));
}

}  // namespace weir
