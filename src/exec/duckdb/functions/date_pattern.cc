#include "exec/duckdb/functions/date_pattern.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/int128.h"
#include "exec/duckdb/functions/date_names.h"
#include "type/calendar.h"
#include "type/datetime_text.h"

namespace weir::exec {

namespace {

bool Holds(std::string_view letters, char c) { return letters.find(c) != std::string_view::npos; }

Error BadPattern(std::string_view pattern, std::string_view condition, std::string_view state,
                 std::string_view why) {
  return Invalid("the datetime pattern '{}' is not one: {}", pattern, why)
      .WithCondition({std::string(condition),
                      std::string(state),
                      {{"pattern", fmt::format("'{}'", pattern)}},
                      std::nullopt,
                      ""});
}

/// The most letters in a row.
int LongestRun(char letter) {
  if (Holds("yS", letter)) return letter == 'y' ? 6 : 9;
  if (Holds("MLEGQqzO", letter)) return 4;
  if (Holds("XxZ", letter)) return 5;
  if (letter == 'D') return 3;
  if (Holds("aF", letter)) return 1;
  return 2;
}

/// The letter stands for digits only.
bool IsNumber(char letter, int count) {
  return Holds("yDdhHkKmsS", letter) || (Holds("MLQq", letter) && count <= 2);
}
/// Digits that it always has; 0 if they vary.
int FixedWidth(char letter, int count) {
  if (!IsNumber(letter, count) || letter == 'S') return 0;
  if (letter == 'y') return count == 2 ? 2 : 0;
  if (letter == 'D') return count == 3 ? 3 : 0;
  return count == 2 ? 2 : 0;
}

}  // namespace

// ---- compiling --------------------------------------------------------------------------------------------

class DatePattern::Compiler {
 public:
  Compiler(std::string_view pattern, Use use) : pattern_(pattern), use_(use) {}

  Result<DatePattern> Run() {
    size_t at = 0;
    while (at < pattern_.size()) {
      const char c = pattern_[at];
      if (IsAsciiLetter(c)) {
        size_t end = at;
        while (end < pattern_.size() && pattern_[end] == c) ++end;
        WEIR_DO(Letters(c, static_cast<int>(end - at)));
        at = end;
      } else if (c == '\'') {
        WEIR_TRY(at, Quoted(at));
      } else {
        WEIR_DO(Symbol(c));
        ++at;
      }
    }
    Reserve();
    return std::move(result_);
  }

 private:
  Error Refuse(std::string_view why) const {
    return BadPattern(pattern_, "INVALID_DATETIME_PATTERN.WITH_SUGGESTION", "22007", why);
  }
  /// For patterns that Spark 2 took in another sense.
  Error Changed(std::string_view why) const {
    return BadPattern(pattern_, "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION", "42K0B",
                      why);
  }

  Status Letters(char letter, int count) {
    const std::string letters(static_cast<size_t>(count), letter);
    if (Holds("YwWu", letter)) return Changed(letters + " counts weeks, which no pattern may");
    if (Holds("ec", letter)) {
      return BadPattern(pattern_, "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_WEEK_BASED_PATTERN", "42K0B",
                        letters + " counts weeks, which no pattern may");
    }
    if (use_ == Use::kParse && Holds("EF", letter)) return Changed(letters + " can only be written");
    if (Holds("ABnNp", letter) || (use_ == Use::kParse && Holds("Qq", letter))) {
      return BadPattern(pattern_, "INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER", "22007",
                        letters + " has no meaning");
    }
    if (!Holds("GyMLdDEFaHhkKmsSQqVzOXxZ", letter)) return Refuse(letters + " has no meaning");
    if (letter == 'V' && count != 2) return Refuse("the zone is VV");
    if (letter == 'O' && count != 1 && count != 4) return Refuse("the offset is O or OOOO");
    if (count > LongestRun(letter)) {
      return Holds("LQqxO", letter) ? Refuse(letters + " is too long") : Changed(letters + " is too long");
    }
    if (letter == 'G') result_.has_era_ = true;
    result_.pieces_.push_back({.letter = letter, .count = count, .literal = {}});
    return {};
  }

  /// The offset behind the closing quote.
  Result<size_t> Quoted(size_t at) {
    std::string text;
    for (++at; at < pattern_.size(); ++at) {
      if (pattern_[at] != '\'') {
        text += pattern_[at];
      } else if (at + 1 < pattern_.size() && pattern_[at + 1] == '\'') {
        text += pattern_[at++];
      } else {
        Literal(text.empty() ? "'" : text);
        return at + 1;
      }
    }
    return Refuse("a quote is not closed");
  }

  Status Symbol(char c) {
    if (Holds("{}#", c)) return Changed("{, } and # are reserved");
    if (c == ']' && depth_ == 0) return Changed("] without [");
    if (c == '[') ++depth_;
    if (c == ']') --depth_;
    if (c == '[' || c == ']') {
      result_.pieces_.push_back({.letter = c, .count = 1, .literal = {}});
    } else {
      Literal(std::string(1, c));
    }
    return {};
  }

  void Literal(std::string text) {
    if (!result_.pieces_.empty() && result_.pieces_.back().letter == 0) {
      result_.pieces_.back().literal += text;
    } else {
      result_.pieces_.push_back({.letter = 0, .count = 0, .literal = std::move(text)});
    }
  }

  /// In "yyyyMMdd" the year leaves four digits to what follows.
  void Reserve() {
    int reserved = 0;
    for (size_t i = result_.pieces_.size(); i-- > 0;) {
      Piece& piece = result_.pieces_[i];
      piece.reserved = reserved;
      const int fixed = FixedWidth(piece.letter, piece.count);
      reserved = fixed > 0 ? reserved + fixed : 0;
    }
  }

  std::string_view pattern_;
  Use use_;
  DatePattern result_;
  int depth_ = 0;
};

Result<DatePattern> DatePattern::Compile(std::string_view pattern, Use use) {
  return Compiler(pattern, use).Run();
}

// ---- writing ----------------------------------------------------------------------------------------------

class DatePattern::Writer {
 public:
  Writer(int64_t instant, const TimeZone& zone, std::string_view zone_name, bool has_era)
      : zone_name_(zone_name), has_era_(has_era) {
    offset_ = zone.OffsetAt(instant) / kMicrosPerSecond;
    const int64_t wall = zone.ToWall(instant);
    days_ = FloorDiv(wall, kMicrosPerDay);
    date_ = CivilFromDays(days_);
    micros_ = FloorMod(wall, kMicrosPerDay);
  }

  Status Append(const Piece& piece) {
    const int hour = static_cast<int>(micros_ / kMicrosPerHour);
    switch (piece.letter) {
      case 0:
        out_ += piece.literal;
        return {};
      case '[':
      case ']':
        return {};
      case 'G':
        out_ += EraName(date_.year > 0, piece.count == 4);
        return {};
      case 'y':
        Year(piece.count);
        return {};
      case 'M':
      case 'L':
        return piece.count <= 2 ? Number(date_.month, piece.count)
                                : Name(MonthName(date_.month, piece.count == 4));
      case 'Q':
      case 'q': {
        const int quarter = (date_.month - 1) / 3 + 1;
        return piece.count <= 2 ? Number(quarter, piece.count) : Name(QuarterName(quarter, piece.count == 4));
      }
      case 'd':
        return Number(date_.day, piece.count);
      case 'D':
        return Number(days_ - DaysFromCivil({date_.year, 1, 1}) + 1, piece.count);
      case 'F':
        return Number((date_.day - 1) % 7 + 1, 1);
      case 'E':
        return Name(DayName(static_cast<int>(FloorMod(days_ + 3, 7)), piece.count == 4));
      case 'a':
        return Name(hour < 12 ? "AM" : "PM");
      case 'H':
        return Number(hour, piece.count);
      case 'k':
        return Number(hour == 0 ? 24 : hour, piece.count);
      case 'K':
        return Number(hour % 12, piece.count);
      case 'h':
        return Number(hour % 12 == 0 ? 12 : hour % 12, piece.count);
      case 'm':
        return Number(micros_ / (60 * kMicrosPerSecond) % 60, piece.count);
      case 's':
        return Number(micros_ / kMicrosPerSecond % 60, piece.count);
      case 'S':
        out_ +=
            fmt::format("{:06}000", micros_ % kMicrosPerSecond).substr(0, static_cast<size_t>(piece.count));
        return {};
      default:
        return Zone(piece);
    }
  }
  std::string Take() { return std::move(out_); }

 private:
  Status Number(int64_t value, int width) {
    out_ += fmt::format("{:0{}}", value, width);
    return {};
  }
  Status Name(std::string_view name) {
    out_ += name;
    return {};
  }
  void Year(int count) {
    const int64_t year = has_era_ && date_.year <= 0 ? 1 - date_.year : date_.year;
    const int64_t magnitude = year < 0 ? -year : year;
    if (count == 2) {
      out_ += fmt::format("{:02}", magnitude % 100);
      return;
    }
    const std::string digits = fmt::format("{:0{}}", magnitude, count);
    if (year < 0) {
      out_ += '-';
    } else if (count >= 4 && digits.size() > static_cast<size_t>(count)) {
      out_ += '+';
    }
    out_ += digits;
  }

  Status Zone(const Piece& piece) {
    const bool utc = offset_ == 0;
    switch (piece.letter) {
      case 'V':
        return Name(zone_name_);
      case 'z':
        return ZoneName(piece.count == 4);
      case 'O':
        LocalizedOffset(piece.count == 4);
        return {};
      case 'X':
        if (utc) return Name("Z");
        Offset(piece.count);
        return {};
      case 'x':
        Offset(piece.count);
        return {};
      default:  // Z
        if (piece.count == 4) {
          LocalizedOffset(true);
        } else if (piece.count == 5) {
          if (utc) return Name("Z");
          Offset(5);
        } else {
          Offset(2);
        }
        return {};
    }
  }
  /// Names of regions' zones are in Java's tables only.
  Status ZoneName(bool full) {
    if (zone_name_ == "UTC") return Name(full ? "Coordinated Universal Time" : "UTC");
    if (zone_name_.starts_with('+') || zone_name_.starts_with('-')) return Name(zone_name_);
    return Unsupported("the name of the zone {} (pattern letter z) is not implemented", zone_name_);
  }
  /// 1: +hh[mm], 2: +hhmm, 3: +hh:mm, 4: +hhmm[ss], 5: +hh:mm[:ss].
  void Offset(int form) {
    const int64_t magnitude = offset_ < 0 ? -offset_ : offset_;
    const int64_t minutes = magnitude / 60 % 60, seconds = magnitude % 60;
    const char* colon = form == 3 || form == 5 ? ":" : "";
    out_ += fmt::format("{}{:02}", offset_ < 0 ? '-' : '+', magnitude / 3600);
    if (form > 1 || minutes != 0) out_ += fmt::format("{}{:02}", colon, minutes);
    if (form >= 4 && seconds != 0) out_ += fmt::format("{}{:02}", colon, seconds);
  }
  void LocalizedOffset(bool full) {
    out_ += "GMT";
    if (offset_ == 0) return;
    const int64_t magnitude = offset_ < 0 ? -offset_ : offset_;
    const int64_t minutes = magnitude / 60 % 60, seconds = magnitude % 60;
    out_ += fmt::format("{}{:0{}}", offset_ < 0 ? '-' : '+', magnitude / 3600, full ? 2 : 1);
    if (full || minutes != 0 || seconds != 0) out_ += fmt::format(":{:02}", minutes);
    if (seconds != 0) out_ += fmt::format(":{:02}", seconds);
  }

  std::string_view zone_name_;
  bool has_era_;
  int64_t offset_ = 0;
  int64_t days_ = 0;
  int64_t micros_ = 0;
  CivilDate date_{};
  std::string out_;
};

Result<std::string> DatePattern::Format(int64_t instant_micros, const TimeZone& zone,
                                        std::string_view zone_name) const {
  Writer writer(instant_micros, zone, zone_name, has_era_);
  for (const Piece& piece : pieces_) WEIR_DO(writer.Append(piece));
  return writer.Take();
}

// ---- reading ----------------------------------------------------------------------------------------------

class DatePattern::Reader {
 public:
  Reader(const std::vector<Piece>& pieces, std::string_view text) : pieces_(pieces), rest_(text) {}

  bool Run() { return Pieces(0, pieces_.size()) && rest_.empty(); }

  std::optional<int64_t> Resolve(const TimeZone& session) const {
    const auto days = Days();
    const auto micros = TimeOfDay();
    if (!days || !micros) return std::nullopt;
    const Int128 wall = static_cast<Int128>(*days) * kMicrosPerDay + *micros;
    if (wall != static_cast<int64_t>(wall)) return std::nullopt;
    if (!zone_.empty()) {
      const auto zone = TimeZone::Find(zone_);
      if (!zone) return std::nullopt;
      return (*zone)->ToInstant(static_cast<int64_t>(wall));
    }
    return session.ToInstant(static_cast<int64_t>(wall));
  }

 private:
  using Field = std::optional<int64_t>;

  bool Pieces(size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      if (pieces_[i].letter == ']') continue;
      if (pieces_[i].letter != '[') {
        if (!One(pieces_[i])) return false;
        continue;
      }
      // What is in brackets matches as a whole or not at all.
      const size_t end = Closing(i);
      const Reader before = *this;
      if (!Pieces(i + 1, end)) Restore(before);
      i = end;
    }
    return true;
  }
  size_t Closing(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < pieces_.size(); ++i) {
      if (pieces_[i].letter == '[') ++depth;
      if (pieces_[i].letter == ']' && --depth == 0) return i;
    }
    return pieces_.size();
  }
  void Restore(const Reader& other) {
    rest_ = other.rest_;
    fields_ = other.fields_;
    zone_ = other.zone_;
    era_ = other.era_;
  }

  bool One(const Piece& piece) {
    switch (piece.letter) {
      case 0: {
        // As Java's case-insensitive parser.
        if (!StartsWithIgnoringCase(rest_, piece.literal)) return false;
        rest_.remove_prefix(piece.literal.size());
        return true;
      }
      case 'G':
        return Era(piece.count == 4);
      case 'y':
        return Year(piece);
      case 'a':
        return Word(
            'a', 2, [](int i) { return i == 1 ? std::string_view("AM") : std::string_view("PM"); }, -1);
      case 'M':
      case 'L':
        if (piece.count <= 2) return Number('M', piece);
        return Word(
            'M', 12, [&](int i) { return MonthName(i, piece.count == 4); }, 0);
      case 'S':
        return Fraction(piece.count);
      case 'V':
      case 'z':
      case 'O':
      case 'X':
      case 'x':
      case 'Z':
        return Zone(piece);
      default:
        return Number(piece.letter, piece);
    }
  }

  /// Takes digits, from `min` to `max`.
  Field Digits(int min, int max) {
    int64_t value = 0;
    int count = 0;
    while (count < max && static_cast<size_t>(count) < rest_.size() && rest_[count] >= '0' &&
           rest_[count] <= '9') {
      if (count >= 18) return std::nullopt;  // No field holds so much.
      value = value * 10 + (rest_[count++] - '0');
    }
    if (count < min) return std::nullopt;
    rest_.remove_prefix(static_cast<size_t>(count));
    return value;
  }
  /// How many digits there are in front.
  int DigitCount() const {
    size_t count = 0;
    while (count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9') ++count;
    return static_cast<int>(count);
  }

  /// One field must not be read twice with two values.
  bool Set(char letter, int64_t value) {
    Field& field = fields_[static_cast<size_t>(letter - 'A')];
    if (field && *field != value) return false;
    field = value;
    return true;
  }
  Field Get(char letter) const { return fields_[static_cast<size_t>(letter - 'A')]; }

  bool Number(char letter, const Piece& piece) {
    const int fixed = FixedWidth(piece.letter, piece.count);
    int max = fixed > 0 ? fixed : 19;
    if (letter == 'D' && piece.count == 2) max = 3;
    if (fixed == 0) max = std::min(max, std::max(piece.count, DigitCount() - piece.reserved));
    const bool negative = fixed == 0 && piece.count == 1 && rest_.starts_with('-');
    if (negative) return false;  // No field but the year is ever below zero.
    const Field value = Digits(piece.count, max);
    return value && Set(letter, *value);
  }

  bool Year(const Piece& piece) {
    if (piece.count == 2) {
      const Field two = Digits(2, 2);
      return two && Set('y', 2000 + *two);
    }
    const bool negative = rest_.starts_with('-');
    const bool plus = rest_.starts_with('+');
    if (plus && piece.count < 4) return false;
    if (negative || plus) rest_.remove_prefix(1);
    const int count = std::max(piece.count, DigitCount() - piece.reserved);
    const int digits = std::min(count, DigitCount());
    // A year of four letters or more has a plus exactly if it has more digits.
    if (piece.count >= 4 && !negative && (digits > piece.count) != plus) return false;
    const Field value = Digits(piece.count, count);
    if (!value || *value > 999'999'999) return false;
    return Set('y', negative ? -*value : *value);
  }

  bool Era(bool full) {
    for (const bool common : {true, false}) {
      const std::string_view name = EraName(common, full);
      if (!StartsWithIgnoringCase(rest_, name)) continue;
      rest_.remove_prefix(name.size());
      era_ = common ? 1 : 0;
      return true;
    }
    return false;
  }

  /// The longest of the names 1 to `count`; the field gets its number plus `shift`.
  template <typename F>
  bool Word(char letter, int count, F name_of, int shift) {
    int found = 0;
    size_t size = 0;
    for (int i = 1; i <= count; ++i) {
      const std::string_view name = name_of(i);
      if (name.size() <= size || !StartsWithIgnoringCase(rest_, name)) continue;
      found = i;
      size = name.size();
    }
    if (found == 0) return false;
    rest_.remove_prefix(size);
    return Set(letter, found + shift);
  }

  /// One to `count` digits of a second; those behind the sixth are cut.
  bool Fraction(int count) {
    const int digits = std::min(count, DigitCount());
    if (digits == 0) return false;
    const Field value = Digits(digits, digits);
    int64_t nanos = *value;
    for (int i = digits; i < 9; ++i) nanos *= 10;
    return Set('S', nanos / 1000);
  }

  bool Zone(const Piece& piece) {
    size_t size = 0;
    while (size < rest_.size() && (IsAsciiLetter(rest_[size]) || Holds("0123456789:+-/_", rest_[size])))
      ++size;
    const std::string_view text = rest_.substr(0, size);
    if (text.empty()) return false;
    const bool offset = text[0] == '+' || text[0] == '-';
    const bool zero = text == "Z" && (piece.letter == 'X' || (piece.letter == 'Z' && piece.count == 5));
    const bool localized = text.starts_with("GMT");
    bool fits = true;  // V and z take any zone.
    if (piece.letter == 'X') fits = zero || (offset && HasOffsetForm(text, piece.count));
    if (piece.letter == 'x') fits = offset && HasOffsetForm(text, piece.count);
    if (piece.letter == 'O') fits = localized;
    if (piece.letter == 'Z') {
      fits = piece.count == 4 ? localized : zero || (offset && HasOffsetForm(text, piece.count == 5 ? 5 : 2));
    }
    if (!fits || !TimeZone::Find(text)) return false;
    zone_ = std::string(text);
    rest_.remove_prefix(size);
    return true;
  }
  static bool HasOffsetForm(std::string_view text, int form) {
    const bool colon = text.find(':') != std::string_view::npos;
    const size_t digits = text.size() - 1 - static_cast<size_t>(std::count(text.begin(), text.end(), ':'));
    if ((form == 3 || form == 5) != colon) return false;
    if (form == 1) return digits == 2 || digits == 4;
    if (form >= 4) return digits == 4 || digits == 6;
    return digits == 4;
  }

  Field Days() const {
    Field year = Get('y');
    if (!year) year = 1970;
    if (era_) {
      if (*year < 1) return std::nullopt;
      if (*era_ == 0) year = 1 - *year;
    }
    if (const Field day_of_year = Get('D')) {
      const int64_t first = DaysFromCivil({*year, 1, 1});
      const int64_t length = DaysFromCivil({*year + 1, 1, 1}) - first;
      if (*day_of_year < 1 || *day_of_year > length) return std::nullopt;
      const CivilDate date = CivilFromDays(first + *day_of_year - 1);
      if (Get('M').value_or(date.month) != date.month || Get('d').value_or(date.day) != date.day)
        return std::nullopt;
      return first + *day_of_year - 1;
    }
    return DaysOf(*year, Get('M').value_or(1), Get('d').value_or(1));
  }

  static bool Within(Field field, int64_t low, int64_t high) {
    return !field || (*field >= low && *field <= high);
  }

  /// The hour that all the fields of hours agree on.
  Field Hour() const {
    if (!Within(Get('H'), 0, 23) || !Within(Get('k'), 1, 24) || !Within(Get('h'), 1, 12) ||
        !Within(Get('K'), 0, 11))
      return std::nullopt;
    Field hour = Get('H');
    if (const Field clock = Get('k')) {
      if (hour && *hour != *clock % 24) return std::nullopt;
      hour = *clock % 24;
    }
    Field half = Get('K');
    if (const Field clock = Get('h')) {
      if (half && *half != *clock % 12) return std::nullopt;
      half = *clock % 12;
    }
    const Field afternoon = Get('a');
    if (!hour) {
      if (half) return *half + (afternoon.value_or(0) == 1 ? 12 : 0);
      return afternoon.value_or(0) == 1 ? 12 : 0;
    }
    if ((half && *hour % 12 != *half) || (afternoon && *hour / 12 != *afternoon)) return std::nullopt;
    return hour;
  }

  Field TimeOfDay() const {
    const Field hour = Hour(), minute = Get('m'), second = Get('s');
    if (!hour || !Within(minute, 0, 59) || !Within(second, 0, 59)) return std::nullopt;
    return ((*hour * 60 + minute.value_or(0)) * 60 + second.value_or(0)) * kMicrosPerSecond +
           Get('S').value_or(0);
  }

  const std::vector<Piece>& pieces_;
  std::string_view rest_;
  std::array<Field, 64> fields_;  ///< By letter.
  std::string zone_;
  Field era_;
};

std::optional<int64_t> DatePattern::Parse(std::string_view text, const TimeZone& zone) const {
  Reader reader(pieces_, text);
  if (!reader.Run()) return std::nullopt;
  return reader.Resolve(zone);
}

}  // namespace weir::exec
