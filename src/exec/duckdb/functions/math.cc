#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "exec/duckdb/conditions.h"
#include "exec/duckdb/functions/decimal_rows.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/functions/lowering_table.h"
#include "exec/duckdb/functions/rounding.h"
#include "type/scalar_text.h"

namespace weir::exec {

namespace {

using duckdb::DataChunk;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::Value;
using duckdb::Vector;

// ---- functions of doubles ------------------------------------------------------------------------------

using OneDouble = std::optional<double> (*)(double);

template <double (*kFunction)(double)>
std::optional<double> Plain(double x) {
  return kFunction(x);
}
/// Spark's logarithms are NULL up to zero; of NaN they are NaN.
template <double (*kFunction)(double)>
std::optional<double> Logarithm(double x) {
  if (x <= 0) return std::nullopt;
  return kFunction(x);
}
/// The C library's own is off by one unit for cubes.
double CubeRoot(double x) { return static_cast<double>(std::cbrt(static_cast<long double>(x))); }
double Signum(double x) { return std::isnan(x) || x == 0 ? x : std::copysign(1.0, x); }
/// As Spark divides: the last digit differs from a true log2.
double Log2(double x) { return std::log(x) / std::log(2.0); }
double Degrees(double x) { return x * (180.0 / std::numbers::pi); }
double Radians(double x) { return x * (std::numbers::pi / 180.0); }

struct NamedDouble {
  std::string_view name;
  OneDouble function;
};
constexpr NamedDouble kDoubles[] = {
    {"signum", Plain<Signum>},  {"sqrt", Plain<std::sqrt>},  {"cbrt", Plain<CubeRoot>},
    {"exp", Plain<std::exp>},   {"ln", Logarithm<std::log>}, {"log10", Logarithm<std::log10>},
    {"log2", Logarithm<Log2>},  {"sin", Plain<std::sin>},    {"cos", Plain<std::cos>},
    {"tan", Plain<std::tan>},   {"asin", Plain<std::asin>},  {"acos", Plain<std::acos>},
    {"atan", Plain<std::atan>}, {"degrees", Plain<Degrees>}, {"radians", Plain<Radians>},
};

/// weir_math(x, name, marker).
Kernel DoubleFunction(const KernelCall& call) {
  const std::string name = call.Text(1);
  for (const NamedDouble& entry : kDoubles) {
    if (entry.name == name) return Mapping<double, double>(LogicalType::DOUBLE, entry.function);
  }
  Throw(Internal("weir_math has no {}", name));
}

/// Java's pow, which says NaN where C says 1.
double Power(double x, double y) {
  if (std::isnan(y)) return y;
  if (std::isinf(y) && std::fabs(x) == 1) return std::numeric_limits<double>::quiet_NaN();
  return std::pow(x, y);
}
std::optional<double> LogarithmOfBase(double base, double x) {
  if (base <= 0 || x <= 0) return std::nullopt;
  return std::log(x) / std::log(base);
}

/// weir_math2(x, y, name, marker).
Kernel DoubleFunction2(const KernelCall& call) {
  const std::string name = call.Text(2);
  if (name == "power") return Mapping<double, double, double>(LogicalType::DOUBLE, Power);
  if (name == "log") return Mapping<double, double, double>(LogicalType::DOUBLE, LogarithmOfBase);
  return Mapping<double, double, double>(LogicalType::DOUBLE,
                                         // Spark takes -0.0 for 0.0 here.
                                         [](double y, double x) { return std::atan2(y + 0.0, x + 0.0); });
}

// ---- abs, ceil, floor, round ----------------------------------------------------------------------------

template <typename T>
Kernel AbsOf(const LogicalType& type, bool ansi) {
  return Mapping<T, T>(type, [ansi](T x) -> T {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fabs(x);
    } else {
      if (x != std::numeric_limits<T>::min()) return x < 0 ? static_cast<T>(-x) : x;
      constexpr const char* kNames[] = {"byte", "short", "integer", "long"};
      if (ansi) Throw(ArithmeticOverflow(fmt::format("{} overflow", kNames[std::bit_width(sizeof(T)) - 1])));
      return x;
    }
  });
}

/// A kernel that maps decimals to decimals of the marker's type.
template <typename F>
Kernel DecimalMapping(const LogicalType& result_type, F map) {
  return {result_type, [map](DataChunk& arguments, Vector& result) {
            DecimalRows values(arguments.data[0], arguments.size());
            DecimalWriter writer(result);
            ForRows(arguments, 1, result, [&](duckdb::idx_t row) {
              if (values.IsNull(row)) return writer.SetNull(row);
              if (const std::optional<Int128> value = map(values[row])) return writer.Set(row, *value);
              writer.SetNull(row);
            });
          }};
}

/// weir_abs(x, ansi, marker).
Kernel Abs(const KernelCall& call) {
  const LogicalType& type = call.types[0];
  const bool ansi = call.Integer(1) != 0;
  switch (type.id()) {
    case LogicalTypeId::TINYINT:
      return AbsOf<int8_t>(type, ansi);
    case LogicalTypeId::SMALLINT:
      return AbsOf<int16_t>(type, ansi);
    case LogicalTypeId::INTEGER:
      return AbsOf<int32_t>(type, ansi);
    case LogicalTypeId::BIGINT:
      return AbsOf<int64_t>(type, ansi);
    case LogicalTypeId::FLOAT:
      return AbsOf<float>(type, ansi);
    case LogicalTypeId::DOUBLE:
      return AbsOf<double>(type, ansi);
    default:
      return DecimalMapping(type, [](const Decimal& value) {
        return std::optional(value.unscaled < 0 ? -value.unscaled : value.unscaled);
      });
  }
}

/// As Java narrows a double to a long: NaN is 0, beyond the range the nearest end.
int64_t ToLong(double x) {
  if (std::isnan(x)) return 0;
  if (x >= 9223372036854775808.0) return std::numeric_limits<int64_t>::max();
  if (x < -9223372036854775808.0) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(x);
}

template <bool kUp>
Int128 WholeOf(const Decimal& value) {
  const Int128 unit = PowerOfTen(value.scale);
  const Int128 quotient = value.unscaled / unit;
  const bool inexact = value.unscaled % unit != 0;
  if (kUp) return inexact && value.unscaled > 0 ? quotient + 1 : quotient;
  return inexact && value.unscaled < 0 ? quotient - 1 : quotient;
}

/// weir_ceil(x, marker), weir_floor(x, marker).
template <bool kUp>
Kernel WholeNumber(const KernelCall& call) {
  const LogicalType& type = call.types[0];
  if (type.id() == LogicalTypeId::BIGINT) return Mapping<int64_t, int64_t>(type, [](int64_t x) { return x; });
  if (type.id() == LogicalTypeId::DOUBLE) {
    return Mapping<int64_t, double>(LogicalType::BIGINT,
                                    [](double x) { return ToLong(kUp ? std::ceil(x) : std::floor(x)); });
  }
  return DecimalMapping(call.types.back(),
                        [](const Decimal& value) { return std::optional(WholeOf<kUp>(value)); });
}

template <typename T>
Kernel RoundIntegralOf(const LogicalType& type, int64_t digits, RoundMode mode, bool ansi) {
  return Mapping<T, T>(type, [=](T x) {
    const Int128 rounded = RoundIntegral(x, digits, mode);
    const bool fits = rounded >= std::numeric_limits<T>::min() && rounded <= std::numeric_limits<T>::max();
    if (!fits && ansi) Throw(ArithmeticOverflow("Overflow"));
    return static_cast<T>(rounded);
  });
}

std::optional<Int128> RoundDecimal(const Decimal& value, int64_t digits, RoundMode mode, const Type& result) {
  if (digits >= result.scale()) {
    return mode == RoundMode::kHalfUp ? RescaleDecimal(value, result.precision(), result.scale())
                                      : RescaleHalfEven(value, result.precision(), result.scale());
  }
  // Fewer digits than the point: round to a multiple of a power of ten.
  const int cut = static_cast<int>(std::min<int64_t>(value.scale - digits, 39));
  if (cut > 38) return Int128{0};
  const Int128 unit = PowerOfTen(cut);
  const Int128 magnitude = value.unscaled < 0 ? -value.unscaled : value.unscaled;
  const Int128 rest = magnitude % unit;
  Int128 units = magnitude / unit;
  // rest * 2 could overflow for a unit of 10^38.
  const Int128 other = unit - rest;
  if (rest > other || (rest == other && (mode == RoundMode::kHalfUp || units % 2 != 0))) ++units;
  Int128 rounded = 0;
  if (__builtin_mul_overflow(units, PowerOfTen(static_cast<int>(-digits)), &rounded)) return std::nullopt;
  if (!FitsPrecision(rounded, result.precision())) return std::nullopt;
  return value.unscaled < 0 ? -rounded : rounded;
}

/// weir_round(x, digits, even, ansi, marker).
Kernel Round(const KernelCall& call) {
  const LogicalType& type = call.types[0];
  const int64_t digits = call.Integer(1);
  const RoundMode mode = call.Integer(2) != 0 ? RoundMode::kHalfEven : RoundMode::kHalfUp;
  const bool ansi = call.Integer(3) != 0;
  switch (type.id()) {
    case LogicalTypeId::TINYINT:
      return RoundIntegralOf<int8_t>(type, digits, mode, ansi);
    case LogicalTypeId::SMALLINT:
      return RoundIntegralOf<int16_t>(type, digits, mode, ansi);
    case LogicalTypeId::INTEGER:
      return RoundIntegralOf<int32_t>(type, digits, mode, ansi);
    case LogicalTypeId::BIGINT:
      return RoundIntegralOf<int64_t>(type, digits, mode, ansi);
    case LogicalTypeId::FLOAT:
      return Mapping<float, float>(type, [=](float x) { return RoundFloat(x, digits, mode); });
    case LogicalTypeId::DOUBLE:
      return Mapping<double, double>(type, [=](double x) { return RoundDouble(x, digits, mode); });
    default: {
      const Type result = DecimalTypeOf(call.types.back());
      return DecimalMapping(call.types.back(), [=](const Decimal& value) {
        const std::optional<Int128> rounded = RoundDecimal(value, digits, mode, result);
        if (!rounded && ansi) {
          Throw(RoundedValueOutOfRange(DecimalText(value.unscaled, value.scale), result));
        }
        return rounded;
      });
    }
  }
}

// ---- lowering -------------------------------------------------------------------------------------------

Result<ParsedPtr> Double(const CallSite& site, ParsedList arguments) {
  const bool two = arguments.size() == 2;
  arguments.push_back(Constant(Value(std::string(site.call.function->name))));
  return CallKernel(site, two ? "weir_math2" : "weir_math", std::move(arguments));
}

Result<ParsedPtr> Log(const CallSite& site, ParsedList arguments) {
  const bool two = arguments.size() == 2;
  arguments.push_back(Constant(Value(two ? "log" : "ln")));
  return CallKernel(site, two ? "weir_math2" : "weir_math", std::move(arguments));
}

Result<ParsedPtr> LowerAbs(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value::BOOLEAN(site.ansi())));
  return CallKernel(site, "weir_abs", std::move(arguments));
}

template <bool kEven>
Result<ParsedPtr> LowerRound(const CallSite& site, ParsedList arguments) {
  arguments.push_back(Constant(Value::BOOLEAN(kEven)));
  arguments.push_back(Constant(Value::BOOLEAN(site.ansi())));
  return CallKernel(site, "weir_round", std::move(arguments));
}

Result<ParsedPtr> LowerCeil(const CallSite& site, ParsedList arguments) {
  return CallKernel(site, "weir_ceil", std::move(arguments));
}
Result<ParsedPtr> LowerFloor(const CallSite& site, ParsedList arguments) {
  return CallKernel(site, "weir_floor", std::move(arguments));
}
Result<ParsedPtr> LowerPi(const CallSite&, ParsedList) { return Constant(Value::DOUBLE(std::numbers::pi)); }
/// Spark promises no sequence for rand without a seed; a seeded sequence is its own and is refused.
Result<ParsedPtr> LowerRand(const CallSite& site, ParsedList arguments) {
  if (!arguments.empty()) return Unsupported("rand with a seed is not implemented");
  return CallNative(site, "random", {});
}

}  // namespace

std::vector<KernelEntry> MathKernels() {
  return {
      {"weir_math", DoubleFunction, false},
      {"weir_math2", DoubleFunction2, false},
      {"weir_abs", Abs},
      {"weir_ceil", WholeNumber<true>, false},
      {"weir_floor", WholeNumber<false>, false},
      {"weir_round", Round},
  };
}

std::vector<FunctionLowering> MathLowerings() {
  std::vector<FunctionLowering> lowerings = {
      {"abs", LowerAbs},
      {"ceil", LowerCeil},
      {"floor", LowerFloor},
      {"round", LowerRound<false>},
      {"bround", LowerRound<true>},
      {"log", Log},
      {"pi", LowerPi},
      {"rand", LowerRand},
      {"power", Double},
      {"atan2", Double},
  };
  for (const NamedDouble& entry : kDoubles) lowerings.push_back({entry.name, Double});
  return lowerings;
}

}  // namespace weir::exec
