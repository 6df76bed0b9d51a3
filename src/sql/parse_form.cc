#include "base/ascii.h"
#include "sql/characters.h"
#include "sql/grammar.h"

namespace weir::sql {
namespace {

constexpr std::string_view kTimeUnits[] = {"YEAR",   "QUARTER",     "MONTH",      "WEEK",
                                           "DAY",    "DAYOFYEAR",   "HOUR",       "MINUTE",
                                           "SECOND", "MILLISECOND", "MICROSECOND"};

}  // namespace

using unresolved::Call;
using unresolved::ExprPtr;

ExprPtr Grammar::TextLiteral(std::string text, size_t first) const {
  return Constant(Scalar::String(std::move(text)), first);
}

/// DATEADD(unit, amount, time) and DATEDIFF(unit, start, end): the unit becomes a string in upper case.
Result<ExprPtr> Grammar::UnitForm(std::string_view name) {
  const size_t first = in_.index();
  const std::string written(in_.Take().text);
  WEIR_DO(in_.Expect("("));
  const Token& unit = in_.Peek();
  const bool is_unit = in_.AtAny(kTimeUnits);
  if (!is_unit && !AtString()) return in_.Mismatch();
  in_.Take();
  if (!is_unit && !in_.At(",")) return in_.Mismatch();
  const size_t unit_index = in_.index() - 1;
  ExprPtr unit_literal = TextLiteral(AsciiUpper(unit.text), unit_index);
  WEIR_DO(in_.Expect(","));
  WEIR_TRY(ExprPtr second, Value());
  WEIR_DO(in_.Expect(","));
  WEIR_TRY(ExprPtr third, Value());
  WEIR_DO(in_.Expect(")"));
  if (!is_unit) {
    in_.Defer(in_.ErrorAt(in_.SpanFrom(first), "INVALID_PARAMETER_VALUE.DATETIME_UNIT", "22023",
                          {{"functionName", fmt::format("`{}`", written)},
                           {"parameter", "`unit`"},
                           {"invalidValue", std::string(unit.text)}},
                          fmt::format("The unit of {} is a word, not a string: {}.", written, unit.text)));
  }
  return Make(Call{.name = {std::string(name)},
                   .args = {std::move(unit_literal), std::move(second), std::move(third)},
                   .filter = {}},
              first);
}

/// STRUCT(a, b AS c).
Result<ExprPtr> Grammar::StructForm() {
  const size_t first = in_.index();
  in_.Take();
  WEIR_DO(in_.Expect("("));
  Call call{.name = {"struct"}, .args = {}, .filter = {}};
  if (!in_.At(")")) {
    WEIR_TRY(call.args, NamedExpressions());
  }
  WEIR_DO(in_.Expect(")"));
  return Make(std::move(call), first);
}

/// FIRST(a IGNORE NULLS): the flag becomes a second argument, as in first(a, true).
Result<ExprPtr> Grammar::FirstForm() {
  const size_t first = in_.index();
  Call call{.name = {AsciiLower(in_.Take().text)}, .args = {}, .filter = {}};
  WEIR_DO(in_.Expect("("));
  if (in_.AtAny({"DISTINCT", "ALL"}) && StartsExpression(1)) return in_.Mismatch();
  WEIR_TRY(ExprPtr arg, Expression());
  call.args.push_back(std::move(arg));
  WEIR_DO(in_.ExpectAll({"IGNORE", "NULLS"}));
  call.args.push_back(Constant(Scalar::Boolean(true), in_.index() - 2));
  WEIR_DO(in_.Expect(")"));
  return Make(std::move(call), first);
}

/// POSITION(part IN text).
Result<ExprPtr> Grammar::PositionForm() {
  const size_t first = in_.index();
  in_.Take();
  WEIR_DO(in_.Expect("("));
  WEIR_TRY(ExprPtr part, Value());
  WEIR_DO(in_.Expect("IN"));
  WEIR_TRY(ExprPtr text, Value());
  WEIR_DO(in_.Expect(")"));
  return Make(Call{.name = {"locate"}, .args = {std::move(part), std::move(text)}, .filter = {}}, first);
}

/// EXTRACT(field FROM source): the field becomes a string, as written.
Result<ExprPtr> Grammar::ExtractForm() {
  const size_t first = in_.index();
  in_.Take();
  WEIR_DO(in_.Expect("("));
  const size_t field_index = in_.index();
  WEIR_TRY(std::string field, AnyName());
  ExprPtr literal = TextLiteral(std::move(field), field_index);
  WEIR_DO(in_.Expect("FROM"));
  WEIR_TRY(ExprPtr source, Value());
  WEIR_DO(in_.Expect(")"));
  return Make(Call{.name = {"extract"}, .args = {std::move(literal), std::move(source)}, .filter = {}},
              first);
}

/// SUBSTRING(text FROM start [FOR length]).
Result<ExprPtr> Grammar::SubstringForm() {
  const size_t first = in_.index();
  in_.Take();
  WEIR_DO(in_.Expect("("));
  Call call{.name = {"substring"}, .args = {}, .filter = {}};
  WEIR_TRY(ExprPtr text, Value());
  WEIR_DO(in_.Expect("FROM"));
  WEIR_TRY(ExprPtr start, Value());
  call.args = {std::move(text), std::move(start)};
  if (in_.Accept("FOR") || in_.Accept(",")) {
    WEIR_TRY(ExprPtr length, Value());
    call.args.push_back(std::move(length));
  }
  WEIR_DO(in_.Expect(")"));
  return Make(std::move(call), first);
}

/// TRIM([BOTH|LEADING|TRAILING] [characters] FROM text): arguments are the characters, if any, then the text.
Result<ExprPtr> Grammar::TrimForm() {
  const size_t first = in_.index();
  in_.Take();
  WEIR_DO(in_.Expect("("));
  std::string name = "trim";
  if (in_.AtAny({"BOTH", "LEADING", "TRAILING"}) && StartsExpression(1)) {
    const Token& side = in_.Take();
    name = side.Is("LEADING") ? "ltrim" : side.Is("TRAILING") ? "rtrim" : "trim";
  }
  Call call{.name = {std::move(name)}, .args = {}, .filter = {}};
  if (!in_.At("FROM")) {
    WEIR_TRY(ExprPtr characters, Value());
    call.args.push_back(std::move(characters));
  }
  WEIR_DO(in_.Expect("FROM"));
  WEIR_TRY(ExprPtr text, Value());
  call.args.push_back(std::move(text));
  WEIR_DO(in_.Expect(")"));
  return Make(std::move(call), first);
}

/// OVERLAY(text PLACING replacement FROM start [FOR length]).
Result<ExprPtr> Grammar::OverlayForm() {
  const size_t first = in_.index();
  in_.Take();
  WEIR_DO(in_.Expect("("));
  WEIR_TRY(ExprPtr text, Value());
  WEIR_DO(in_.Expect("PLACING"));
  WEIR_TRY(ExprPtr replacement, Value());
  WEIR_DO(in_.Expect("FROM"));
  WEIR_TRY(ExprPtr start, Value());
  Call call{
      .name = {"overlay"}, .args = {std::move(text), std::move(replacement), std::move(start)}, .filter = {}};
  if (in_.Accept("FOR")) {
    WEIR_TRY(ExprPtr length, Value());
    call.args.push_back(std::move(length));
  }
  WEIR_DO(in_.Expect(")"));
  return Make(std::move(call), first);
}

}  // namespace weir::sql
