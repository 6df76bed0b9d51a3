#include "analyze/window_frame.h"

#include <optional>

#include "analyze/analyzer.h"
#include "analyze/conditions.h"
#include "analyze/expression.h"
#include "analyze/query.h"
#include "expr/mismatch.h"
#include "expr/pretty.h"
#include "type/calendar.h"

namespace weir::analyze {
namespace {

using Kind = FrameBound::Kind;

constexpr std::string_view kRangeTypes =
    "(\"NUMERIC\" or \"INTERVAL DAY TO SECOND\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL\")";

/// A bound as it is written and typed, before its value is known.
struct Bound {
  Kind kind = Kind::kUnboundedPreceding;
  ExprPtr distance = {};   ///< kOffset: without its sign.
  bool preceding = false;  ///< The distance is subtracted.
  Type type = {};          ///< After coercion.
  bool is_cast = false;    ///< Coercion changed the type, which also changes how the bound is shown.
};

bool IsWindowFunction(const WindowCall& window) {
  return window.call.function->kind == FunctionKind::kWindow;
}

WindowFrame FrameBetween(bool is_rows, Kind lower, Kind upper) {
  return {is_rows, {lower, {}, {}}, {upper, {}, {}}};
}

/// How many rows behind the current one lag and lead look.
std::optional<int64_t> RowsBehind(const WindowCall& window) {
  const std::string_view name = window.call.function->name;
  if (name != "lag" && name != "lead") return std::nullopt;
  const int64_t rows = window.call.args[1]->As<Scalar>()->integer();
  return name == "lag" ? -rows : rows;
}

/// The only frame that the function has; nullopt if it takes any.
std::optional<WindowFrame> FrameNeeded(const WindowCall& window) {
  if (!IsWindowFunction(window) || window.call.function->name == "nth_value") return std::nullopt;
  if (const std::optional<int64_t> rows = RowsBehind(window)) {
    const FrameBound row{Kind::kOffset, Scalar::Int(static_cast<int32_t>(*rows)),
                         fmt::format("{} FOLLOWING", *rows)};
    return WindowFrame{true, row, row};
  }
  const bool is_rows = window.call.function->name != "cume_dist";
  return FrameBetween(is_rows, Kind::kUnboundedPreceding, Kind::kCurrentRow);
}

Type NegatedType(const Type& type) {
  const bool to_double = type.kind() == TypeKind::kString || type.kind() == TypeKind::kVoid;
  return to_double ? Type::Double() : type;
}

Result<Bound> ResolveBound(const unresolved::FrameBound& written, bool is_rows, const WindowCall& window,
                           const Names& names, Context& context) {
  Bound bound{.kind = static_cast<Kind>(written.kind)};
  if (bound.kind != Kind::kOffset) return bound;
  const auto* call = std::get_if<unresolved::Call>(&written.offset->node);
  bound.preceding = call != nullptr && call->is_operator && call->name.back() == "negative";
  const unresolved::ExprPtr& distance = bound.preceding ? call->args[0] : written.offset;
  WEIR_TRY(bound.distance, ResolveExpression(*distance, names, context));
  bound.type = bound.preceding ? NegatedType(bound.distance->type()) : bound.distance->type();
  if (is_rows || window.order_by.size() != 1) return bound;
  const Type& key = window.order_by[0].expr->type();
  const TypeKind kind = key.kind();
  if (kind == TypeKind::kDate || kind == TypeKind::kTimestamp || kind == TypeKind::kTimestampNtz)
    return bound;
  bound.is_cast = !SameShape(bound.type, key);
  bound.type = key;
  return bound;
}

std::string TextOf(const Bound& bound, bool with_direction) {
  switch (bound.kind) {
    case Kind::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case Kind::kCurrentRow:
      return "CURRENT ROW";
    case Kind::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
    case Kind::kOffset:
      break;
  }
  const std::string distance = PrettySql(*bound.distance);
  if (!with_direction) return bound.preceding ? fmt::format("(- {})", distance) : distance;
  if (bound.preceding && bound.is_cast) return fmt::format("(- {}) FOLLOWING", distance);
  return fmt::format("{} {}", distance, bound.preceding ? "PRECEDING" : "FOLLOWING");
}

std::string TextOf(bool is_rows, const Bound& lower, const Bound& upper) {
  return fmt::format("{} BETWEEN {} AND {}", is_rows ? "ROWS" : "RANGE", TextOf(lower, true),
                     TextOf(upper, true));
}

/// "(PARTITION BY a ORDER BY b ASC NULLS FIRST ROWS ..)".
std::string SpecText(const WindowCall& window, std::string_view frame) {
  std::string text = "(";
  for (size_t i = 0; i < window.partition_by.size(); ++i)
    text += (i == 0 ? "PARTITION BY " : ", ") + PrettySql(*window.partition_by[i]);
  if (!window.partition_by.empty()) text += " ";
  for (size_t i = 0; i < window.order_by.size(); ++i) {
    text += i == 0 ? "ORDER BY " : ", ";
    text += SortKeyText(window.order_by[i], PrettySql(*window.order_by[i].expr));
  }
  if (!window.order_by.empty()) text += " ";
  return fmt::format("{}{})", text, frame);
}

Status CheckBoundType(const Bound& bound, bool is_rows, std::string_view location, std::string_view frame) {
  if (bound.kind != Kind::kOffset) return {};
  const TypeKind kind = bound.type.kind();
  const bool interval = kind == TypeKind::kIntervalDayTime || kind == TypeKind::kIntervalYearMonth;
  if (is_rows ? kind == TypeKind::kInt : bound.type.is_numeric() || interval) return {};
  const std::string expected(is_rows ? "\"INT\"" : kRangeTypes);
  return CompleteMismatch(
      Mismatch(
          "SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE",
          {{"location", std::string(location)}, {"exprType", Quoted(bound.type)}, {"expectedType", expected}},
          fmt::format("the {} bound has type {}, not {}", location, Quoted(bound.type), expected)),
      frame);
}

Status CheckBounds(const Bound& lower, const Bound& upper, bool is_rows) {
  const std::string frame = TextOf(is_rows, lower, upper);
  const bool both_named = lower.kind != Kind::kOffset && upper.kind != Kind::kOffset;
  if (lower.kind == Kind::kUnboundedFollowing || upper.kind == Kind::kUnboundedPreceding ||
      (both_named && lower.kind == upper.kind && lower.kind != Kind::kCurrentRow)) {
    return CompleteMismatch(
        Mismatch("SPECIFIED_WINDOW_FRAME_INVALID_BOUND",
                 {{"lower", QuoteSql(TextOf(lower, false))}, {"upper", QuoteSql(TextOf(upper, false))}},
                 "a frame cannot begin or end there"),
        frame);
  }
  WEIR_DO(CheckBoundType(lower, is_rows, "lower", frame));
  WEIR_DO(CheckBoundType(upper, is_rows, "upper", frame));
  if (lower.kind != Kind::kOffset || upper.kind != Kind::kOffset) return {};
  if (SameShape(lower.type, upper.type)) return {};
  return CompleteMismatch(Mismatch("SPECIFIED_WINDOW_FRAME_DIFF_TYPES",
                                   {{"lower", QuoteSql(TextOf(lower, false))},
                                    {"upper", QuoteSql(TextOf(upper, false))},
                                    {"lowerType", Quoted(lower.type)},
                                    {"upperType", Quoted(upper.type)}},
                                   "the bounds of a frame have different types"),
                          frame);
}

/// INTERVAL '3' DAY, the only kind of interval besides months that can be added to a date.
bool IsDaysOnly(const Expr& interval) { return PrettySql(interval).ends_with("' DAY"); }

/// Whether the bound can be added to the only sort key.
bool FitsKey(const Bound& bound, const Type& key) {
  if (bound.kind != Kind::kOffset) return true;
  const TypeKind kind = bound.type.kind();
  if (key.kind() == TypeKind::kDate) {
    if (kind == TypeKind::kIntervalDayTime) return IsDaysOnly(*bound.distance);
    return kind == TypeKind::kInt || kind == TypeKind::kIntervalYearMonth;
  }
  if (key.kind() == TypeKind::kTimestamp || key.kind() == TypeKind::kTimestampNtz)
    return kind == TypeKind::kIntervalDayTime || kind == TypeKind::kIntervalYearMonth;
  return SameShape(bound.type, key);
}

Status CheckRange(const Bound& lower, const Bound& upper, const WindowCall& window) {
  const std::string shown = SpecText(window, TextOf(false, lower, upper));
  const bool whole = lower.kind == Kind::kUnboundedPreceding && upper.kind == Kind::kUnboundedFollowing;
  if (window.order_by.empty() && !whole) {
    return CompleteMismatch(
        Mismatch("RANGE_FRAME_WITHOUT_ORDER", {}, "a RANGE frame needs an order unless it is unbounded"),
        shown);
  }
  if (lower.kind != Kind::kOffset && upper.kind != Kind::kOffset) return {};
  if (window.order_by.size() > 1) {
    std::string keys;
    for (const SortKey& key : window.order_by)
      keys += (keys.empty() ? "" : ",") + SortKeyText(key, PrettySql(*key.expr));
    return CompleteMismatch(Mismatch("RANGE_FRAME_MULTI_ORDER", {{"orderSpec", keys}},
                                     "a RANGE frame with a distance needs one sort key"),
                            shown);
  }
  const Type& key = window.order_by[0].expr->type();
  for (const Bound* bound : {&lower, &upper}) {
    if (FitsKey(*bound, key)) continue;
    return CompleteMismatch(
        Mismatch(
            "RANGE_FRAME_INVALID_TYPE",
            {{"orderSpecType", Quoted(key)}, {"valueBoundaryType", Quoted(bound->type)}},
            fmt::format("{} cannot be added to a sort key of type {}", Quoted(bound->type), Quoted(key))),
        shown);
  }
  return {};
}

Result<Scalar> Negated(const Scalar& value) {
  switch (value.type().kind()) {
    case TypeKind::kFloat:
      return Scalar(value.type(), -value.float32());
    case TypeKind::kDouble:
      return Scalar(value.type(), -value.float64());
    case TypeKind::kDecimal:
      return Scalar(value.type(), -value.unscaled());
    default:
      // Spark overflows here, where there is no such distance anyway.
      if (value.integer() == INT64_MIN) return Unsupported("a frame with the bound {}", value.ToSql());
      return Scalar(value.type(), -value.integer());
  }
}

Result<FrameBound> ValueOf(const Bound& bound, const WindowCall& window, bool is_rows, Context& context) {
  FrameBound result{bound.kind, {}, TextOf(bound, true)};
  if (bound.kind != Kind::kOffset) return result;
  WEIR_TRY(result.offset, ConstantValue(bound.distance, bound.type, context));
  if (result.offset.is_null())
    return Unsupported("a frame with the bound {} is not implemented", result.text);
  if (bound.preceding) {
    WEIR_TRY(result.offset, Negated(result.offset));
  }
  const bool of_date = !is_rows && window.order_by[0].expr->type().kind() == TypeKind::kDate;
  if (of_date && bound.type.kind() == TypeKind::kIntervalDayTime)
    result.offset = Scalar::Int(static_cast<int32_t>(result.offset.integer() / kMicrosPerDay));
  return result;
}

Status CheckOrder(const FrameBound& lower, const FrameBound& upper, std::string_view frame) {
  if (lower.kind != Kind::kOffset || upper.kind != Kind::kOffset) return {};
  if (Compare(lower.offset, upper.offset) <= 0) return {};
  return CompleteMismatch(
      Mismatch("SPECIFIED_WINDOW_FRAME_WRONG_COMPARISON", {{"comparison", "less than or equal"}},
               "the lower bound of a frame is above the upper one"),
      frame);
}

/// As Spark prints its own objects.
std::string Dump(const FrameBound& bound) {
  switch (bound.kind) {
    case Kind::kUnboundedPreceding:
      return "unboundedpreceding$()";
    case Kind::kCurrentRow:
      return "currentrow$()";
    case Kind::kUnboundedFollowing:
      return "unboundedfollowing$()";
    case Kind::kOffset:
      break;
  }
  return bound.offset.ToString();
}
std::string Dump(const WindowFrame& frame) {
  return fmt::format("specifiedwindowframe({}, {}, {})", frame.is_rows ? "RowFrame" : "RangeFrame",
                     Dump(frame.lower), Dump(frame.upper));
}

}  // namespace

Error OffsetFrameMismatch(std::string_view function) {
  return Condition(
      "_LEGACY_ERROR_TEMP_1035", "", {{"prettyName", std::string(function)}},
      fmt::format("{} looks at one row at a constant whole distance and takes no other frame", function));
}

Result<WindowFrame> FrameOf(const unresolved::WindowSpec& spec, const WindowCall& window, const Names& names,
                            Context& context) {
  if (IsWindowFunction(window) && window.order_by.empty()) {
    std::string shown = fmt::format("{}(", window.call.function->name);
    for (size_t i = 0; i < window.call.args.size(); ++i)
      shown += (i == 0 ? "" : ", ") + PrettySql(*window.call.args[i]);
    return Condition("_LEGACY_ERROR_TEMP_1037", "", {{"wf", shown + ")"}},
                     fmt::format("{} needs ORDER BY in its window", window.text));
  }
  const std::optional<WindowFrame> needed = FrameNeeded(window);
  if (!spec.frame) {
    if (needed) return *needed;
    return window.order_by.empty() ? FrameBetween(true, Kind::kUnboundedPreceding, Kind::kUnboundedFollowing)
                                   : FrameBetween(false, Kind::kUnboundedPreceding, Kind::kCurrentRow);
  }
  const bool is_rows = spec.frame->is_rows;
  WEIR_TRY(const Bound lower, ResolveBound(spec.frame->lower, is_rows, window, names, context));
  WEIR_TRY(const Bound upper, ResolveBound(spec.frame->upper, is_rows, window, names, context));
  WEIR_DO(CheckBounds(lower, upper, is_rows));
  if (!is_rows) WEIR_DO(CheckRange(lower, upper, window));
  WindowFrame frame;
  frame.is_rows = is_rows;
  WEIR_TRY(frame.lower, ValueOf(lower, window, is_rows, context));
  WEIR_TRY(frame.upper, ValueOf(upper, window, is_rows, context));
  WEIR_DO(CheckOrder(frame.lower, frame.upper, TextOf(is_rows, lower, upper)));
  if (!needed || frame == *needed) return needed ? *needed : frame;
  if (RowsBehind(window)) return OffsetFrameMismatch(window.call.function->name);
  return Condition("_LEGACY_ERROR_TEMP_1036", "", {{"wf", Dump(frame)}, {"required", Dump(*needed)}},
                   fmt::format("{} has the frame {} and takes no other", window.text, ToString(*needed)));
}

}  // namespace weir::analyze
