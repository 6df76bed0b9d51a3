#include <cmath>
#include <limits>

#include "base/ascii.h"
#include "exec/duckdb/conditions.h"
#include "exec/duckdb/functions/decimal_rows.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/functions/lowering_table.h"
#include "exec/duckdb/functions/wall_clock.h"
#include "exec/duckdb/lower_cast.h"
#include "type/calendar.h"
#include "type/datetime_text.h"

namespace weir::exec {

namespace {

using duckdb::DataChunk;
using duckdb::ExpressionType;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::string_t;
using duckdb::Value;
using duckdb::Vector;
using ZonePtr = std::shared_ptr<const TimeZone>;

// Dates are int32_t days here, timestamps int64_t microseconds.

ZonePtr ZoneOf(const KernelCall& call, size_t argument) {
  return ValueOrThrow(TimeZone::Find(call.Text(argument)));
}

[[noreturn]] void LongOverflow() { Throw(ArithmeticOverflow("long overflow")); }
[[noreturn]] void IntegerOverflow() { Throw(ArithmeticOverflow("integer overflow")); }

// ---- fields ---------------------------------------------------------------------------------------------

int32_t Year(int32_t days) { return static_cast<int32_t>(CivilFromDays(days).year); }
int32_t Month(int32_t days) { return CivilFromDays(days).month; }
int32_t Quarter(int32_t days) { return (Month(days) - 1) / 3 + 1; }
int32_t Day(int32_t days) { return CivilFromDays(days).day; }
/// Monday is 0; 1970-01-01 was a Thursday.
int32_t Weekday(int32_t days) { return static_cast<int32_t>(FloorMod(int64_t{days} + 3, 7)); }
/// Sunday is 1.
int32_t DayOfWeek(int32_t days) { return (Weekday(days) + 1) % 7 + 1; }
int32_t DayOfYear(int32_t days) {
  return static_cast<int32_t>(days - DaysFromCivil({CivilFromDays(days).year, 1, 1}) + 1);
}
/// ISO 8601: the week belongs to the year of its Thursday.
int32_t WeekOfYear(int32_t days) {
  const int64_t thursday = int64_t{days} - Weekday(days) + 3;
  return static_cast<int32_t>((thursday - DaysFromCivil({CivilFromDays(thursday).year, 1, 1})) / 7 + 1);
}

struct NamedField {
  std::string_view name;
  int32_t (*field)(int32_t days);
};
constexpr NamedField kDateFields[] = {
    {"year", Year},           {"quarter", Quarter}, {"month", Month},         {"day", Day},
    {"dayofweek", DayOfWeek}, {"weekday", Weekday}, {"dayofyear", DayOfYear}, {"weekofyear", WeekOfYear},
};

/// weir_date_field(date, name, marker).
Kernel DateField(const KernelCall& call) {
  const std::string name = call.Text(1);
  for (const NamedField& entry : kDateFields) {
    if (entry.name == name) return Mapping<int32_t, int32_t>(LogicalType::INTEGER, entry.field);
  }
  Throw(Internal("{} has no {}", call.name, name));
}

/// weir_time_field(timestamp, unit in seconds, how many make the next, zone, marker).
Kernel TimeField(const KernelCall& call) {
  const int64_t unit = call.Integer(1) * kMicrosPerSecond, cycle = call.Integer(2);
  return Mapping<int32_t, int64_t>(LogicalType::INTEGER,
                                   [unit, cycle, zone = ZoneOf(call, 3)](int64_t micros) {
                                     return FloorMod(FloorDiv(zone->ToWall(micros), unit), cycle);
                                   });
}

// ---- moving dates ---------------------------------------------------------------------------------------

int32_t Wrapped(int64_t days) { return static_cast<int32_t>(days); }

/// weir_add_days(date, days, sign, marker): wraps, as Spark's does.
Kernel AddDays(const KernelCall& call) {
  const int64_t sign = call.Integer(2);
  return Mapping<int32_t, int32_t, int32_t>(
      LogicalType::DATE, [sign](int32_t days, int32_t more) { return Wrapped(days + sign * more); });
}

Kernel DateDifference(const KernelCall&) {
  return Mapping<int32_t, int32_t, int32_t>(
      LogicalType::INTEGER, [](int32_t end, int32_t start) { return Wrapped(int64_t{end} - start); });
}

Kernel AddMonthsKernel(const KernelCall&) {
  return Mapping<int32_t, int32_t, int32_t>(LogicalType::DATE, [](int32_t days, int32_t months) {
    const auto moved = AddMonths(days, months);
    if (!moved) IntegerOverflow();
    return *moved;
  });
}

Kernel LastDay(const KernelCall&) { return Mapping<int32_t, int32_t>(LogicalType::DATE, LastDayOfMonth); }

/// Monday is 0.
std::optional<int32_t> ReadDayOfWeek(std::string_view text) {
  const std::string upper = AsciiUpper(text);
  static constexpr std::string_view kDays[] = {"MONDAY", "TUESDAY",  "WEDNESDAY", "THURSDAY",
                                               "FRIDAY", "SATURDAY", "SUNDAY"};
  for (int32_t day = 0; day < 7; ++day) {
    const std::string_view name = kDays[day];
    if (upper == name || upper == name.substr(0, 3) || upper == name.substr(0, 2)) return day;
  }
  return std::nullopt;
}

/// weir_next_day(date, name, ansi, marker).
Kernel NextDay(const KernelCall& call) {
  const bool ansi = call.Integer(2) != 0;
  return Mapping<int32_t, int32_t, string_t>(
      LogicalType::DATE, [ansi](int32_t days, std::string_view name) -> std::optional<int32_t> {
        const auto day = ReadDayOfWeek(name);
        if (!day && ansi) Throw(IllegalDayOfWeek(std::string(name)));
        if (!day) return std::nullopt;
        return Wrapped(int64_t{days} + 1 + FloorMod(*day - 1 - Weekday(days), 7));
      });
}

/// weir_trunc(date, level, marker).
Kernel TruncateDates(const KernelCall&) {
  return Mapping<int32_t, int32_t, string_t>(
      LogicalType::DATE, [](int32_t days, std::string_view text) -> std::optional<int32_t> {
        const auto level = ReadTimeLevel(text);
        if (!level || *level < TimeLevel::kWeek) return std::nullopt;
        return TruncateDate(days, *level);
      });
}

/// weir_date_trunc(level, timestamp, zone, marker).
Kernel TruncateTimestamps(const KernelCall& call) {
  return Mapping<int64_t, string_t, int64_t>(
      LogicalType::TIMESTAMP_TZ,
      [zone = ZoneOf(call, 2)](std::string_view text, int64_t micros) -> std::optional<int64_t> {
        const auto level = ReadTimeLevel(text);
        if (!level) return std::nullopt;
        return TruncateInstant(*zone, micros, *level);
      });
}

// ---- making ---------------------------------------------------------------------------------------------

constexpr std::string_view kMonthNames[] = {"JANUARY",   "FEBRUARY", "MARCH",    "APRIL",
                                            "MAY",       "JUNE",     "JULY",     "AUGUST",
                                            "SEPTEMBER", "OCTOBER",  "NOVEMBER", "DECEMBER"};

std::string WhyNoDate(int32_t year, int32_t month, int32_t day) {
  if (month < 1 || month > 12) return fmt::format("month {} is not between 1 and 12", month);
  if (day < 1 || day > 31) return fmt::format("day {} is not between 1 and 31", day);
  if (month == 2 && day == 29) return fmt::format("{} is no leap year and has no February 29", year);
  return fmt::format("there is no {} {}", kMonthNames[month - 1], day);
}

/// weir_make_date(year, month, day, ansi, marker).
Kernel MakeDate(const KernelCall& call) {
  const bool ansi = call.Integer(3) != 0;
  return Mapping<int32_t, int32_t, int32_t, int32_t>(
      LogicalType::DATE, [ansi](int32_t year, int32_t month, int32_t day) -> std::optional<int32_t> {
        const auto days = DaysOf(year, month, day);
        if (!days && ansi) Throw(DatetimeFieldOutOfBounds(WhyNoDate(year, month, day)));
        if (!days) return std::nullopt;
        if (*days != static_cast<int32_t>(*days)) IntegerOverflow();
        return static_cast<int32_t>(*days);
      });
}

int64_t Times(int64_t value, int64_t factor) {
  int64_t product = 0;
  if (__builtin_mul_overflow(value, factor, &product)) LongOverflow();
  return product;
}

std::optional<int64_t> MicrosOfFloating(double seconds) {
  if (!std::isfinite(seconds)) return std::nullopt;
  const double micros = seconds * 1e6;
  if (micros >= 9223372036854775808.0) return std::numeric_limits<int64_t>::max();
  if (micros < -9223372036854775808.0) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(micros);
}

int64_t MicrosOfDecimal(const Decimal& value) {
  // Exactly, or not at all.
  const auto micros = RescaleDecimal(value, 38, 6);
  if (!micros || *micros != static_cast<int64_t>(*micros)) Throw(Invalid("timestamp_seconds: long overflow"));
  if (value.scale > 6 && value.unscaled % PowerOfTen(value.scale - 6) != 0) {
    Throw(Invalid("timestamp_seconds: more than six digits of a second"));
  }
  return static_cast<int64_t>(*micros);
}

/// weir_timestamp_seconds(number, marker).
Kernel TimestampOfSeconds(const KernelCall& call) {
  const LogicalType result = LogicalType::TIMESTAMP_TZ;
  switch (call.types[0].id()) {
    case LogicalTypeId::TINYINT:
      return Mapping<int64_t, int8_t>(result, [](int8_t x) { return Times(x, kMicrosPerSecond); });
    case LogicalTypeId::SMALLINT:
      return Mapping<int64_t, int16_t>(result, [](int16_t x) { return Times(x, kMicrosPerSecond); });
    case LogicalTypeId::INTEGER:
      return Mapping<int64_t, int32_t>(result, [](int32_t x) { return Times(x, kMicrosPerSecond); });
    case LogicalTypeId::BIGINT:
      return Mapping<int64_t, int64_t>(result, [](int64_t x) { return Times(x, kMicrosPerSecond); });
    case LogicalTypeId::FLOAT:
      return Mapping<int64_t, float>(result, [](float x) { return MicrosOfFloating(x); });
    case LogicalTypeId::DOUBLE:
      return Mapping<int64_t, double>(result, MicrosOfFloating);
    default:
      return {result, [](DataChunk& arguments, Vector& out) {
                const DecimalRows rows(arguments.data[0], arguments.size());
                ForRows(arguments, 1, out, [&](duckdb::idx_t row) {
                  if (rows.IsNull(row)) return duckdb::FlatVector::SetNull(out, row, true);
                  duckdb::FlatVector::GetData<int64_t>(out)[row] = MicrosOfDecimal(rows[row]);
                });
              }};
  }
}

/// weir_times(bigint, factor, marker).
Kernel TimestampOfUnits(const KernelCall& call) {
  const int64_t factor = call.Integer(1);
  return Mapping<int64_t, int64_t>(LogicalType::TIMESTAMP_TZ,
                                   [factor](int64_t x) { return Times(x, factor); });
}

/// weir_units(timestamp, divisor, truncate, marker): whole units since the epoch, rounded down or to zero.
Kernel UnitsOfTimestamp(const KernelCall& call) {
  const int64_t divisor = call.Integer(1);
  const bool truncate = call.Integer(2) != 0;
  return Mapping<int64_t, int64_t>(LogicalType::BIGINT, [divisor, truncate](int64_t micros) {
    return truncate ? micros / divisor : FloorDiv(micros, divisor);
  });
}

/// weir_days_as(date or int, marker): the same number as the marker's type.
Kernel SameDays(const KernelCall& call) {
  return Mapping<int32_t, int32_t>(call.types.back(), [](int32_t days) { return days; });
}

// ---- differences and sums -------------------------------------------------------------------------------

double MonthsBetween(const TimeZone& zone, int64_t micros1, int64_t micros2, bool round) {
  const auto day_of = [&](int64_t micros) {
    return static_cast<int32_t>(FloorDiv(zone.ToWall(micros), kMicrosPerDay));
  };
  const int32_t days1 = day_of(micros1), days2 = day_of(micros2);
  const CivilDate date1 = CivilFromDays(days1), date2 = CivilFromDays(days2);
  const auto months = static_cast<double>((date1.year - date2.year) * 12 + (date1.month - date2.month));
  const bool ends = LastDayOfMonth(days1) == days1 && LastDayOfMonth(days2) == days2;
  if (date1.day == date2.day || ends) return months;
  const auto seconds_of = [&](int64_t micros, int32_t days) {
    return (micros - zone.ToInstant(days * kMicrosPerDay)) / kMicrosPerSecond;
  };
  const int64_t seconds =
      (date1.day - date2.day) * int64_t{86'400} + seconds_of(micros1, days1) - seconds_of(micros2, days2);
  const double difference = months + static_cast<double>(seconds) / (31.0 * 86'400);
  return round ? std::floor(difference * 1e8 + 0.5) / 1e8 : difference;
}

/// weir_months_between(timestamp, timestamp, round, zone, marker).
Kernel MonthsBetweenKernel(const KernelCall& call) {
  return Mapping<double, int64_t, int64_t, bool>(
      LogicalType::DOUBLE, [zone = ZoneOf(call, 3)](int64_t end, int64_t start, bool round) {
        return MonthsBetween(*zone, end, start, round);
      });
}

int64_t Checked(Int128 micros) {
  if (micros != static_cast<int64_t>(micros)) LongOverflow();
  return static_cast<int64_t>(micros);
}

/// Whole days move the clock, the rest passes.
int64_t AddDayTime(const TimeZone& zone, int64_t micros, int64_t interval) {
  const int64_t offset = zone.OffsetAt(micros), days = interval / kMicrosPerDay;
  const int64_t wall =
      Checked(static_cast<Int128>(micros) + offset + static_cast<Int128>(days) * kMicrosPerDay);
  return Checked(static_cast<Int128>(InstantNear(zone, wall, offset)) + interval % kMicrosPerDay);
}

int64_t AddYearMonth(const TimeZone& zone, int64_t micros, int32_t months) {
  const int64_t offset = zone.OffsetAt(micros), wall = Checked(static_cast<Int128>(micros) + offset);
  const int64_t day = FloorDiv(wall, kMicrosPerDay);
  const auto moved = AddMonths(static_cast<int32_t>(day), months);
  if (!moved) LongOverflow();
  const Int128 target = static_cast<Int128>(*moved) * kMicrosPerDay + FloorMod(wall, kMicrosPerDay);
  return InstantNear(zone, Checked(target), offset);
}

/// weir_add_interval(timestamp, interval, zone, marker).
Kernel AddInterval(const KernelCall& call) {
  const ZonePtr zone = ZoneOf(call, 2);
  if (call.types[1].id() == LogicalTypeId::INTEGER) {
    return Mapping<int64_t, int64_t, int32_t>(call.types[0], [zone](int64_t micros, int32_t months) {
      return AddYearMonth(*zone, micros, months);
    });
  }
  return Mapping<int64_t, int64_t, int64_t>(call.types[0], [zone](int64_t micros, int64_t interval) {
    return AddDayTime(*zone, micros, interval);
  });
}

// ---- lowering -------------------------------------------------------------------------------------------

ParsedPtr SessionZone(const CallSite& site) { return Constant(Value(site.lowering.semantics().time_zone)); }
/// A wall clock reading without zone is its own.
ParsedPtr ZoneFor(const CallSite& site, size_t argument) {
  if (site.ArgumentType(argument).kind() == TypeKind::kTimestampNtz) return Constant(Value("UTC"));
  return SessionZone(site);
}

template <const char* kKernel>
Result<ParsedPtr> WithZone(const CallSite& site, ParsedList arguments) {
  arguments.push_back(SessionZone(site));
  return CallKernel(site, kKernel, std::move(arguments));
}
template <const char* kKernel>
Result<ParsedPtr> WithAnsi(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value::BOOLEAN(site.ansi())));
  return CallKernel(site, kKernel, std::move(arguments));
}
template <const char* kKernel, int64_t kNumber>
Result<ParsedPtr> WithNumber(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value::BIGINT(kNumber)));
  return CallKernel(site, kKernel, std::move(arguments));
}
template <int64_t kDivisor, bool kTruncate>
Result<ParsedPtr> Units(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value::BIGINT(kDivisor)));
  arguments.push_back(Constant(Value::BOOLEAN(kTruncate)));
  return CallKernel(site, "weir_units", std::move(arguments));
}
constexpr char kAddDays[] = "weir_add_days", kDateDifference[] = "weir_datediff",
               kAddMonths[] = "weir_add_months", kLastDay[] = "weir_last_day", kNextDay[] = "weir_next_day",
               kTrunc[] = "weir_trunc", kDateTrunc[] = "weir_date_trunc", kMakeDate[] = "weir_make_date",
               kSeconds[] = "weir_timestamp_seconds", kTimes[] = "weir_times", kDaysAs[] = "weir_days_as",
               kMonthsBetween[] = "weir_months_between";

Result<ParsedPtr> LowerDateField(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value(std::string(site.call.function->name))));
  return CallKernel(site, "weir_date_field", std::move(arguments));
}

template <int64_t kUnitSeconds, int64_t kCycle>
Result<ParsedPtr> LowerTimeField(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value::BIGINT(kUnitSeconds)));
  arguments.push_back(Constant(Value::BIGINT(kCycle)));
  arguments.push_back(ZoneFor(site, 0));
  return CallKernel(site, "weir_time_field", std::move(arguments));
}

Result<ParsedPtr> LowerAddInterval(const CallSite& site, ParsedList arguments) {
  arguments.push_back(ZoneFor(site, 0));
  return CallKernel(site, "weir_add_interval", std::move(arguments));
}

/// weir_parse_time gives the instant that a text means by a pattern.
ParsedPtr ParseTime(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value::BOOLEAN(site.ansi())));
  arguments.push_back(SessionZone(site));
  arguments.push_back(TypeMarker(LogicalType::TIMESTAMP_TZ));
  return CallOf("weir_parse_time", std::move(arguments));
}

/// What is no text is only cast; yet a NULL pattern gives NULL.
Result<ParsedPtr> ByPattern(const CallSite& site, ParsedList arguments) {
  const CastMode mode = site.ansi() ? CastMode::kAnsi : CastMode::kLegacy;
  if (site.ArgumentType(0).kind() == TypeKind::kString) {
    return LowerCast(site.lowering, ParseTime(site, std::move(arguments)), Type::Timestamp(), site.type,
                     mode);
  }
  WEIR_TRY(ParsedPtr cast,
           LowerCast(site.lowering, std::move(arguments[0]), site.ArgumentType(0), site.type, mode));
  WEIR_TRY(const LogicalType type, ToDuckType(site.type));
  return IfElse(OperatorOf(ExpressionType::OPERATOR_IS_NULL, ListOf(std::move(arguments[1]))),
                TypeMarker(type), std::move(cast));
}

Result<ParsedPtr> UnixTimestamp(const CallSite& site, ParsedList arguments) {
  const Type& type = site.ArgumentType(0);
  ParsedPtr instant;
  if (type.kind() == TypeKind::kString) {
    instant = ParseTime(site, std::move(arguments));
  } else if (type.kind() == TypeKind::kDate) {
    WEIR_TRY(instant,
             LowerCast(site.lowering, std::move(arguments[0]), type, Type::Timestamp(), CastMode::kAnsi));
  } else {
    instant = std::move(arguments[0]);
  }
  return Units<kMicrosPerSecond, true>(site, ListOf(std::move(instant)));
}

Result<ParsedPtr> DateFormat(const CallSite& site, ParsedList arguments) {
  arguments.push_back(SessionZone(site));
  return CallKernel(site, "weir_format_time", std::move(arguments));
}

Result<ParsedPtr> FromUnixtime(const CallSite& site, ParsedList arguments) {
  arguments[0] = CallOf(kTimes, ListOf(std::move(arguments[0]), Constant(Value::BIGINT(kMicrosPerSecond)),
                                       TypeMarker(LogicalType::TIMESTAMP_TZ)));
  return DateFormat(site, std::move(arguments));
}

}  // namespace

std::vector<KernelEntry> TimeKernels() {
  return {
      {"weir_date_field", DateField, false},
      {"weir_time_field", TimeField, false},
      {kAddDays, AddDays, false},
      {kDateDifference, DateDifference, false},
      {kAddMonths, AddMonthsKernel},
      {kLastDay, LastDay, false},
      {kNextDay, NextDay},
      {kTrunc, TruncateDates, false},
      {kDateTrunc, TruncateTimestamps, false},
      {kMakeDate, MakeDate},
      {kSeconds, TimestampOfSeconds},
      {kTimes, TimestampOfUnits},
      {"weir_units", UnitsOfTimestamp, false},
      {kDaysAs, SameDays, false},
      {kMonthsBetween, MonthsBetweenKernel, false},
      {"weir_add_interval", AddInterval},
  };
}

std::vector<FunctionLowering> TimeLowerings() {
  std::vector<FunctionLowering> lowerings = {
      {"hour", LowerTimeField<3600, 24>},
      {"minute", LowerTimeField<60, 60>},
      {"second", LowerTimeField<1, 60>},
      {"date_add", WithNumber<kAddDays, 1>},
      {"date_sub", WithNumber<kAddDays, -1>},
      {"datediff", ToKernel<kDateDifference>},
      {"add_months", ToKernel<kAddMonths>},
      {"months_between", WithZone<kMonthsBetween>},
      {"last_day", ToKernel<kLastDay>},
      {"next_day", WithAnsi<kNextDay>},
      {"trunc", ToKernel<kTrunc>},
      {"date_trunc", WithZone<kDateTrunc>},
      {"make_date", WithAnsi<kMakeDate>},
      {"to_date", ByPattern},
      {"to_timestamp", ByPattern},
      {"date_format", DateFormat},
      {"unix_timestamp", UnixTimestamp},
      {"from_unixtime", FromUnixtime},
      {"timestamp_seconds", ToKernel<kSeconds>},
      {"timestamp_millis", WithNumber<kTimes, 1000>},
      {"timestamp_micros", WithNumber<kTimes, 1>},
      {"unix_seconds", Units<kMicrosPerSecond, false>},
      {"unix_millis", Units<1000, false>},
      {"unix_micros", Units<1, false>},
      {"unix_date", ToKernel<kDaysAs>},
      {"date_from_unix_date", ToKernel<kDaysAs>},
      {"+interval", LowerAddInterval},
  };
  for (const NamedField& entry : kDateFields) lowerings.push_back({entry.name, LowerDateField});
  return lowerings;
}

}  // namespace weir::exec
