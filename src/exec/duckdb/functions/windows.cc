#include "exec/duckdb/functions/windows.h"

#include "duckdb/parser/expression/window_expression.hpp"
#include "exec/duckdb/types.h"
#include "type/calendar.h"

namespace weir::exec {

namespace {

using duckdb::ExpressionType;
using duckdb::LogicalType;
using duckdb::Value;
using duckdb::WindowBoundary;
using Window = duckdb::WindowExpression;
using WindowPtr = duckdb::unique_ptr<Window>;
using Kind = FrameBound::Kind;

/// Values that Spark calls equal are one: -0.0 is 0.0.
Result<ParsedPtr> Key(const CallSite& site, const ExprPtr& key) {
  WEIR_TRY(ParsedPtr lowered, site.lowering.Expression(key));
  if (!key->type().holds_floating()) return lowered;
  return CallOf("weir_plus_zero", ListOf(std::move(lowered)));
}

/// The bound in DuckDB's words, where a distance is never negative and says its direction.
struct Boundary {
  WindowBoundary kind = WindowBoundary::INVALID;
  ParsedPtr distance;
};

bool IsNegative(const Scalar& value) {
  switch (value.type().kind()) {
    case TypeKind::kFloat:
      return value.float32() < 0;
    case TypeKind::kDouble:
      return value.float64() < 0;
    case TypeKind::kDecimal:
      return value.unscaled() < 0;
    default:
      return value.integer() < 0;
  }
}

Scalar Magnitude(const Scalar& value) {
  if (!IsNegative(value)) return value;
  switch (value.type().kind()) {
    case TypeKind::kFloat:
      return {value.type(), -value.float32()};
    case TypeKind::kDouble:
      return {value.type(), -value.float64()};
    case TypeKind::kDecimal:
      return {value.type(), -value.unscaled()};
    default:
      return {value.type(), -value.integer()};
  }
}

Result<Boundary> BoundaryOf(const FrameBound& bound, bool is_rows, bool in_micros) {
  switch (bound.kind) {
    case Kind::kUnboundedPreceding:
      return Boundary{WindowBoundary::UNBOUNDED_PRECEDING, nullptr};
    case Kind::kUnboundedFollowing:
      return Boundary{WindowBoundary::UNBOUNDED_FOLLOWING, nullptr};
    case Kind::kCurrentRow:
      return Boundary{is_rows ? WindowBoundary::CURRENT_ROW_ROWS : WindowBoundary::CURRENT_ROW_RANGE,
                      nullptr};
    case Kind::kOffset:
      break;
  }
  Boundary result;
  const bool back = IsNegative(bound.offset);
  if (is_rows) {
    result.kind = back ? WindowBoundary::EXPR_PRECEDING_ROWS : WindowBoundary::EXPR_FOLLOWING_ROWS;
  } else {
    result.kind = back ? WindowBoundary::EXPR_PRECEDING_RANGE : WindowBoundary::EXPR_FOLLOWING_RANGE;
  }
  Scalar distance = Magnitude(bound.offset);
  if (distance.type().kind() == TypeKind::kIntervalYearMonth) {
    result.distance = Constant(Value::INTERVAL(static_cast<int32_t>(distance.integer()), 0, 0));
    return result;
  }
  if (in_micros) distance = Scalar::Long(distance.integer());
  WEIR_TRY(Value value, ToDuckValue(distance));
  result.distance = Constant(std::move(value));
  return result;
}

bool IsInstant(const Type& type) {
  return type.kind() == TypeKind::kTimestamp || type.kind() == TypeKind::kTimestampNtz;
}

bool HasBound(const WindowFrame& frame, TypeKind kind) {
  return (frame.lower.kind == Kind::kOffset && frame.lower.offset.type().kind() == kind) ||
         (frame.upper.kind == Kind::kOffset && frame.upper.offset.type().kind() == kind);
}

/// Days and months are counted by the wall clock, which in a zone whose offset changes is not the distance of
/// two instants.
Status CheckInstants(const CallSite& site, const Type& key) {
  const WindowFrame& frame = site.window->frame;
  if (key.kind() != TypeKind::kTimestamp) return {};
  const bool months = HasBound(frame, TypeKind::kIntervalYearMonth);
  const auto is_long = [](const FrameBound& bound) {
    return bound.kind == Kind::kOffset && Magnitude(bound.offset).integer() >= kMicrosPerDay;
  };
  if (!months && !is_long(frame.lower) && !is_long(frame.upper)) return {};
  const std::string& zone = site.lowering.semantics().time_zone;
  if (zone == "UTC" || zone == "Z" || zone == "GMT" || zone == "Etc/UTC") return {};
  return Unsupported("a RANGE frame of days or months over timestamps in the zone {} is not implemented",
                     zone);
}

Status AddFrame(const CallSite& site, Window& window) {
  const WindowFrame& frame = site.window->frame;
  const bool has_distance = frame.lower.kind == Kind::kOffset || frame.upper.kind == Kind::kOffset;
  bool in_micros = false;
  if (!frame.is_rows && has_distance) {
    const Type& key = site.window->order_by[0].expr->type();
    WEIR_DO(CheckInstants(site, key));
    ParsedPtr& order = window.orders[0].expression;
    in_micros = IsInstant(key) && !HasBound(frame, TypeKind::kIntervalYearMonth);
    if (in_micros) {
      order = CallOf("epoch_us", ListOf(std::move(order)));
    } else if (key.kind() == TypeKind::kTimestamp) {
      order = CastTo(LogicalType::TIMESTAMP, std::move(order));
    }
  }
  WEIR_TRY(Boundary lower, BoundaryOf(frame.lower, frame.is_rows, in_micros));
  WEIR_TRY(Boundary upper, BoundaryOf(frame.upper, frame.is_rows, in_micros));
  window.start = lower.kind;
  window.start_expr = std::move(lower.distance);
  window.end = upper.kind;
  window.end_expr = std::move(upper.distance);
  return {};
}

/// Partition, order and frame of the site's window.
Result<WindowPtr> Over(const CallSite& site, ExpressionType type, const char* function,
                       ParsedList arguments) {
  auto window = duckdb::make_uniq<Window>(type, INVALID_CATALOG, DEFAULT_SCHEMA, function);
  for (ParsedPtr& argument : arguments) window->children.push_back(std::move(argument));
  for (const ExprPtr& key : site.window->partition_by) {
    WEIR_TRY(ParsedPtr lowered, Key(site, key));
    window->partitions.push_back(std::move(lowered));
  }
  for (const SortKey& key : site.window->order_by) {
    WEIR_TRY(ParsedPtr lowered, Key(site, key.expr));
    window->orders.emplace_back(
        key.ascending ? duckdb::OrderType::ASCENDING : duckdb::OrderType::DESCENDING,
        key.nulls_first ? duckdb::OrderByNullType::NULLS_FIRST : duckdb::OrderByNullType::NULLS_LAST,
        std::move(lowered));
  }
  return window;
}

/// DuckDB counts in BIGINT.
template <ExpressionType kType>
Result<ParsedPtr> Rank(const CallSite& site, ParsedList arguments) {
  constexpr bool kCounts =
      kType != ExpressionType::WINDOW_PERCENT_RANK && kType != ExpressionType::WINDOW_CUME_DIST;
  const char* name = site.call.function->name.data();
  WEIR_TRY(WindowPtr window, Over(site, kType, name, std::move(arguments)));
  window->start = WindowBoundary::UNBOUNDED_PRECEDING;
  window->end = WindowBoundary::CURRENT_ROW_RANGE;
  if (!kCounts) return ParsedPtr(std::move(window));
  return CastTo(LogicalType::INTEGER, std::move(window));
}

/// lag and lead. DuckDB takes distances as they are: a negative one looks the other way.
template <ExpressionType kType>
Result<ParsedPtr> Shift(const CallSite& site, ParsedList arguments) {
  const char* name = site.call.function->name.data();
  WEIR_TRY(WindowPtr window, Over(site, kType, name, ListOf(std::move(arguments[0]))));
  window->offset_expr = std::move(arguments[1]);
  const Scalar* otherwise = site.call.args[2]->As<Scalar>();
  if (otherwise == nullptr || !otherwise->is_null()) window->default_expr = std::move(arguments[2]);
  window->ignore_nulls = site.window->ignore_nulls;
  window->start = WindowBoundary::UNBOUNDED_PRECEDING;
  window->end = WindowBoundary::UNBOUNDED_FOLLOWING;
  return ParsedPtr(std::move(window));
}

Result<ParsedPtr> NthValue(const CallSite& site, ParsedList arguments) {
  WEIR_TRY(WindowPtr window, Over(site, ExpressionType::WINDOW_NTH_VALUE, "nth_value", std::move(arguments)));
  WEIR_DO(AddFrame(site, *window));
  window->ignore_nulls = site.window->ignore_nulls;
  return ParsedPtr(std::move(window));
}

}  // namespace

Result<ParsedPtr> AggregateOver(const CallSite& site, const char* function, ParsedList arguments,
                                ParsedPtr condition) {
  WEIR_TRY(WindowPtr window, Over(site, ExpressionType::WINDOW_AGGREGATE, function, std::move(arguments)));
  WEIR_DO(AddFrame(site, *window));
  window->filter_expr = std::move(condition);
  return ParsedPtr(std::move(window));
}

Result<ParsedPtr> PickOver(const CallSite& site, bool first, bool skip_nulls, ParsedList arguments) {
  const ExpressionType type = first ? ExpressionType::WINDOW_FIRST_VALUE : ExpressionType::WINDOW_LAST_VALUE;
  WEIR_TRY(WindowPtr window, Over(site, type, first ? "first_value" : "last_value", std::move(arguments)));
  WEIR_DO(AddFrame(site, *window));
  window->ignore_nulls = skip_nulls;
  return ParsedPtr(std::move(window));
}

std::vector<FunctionLowering> WindowLowerings() {
  return {
      {"row_number", Rank<ExpressionType::WINDOW_ROW_NUMBER>},
      {"rank", Rank<ExpressionType::WINDOW_RANK>},
      {"dense_rank", Rank<ExpressionType::WINDOW_RANK_DENSE>},
      {"percent_rank", Rank<ExpressionType::WINDOW_PERCENT_RANK>},
      {"cume_dist", Rank<ExpressionType::WINDOW_CUME_DIST>},
      {"ntile", Rank<ExpressionType::WINDOW_NTILE>},
      {"lag", Shift<ExpressionType::WINDOW_LAG>},
      {"lead", Shift<ExpressionType::WINDOW_LEAD>},
      {"nth_value", NthValue},
  };
}

}  // namespace weir::exec
