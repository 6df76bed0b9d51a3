#include <cmath>

#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "exec/duckdb/conditions.h"
#include "exec/duckdb/functions/decimal_rows.h"
#include "exec/duckdb/functions/kernel.h"
#include "type/scalar_text.h"

namespace weir::exec {

namespace {

using duckdb::DataChunk;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::Vector;

[[noreturn]] void UnexpectedType(const KernelCall& call) {
  Throw(Internal("{} does not take {}", call.name, call.types[0].ToString()));
}

// Two's complement arithmetic without undefined behaviour.
template <typename T>
T Wrap(char symbol, T a, T b) {
  using U = std::make_unsigned_t<T>;
  const auto x = static_cast<uint64_t>(static_cast<U>(a)), y = static_cast<uint64_t>(static_cast<U>(b));
  switch (symbol) {
    case '+':
      return static_cast<T>(x + y);
    case '-':
      return static_cast<T>(x - y);
    default:
      return static_cast<T>(x * y);
  }
}

template <typename T>
Kernel WrappingOf(const KernelCall& call) {
  const char symbol = call.Text(2)[0];
  return Mapping<T, T, T>(call.types[0], [symbol](T a, T b) { return Wrap(symbol, a, b); });
}

/// Calls `make<T>()` for the whole number type.
template <typename Make>
Kernel ForIntegral(const KernelCall& call, Make&& make) {
  switch (call.types[0].id()) {
    case LogicalTypeId::TINYINT:
      return make.template operator()<int8_t>();
    case LogicalTypeId::SMALLINT:
      return make.template operator()<int16_t>();
    case LogicalTypeId::INTEGER:
      return make.template operator()<int32_t>();
    case LogicalTypeId::BIGINT:
      return make.template operator()<int64_t>();
    default:
      UnexpectedType(call);
  }
}

Kernel Wrapping(const KernelCall& call) {
  return ForIntegral(call, [&]<typename T>() { return WrappingOf<T>(call); });
}

/// x / y of doubles; a zero divisor is an error or NULL.
Kernel DivideDoubles(const KernelCall& call) {
  const bool ansi = call.Integer(2) != 0;
  return Mapping<double, double, double>(LogicalType::DOUBLE,
                                         [ansi](double a, double b) -> std::optional<double> {
                                           if (b != 0) return a / b;
                                           if (ansi) Throw(DivideByZero());
                                           return std::nullopt;
                                         });
}

template <typename T>
T RemainderOf(char symbol, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    T rest = std::fmod(a, b);
    if (symbol == 'p' && rest < 0) rest = std::fmod(rest + b, b);
    return rest;
  } else {
    if (b == -1) return 0;  // The smallest value divided by -1 traps.
    const auto rest = static_cast<T>(a % b);
    if (symbol == '%' || rest >= 0) return rest;
    return static_cast<T>((static_cast<Int128>(rest) + b) % b);
  }
}

template <typename T>
Kernel RemainderKernel(const KernelCall& call) {
  const char symbol = call.Text(2)[0];
  const bool ansi = call.Integer(3) != 0;
  return Mapping<T, T, T>(call.types[0], [symbol, ansi](T a, T b) -> std::optional<T> {
    if (b != 0) return RemainderOf(symbol, a, b);
    if (ansi) Throw(RemainderByZero());
    return std::nullopt;
  });
}

Kernel Remainder(const KernelCall& call) {
  if (call.types[0].id() == LogicalTypeId::FLOAT) return RemainderKernel<float>(call);
  if (call.types[0].id() == LogicalTypeId::DOUBLE) return RemainderKernel<double>(call);
  return ForIntegral(call, [&]<typename T>() { return RemainderKernel<T>(call); });
}

Kernel DivideDecimalsToLong(const KernelCall& call) {
  const bool ansi = call.Integer(2) != 0;
  return {LogicalType::BIGINT, [ansi](DataChunk& arguments, Vector& result) {
            DecimalRows a(arguments.data[0], arguments.size()), b(arguments.data[1], arguments.size());
            ForRows(arguments, 2, result, [&](duckdb::idx_t row) {
              if (a.IsNull(row) || b.IsNull(row)) return duckdb::FlatVector::SetNull(result, row, true);
              if (b[row].unscaled == 0) {
                if (ansi) Throw(DivideByZero());
                return duckdb::FlatVector::SetNull(result, row, true);
              }
              const std::optional<Int128> quotient = QuotientOfDecimals(a[row], b[row]);
              if (ansi && (!quotient || *quotient > INT64_MAX || *quotient < INT64_MIN)) {
                Throw(ArithmeticOverflow("Overflow in integral divide", "try_divide"));
              }
              duckdb::FlatVector::GetData<int64_t>(result)[row] = static_cast<int64_t>(quotient.value_or(0));
            });
          }};
}

Kernel IntegralDivide(const KernelCall& call) {
  const bool ansi = call.Integer(2) != 0;
  if (call.types[0].id() == LogicalTypeId::DECIMAL) return DivideDecimalsToLong(call);
  return ForIntegral(call, [&]<typename T>() {
    return Mapping<int64_t, T, T>(LogicalType::BIGINT, [ansi](T a, T b) -> std::optional<int64_t> {
      if (b == 0) {
        if (ansi) Throw(DivideByZero());
        return std::nullopt;
      }
      if constexpr (std::is_same_v<T, int64_t>) {
        if (a == INT64_MIN && b == -1) {
          if (ansi) Throw(ArithmeticOverflow("Overflow in integral divide", "try_divide"));
          return a;
        }
      }
      return static_cast<int64_t>(a) / static_cast<int64_t>(b);
    });
  });
}

template <typename T>
const char* OverflowText() {
  if constexpr (sizeof(T) == 8) return "long overflow";
  if constexpr (sizeof(T) == 4) return "integer overflow";
  return sizeof(T) == 2 ? "short overflow" : "byte overflow";
}

/// weir_checked(a, b, symbol, marker): + - * of tinyint and smallint under ANSI.
template <typename T>
Kernel CheckedOf(const KernelCall& call) {
  const char symbol = call.Text(2)[0];
  return Mapping<T, T, T>(call.types[0], [symbol](T a, T b) {
    const int32_t exact = symbol == '+' ? a + b : symbol == '-' ? a - b : a * b;
    if (exact != static_cast<T>(exact)) {
      Throw(BinaryArithmeticOverflow(fmt::format("{}S", a), std::string_view(&symbol, 1),
                                     fmt::format("{}S", b)));
    }
    return static_cast<T>(exact);
  });
}

Kernel Checked(const KernelCall& call) {
  return call.types[0].id() == LogicalTypeId::TINYINT ? CheckedOf<int8_t>(call) : CheckedOf<int16_t>(call);
}

Kernel NegateDecimals(const KernelCall& call) {
  return {call.types[0], [](DataChunk& arguments, Vector& result) {
            DecimalRows values(arguments.data[0], arguments.size());
            DecimalWriter writer(result);
            ForRows(arguments, 1, result, [&](duckdb::idx_t row) {
              if (values.IsNull(row)) return writer.SetNull(row);
              writer.Set(row, -values[row].unscaled);
            });
          }};
}

Kernel Negative(const KernelCall& call) {
  const bool ansi = call.Integer(1) != 0;
  const LogicalType& type = call.types[0];
  if (type.id() == LogicalTypeId::DECIMAL) return NegateDecimals(call);
  if (type.id() == LogicalTypeId::FLOAT) return Mapping<float, float>(type, [](float x) { return -x; });
  if (type.id() == LogicalTypeId::DOUBLE) return Mapping<double, double>(type, [](double x) { return -x; });
  return ForIntegral(call, [&]<typename T>() {
    return Mapping<T, T>(type, [ansi](T x) {
      if (ansi && x == std::numeric_limits<T>::min()) Throw(ArithmeticOverflow(OverflowText<T>()));
      return Wrap<T>('-', 0, x);
    });
  });
}

Kernel Bitwise(const KernelCall& call) {
  const bool unary = call.types.size() == 3;
  const char symbol = call.Text(unary ? 1 : 2)[0];
  return ForIntegral(call, [&]<typename T>() {
    if (unary) return Mapping<T, T>(call.types[0], [](T x) { return static_cast<T>(~x); });
    return Mapping<T, T, T>(call.types[0], [symbol](T a, T b) {
      switch (symbol) {
        case '&':
          return static_cast<T>(a & b);
        case '|':
          return static_cast<T>(a | b);
        default:
          return static_cast<T>(a ^ b);
      }
    });
  });
}

std::optional<Int128> Compute(char symbol, Decimal a, Decimal b, int precision, int scale) {
  switch (symbol) {
    case '+':
      return AddDecimals(a, b, precision, scale);
    case '-':
      return SubtractDecimals(a, b, precision, scale);
    case '*':
      return MultiplyDecimals(a, b, precision, scale);
    case '/':
      return DivideDecimals(a, b, precision, scale);
    default:
      break;
  }
  std::optional<Int128> rest = RemainderOfDecimals(a, b, precision, scale);
  if (symbol == 'p' && rest && *rest < 0) {
    const Decimal moved{*AddDecimals({*rest, scale}, b, 38, scale), scale};
    rest = RemainderOfDecimals(moved, b, precision, scale);
  }
  return rest;
}

/// weir_decimal(a, b, symbol, ansi, marker).
Kernel DecimalArithmetic(const KernelCall& call) {
  const char symbol = call.Text(2)[0];
  const bool ansi = call.Integer(3) != 0;
  const LogicalType& type = call.types.back();
  const Type result_type = DecimalTypeOf(type);
  const bool divides = symbol == '/' || symbol == '%' || symbol == 'p';
  return {type, [=](DataChunk& arguments, Vector& result) {
            DecimalRows a(arguments.data[0], arguments.size()), b(arguments.data[1], arguments.size());
            DecimalWriter writer(result);
            ForRows(arguments, 2, result, [&](duckdb::idx_t row) {
              if (a.IsNull(row) || b.IsNull(row)) return writer.SetNull(row);
              if (divides && b[row].unscaled == 0) {
                if (ansi) Throw(symbol == '/' ? DivideByZero() : RemainderByZero());
                return writer.SetNull(row);
              }
              const std::optional<Int128> value =
                  Compute(symbol, a[row], b[row], result_type.precision(), result_type.scale());
              if (value) return writer.Set(row, *value);
              if (!ansi) return writer.SetNull(row);
              const std::string text =
                  fmt::format("{} {} {}", DecimalText(a[row].unscaled, a[row].scale),
                              symbol == 'p' ? '%' : symbol, DecimalText(b[row].unscaled, b[row].scale));
              Throw(NumericValueOutOfRange(text, result_type));
            });
          }};
}

/// weir_long_sum(hugeint, ansi, marker): a sum as a bigint; beyond it an error, or wrapped.
Kernel LongSum(const KernelCall& call) {
  const bool ansi = call.Integer(1) != 0;
  return Mapping<int64_t, duckdb::hugeint_t>(LogicalType::BIGINT, [ansi](duckdb::hugeint_t sum) {
    const Int128 whole = FromHugeint(sum);
    if (ansi && whole != static_cast<int64_t>(whole)) Throw(ArithmeticOverflow("long overflow", "try_add"));
    return static_cast<int64_t>(whole);
  });
}

/// Adds zero to every floating number of a flat vector, at any depth.
void AddZero(duckdb::Vector& vector, duckdb::idx_t count) {
  const auto add = [count](auto* values) {
    for (duckdb::idx_t i = 0; i < count; ++i) values[i] += 0;
  };
  switch (vector.GetType().InternalType()) {
    case duckdb::PhysicalType::FLOAT:
      return add(duckdb::FlatVector::GetData<float>(vector));
    case duckdb::PhysicalType::DOUBLE:
      return add(duckdb::FlatVector::GetData<double>(vector));
    case duckdb::PhysicalType::STRUCT:
      for (auto& member : duckdb::StructVector::GetEntries(vector)) AddZero(*member, count);
      return;
    case duckdb::PhysicalType::LIST:
      return AddZero(duckdb::ListVector::GetEntry(vector), duckdb::ListVector::GetListSize(vector));
    default:
      return;
  }
}

/// Makes -0.0 0.0, for grouping; also inside of structs, arrays and maps.
Kernel PlusZero(const KernelCall& call) {
  if (call.types[0].IsNested()) {
    return {call.types[0], [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
              duckdb::VectorOperations::Copy(arguments.data[0], result, arguments.size(), 0, 0);
              AddZero(result, arguments.size());
            }};
  }
  if (call.types[0].id() == LogicalTypeId::FLOAT) {
    return Mapping<float, float>(call.types[0], [](float x) { return x + 0.0f; });
  }
  return Mapping<double, double>(call.types[0], [](double x) { return x + 0.0; });
}

}  // namespace

std::vector<KernelEntry> ArithmeticKernels() {
  return {
      {"weir_wrapping", Wrapping, false},  {"weir_divide", DivideDoubles},
      {"weir_remainder", Remainder},       {"weir_integral_divide", IntegralDivide},
      {"weir_negative", Negative},         {"weir_bitwise", Bitwise, false},
      {"weir_decimal", DecimalArithmetic}, {"weir_plus_zero", PlusZero, false},
      {"weir_long_sum", LongSum},          {"weir_checked", Checked},
  };
}

}  // namespace weir::exec
