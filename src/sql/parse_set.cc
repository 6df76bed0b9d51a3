#include <algorithm>

#include "sql/characters.h"
#include "sql/grammar.h"
#include "sql/literal.h"
#include "type/calendar.h"

namespace weir::sql {
namespace {

bool IsKeyCharacter(char c) { return IsNameCharacter(c) || c == '.' || c == ':' || c == '\\'; }

std::string_view WithoutSemicolons(std::string_view text) {
  text = Trim(text);
  while (!text.empty() && text.back() == ';') text.remove_suffix(1);
  return Trim(text);
}

bool IsKey(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsKeyCharacter);
}

/// "+05:30" of an offset in seconds, as Java prints it.
std::string OffsetText(int64_t seconds) {
  if (seconds == 0) return "Z";
  const int64_t size = seconds < 0 ? -seconds : seconds;
  std::string text = fmt::format("{}{:02}:{:02}", seconds < 0 ? '-' : '+', size / 3600, size / 60 % 60);
  if (size % 60 != 0) text += fmt::format(":{:02}", size % 60);
  return text;
}

}  // namespace

/// The text behind the last token taken; takes all tokens.
std::string_view Grammar::TakeRest() {
  const std::string_view rest = in_.TextBehind();
  in_.TakeAll();
  return rest;
}

/// SET keeps the text of a value as it is, so most of it is read as text.
Result<Grammar::StatementNode> Grammar::Set() {
  const size_t first = in_.index();
  in_.Take();
  if (in_.At("CATALOG") && (AtName(1) || AtString(1))) return in_.Refuse("SET CATALOG", in_.WholeSpan());
  if (in_.At("ROLE")) {
    in_.TakeAll();
    return InvalidStatement("SET ROLE", first);
  }
  if (in_.AtAll({"TIME", "ZONE"})) return SetTimeZone();
  if (in_.AtAny({"VAR", "VARIABLE"}) && (AtName(1) || in_.At("(", 1))) {
    return in_.Refuse("SET VARIABLE", in_.WholeSpan());
  }
  unresolved::SetConfiguration set;
  const auto invalid = [&] {
    return in_.ErrorAt(
        in_.SpanFrom(first), "INVALID_SET_SYNTAX", "42000", {},
        "Expected SET, SET key or SET key = value; a key with special characters needs backquotes, and "
        "so does a value with a semicolon.");
  };
  bool has_quoted_key = in_.AtKind(TokenKind::kQuotedName);
  if (has_quoted_key) {
    set.key = QuotedNameValue(in_.Take().text);
    if (!in_.AtAny({"=", "==", ";"}) && !in_.AtKind(TokenKind::kEnd)) {
      in_.TakeAll();
      return invalid();
    }
  }
  const std::string_view rest = Trim(TakeRest());
  if (!has_quoted_key && WithoutSemicolons(rest).empty()) return StatementNode(std::move(set));
  if (!has_quoted_key && WithoutSemicolons(rest) == "-v") return in_.Refuse("SET -v", in_.SpanFrom(first));
  const size_t equals = rest.find('=');
  const std::string_view key = WithoutSemicolons(rest.substr(0, equals));
  if (has_quoted_key ? !key.empty() : !IsKey(key)) return invalid();
  if (!has_quoted_key) set.key = key;
  if (equals == std::string_view::npos) return StatementNode(std::move(set));
  const std::string_view value = WithoutSemicolons(rest.substr(equals + 1));
  if (value.size() > 1 && value.front() == '`' && QuotedNameEnd(value, 0) == value.size()) {
    set.value = QuotedNameValue(value);
  } else if (value.find(';') == std::string_view::npos) {
    set.value = value;
  } else {
    return invalid();
  }
  return StatementNode(std::move(set));
}

Result<Grammar::StatementNode> Grammar::SetTimeZone() {
  const size_t first = in_.index() - 1;
  WEIR_DO(in_.ExpectAll({"TIME", "ZONE"}));
  unresolved::SetConfiguration set{.key = "spark.sql.session.timeZone", .value = {}};
  const auto at_end = [&] { return in_.AtKind(TokenKind::kEnd) || in_.At(";"); };
  if (AtString()) {
    WEIR_TRY(set.value, String());
    if (at_end()) return StatementNode(std::move(set));
  } else if (in_.Accept("LOCAL")) {
    if (at_end()) return in_.Refuse("SET TIME ZONE LOCAL", in_.SpanFrom(first));
  } else if (in_.At("INTERVAL")) {
    const Token& number = in_.Peek(1);
    WEIR_TRY(std::optional<ExprPtr> interval, Try([&] { return Interval(); }));
    if (interval && at_end()) {
      WEIR_DO(in_.FinishDeferred());
      const Scalar& value = std::get<unresolved::Literal>((*interval)->node).value;
      const int64_t limit = 18 * kMicrosPerHour;
      const bool is_offset = value.type().kind() == TypeKind::kIntervalDayTime && value.integer() <= limit &&
                             value.integer() >= -limit && value.integer() % kMicrosPerSecond == 0;
      if (!is_offset) {
        return in_.ErrorAt((*interval)->span, "INVALID_INTERVAL_FORMAT.TIMEZONE_INTERVAL_OUT_OF_RANGE",
                           "22006",
                           {{"input", number.kind == TokenKind::kString ? StringValue(number.text)
                                                                        : std::string(number.text)}},
                           "The offset of a time zone is within 18 hours, in whole seconds.");
      }
      set.value = OffsetText(value.integer() / kMicrosPerSecond);
      return StatementNode(std::move(set));
    }
  }
  in_.TakeAll();
  return in_.ErrorAt(in_.SpanFrom(first), "_LEGACY_ERROR_TEMP_0045", "", {},
                     "Expected SET TIME ZONE with LOCAL, an interval, or a string that names a zone.");
}

Result<Grammar::StatementNode> Grammar::Reset() {
  const size_t first = in_.index();
  in_.Take();
  unresolved::SetConfiguration reset{.key = {}, .value = {}, .is_reset = true};
  if (in_.AtKind(TokenKind::kQuotedName) && (in_.AtKind(TokenKind::kEnd, 1) || in_.At(";", 1))) {
    reset.key = QuotedNameValue(in_.Take().text);
    return StatementNode(std::move(reset));
  }
  const std::string_view key = WithoutSemicolons(TakeRest());
  if (!key.empty() && !IsKey(key)) {
    return in_.ErrorAt(in_.SpanFrom(first), "INVALID_RESET_COMMAND_FORMAT", "42000", {},
                       "Expected RESET or RESET key; a key with special characters needs backquotes.");
  }
  reset.key = key;
  return StatementNode(std::move(reset));
}

}  // namespace weir::sql
