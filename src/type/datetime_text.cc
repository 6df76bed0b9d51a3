#include "type/datetime_text.h"

#include <array>
#include <limits>

#include "base/int128.h"
#include "type/calendar.h"

namespace weir {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsBlank(char c) { return (c >= 0 && c <= ' ') || c == 0x7F; }

/// Digits at the front, taken off; nullopt unless there are `min` to `max` of them.
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

/// The date at the front, taken off. `has_day`: it went as far as the day.
std::optional<int64_t> TakeDate(std::string_view& text, size_t max_year_digits, bool& has_day) {
  has_day = false;
  const int64_t sign = TakeOne(text, '-') ? -1 : 1;
  if (sign == 1) TakeOne(text, '+');
  const auto year = TakeDigits(text, 4, max_year_digits);
  if (!year) return std::nullopt;
  int32_t parts[2] = {1, 1};
  for (int32_t& part : parts) {
    if (!TakeOne(text, '-')) break;
    const auto read = TakeDigits(text, 1, 2);
    if (!read) return std::nullopt;
    part = *read;
    has_day = &part != parts;
  }
  return DaysOf(sign * *year, parts[0], parts[1]);
}

/// Hour, minute, second and fraction; what is left is the zone.
std::optional<int64_t> TakeTime(std::string_view& text) {
  std::array<int32_t, 3> parts{};
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && !TakeOne(text, ':')) return std::nullopt;
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

}  // namespace

std::string_view TrimForCast(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<int64_t> DaysOf(int64_t year, int64_t month, int64_t day) {
  if (month < 1 || month > 12 || day < 1 || day > 31) return std::nullopt;
  const CivilDate date{year, static_cast<int32_t>(month), static_cast<int32_t>(day)};
  const int64_t days = DaysFromCivil(date);
  if (CivilFromDays(days) != date) return std::nullopt;
  return days;
}

std::optional<int32_t> ReadDate(std::string_view text) {
  text = TrimForCast(text);
  bool has_day = false;
  const auto days = TakeDate(text, 7, has_day);
  if (!days) return std::nullopt;
  if (!text.empty() && !(has_day && (text.front() == ' ' || text.front() == 'T'))) return std::nullopt;
  if (*days < std::numeric_limits<int32_t>::min() || *days > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return static_cast<int32_t>(*days);
}

std::optional<WallTime> ReadWallTime(std::string_view text) {
  const bool leading_t = text.starts_with('T');  // Only the very first character may be one.
  text = TrimForCast(text);
  if (text.empty()) return std::nullopt;
  WallTime result;
  int64_t days = 0;
  bool has_time = true;
  const size_t colon = text.find(':');
  result.has_date = !leading_t && (colon == std::string_view::npos || colon > 2 || !IsDigit(text[0]));
  if (result.has_date) {
    bool has_day = false;
    const auto date = TakeDate(text, 6, has_day);
    if (!date) return std::nullopt;
    days = *date;
    has_time = !text.empty();
    if (has_time && !(has_day && (TakeOne(text, ' ') || TakeOne(text, 'T')))) return std::nullopt;
  } else {
    TakeOne(text, 'T');
  }
  int64_t time = 0;
  if (has_time) {
    const auto read = TakeTime(text);
    if (!read) return std::nullopt;
    time = *read;
    result.zone = TrimForCast(text);
    if (result.zone.empty() && !text.empty()) return std::nullopt;
  }
  const Int128 micros = static_cast<Int128>(days) * kMicrosPerDay + time;
  result.wall_micros = static_cast<int64_t>(micros);
  if (result.wall_micros != micros) return std::nullopt;
  return result;
}

std::optional<int64_t> ReadTimestamp(std::string_view text, const TimeZone& zone, int64_t now_micros) {
  const auto read = ReadWallTime(text);
  if (!read) return std::nullopt;
  std::shared_ptr<const TimeZone> written;
  if (!read->zone.empty()) {
    auto found = TimeZone::Find(read->zone);
    if (!found) return std::nullopt;
    written = *std::move(found);
  }
  const TimeZone& actual = written ? *written : zone;
  int64_t wall = read->wall_micros;
  if (!read->has_date) wall += FloorDiv(actual.ToWall(now_micros), kMicrosPerDay) * kMicrosPerDay;
  const int64_t instant = actual.ToInstant(wall);
  // The end of the range: the offset went over it.
  if ((wall < 0) != (instant < 0) && (wall > kMicrosPerDay || wall < -kMicrosPerDay)) return std::nullopt;
  return instant;
}

std::optional<int64_t> ReadTimestampNtz(std::string_view text) {
  const auto read = ReadWallTime(text);
  if (!read || !read->has_date) return std::nullopt;
  if (!read->zone.empty() && !TimeZone::Find(read->zone)) return std::nullopt;
  return read->wall_micros;
}

}  // namespace weir
