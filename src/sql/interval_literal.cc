#include "sql/interval_literal.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/ascii.h"
#include "base/int128.h"
#include "sql/characters.h"
#include "type/calendar.h"

namespace weir::sql {
namespace {

/// The fields of both families, from the largest.
enum IntervalField : int { kYear, kMonth, kDay, kHour, kMinute, kSecond };
constexpr std::array<std::string_view, 6> kFieldNames = {"year", "month", "day", "hour", "minute", "second"};
/// Months of a year and month; micros of the others.
constexpr std::array<int64_t, 6> kFieldSizes = {
    12, 1, kMicrosPerDay, kMicrosPerHour, 60 * kMicrosPerSecond, kMicrosPerSecond};

struct Unit {
  std::string_view name;
  IntervalField field;
  int64_t size;  ///< In months, or in micros.
};
constexpr Unit kUnits[] = {{"year", kYear, 12},
                           {"month", kMonth, 1},
                           {"week", kDay, 7 * kMicrosPerDay},
                           {"day", kDay, kMicrosPerDay},
                           {"hour", kHour, kMicrosPerHour},
                           {"minute", kMinute, 60 * kMicrosPerSecond},
                           {"second", kSecond, kMicrosPerSecond},
                           {"millisecond", kSecond, 1000},
                           {"microsecond", kSecond, 1}};

Error BadFormat(std::string_view kind, std::vector<std::pair<std::string, std::string>> parameters,
                std::string_view problem) {
  return Invalid("The interval is not valid: {}.", problem)
      .WithCondition(
          {fmt::format("INVALID_INTERVAL_FORMAT.{}", kind), "22006", std::move(parameters), {}, ""});
}

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<int64_t> WholeNumber(std::string_view digits) {
  if (!IsDigits(digits)) return std::nullopt;
  const auto value = ParseInt128(digits.size() > 30 ? "" : digits);
  if (!value || *value > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return static_cast<int64_t>(*value);
}

/// Nanoseconds of up to nine digits behind the point.
int64_t FractionNanos(std::string_view digits) {
  std::string padded(digits);
  padded.resize(9, '0');
  return static_cast<int64_t>(ParseInt128(padded).value_or(0));
}

std::string YearMonthText(int64_t months, IntervalField from, IntervalField to) {
  const std::string sign = months < 0 ? "-" : "";
  const int64_t size = months < 0 ? -months : months;
  if (to == kYear) return fmt::format("INTERVAL '{}{}' YEAR", sign, size / 12);
  if (from == kMonth) return fmt::format("INTERVAL '{}{}' MONTH", sign, size);
  return fmt::format("INTERVAL '{}{}-{}' YEAR TO MONTH", sign, size / 12, size % 12);
}

std::string DayTimeText(int64_t micros, IntervalField from, IntervalField to) {
  UInt128 rest =
      micros < 0 ? static_cast<UInt128>(-static_cast<Int128>(micros)) : static_cast<UInt128>(micros);
  std::string value = micros < 0 ? "-" : "";
  for (int field = from; field <= to; ++field) {
    const auto size = static_cast<UInt128>(kFieldSizes[static_cast<size_t>(field)]);
    const auto count = static_cast<uint64_t>(rest / size);
    rest %= size;
    if (field > from) value += field == kHour ? ' ' : ':';
    value += field == kDay ? fmt::format("{}", count) : fmt::format("{:02}", count);
  }
  if (to == kSecond && rest > 0) {
    std::string fraction = fmt::format(".{:06}", static_cast<uint64_t>(rest));
    fraction.erase(fraction.find_last_not_of('0') + 1);
    value += fraction;
  }
  const std::string first = AsciiUpper(kFieldNames[from]);
  if (from == to) return fmt::format("INTERVAL '{}' {}", value, first);
  return fmt::format("INTERVAL '{}' {} TO {}", value, first, AsciiUpper(kFieldNames[to]));
}

IntervalLiteral YearMonthLiteral(int64_t months, IntervalField from, IntervalField to) {
  return {Scalar(Type::IntervalYearMonth(), months), YearMonthText(months, from, to)};
}
IntervalLiteral DayTimeLiteral(int64_t micros, IntervalField from, IntervalField to) {
  return {Scalar(Type::IntervalDayTime(), micros), DayTimeText(micros, from, to)};
}

/// Sums up parts as Spark does: months and days in 32 bits, the rest in 64 bits.
class IntervalSum {
 public:
  /// `input` is the text that errors show.
  explicit IntervalSum(std::string input) : input_(std::move(input)) {}

  Status Add(std::string_view number, std::string_view unit_name) {
    const auto unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                   [&](const Unit& one) { return one.name == unit_name; });
    const bool is_negative = number.substr(0, 1) == "-";
    std::string_view digits = number;
    if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits = Trim(digits.substr(1));
    const size_t point = digits.find('.');
    const std::string_view whole = digits.substr(0, point);
    const std::string_view fraction = point == std::string_view::npos ? "" : digits.substr(point + 1);
    const bool has_value = !whole.empty() || !fraction.empty();
    if (const size_t blank = digits.find(' '); blank != std::string_view::npos) {
      const std::string word(digits.substr(blank + 1));
      return BadFormat("INVALID_UNIT", {{"input", input_}, {"unit", word}},
                       fmt::format("'{}' is not a unit", word));
    }
    if (digits.empty()) {
      return BadFormat("UNRECOGNIZED_NUMBER", {{"input", input_}, {"number", std::string(unit_name)}},
                       input_);
    }
    if (!has_value || (!whole.empty() && !IsDigits(whole)) || (!fraction.empty() && !IsDigits(fraction))) {
      return BadFormat("INVALID_VALUE", {{"input", input_}, {"value", std::string(number)}}, input_);
    }
    if (unit == std::end(kUnits)) {
      return BadFormat("INVALID_UNIT", {{"input", input_}, {"unit", std::string(unit_name)}},
                       fmt::format("'{}' is not a unit", unit_name));
    }
    if (point != std::string_view::npos && unit->name != "second") {
      return BadFormat("INVALID_FRACTION", {{"input", input_}, {"unit", std::string(unit_name)}},
                       fmt::format("only seconds have a fraction, not '{}'", unit_name));
    }
    if (fraction.size() > 9) {
      return BadFormat("INVALID_PRECISION", {{"input", input_}, {"value", std::string(number)}},
                       "a fraction has at most nine digits");
    }
    const auto count = whole.empty() ? std::optional<int64_t>(0) : WholeNumber(whole);
    if (!count) return Overflow();
    from_ = any_ ? std::min(from_, unit->field) : unit->field;
    to_ = any_ ? std::max(to_, unit->field) : unit->field;
    any_ = true;
    const Int128 sign = is_negative ? -1 : 1;
    (unit->field <= kMonth ? has_year_month_ : has_day_time_) = true;
    Int128& sum = unit->field <= kMonth ? months_ : unit->field == kDay ? day_micros_ : micros_;
    sum += sign * *count * unit->size + sign * (FractionNanos(fraction) / 1000);
    return CheckRange();
  }

  Result<IntervalLiteral> Finish(std::string_view source) const {
    if (has_year_month_ && has_day_time_) {
      return Invalid("An interval cannot mix years or months with days or times: {}.", source)
          .WithCondition({"_LEGACY_ERROR_TEMP_0029", "", {{"literal", std::string(source)}}, {}, ""});
    }
    if (has_year_month_) return YearMonthLiteral(static_cast<int64_t>(months_), from_, to_);
    const Int128 total = day_micros_ + micros_;
    if (total < std::numeric_limits<int64_t>::min() || total > std::numeric_limits<int64_t>::max()) {
      return Invalid("The interval is too long.")
          .WithCondition({"INTERVAL_ARITHMETIC_OVERFLOW.WITHOUT_SUGGESTION", "22015", {}, {}, ""});
    }
    return DayTimeLiteral(static_cast<int64_t>(total), from_, to_);
  }
  bool any() const { return any_; }

 private:
  Error Overflow() const { return BadFormat("ARITHMETIC_EXCEPTION", {{"input", input_}}, "it is too long"); }
  Status CheckRange() const {
    constexpr Int128 kInt = std::numeric_limits<int32_t>::max();
    constexpr Int128 kLong = std::numeric_limits<int64_t>::max();
    const auto fits = [](Int128 value, Int128 max) { return value >= -max - 1 && value <= max; };
    if (fits(months_, kInt) && fits(day_micros_ / kMicrosPerDay, kInt) && fits(micros_, kLong)) return {};
    return Overflow();
  }

  std::string input_;
  bool any_ = false;
  bool has_year_month_ = false;
  bool has_day_time_ = false;
  IntervalField from_ = kYear;
  IntervalField to_ = kYear;
  Int128 months_ = 0;
  Int128 day_micros_ = 0;
  Int128 micros_ = 0;
};

std::optional<IntervalField> FieldOf(std::string_view name) {
  const auto found = std::find(kFieldNames.begin(), kFieldNames.end(), name);
  if (found == kFieldNames.end()) return std::nullopt;
  return static_cast<IntervalField>(found - kFieldNames.begin());
}

Error NotMatching(std::string_view text, IntervalField from, IntervalField to) {
  const bool year_month = from == kYear;
  static constexpr std::string_view kForms[] = {"y", "m", "d", "h", "m", "s.n"};
  std::string form = "[+|-]";
  for (int field = from; field <= to; ++field) {
    if (field > from) form += year_month ? '-' : field == kHour ? ' ' : ':';
    form += kForms[field];
  }
  const std::string units =
      fmt::format("{} TO {}", AsciiUpper(kFieldNames[from]), AsciiUpper(kFieldNames[to]));
  return BadFormat(year_month ? "UNMATCHED_FORMAT_STRING" : "UNMATCHED_FORMAT_STRING_WITH_NOTICE",
                   {{"intervalStr", year_month ? "year-month" : "day-time"},
                    {"supportedFormat", fmt::format("`{}`, `INTERVAL [+|-]'{}' {}`", form, form, units)},
                    {"typeName", fmt::format("interval {}", AsciiLower(units))},
                    {"input", std::string(text)}},
                   fmt::format("'{}' does not have the form {} of {}", text, form, units));
}

Error FieldRange(IntervalField field, int64_t value, int64_t max) {
  const std::string problem =
      fmt::format("requirement failed: {} {} outside range [0, {}]", kFieldNames[field], value, max);
  return Invalid("The interval is not valid: {} {} is outside [0, {}].", kFieldNames[field], value, max)
      .WithCondition({"_LEGACY_ERROR_TEMP_0063", "", {{"msg", problem}}, {}, ""});
}

/// The numbers of fields `from` to `to`, and the fraction of the last one.
struct Fields {
  std::array<std::string_view, 6> digits;
  std::string_view fraction;
};

std::optional<Fields> SplitFields(std::string_view text, IntervalField from, IntervalField to) {
  Fields fields;
  for (int field = from; field <= to; ++field) {
    if (field > from) {
      const char separator = from == kYear ? '-' : field == kHour ? ' ' : ':';
      if (text.empty() || text.front() != separator) return std::nullopt;
      text.remove_prefix(1);
    }
    const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
    const size_t max_digits = field > from && from != kYear ? 2 : 10;
    if (digits.empty() || digits.size() > max_digits) return std::nullopt;
    fields.digits[static_cast<size_t>(field)] = digits;
    text.remove_prefix(digits.size());
  }
  if (to == kSecond && !text.empty() && text.front() == '.') {
    fields.fraction = text.substr(1);
    text = {};
    if (!IsDigits(fields.fraction) || fields.fraction.size() > 9) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return fields;
}

}  // namespace

Result<IntervalLiteral> IntervalOfParts(const std::vector<IntervalPart>& parts, std::string_view source) {
  std::string input;
  for (const IntervalPart& part : parts) {
    input += fmt::format(" {} {}", part.number, AsciiUpper(part.unit));
  }
  IntervalSum sum(input);
  for (const IntervalPart& part : parts) WEIR_DO(sum.Add(part.number, part.unit));
  return sum.Finish(source);
}

Result<IntervalLiteral> IntervalOfText(std::string_view text, std::string_view source) {
  std::vector<std::string> words;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t start = rest.find_first_not_of(" \t\n\r\f\v");
    if (start == std::string_view::npos) break;
    rest.remove_prefix(start);
    const size_t end = std::min(rest.find_first_of(" \t\n\r\f\v"), rest.size());
    words.push_back(AsciiLower(rest.substr(0, end)));
    rest.remove_prefix(end);
  }
  size_t i = !words.empty() && words[0] == "interval" ? 1 : 0;
  IntervalSum sum{std::string(text)};
  while (i < words.size()) {
    std::string number = words[i++];
    if ((number == "-" || number == "+") && i < words.size()) number += words[i++];
    if (i >= words.size()) return Invalid("'{}' is not an interval.", text);
    std::string_view unit = words[i++];
    if (unit.back() == 's') unit.remove_suffix(1);
    WEIR_DO(sum.Add(number, unit));
  }
  if (!sum.any()) return Invalid("'{}' is not an interval.", text);
  return sum.Finish(source);
}

Result<IntervalLiteral> IntervalFromTo(std::string_view text, std::string_view from_name,
                                       std::string_view to_name) {
  const auto from = FieldOf(from_name);
  const auto to = FieldOf(to_name);
  if (!from || !to || *from >= *to || (*from <= kMonth) != (*to <= kMonth)) {
    return BadFormat(
        "UNSUPPORTED_FROM_TO_EXPRESSION",
        {{"input", std::string(text)}, {"from", std::string(from_name)}, {"to", std::string(to_name)}},
        fmt::format("there is no interval from {} to {}", from_name, to_name));
  }
  std::string_view unsigned_text = text;
  const bool is_negative = text.substr(0, 1) == "-";
  if (is_negative || text.substr(0, 1) == "+") unsigned_text.remove_prefix(1);
  const auto fields = SplitFields(unsigned_text, *from, *to);
  if (!fields) return NotMatching(text, *from, *to);
  Int128 total = 0;
  for (int field = *from; field <= *to; ++field) {
    const int64_t value = WholeNumber(fields->digits[static_cast<size_t>(field)]).value_or(0);
    const int64_t max = field == kMonth ? 11 : field == kHour ? 23 : 59;
    if (field > *from && *from != kYear && value > max)
      return FieldRange(static_cast<IntervalField>(field), value, max);
    if (field > *from && *from == kYear && value > max) total = -1;
    if (total >= 0) total += static_cast<Int128>(value) * kFieldSizes[static_cast<size_t>(field)];
  }
  const Int128 limit = *from == kYear ? Int128{std::numeric_limits<int32_t>::max()}
                                      : Int128{std::numeric_limits<int64_t>::max()};
  total = total < 0 ? limit + 2 : total + FractionNanos(fields->fraction) / 1000;
  if (total > limit + (is_negative ? 1 : 0)) {
    if (*from == kYear) {
      return BadFormat("INTERVAL_PARSING", {{"input", std::string(text)}, {"interval", "year-month"}},
                       fmt::format("'{}' is out of range", text));
    }
    return BadFormat("ARITHMETIC_EXCEPTION", {{"input", std::string(text)}}, "it is too long");
  }
  const auto value = static_cast<int64_t>(is_negative ? -total : total);
  return *from == kYear ? YearMonthLiteral(value, *from, *to) : DayTimeLiteral(value, *from, *to);
}

std::string IntervalSql(const Scalar& value) {
  return value.type().kind() == TypeKind::kIntervalYearMonth ? YearMonthText(value.integer(), kYear, kMonth)
                                                             : DayTimeText(value.integer(), kDay, kSecond);
}

}  // namespace weir::sql
