#include "type/time_zone.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <unordered_map>

#include "base/ascii.h"
#include "type/calendar.h"

namespace weir {

namespace {

constexpr int64_t kSecondsPerDay = 86'400;
constexpr int32_t kMaxOffset = 18 * 3600;

int64_t WrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

/// Java's ZoneId.SHORT_IDS.
constexpr std::pair<std::string_view, std::string_view> kShortNames[] = {
    {"ACT", "Australia/Darwin"},
    {"AET", "Australia/Sydney"},
    {"AGT", "America/Argentina/Buenos_Aires"},
    {"ART", "Africa/Cairo"},
    {"AST", "America/Anchorage"},
    {"BET", "America/Sao_Paulo"},
    {"BST", "Asia/Dhaka"},
    {"CAT", "Africa/Harare"},
    {"CNT", "America/St_Johns"},
    {"CST", "America/Chicago"},
    {"CTT", "Asia/Shanghai"},
    {"EAT", "Africa/Addis_Ababa"},
    {"ECT", "Europe/Paris"},
    {"IET", "America/Indiana/Indianapolis"},
    {"IST", "Asia/Kolkata"},
    {"JST", "Asia/Tokyo"},
    {"MIT", "Pacific/Apia"},
    {"NET", "Asia/Yerevan"},
    {"NST", "Pacific/Auckland"},
    {"PLT", "Asia/Karachi"},
    {"PNT", "America/Phoenix"},
    {"PRT", "America/Puerto_Rico"},
    {"PST", "America/Los_Angeles"},
    {"SST", "Pacific/Guadalcanal"},
    {"VST", "Asia/Ho_Chi_Minh"},
    {"EST", "-05:00"},
    {"MST", "-07:00"},
    {"HST", "-10:00"},
};

Error NoSuchZone(std::string_view name) {
  return Invalid("there is no time zone '{}'", name)
      .WithCondition({"INVALID_TIMEZONE", "22009", {{"timeZone", std::string(name)}}, std::nullopt, ""});
}

/// Two digits, or one if the next character is none.
std::optional<int32_t> TakeTwo(std::string_view& text, bool one_will_do) {
  if (text.empty() || !IsAsciiDigit(text[0])) return std::nullopt;
  if (text.size() > 1 && IsAsciiDigit(text[1])) {
    const int32_t value = (text[0] - '0') * 10 + (text[1] - '0');
    text.remove_prefix(2);
    return value;
  }
  if (!one_will_do) return std::nullopt;
  const int32_t value = text[0] - '0';
  text.remove_prefix(1);
  return value;
}

/// "+h", "+hh", "+hhmm", "+hh:mm", "+hhmmss", "+hh:mm:ss", and Spark's "+h:mm" and "+hh:m".
std::optional<int32_t> ParseOffset(std::string_view text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const int32_t sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const auto hours = TakeTwo(text, true);
  if (!hours) return std::nullopt;
  int32_t parts[2] = {};
  const bool colons = !text.empty() && text[0] == ':';
  for (int32_t& part : parts) {
    if (text.empty()) break;
    if (colons) {
      if (text[0] != ':') return std::nullopt;
      text.remove_prefix(1);
    }
    // A lone digit of minutes may only end the text.
    const auto read = TakeTwo(text, colons && text.size() == 1 && &part == parts);
    if (!read || *read > 59) return std::nullopt;
    part = *read;
  }
  const int32_t seconds = (*hours * 60 + parts[0]) * 60 + parts[1];
  if (!text.empty() || seconds > kMaxOffset) return std::nullopt;
  return sign * seconds;
}

std::optional<int32_t> FixedOffset(std::string_view name) {
  if (name == "Z") return 0;
  for (std::string_view prefix : {"UTC", "GMT", "UT"}) {
    if (!name.starts_with(prefix)) continue;
    if (name == prefix) return 0;
    return ParseOffset(name.substr(prefix.size()));
  }
  return ParseOffset(name);
}

bool IsRegionName(std::string_view name) {
  if (name.size() < 2 || !IsAsciiLetter(name[0]) || name.find("..") != std::string_view::npos) return false;
  for (std::string_view folder : {"right/", "posix/"}) {
    if (name.starts_with(folder)) return false;
  }
  return std::ranges::all_of(name, [](char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) ||
           std::string_view("~/._+-").find(c) != std::string_view::npos;
  });
}

Result<TimeZone> Load(std::string_view name) {
  if (const auto offset = FixedOffset(name)) return TimeZone::Fixed(*offset);
  if (!IsRegionName(name)) return NoSuchZone(name);
  const char* folder = std::getenv("TZDIR");
  const std::filesystem::path path =
      std::filesystem::path(folder != nullptr ? folder : "/usr/share/zoneinfo") / name;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return NoSuchZone(name);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return TimeZone::Parse(bytes, name);
}

/// Reads big-endian numbers; past the end it gives zeros and remembers.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  int64_t Number(size_t size) {
    if (bytes_.size() < size) {
      failed_ = true;
      return 0;
    }
    uint64_t value = (static_cast<uint8_t>(bytes_[0]) & 0x80) != 0 ? ~uint64_t{0} : 0;
    for (size_t i = 0; i < size; ++i) value = (value << 8) | static_cast<uint8_t>(bytes_[i]);
    bytes_.remove_prefix(size);
    return static_cast<int64_t>(value);
  }
  std::string_view Take(size_t size) {
    failed_ |= bytes_.size() < size;
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view rest() const { return bytes_; }
  bool failed() const { return failed_; }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

struct Header {
  char version = 0;
  size_t ut = 0, standard = 0, leaps = 0, times = 0, types = 0, characters = 0;
  bool ok = false;
  size_t BodyBytes(size_t time_bytes) const {
    return times * (time_bytes + 1) + types * 6 + characters + leaps * (time_bytes + 4) + standard + ut;
  }
};

Header ReadHeader(Reader& reader) {
  Header header;
  const std::string_view start = reader.Take(20);
  if (start.size() < 20 || !start.starts_with("TZif")) return header;
  header.version = start[4];
  for (size_t* count :
       {&header.ut, &header.standard, &header.leaps, &header.times, &header.types, &header.characters}) {
    *count = static_cast<uint32_t>(reader.Number(4));
  }
  // No zone has more transitions than bytes behind the header.
  header.ok = !reader.failed() && header.types > 0;
  for (const size_t count :
       {header.ut, header.standard, header.leaps, header.times, header.types, header.characters}) {
    header.ok &= count <= reader.rest().size();
  }
  return header;
}

}  // namespace

/// Reads a rule such as "CET-1CEST,M3.5.0,M10.5.0/3". Spec: POSIX, TZ; RFC 8536, section 3.3.
class TimeZone::TailParser {
 public:
  explicit TailParser(std::string_view text) : text_(text) {}
  std::optional<Tail> Run() {
    Tail tail;
    if (!Name() || !Offset(tail.standard)) return std::nullopt;
    tail.standard = -tail.standard;
    if (text_.empty()) return tail;
    tail.has_daylight = true;
    if (!Name()) return std::nullopt;
    tail.daylight = tail.standard + 3600;
    if (!text_.empty() && text_[0] != ',') {
      if (!Offset(tail.daylight)) return std::nullopt;
      tail.daylight = -tail.daylight;
    }
    if (!RulePart(tail.start) || !RulePart(tail.end) || !text_.empty()) return std::nullopt;
    return tail;
  }

 private:
  bool Take(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool Name() {
    const size_t end =
        Take('<') ? text_.find('>') + 1
                  : static_cast<size_t>(std::ranges::find_if_not(text_, IsAsciiLetter) - text_.begin());
    if (end == 0 || end > text_.size()) return false;
    text_.remove_prefix(end);
    return true;
  }
  bool Number(int32_t& value) {
    size_t digits = 0;
    for (value = 0; digits < text_.size() && digits < 4 && IsAsciiDigit(text_[digits]); ++digits) {
      value = value * 10 + (text_[digits] - '0');
    }
    text_.remove_prefix(digits);
    return digits > 0;
  }
  /// "[+-]h[:m[:s]]" in seconds.
  bool Offset(int32_t& seconds) {
    const int32_t sign = Take('-') ? -1 : 1;
    if (sign == 1) Take('+');
    int32_t part = 0;
    if (!Number(part)) return false;
    seconds = part * 3600;
    for (int32_t unit : {60, 1}) {
      if (!Take(':')) break;
      if (!Number(part)) return false;
      seconds += part * unit;
    }
    seconds *= sign;
    return true;
  }
  bool RulePart(Rule& rule) {
    if (!Take(',')) return false;
    if (Take('M')) {
      if (!Number(rule.month) || !Take('.') || !Number(rule.week) || !Take('.') || !Number(rule.day))
        return false;
      if (rule.month < 1 || rule.month > 12 || rule.week < 1 || rule.week > 5 || rule.day > 6) return false;
    } else {
      rule.kind = Take('J') ? Rule::Kind::kJulian : Rule::Kind::kDayOfYear;
      if (!Number(rule.day)) return false;
    }
    return !Take('/') || Offset(rule.seconds);
  }

  std::string_view text_;
};

int64_t TimeZone::Rule::Seconds(int64_t year) const {
  const int64_t new_year = DaysFromCivil({year, 1, 1});
  int64_t days = new_year + day;
  switch (kind) {
    case Kind::kDayOfYear:
      break;
    case Kind::kJulian: {  // Counts from 1 and never February 29.
      const bool leap = DaysFromCivil({year, 3, 1}) - new_year == 60;
      days += leap && day >= 60 ? 0 : -1;
      break;
    }
    case Kind::kMonthWeekDay: {
      const int64_t first = DaysFromCivil({year, month, 1});
      const int64_t next =
          month == 12 ? DaysFromCivil({year + 1, 1, 1}) : DaysFromCivil({year, month + 1, 1});
      const int64_t weekday = FloorMod(first + 4, 7);  // 1970-01-01 was a Thursday; 0 is Sunday.
      days = first + FloorMod(day - weekday, 7) + (week - 1) * 7;
      if (days >= next) days -= 7;
      break;
    }
  }
  return days * kSecondsPerDay + seconds;
}

int32_t TimeZone::Tail::OffsetAt(int64_t seconds) const {
  if (!has_daylight) return standard;
  const int64_t year = CivilFromDays(FloorDiv(seconds + standard, kSecondsPerDay)).year;
  const int64_t on = start.Seconds(year) - standard;
  const int64_t off = end.Seconds(year) - daylight;
  const bool in_daylight = on < off ? seconds >= on && seconds < off : seconds >= on || seconds < off;
  return in_daylight ? daylight : standard;
}

Result<TimeZone> TimeZone::Parse(std::string_view bytes, std::string_view name) {
  const auto broken = [&] { return Corrupt("the zone file of {} is no TZif file (RFC 8536)", name); };
  Reader reader(bytes);
  Header header = ReadHeader(reader);
  if (!header.ok) return broken();
  size_t time_bytes = 4;
  if (header.version >= '2') {
    reader.Take(header.BodyBytes(time_bytes));
    header = ReadHeader(reader);
    if (!header.ok) return broken();
    time_bytes = 8;
  }
  TimeZone zone;
  for (size_t i = 0; i < header.times; ++i) zone.transitions_.push_back(reader.Number(time_bytes));
  const std::string_view kinds = reader.Take(header.times);
  std::vector<int32_t> offsets;
  for (size_t i = 0; i < header.types; ++i) {
    offsets.push_back(static_cast<int32_t>(reader.Number(4)));
    reader.Take(2);
  }
  reader.Take(header.characters + header.leaps * (time_bytes + 4) + header.standard + header.ut);
  if (reader.failed() || !std::ranges::is_sorted(zone.transitions_)) return broken();
  zone.offsets_.push_back(offsets[0]);
  for (const char kind : kinds) {
    if (static_cast<uint8_t>(kind) >= offsets.size()) return broken();
    zone.offsets_.push_back(offsets[static_cast<uint8_t>(kind)]);
  }
  zone.tail_.standard = zone.offsets_.back();
  if (time_bytes == 8 && reader.rest().size() > 2) {
    const std::string_view line = reader.rest().substr(1);
    const auto tail = TailParser(line.substr(0, line.find('\n'))).Run();
    if (!tail) return broken();
    zone.tail_ = *tail;
  }
  return zone;
}

TimeZone TimeZone::Fixed(int32_t offset_seconds) {
  TimeZone zone;
  zone.tail_.standard = offset_seconds;
  return zone;
}

Result<std::shared_ptr<const TimeZone>> TimeZone::Find(std::string_view name) {
  static std::mutex mutex;
  static std::unordered_map<std::string, std::shared_ptr<const TimeZone>> known;
  const auto* alias =
      std::ranges::find(kShortNames, name, &std::pair<std::string_view, std::string_view>::first);
  const std::string full(alias == std::end(kShortNames) ? name : alias->second);
  std::lock_guard lock(mutex);
  if (const auto it = known.find(full); it != known.end()) return it->second;
  WEIR_TRY(TimeZone zone, Load(full));
  auto shared = std::make_shared<const TimeZone>(std::move(zone));
  known.emplace(full, shared);
  return shared;
}

int64_t TimeZone::OffsetAt(int64_t instant_micros) const {
  const int64_t seconds = FloorDiv(instant_micros, kMicrosPerSecond);
  if (transitions_.empty() || seconds >= transitions_.back()) {
    return tail_.OffsetAt(seconds) * kMicrosPerSecond;
  }
  const auto next = std::upper_bound(transitions_.begin(), transitions_.end(), seconds);
  return offsets_[static_cast<size_t>(next - transitions_.begin())] * kMicrosPerSecond;
}

int64_t TimeZone::ToWall(int64_t instant_micros) const {
  return WrappingAdd(instant_micros, OffsetAt(instant_micros));
}

int64_t TimeZone::ToInstant(int64_t wall_micros) const {
  if (transitions_.empty() && !tail_.has_daylight) {
    return WrappingAdd(wall_micros, -tail_.standard * kMicrosPerSecond);
  }
  // No clock is further than 18 hours from UTC, so the offset in force is one of these two.
  const int64_t before = OffsetAt(WrappingAdd(wall_micros, -kMicrosPerDay));
  const int64_t after = OffsetAt(WrappingAdd(wall_micros, kMicrosPerDay));
  const int64_t earlier = WrappingAdd(wall_micros, -before);
  if (before == after || OffsetAt(earlier) == before) return earlier;
  const int64_t later = WrappingAdd(wall_micros, -after);
  return OffsetAt(later) == after ? later : earlier;
}

}  // namespace weir
