#include <array>
#include <unordered_map>
#include <unordered_set>

#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/interval.h"
#include "base/ascii.h"
#include "expr/coercion.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"
#include "expr/signature.h"

namespace weir::analyze {
namespace {

using Arguments = std::vector<ExprPtr>;
using Special = Result<ExprPtr> (*)(std::string_view name, const Arguments& args, const Context& context);

Error WrongCount(std::string_view name, std::string_view expected, size_t actual) {
  std::string quoted = QuoteName({std::string(name)});
  return Condition("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605",
                   {{"functionName", quoted},
                    {"expectedNum", std::string(expected)},
                    {"actualNum", std::to_string(actual)},
                    {"docroot", "https://spark.apache.org/docs/latest"}},
                   fmt::format("{} takes {} arguments, found {}", quoted, expected, actual));
}

std::string CallText(std::string_view name, const Arguments& args) {
  std::string text = fmt::format("{}(", name);
  for (size_t i = 0; i < args.size(); ++i) text += (i == 0 ? "" : ", ") + PrettySql(*args[i]);
  return text + ")";
}

Result<ExprPtr> NotEqual(std::string_view, const Arguments& args, const Context& context) {
  WEIR_TRY(ExprPtr equal, MakeCall("=", args, context));
  return MakeCall("not", {equal}, context);
}

/// CASE WHEN condition THEN a ELSE b END under another name.
Result<ExprPtr> Choice(const ExprPtr& condition, const ExprPtr& then, const ExprPtr& otherwise,
                       std::string text, const Context& context) {
  if (!WiderType(then->type(), otherwise->type(), RulesOf(context.settings.semantics))) {
    std::string types = fmt::format("[{}, {}]", Quoted(then->type()), Quoted(otherwise->type()));
    return CompleteMismatch(ArgumentsDiffer("if", types), text);
  }
  WEIR_TRY(ExprPtr made, MakeCase({{condition, then}}, otherwise, context));
  return ShownAs(made, std::move(text));
}

Result<ExprPtr> If(std::string_view name, const Arguments& args, const Context& context) {
  if (args.size() != 3) return WrongCount(name, "3", args.size());
  std::string text = fmt::format("({})", CallText("IF", args));
  ExprPtr condition = args[0];
  if (condition->type().kind() == TypeKind::kVoid) condition = Coerce(condition, Type::Boolean(), context);
  if (condition->type().kind() != TypeKind::kBoolean) {
    Argument argument{condition->type(), condition->nullable(), condition.get()};
    return CompleteMismatch(UnexpectedInputType(0, "\"BOOLEAN\"", argument), text);
  }
  return Choice(condition, args[1], args[2], std::move(text), context);
}

Result<ExprPtr> Nvl2(std::string_view name, const Arguments& args, const Context& context) {
  if (args.size() != 3) return WrongCount(name, "3", args.size());
  WEIR_TRY(ExprPtr present, MakeCall("isnotnull", {args[0]}, context));
  return Choice(present, args[1], args[2], CallText(name, args), context);
}

Result<ExprPtr> Nvl(std::string_view name, const Arguments& args, const Context& context) {
  if (args.size() != 2) return WrongCount(name, "2", args.size());
  WEIR_TRY(ExprPtr made, MakeCall("coalesce", args, context));
  return ShownAs(made, CallText(name, args));
}

/// What a rewritten call computes twice must give one value.
Status CheckUsedTwice(std::string_view name, const Expr& value) {
  if (!IsRepeatable(value)) {
    return Unsupported("{} of {}, which is not deterministic, is not implemented", name, PrettySql(value));
  }
  return CheckSize(value);
}

Result<ExprPtr> NullIf(std::string_view name, const Arguments& args, const Context& context) {
  if (args.size() != 2) return WrongCount(name, "2", args.size());
  WEIR_DO(CheckUsedTwice(name, *args[0]));
  // Errors of the comparison show the value by Spark's name for what stands twice in a rewritten call.
  WEIR_TRY(ExprPtr equal, MakeCall("=", {ShownAs(args[0], "commonexpressionref()"), args[1]}, context));
  ExprPtr null = MakeLiteral(Scalar::Null(args[0]->type()));
  return Choice(equal, null, args[0], CallText(name, args), context);
}

Result<ExprPtr> Between(std::string_view name, const Arguments& args, const Context& context) {
  if (args.size() != 3) return WrongCount(name, "3", args.size());
  WEIR_DO(CheckUsedTwice(name, *args[0]));
  WEIR_TRY(ExprPtr above, MakeCall(">=", {args[0], args[1]}, context));
  WEIR_TRY(ExprPtr below, MakeCall("<=", {args[0], args[2]}, context));
  WEIR_TRY(ExprPtr both, MakeCall("and", {above, below}, context));
  return ShownAs(both, CallText(name, args));
}

Result<ExprPtr> CurrentTimestamp(std::string_view name, const Arguments& args, const Context& context) {
  if (!args.empty()) return WrongCount(name, "0", args.size());
  return ShownAs(MakeLiteral(Scalar::Timestamp(context.settings.now_us)), fmt::format("{}()", name));
}

Result<ExprPtr> CurrentDate(std::string_view name, const Arguments& args, const Context& context) {
  if (!args.empty()) return WrongCount(name, "0", args.size());
  ExprPtr now = MakeLiteral(Scalar::Timestamp(context.settings.now_us));
  return ShownAs(Coerce(now, Type::Date(), context), "current_date()");
}

/// to_date and to_timestamp without a format are casts, by way of text for types that have no other.
Result<ExprPtr> CastCall(const Arguments& args, const Type& type, std::string_view accepted,
                         std::string_view required, std::string_view name, const Context& context) {
  if (args.size() != 1) return ExprPtr();
  std::string shown = CallText(name, args);
  std::optional<Type> input = ImplicitCast(args[0]->type(), accepted);
  if (!input) {
    Argument argument{args[0]->type(), args[0]->nullable(), args[0].get()};
    return CompleteMismatch(UnexpectedInputType(0, required, argument), shown);
  }
  WEIR_TRY(ExprPtr cast, ExplicitCast(Coerce(args[0], *input, context), type, false, context));
  return ShownAs(cast, std::move(shown));
}
Result<ExprPtr> ToDate(std::string_view name, const Arguments& args, const Context& context) {
  return CastCall(args, Type::Date(), "string|date|timestamp|timestamp_ntz",
                  "(\"STRING\" or \"DATE\" or \"TIMESTAMP\" or \"TIMESTAMP_NTZ\")", name, context);
}
Result<ExprPtr> ToTimestamp(std::string_view name, const Arguments& args, const Context& context) {
  return CastCall(args, Type::Timestamp(), "string|date|timestamp|timestamp_ntz|numeric",
                  "(\"STRING\" or \"DATE\" or \"TIMESTAMP\" or \"TIMESTAMP_NTZ\" or \"NUMERIC\")", name,
                  context);
}

/// unix_timestamp() is the present second.
Result<ExprPtr> UnixTimestamp(std::string_view name, const Arguments& args, const Context& context) {
  if (!args.empty()) return ExprPtr();
  int64_t seconds = context.settings.now_us / 1'000'000;
  return ShownAs(MakeLiteral(Scalar::Long(seconds)),
                 fmt::format("{}(current_timestamp(), yyyy-MM-dd HH:mm:ss)", name));
}

Result<ExprPtr> TypeOf(std::string_view name, const Arguments& args, const Context&) {
  if (args.size() != 1) return WrongCount(name, "1", args.size());
  return ShownAs(MakeLiteral(Scalar::String(args[0]->type().ToString())), CallText(name, args));
}

/// extract(field FROM source) and date_part(field, source) are the functions named like the fields.
std::string_view FieldFunction(std::string_view field) {
  static const std::unordered_map<std::string_view, std::string_view> kFunctions = {
      {"year", "year"},     {"y", "year"},           {"years", "year"},
      {"yr", "year"},       {"yrs", "year"},         {"quarter", "quarter"},
      {"qtr", "quarter"},   {"month", "month"},      {"mon", "month"},
      {"mons", "month"},    {"months", "month"},     {"week", "weekofyear"},
      {"w", "weekofyear"},  {"weeks", "weekofyear"}, {"day", "day"},
      {"d", "day"},         {"days", "day"},         {"dayofweek", "dayofweek"},
      {"dow", "dayofweek"}, {"doy", "dayofyear"},    {"hour", "hour"},
      {"h", "hour"},        {"hours", "hour"},       {"hr", "hour"},
      {"hrs", "hour"},      {"minute", "minute"},    {"m", "minute"},
      {"min", "minute"},    {"mins", "minute"},      {"minutes", "minute"},
  };
  auto found = kFunctions.find(field);
  return found == kFunctions.end() ? std::string_view() : found->second;
}

/// Seconds with their fraction. The fraction is the same in every zone.
Result<ExprPtr> SecondsOf(const ExprPtr& time, const Context& context) {
  if (!IsDeterministic(*time))
    return Unsupported("extract(SECOND ..) of an expression that is not deterministic is not implemented");
  WEIR_DO(CheckSize(*time));
  WEIR_TRY(ExprPtr whole, MakeCall("second", {time}, context));
  WEIR_TRY(ExprPtr instant, ExplicitCast(time, Type::Timestamp(), false, context));
  WEIR_TRY(ExprPtr micros, MakeCall("unix_micros", {instant}, context));
  const ExprPtr million = MakeLiteral(Scalar::Long(1'000'000));
  WEIR_TRY(ExprPtr fraction, MakeCall("pmod", {micros, million}, context));
  WEIR_TRY(ExprPtr product, MakeCall("*", {whole, million}, context));
  WEIR_TRY(ExprPtr sum, MakeCall("+", {product, fraction}, context));
  WEIR_TRY(ExprPtr digits, ExplicitCast(sum, Type::Decimal(8, 0), false, context));
  WEIR_TRY(ExprPtr seconds, MakeCall("*", {digits, MakeLiteral(Scalar::Decimal(1, 6, 6))}, context));
  WEIR_TRY(ExprPtr made, ExplicitCast(seconds, Type::Decimal(8, 6), false, context));
  return std::make_shared<const Expr>(made->node(), made->type(), time->nullable());
}

/// Null for what is no field of a point in time. Errors: of the function that the field stands for.
Result<ExprPtr> ExtractField(const std::string& field, const ExprPtr& source, const Context& context) {
  if (const std::string_view function = FieldFunction(field); !function.empty())
    return MakeCall(function, {source}, context);
  static const std::unordered_set<std::string_view> kSeconds = {"second", "s", "sec", "seconds", "secs"};
  const TypeKind kind = source->type().kind();
  const bool interval = kind == TypeKind::kIntervalDayTime || kind == TypeKind::kIntervalYearMonth;
  if (kSeconds.contains(field) && !interval) return SecondsOf(source, context);
  if (field == "dayofweek_iso" || field == "dow_iso") {
    WEIR_TRY(ExprPtr since_monday, MakeCall("weekday", {source}, context));
    return MakeCall("+", {since_monday, MakeLiteral(Scalar::Int(1))}, context);
  }
  if (interval || field == "yearofweek")
    return Unsupported("extract of the field {} is not implemented", field);
  return ExprPtr();
}

Result<ExprPtr> Extract(std::string_view name, const Arguments& args, const Context& context) {
  if (args.size() != 2) return WrongCount(name, "2", args.size());
  const Scalar* field = args[0]->As<Scalar>();
  if (field == nullptr || field->is_null() || field->type().kind() != TypeKind::kString) {
    return CompleteMismatch(
        NotConstant("field", Type::String(), {args[0]->type(), args[0]->nullable(), args[0].get()}),
        CallText(name, args));
  }
  const std::string lower = AsciiLower(field->text());
  WEIR_TRY(ExprPtr made, ExtractField(lower, args[1], context));
  if (made == nullptr) {
    return Condition("INVALID_EXTRACT_FIELD", "42601",
                     {{"field", QuoteName({field->text()})}, {"expr", QuoteSql(PrettySql(*args[1]))}},
                     fmt::format("there is no field {} in {}", field->text(), PrettySql(*args[1])));
  }
  std::string text = name == "extract"
                         ? fmt::format("extract({} FROM {})", field->text(), PrettySql(*args[1]))
                         : CallText(name, args);
  return ShownAs(made, std::move(text));
}

/// struct['member'].
Result<ExprPtr> Subscript(std::string_view, const Arguments& args, const Context&) {
  if (args[0]->type().kind() != TypeKind::kStruct) return ExprPtr();
  const Scalar* member = args[1]->As<Scalar>();
  if (member == nullptr || member->type().kind() != TypeKind::kString || member->is_null()) {
    return Condition("INVALID_EXTRACT_FIELD", "42601", {{"expr", QuoteSql(PrettySql(*args[1]))}},
                     "a struct member is named by a constant string");
  }
  return Member(args[0], member->text());
}

const std::unordered_map<std::string_view, Special>& Specials() {
  static const std::unordered_map<std::string_view, Special> kSpecials = {
      {"!=", NotEqual},
      {"<>", NotEqual},
      {"if", If},
      {"nvl", Nvl},
      {"ifnull", Nvl},
      {"nvl2", Nvl2},
      {"nullif", NullIf},
      {"between", Between},
      {"current_timestamp", CurrentTimestamp},
      {"now", CurrentTimestamp},
      {"current_date", CurrentDate},
      {"curdate", CurrentDate},
      {"to_date", ToDate},
      {"to_timestamp", ToTimestamp},
      {"unix_timestamp", UnixTimestamp},
      {"typeof", TypeOf},
      {"extract", Extract},
      {"date_part", Extract},
      {"datepart", Extract},
      {"[]", Subscript},
      {"+", AddTime},
      {"-", SubtractTime},
  };
  return kSpecials;
}

/// Functions named like a type are casts.
std::optional<Type> TypeFunction(std::string_view name) {
  static const std::unordered_map<std::string_view, Type> kTypes = {
      {"boolean", Type::Boolean()}, {"tinyint", Type::Byte()},        {"smallint", Type::Short()},
      {"int", Type::Int()},         {"bigint", Type::Long()},         {"float", Type::Float()},
      {"double", Type::Double()},   {"string", Type::String()},       {"binary", Type::Binary()},
      {"date", Type::Date()},       {"timestamp", Type::Timestamp()}, {"decimal", Type::Decimal(10, 0)},
  };
  auto found = kTypes.find(name);
  return found == kTypes.end() ? std::nullopt : std::optional<Type>(found->second);
}

}  // namespace

Result<ExprPtr> ResolveSpecialCall(std::string_view name, std::vector<ExprPtr>& args,
                                   const Context& context) {
  if (std::optional<Type> type = TypeFunction(name)) {
    if (args.size() != 1) return WrongCount(name, "1", args.size());
    // Spark does not show such a cast.
    WEIR_TRY(ExprPtr cast, ExplicitCast(args[0], *type, false, context));
    if (cast->As<Cast>() == nullptr) return ShownAs(cast, PrettySql(*args[0]));
    Cast node = *cast->As<Cast>();
    node.implicit = true;
    return std::make_shared<const Expr>(std::move(node), cast->type(), cast->nullable());
  }
  auto special = Specials().find(name);
  return special == Specials().end() ? ExprPtr() : special->second(name, args, context);
}

}  // namespace weir::analyze
