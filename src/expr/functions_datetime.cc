#include "expr/signature.h"

namespace weir {
namespace {

/// date_add and date_sub: days must be an int or less; a bigint is refused, a string is not.
Result<Signature> AddDays(std::string_view, std::span<const Argument> args, const Semantics&) {
  std::optional<Type> date = ImplicitCast(args[0].type, "date");
  if (!date) return UnexpectedInputType(0, "\"DATE\"", args[0]);
  TypeKind kind = args[1].type.kind();
  bool days = kind == TypeKind::kInt || kind == TypeKind::kShort || kind == TypeKind::kByte ||
              kind == TypeKind::kString || kind == TypeKind::kVoid;
  if (!days) return UnexpectedInputType(1, "(\"INT\" or \"SMALLINT\" or \"TINYINT\")", args[1]);
  return Coerced(args, {Type::Date(), Type::Int()}, Type::Date());
}

/// Seconds may have a fraction; a string is refused.
Result<Signature> TimestampOfSeconds(std::string_view, std::span<const Argument> args, const Semantics&) {
  const Type& type = args[0].type;
  if (type.kind() == TypeKind::kVoid) return Signature{{Type::Double()}, Type::Timestamp(), true};
  if (!type.is_numeric()) return UnexpectedInputType(0, "\"NUMERIC\"", args[0]);
  return Signature{{type}, Type::Timestamp(), args[0].nullable || type.is_floating()};
}

Result<Signature> TimestampOfUnits(std::string_view, std::span<const Argument> args, const Semantics&) {
  const Type& type = args[0].type;
  if (type.kind() != TypeKind::kVoid && !type.is_integral())
    return UnexpectedInputType(0, "\"INTEGRAL\"", args[0]);
  return Signature{{Type::Long()}, Type::Timestamp(), args[0].nullable};
}

/// Fields of an instant; a refused type is a date or a timestamp.
Result<Signature> UnixDate(std::string_view, std::span<const Argument> args, const Semantics&) {
  TypeKind kind = args[0].type.kind();
  if (kind != TypeKind::kDate && kind != TypeKind::kVoid) return UnexpectedInputType(0, "\"DATE\"", args[0]);
  return Coerced(args, {Type::Date()}, Type::Int());
}
Result<Signature> UnixUnits(std::string_view, std::span<const Argument> args, const Semantics&) {
  TypeKind kind = args[0].type.kind();
  if (kind != TypeKind::kTimestamp && kind != TypeKind::kVoid)
    return UnexpectedInputType(0, "\"TIMESTAMP\"", args[0]);
  return Coerced(args, {Type::Timestamp()}, Type::Long());
}

/// Takes text and points in time as they are, and nothing else.
Result<Signature> UnixTimestamp(std::string_view name, std::span<const Argument> args, const Semantics&) {
  constexpr std::string_view kShape = "string|date|timestamp|timestamp_ntz, string -> bigint";
  const Type& type = args[0].type;
  bool time = type.kind() == TypeKind::kDate || type.kind() == TypeKind::kTimestamp ||
              type.kind() == TypeKind::kTimestampNtz;
  if (!time && type.kind() != TypeKind::kString && type.kind() != TypeKind::kVoid) {
    return UnexpectedInputType(0, "(\"STRING\" or \"DATE\" or \"TIMESTAMP\" or \"TIMESTAMP_NTZ\")", args[0]);
  }
  return ResolveShape(kShape, name, args);
}

constexpr SignatureRule kDateField = Typed<"date -> int">;
constexpr SignatureRule kTimeField = Typed<"anytimestamp -> int">;

Function Part(std::string_view name, SignatureRule rule, std::string_view aliases = {}) {
  return {.name = name, .signature = rule, .aliases = aliases, .min_args = 1, .max_args = 1};
}

}  // namespace

// current_date, current_timestamp, now, to_date(x) and to_timestamp(x) are resolved to literals and casts.
std::span<const Function> DatetimeFunctions() {
  static const Function kFunctions[] = {
      Part("year", kDateField),
      Part("quarter", kDateField),
      Part("month", kDateField),
      Part("day", kDateField, "dayofmonth"),
      Part("dayofweek", kDateField),
      Part("weekday", kDateField),
      Part("dayofyear", kDateField),
      Part("weekofyear", kDateField),
      Part("hour", kTimeField),
      Part("minute", kTimeField),
      Part("second", kTimeField),
      {.name = "date_add", .signature = AddDays, .aliases = "dateadd*", .min_args = 2, .max_args = 2},
      {.name = "date_sub", .signature = AddDays, .min_args = 2, .max_args = 2},
      {.name = "datediff",
       .signature = Typed<"date, date -> int">,
       .aliases = "date_diff",
       .min_args = 2,
       .max_args = 2},
      {.name = "add_months", .signature = Typed<"date, int -> date">, .min_args = 2, .max_args = 2},
      {.name = "months_between",
       .signature = Typed<"timestamp, timestamp, boolean -> double">,
       .min_args = 2,
       .max_args = 3,
       .defaults = [] { return std::vector{Scalar::Boolean(true)}; }},
      {.name = "last_day", .signature = Typed<"date -> date">, .min_args = 1, .max_args = 1},
      {.name = "next_day", .signature = Typed<"date, string -> date?">, .min_args = 2, .max_args = 2},
      {.name = "trunc", .signature = Typed<"date, string -> date?">, .min_args = 2, .max_args = 2},
      {.name = "date_trunc",
       .signature = Typed<"string, timestamp -> timestamp?">,
       .min_args = 2,
       .max_args = 2},
      {.name = "make_date", .signature = Typed<"int, int, int -> date">, .min_args = 3, .max_args = 3},
      {.name = "to_date",
       .signature = Typed<"string|date|timestamp|timestamp_ntz, string -> date?">,
       .min_args = 2,
       .max_args = 2},
      {.name = "to_timestamp",
       .signature = Typed<"string|date|timestamp|timestamp_ntz, string -> timestamp?">,
       .min_args = 2,
       .max_args = 2},
      {.name = "date_format",
       .signature = Typed<"timestamp, string -> string">,
       .min_args = 2,
       .max_args = 2},
      {.name = "unix_timestamp",
       .signature = UnixTimestamp,
       .aliases = "to_unix_timestamp",
       .min_args = 1,
       .max_args = 2,
       .defaults = TextDefault<"yyyy-MM-dd HH:mm:ss">},
      {.name = "from_unixtime",
       .signature = Typed<"bigint, string -> string?">,
       .min_args = 1,
       .max_args = 2,
       .defaults = TextDefault<"yyyy-MM-dd HH:mm:ss">},
      {.name = "timestamp_seconds", .signature = TimestampOfSeconds, .min_args = 1, .max_args = 1},
      {.name = "timestamp_millis", .signature = TimestampOfUnits, .min_args = 1, .max_args = 1},
      {.name = "timestamp_micros", .signature = TimestampOfUnits, .min_args = 1, .max_args = 1},
      {.name = "unix_seconds", .signature = UnixUnits, .min_args = 1, .max_args = 1},
      {.name = "unix_millis", .signature = UnixUnits, .min_args = 1, .max_args = 1},
      {.name = "unix_micros", .signature = UnixUnits, .min_args = 1, .max_args = 1},
      {.name = "unix_date", .signature = UnixDate, .min_args = 1, .max_args = 1},
      {.name = "date_from_unix_date", .signature = Typed<"int -> date">, .min_args = 1, .max_args = 1},
      // What + and - between a timestamp and an interval become; the interval is never negated.
      {.name = "+interval",
       .pretty = PrettyForm::kCustom,
       .signature = Typed<"anytimestamp, interval day to second|interval year to month -> 1">,
       .min_args = 2,
       .max_args = 2},
  };
  return kFunctions;
}

}  // namespace weir
