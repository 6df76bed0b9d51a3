#include <cmath>
#include <limits>

#include "base/clock.h"
#include "exec/duckdb/functions/cast.h"
#include "exec/duckdb/functions/decimal_rows.h"
#include "type/calendar.h"
#include "type/datetime_text.h"

namespace weir::exec {

namespace {

using duckdb::idx_t;
using duckdb::string_t;
using duckdb::Vector;
using Mode = CastRule::Mode;

int32_t DayOf(int64_t wall_micros) { return static_cast<int32_t>(FloorDiv(wall_micros, kMicrosPerDay)); }

/// Beyond the range the nearest end.
int64_t MicrosOfSeconds(int64_t seconds) {
  int64_t micros = 0;
  if (!__builtin_mul_overflow(seconds, kMicrosPerSecond, &micros)) return micros;
  return seconds < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

std::optional<int64_t> MicrosOfSeconds(double seconds, const CastRule& rule) {
  if (!std::isfinite(seconds)) return rule.Malformed(Scalar::Double(seconds));
  const double micros = seconds * 1e6;
  constexpr double kEnd = 9223372036854775808.0;
  if (micros >= -kEnd && micros < kEnd) return static_cast<int64_t>(micros);
  if (rule.mode != Mode::kLegacy && micros != kEnd) {
    return rule.With(Type::Double(), Type::Long()).Overflow(Scalar::Double(micros));
  }
  return micros < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

/// Microseconds of a fraction of a second that is given in units of 10^-scale, cut.
uint64_t FractionMicros(UInt128 fraction, int scale) {
  const UInt128 micros = scale <= 6 ? fraction * static_cast<UInt128>(PowerOfTen(6 - scale))
                                    : fraction / static_cast<UInt128>(PowerOfTen(scale - 6));
  return static_cast<uint64_t>(micros);
}

/// Whole microseconds, and of them the low 64 bits, as Spark takes them.
int64_t MicrosOfDecimal(const Decimal& value) {
  const auto unit = static_cast<UInt128>(PowerOfTen(value.scale));
  const bool negative = value.unscaled < 0;
  const UInt128 magnitude =
      negative ? -static_cast<UInt128>(value.unscaled) : static_cast<UInt128>(value.unscaled);
  const uint64_t micros = static_cast<uint64_t>(magnitude / unit) * kMicrosPerSecond +
                          FractionMicros(magnitude % unit, value.scale);
  return static_cast<int64_t>(negative ? 0 - micros : micros);
}

ColumnCast DecimalToTimestamp() {
  return [](Vector& input, idx_t count, Vector& result) {
    const DecimalRows rows(input, count);
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    for (idx_t row = 0; row < count; ++row) {
      if (rows.IsNull(row)) {
        duckdb::FlatVector::SetNull(result, row, true);
        continue;
      }
      duckdb::FlatVector::GetData<int64_t>(result)[row] = MicrosOfDecimal(rows[row]);
    }
  };
}

ColumnCast ToDate(const CastRule& rule) {
  switch (rule.from.kind()) {
    case TypeKind::kString:
      return CastRows<int32_t, string_t>([rule](std::string_view text) -> std::optional<int32_t> {
        if (const auto days = ReadDate(text)) return *days;
        return rule.Malformed(text);
      });
    case TypeKind::kTimestamp:
      return CastRows<int32_t, int64_t>(
          [zone = rule.zone](int64_t micros) { return DayOf(zone->ToWall(micros)); });
    case TypeKind::kTimestampNtz:
      return CastRows<int32_t, int64_t>(DayOf);
    default:
      RefuseCast(rule);
  }
}

ColumnCast ToTimestamp(const CastRule& rule) {
  switch (rule.from.kind()) {
    case TypeKind::kString:
      return CastRows<int64_t, string_t>([rule](std::string_view text) -> std::optional<int64_t> {
        if (const auto micros = ReadTimestamp(text, *rule.zone, SystemClock().NowMicros())) return *micros;
        return rule.Malformed(text);
      });
    case TypeKind::kBoolean:
      return CastRows<int64_t, bool>([](bool value) { return value ? 1 : 0; });
    case TypeKind::kDate:
      return CastRows<int64_t, int32_t>(
          [zone = rule.zone](int32_t days) { return zone->ToInstant(days * kMicrosPerDay); });
    case TypeKind::kTimestampNtz:
      return CastRows<int64_t, int64_t>(
          [zone = rule.zone](int64_t micros) { return zone->ToInstant(micros); });
    case TypeKind::kDecimal:
      return DecimalToTimestamp();
    default:
      break;
  }
  if (!rule.from.is_numeric()) RefuseCast(rule);
  return ForNumber(rule.from, [&]<typename From>() {
    return CastRows<int64_t, From>([rule](From value) -> std::optional<int64_t> {
      if constexpr (std::is_floating_point_v<From>) {
        return MicrosOfSeconds(static_cast<double>(value), rule);
      } else {
        return MicrosOfSeconds(static_cast<int64_t>(value));
      }
    });
  });
}

ColumnCast ToTimestampNtz(const CastRule& rule) {
  switch (rule.from.kind()) {
    case TypeKind::kString:
      return CastRows<int64_t, string_t>([rule](std::string_view text) -> std::optional<int64_t> {
        if (const auto micros = ReadTimestampNtz(text)) return *micros;
        return rule.Malformed(text);
      });
    case TypeKind::kDate:
      return CastRows<int64_t, int32_t>([](int32_t days) { return days * kMicrosPerDay; });
    case TypeKind::kTimestamp:
      return CastRows<int64_t, int64_t>([zone = rule.zone](int64_t micros) { return zone->ToWall(micros); });
    default:
      RefuseCast(rule);
  }
}

}  // namespace

ColumnCast CastToInstant(const CastRule& rule) {
  if (rule.to.kind() == TypeKind::kDate) return ToDate(rule);
  return rule.to.kind() == TypeKind::kTimestamp ? ToTimestamp(rule) : ToTimestampNtz(rule);
}

}  // namespace weir::exec
