#include "sql/datetime_literal.h"

#include <array>
#include <limits>

#include "sql/characters.h"
#include "type/calendar.h"

namespace weir::sql {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Digits at the front of `text`, taken off; nullopt unless there are `min` to `max` of them.
std::optional<int32_t> TakeDigits(std::string_view& text, size_t min, size_t max) {
  size_t count = 0;
  int32_t value = 0;
  while (count < text.size() && IsDigit(text[count])) {
    if (count == max) return std::nullopt;
    value = value * 10 + (text[count++] - '0');
  }
  if (count < min) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

bool TakeOne(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<int64_t> DaysOf(int64_t year, int32_t month, int32_t day) {
  if (month < 1 || month > 12 || day < 1) return std::nullopt;
  const int64_t first = DaysFromCivil({year, month, 1});
  const int64_t next = month == 12 ? DaysFromCivil({year + 1, 1, 1}) : DaysFromCivil({year, month + 1, 1});
  if (day > next - first) return std::nullopt;
  return first + day - 1;
}

/// The date at the front of `text`, taken off. `has_day`: it went as far as the day.
std::optional<int64_t> TakeDate(std::string_view& text, size_t max_year_digits, bool& has_day) {
  has_day = false;
  int64_t sign = 1;
  if (TakeOne(text, '-')) {
    sign = -1;
  } else {
    TakeOne(text, '+');
  }
  const auto year = TakeDigits(text, 4, max_year_digits);
  if (!year) return std::nullopt;
  int32_t month = 1;
  int32_t day = 1;
  if (TakeOne(text, '-')) {
    const auto read = TakeDigits(text, 1, 2);
    if (!read) return std::nullopt;
    month = *read;
    if (TakeOne(text, '-')) {
      const auto read_day = TakeDigits(text, 1, 2);
      if (!read_day) return std::nullopt;
      day = *read_day;
      has_day = true;
    }
  }
  return DaysOf(sign * *year, month, day);
}

/// Hour, minute, second and fraction; what is left of `text` is the zone.
std::optional<int64_t> TakeTime(std::string_view& text) {
  std::array<int32_t, 3> parts{};
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && !TakeOne(text, ':')) return text.empty() ? std::optional(0) : std::nullopt;
    const auto read = TakeDigits(text, 1, 2);
    if (!read) return std::nullopt;
    parts[i] = *read;
    if (text.empty()) break;
  }
  int64_t fraction = 0;
  if (TakeOne(text, '.')) {
    int64_t unit = 100'000;
    for (; !text.empty() && IsDigit(text.front()); text.remove_prefix(1), unit /= 10) {
      fraction += unit * (text.front() - '0');
    }
  }
  if (parts[0] > 23 || parts[1] > 59 || parts[2] > 59) return std::nullopt;
  return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * kMicrosPerSecond + fraction;
}

Error BadOffset(std::string_view zone) { return Invalid("'{}' is not a time zone.", zone); }

}  // namespace

std::optional<int32_t> ParseDateText(std::string_view text) {
  text = Trim(text);
  bool has_day = false;
  const auto days = TakeDate(text, 7, has_day);
  if (!days) return std::nullopt;
  if (!text.empty() && !(has_day && (text.front() == ' ' || text.front() == 'T'))) return std::nullopt;
  if (*days < std::numeric_limits<int32_t>::min() || *days > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return static_cast<int32_t>(*days);
}

std::optional<TimestampText> ParseTimestampText(std::string_view text) {
  text = Trim(text);
  if (text.empty()) return std::nullopt;
  TimestampText result;
  int64_t days = 0;
  const size_t colon = text.find(':');
  result.has_date = text.front() != 'T' && (colon == std::string_view::npos || colon > 2);
  if (result.has_date) {
    bool has_day = false;
    const auto date = TakeDate(text, 6, has_day);
    if (!date) return std::nullopt;
    days = *date;
    if (!text.empty() && !(has_day && (TakeOne(text, ' ') || TakeOne(text, 'T')))) return std::nullopt;
  } else {
    TakeOne(text, 'T');
  }
  int64_t micros = 0;
  if (!text.empty() || !result.has_date) {
    const auto time = TakeTime(text);
    if (!time) return std::nullopt;
    micros = *time;
    result.zone = Trim(text);
  }
  if (__builtin_mul_overflow(days, kMicrosPerDay, &days) ||
      __builtin_add_overflow(days, micros, &result.wall_micros)) {
    return std::nullopt;
  }
  return result;
}

Result<int64_t> ZoneOffsetMicros(std::string_view zone) {
  if (zone == "Z") return 0;
  std::string_view rest = zone;
  for (std::string_view prefix : {"UTC", "GMT", "UT"}) {
    if (rest.substr(0, prefix.size()) != prefix) continue;
    rest.remove_prefix(prefix.size());
    if (rest.empty()) return 0;
    break;
  }
  if (rest.empty() || (rest.front() != '+' && rest.front() != '-')) {
    return Unsupported("time zone '{}': only UTC and offsets are known", zone);
  }
  const int64_t sign = rest.front() == '-' ? -1 : 1;
  rest.remove_prefix(1);
  int64_t parts[3] = {};
  if (rest.find(':') == std::string_view::npos && rest.size() == 4) {  // "+0230"
    std::string_view hours = rest.substr(0, 2), minutes = rest.substr(2);
    const auto h = TakeDigits(hours, 2, 2), m = TakeDigits(minutes, 2, 2);
    if (!h || !m) return BadOffset(zone);
    parts[0] = *h;
    parts[1] = *m;
  } else {
    for (int64_t& part : parts) {
      const auto read = TakeDigits(rest, 1, 2);
      if (!read) return BadOffset(zone);
      part = *read;
      if (rest.empty()) break;
      if (!TakeOne(rest, ':')) return BadOffset(zone);
    }
    if (!rest.empty()) return BadOffset(zone);
  }
  const int64_t seconds = (parts[0] * 60 + parts[1]) * 60 + parts[2];
  if (parts[1] > 59 || parts[2] > 59 || seconds > 18 * 3600) return BadOffset(zone);
  return sign * seconds * kMicrosPerSecond;
}

}  // namespace weir::sql
