#include "analyze/literal_cast.h"

#include "type/calendar.h"
#include "type/datetime_text.h"

namespace weir::analyze {
namespace {

/// Days whose midnight is a timestamp in any zone.
constexpr int64_t kMaxDays = 100'000'000;

template <typename T>
std::optional<Scalar> OfType(const Type& type, const std::optional<T>& value) {
  return value ? std::optional<Scalar>(Scalar(type, int64_t{*value})) : std::nullopt;
}

std::optional<Scalar> FromText(const std::string& text, const Type& type, const TimeZone& zone,
                               int64_t now_us) {
  switch (type.kind()) {
    case TypeKind::kDate:
      return OfType(type, ReadDate(TrimForCast(text)));
    case TypeKind::kTimestamp:
      return OfType(type, ReadTimestamp(TrimForCast(text), zone, now_us));
    case TypeKind::kTimestampNtz:
      return OfType(type, ReadTimestampNtz(TrimForCast(text)));
    default:
      return std::nullopt;
  }
}

std::optional<Scalar> FromTime(const Scalar& value, const Type& type, const TimeZone& zone) {
  TypeKind from = value.type().kind(), to = type.kind();
  int64_t number = value.integer();
  if (from == TypeKind::kDate) {
    if (number > kMaxDays || number < -kMaxDays) return std::nullopt;
    int64_t midnight = number * kMicrosPerDay;
    return Scalar(type, to == TypeKind::kTimestamp ? zone.ToInstant(midnight) : midnight);
  }
  int64_t wall = from == TypeKind::kTimestamp ? zone.ToWall(number) : number;
  if (to == TypeKind::kDate) return Scalar(type, FloorDiv(wall, kMicrosPerDay));
  return Scalar(type, to == TypeKind::kTimestamp ? zone.ToInstant(wall) : wall);
}

}  // namespace

std::optional<Scalar> CastLiteral(const Scalar& value, const Type& type, const Settings& settings) {
  auto is_time = [](TypeKind kind) {
    return kind == TypeKind::kDate || kind == TypeKind::kTimestamp || kind == TypeKind::kTimestampNtz;
  };
  TypeKind from = value.type().kind();
  if (value.is_null() || !is_time(type.kind()) || from == type.kind()) return std::nullopt;
  if (from != TypeKind::kString && !is_time(from)) return std::nullopt;
  auto zone = TimeZone::Find(settings.semantics.time_zone);
  if (!zone) return std::nullopt;
  if (from == TypeKind::kString) return FromText(value.text(), type, **zone, settings.now_us);
  return FromTime(value, type, **zone);
}

}  // namespace weir::analyze
