#include <limits>

#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/grammar.h"
#include "sql/interval_literal.h"
#include "sql/literal.h"
#include "type/datetime_text.h"

namespace weir::sql {

using unresolved::ExprPtr;

ExprPtr Grammar::Constant(Scalar value, size_t first) const {
  return Make(unresolved::Literal{std::move(value), {}}, first);
}

bool Grammar::AtNumber(size_t ahead) const {
  const TokenKind kind = in_.Peek(ahead).kind;
  return kind >= TokenKind::kInteger && kind <= TokenKind::kBigDecimal;
}

/// A number, perhaps with a minus in front.
Result<ExprPtr> Grammar::Number() {
  const size_t first = in_.index();
  const bool is_negative = in_.Accept("-");
  Result<Scalar> value = NumberValue(in_.Take(), is_negative);
  if (!value) {
    in_.Defer(std::move(value).error().WithSpan(in_.SpanFrom(first), in_.text()));
    return Constant(Scalar(), first);
  }
  return Constant(*std::move(value), first);
}

Result<ExprPtr> Grammar::Strings() {
  const size_t first = in_.index();
  WEIR_TRY(std::string text, String());
  return TextLiteral(std::move(text), first);
}

/// DATE '..' and its like: a word and one string.
Result<ExprPtr> Grammar::TypedLiteral() {
  const size_t first = in_.index();
  const std::string type = AsciiUpper(in_.Take().text);
  const std::string text = StringValue(in_.Take().text);
  std::string shown;
  Result<Scalar> value = TypedValue(type, text, shown, first);
  if (!value) {
    if (value.error().code() == ErrorCode::kUnsupported) return std::move(value).error();
    Error error = std::move(value).error();
    if (!error.condition()) {
      error = in_.ErrorAt(in_.SpanFrom(first), "INVALID_TYPED_LITERAL", "42604",
                          {{"valueType", fmt::format("\"{}\"", type)}, {"value", fmt::format("'{}'", text)}},
                          fmt::format("'{}' is not a value of the type {}.", text, type));
    }
    in_.Defer(std::move(error).WithSpan(in_.SpanFrom(first), in_.text()));
    return Constant(Scalar(), first);
  }
  return Make(unresolved::Literal{*std::move(value), std::move(shown)}, first);
}

/// Errors: kInvalid without a condition if the text is no value of the type.
Result<Scalar> Grammar::TypedValue(const std::string& type, const std::string& text, std::string& shown,
                                   size_t first) {
  const SourceSpan span = in_.SpanFrom(first);
  const Error bad(ErrorCode::kInvalid, "");
  if (type == "DATE") {
    const std::string special = AsciiLower(Trim(text));
    if (special == "epoch") return Scalar::Date(0);
    if (special == "now" || special == "today" || special == "tomorrow" || special == "yesterday") {
      return in_.Refuse(fmt::format("the date literal '{}'", special), span);
    }
    if (const auto days = ReadDate(text)) return Scalar::Date(*days);
    return bad;
  }
  if (type == "TIMESTAMP" || type == "TIMESTAMP_LTZ" || type == "TIMESTAMP_NTZ") {
    WEIR_TRY(std::optional<Scalar> value, TimestampValue(text, type == "TIMESTAMP_NTZ", span));
    if (value) return *std::move(value);
    return bad;
  }
  if (type == "X") {
    if (auto bytes = HexValue(text)) return Scalar::Binary(*std::move(bytes));
    return bad;
  }
  if (type == "INTERVAL") {
    Result<IntervalLiteral> interval = IntervalOfText(text, in_.TextOf(span));
    if (!interval) {
      const auto* condition = interval.error().condition();
      if (condition != nullptr && condition->name.substr(0, 7) == "_LEGACY")
        return std::move(interval).error();
      return bad;
    }
    shown = interval->text;
    return interval->value;
  }
  if (type == "TIME") return in_.Refuse("TIME literals", span);
  return in_.ErrorAt(span, "UNSUPPORTED_TYPED_LITERAL", "0A000",
                     {{"unsupportedType", fmt::format("\"{}\"", type)},
                      {"supportedTypes",
                       R"("DATE", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP", "INTERVAL", "X", "TIME")"}},
                     fmt::format("There are no literals of a type {}.", type));
}

/// Nullopt if the text is no timestamp. `is_local`: a wall clock reading, whose zone is ignored.
Result<std::optional<Scalar>> Grammar::TimestampValue(const std::string& text, bool is_local,
                                                      const SourceSpan& span) const {
  const std::string special = AsciiLower(Trim(text));
  if (special == "epoch") return std::optional(is_local ? Scalar::TimestampNtz(0) : Scalar::Timestamp(0));
  if (special == "now" || special == "today" || special == "tomorrow" || special == "yesterday") {
    return in_.Refuse(fmt::format("the timestamp literal '{}'", special), span);
  }
  if (is_local) {
    const auto micros = ReadTimestampNtz(text);
    return micros ? std::optional(Scalar::TimestampNtz(*micros)) : std::nullopt;
  }
  const auto read = ReadWallTime(text);
  if (read && !read->has_date) return in_.Refuse("timestamp literals without a date", span);
  const auto zone = TimeZone::Find(options_.time_zone);
  if (!zone) return in_.Refuse(zone.error().message(), span);
  const auto micros = ReadTimestamp(text, **zone, 0);
  return micros ? std::optional(Scalar::Timestamp(*micros)) : std::nullopt;
}

namespace {

constexpr std::string_view kRangeUnits[] = {"SECOND", "MINUTE", "HOUR", "DAY", "MONTH", "YEAR"};
constexpr std::string_view kUnits[] = {
    "NANOSECOND", "NANOSECONDS", "MICROSECOND", "MICROSECONDS", "MILLISECOND", "MILLISECONDS", "SECOND",
    "SECONDS",    "MINUTE",      "MINUTES",     "HOUR",         "HOURS",       "DAY",          "DAYS",
    "WEEK",       "WEEKS",       "MONTH",       "MONTHS",       "YEAR",        "YEARS"};

}  // namespace

/// INTERVAL 1 DAY '2' HOURS or INTERVAL '1 02' DAY TO HOUR.
Result<ExprPtr> Grammar::Interval() {
  const size_t first = in_.index();
  WEIR_DO(in_.Expect("INTERVAL"));
  const size_t ahead = in_.AtAny({"+", "-"}) ? 1 : 0;
  if (!AtIntervalNumber(ahead)) return in_.Mismatch();
  const auto at_group = [&] {
    const size_t unit = in_.AtAny({"+", "-"}) ? 2 : 1;
    return AtIntervalNumber(unit - 1) && in_.AtAny(kUnits, unit);
  };
  const auto group = [&] {
    const size_t unit = in_.AtAny({"+", "-"}) ? 2 : 1;
    return in_.AtAny(kRangeUnits, unit) && in_.At("TO", unit + 1) ? IntervalRange(first)
                                                                  : IntervalUnits(first);
  };
  WEIR_TRY(ExprPtr interval, group());
  if (!at_group()) return interval;
  const size_t second_first = in_.index();
  WEIR_DO(group());
  in_.Defer(in_.ErrorAt(in_.SpanFrom(second_first), "_LEGACY_ERROR_TEMP_0024", "", {},
                        "An interval has either several units or one pair of units from .. to."));
  return interval;
}

bool Grammar::AtIntervalNumber(size_t ahead) const {
  return AtString(ahead) || in_.AtKind(TokenKind::kInteger, ahead) || in_.AtKind(TokenKind::kDecimal, ahead);
}

/// The value in front of a unit: a sign, then digits or a string.
Result<std::string> Grammar::IntervalValue(bool& is_string, bool& is_negative) {
  is_negative = in_.At("-");
  if (in_.AtAny({"+", "-"})) in_.Take();
  is_string = AtString();
  if (is_string) return String();
  if (!in_.AtKind(TokenKind::kInteger) && !in_.AtKind(TokenKind::kDecimal)) return in_.Mismatch();
  return std::string(in_.Take().text);
}

Result<ExprPtr> Grammar::IntervalUnits(size_t first) {
  std::vector<IntervalPart> parts;
  std::optional<std::string> letters;
  const size_t parts_first = in_.index();
  do {
    bool is_string = false;
    bool is_negative = false;
    WEIR_TRY(std::string number, IntervalValue(is_string, is_negative));
    if (!in_.AtAny(kUnits)) return in_.Mismatch();
    std::string unit = AsciiLower(in_.Take().text);
    if (unit.back() == 's') unit.pop_back();
    if (is_string) number = std::string(Trim(number));
    const bool has_letters =
        number.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string::npos;
    if (has_letters && !letters) letters = number;
    if (is_negative) number = number.substr(0, 1) == "-" ? number.substr(1) : "-" + number;
    parts.push_back({std::move(number), std::move(unit)});
  } while (AtIntervalNumber(0) && in_.AtAny(kUnits, 1) && !(in_.AtAny(kRangeUnits, 1) && in_.At("TO", 2)));
  const SourceSpan span = in_.SpanFrom(first);
  const SourceSpan parts_span = in_.SpanFrom(parts_first);
  if (letters) {
    in_.Defer(in_.ErrorAt(parts_span, "_LEGACY_ERROR_TEMP_0026", "", {{"value", *letters}},
                          fmt::format("'{}' is not the number of an interval.", *letters)));
    return Constant(Scalar(), first);
  }
  Result<IntervalLiteral> interval = IntervalOfParts(parts, in_.TextOf(span));
  if (!interval) {
    in_.Defer(std::move(interval).error().WithSpan(span, in_.text()));
    return Constant(Scalar(), first);
  }
  return Make(unresolved::Literal{interval->value, interval->text}, first);
}

Result<ExprPtr> Grammar::IntervalRange(size_t first) {
  bool is_string = false;
  bool is_negative = false;
  const size_t value_first = in_.index();
  WEIR_TRY(std::string value, IntervalValue(is_string, is_negative));
  if (!in_.AtAny(kRangeUnits)) return in_.Mismatch();
  const std::string from = AsciiLower(in_.Take().text);
  WEIR_DO(in_.Expect("TO"));
  if (!in_.AtAny(kRangeUnits)) return in_.Mismatch();
  const std::string to = AsciiLower(in_.Take().text);
  const SourceSpan span = in_.SpanFrom(value_first);
  if (!is_string) {
    in_.Defer(in_.ErrorAt(span, "_LEGACY_ERROR_TEMP_0027", "", {},
                          "The value of an interval from .. to is a string."));
    return Constant(Scalar(), first);
  }
  if (is_negative) value = value.substr(0, 1) == "-" ? value.substr(1) : "-" + value;
  Result<IntervalLiteral> interval = IntervalFromTo(value, from, to);
  if (!interval) {
    in_.Defer(std::move(interval).error().WithSpan(span, in_.text()));
    return Constant(Scalar(), first);
  }
  return Make(unresolved::Literal{interval->value, interval->text}, first);
}

}  // namespace weir::sql
