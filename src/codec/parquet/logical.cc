#include "codec/parquet/logical.h"

namespace weir::parquet {

namespace {

using Kind = LogicalType::Kind;
using Unit = LogicalType::Unit;
using Field = ThriftReader::Field;

/// One row per member of the union LogicalType without parameters, and its ConvertedType (-1: none).
struct PlainKind {
  int32_t member;
  Kind kind;
  int32_t converted;
};
constexpr PlainKind kPlainKinds[] = {
    {1, Kind::kString, 0}, {2, Kind::kMap, 1},       {3, Kind::kList, 3},   {4, Kind::kEnum, 4},
    {6, Kind::kDate, 6},   {11, Kind::kNull, -1},    {12, Kind::kJson, 19}, {13, Kind::kBson, 20},
    {14, Kind::kUuid, -1}, {15, Kind::kFloat16, -1},
};
constexpr int32_t kDecimalMember = 5, kTimeMember = 7, kTimestampMember = 8, kIntegerMember = 10;

LogicalType Temporal(Kind kind, Unit unit, bool adjusted_to_utc) {
  LogicalType type;
  type.kind = kind;
  type.unit = unit;
  type.adjusted_to_utc = adjusted_to_utc;
  return type;
}

LogicalType Integer(int32_t bit_width, bool is_signed) {
  LogicalType type;
  type.kind = Kind::kInteger;
  type.bit_width = bit_width;
  type.is_signed = is_signed;
  return type;
}

void ReadTemporal(ThriftReader& in, Field member, LogicalType& type) {
  bool unit_known = false;
  in.ReadStruct(member, [&](Field field) {
    if (field.id == 1) {
      type.adjusted_to_utc = in.Bool(field);
    } else if (field.id == 2) {
      in.ReadStruct(field, [&](Field unit) {
        unit_known = unit.id >= 1 && unit.id <= 3;
        if (unit_known) type.unit = static_cast<Unit>(unit.id - 1);
        in.Skip(unit);
      });
    } else {
      in.Skip(field);
    }
  });
  if (!unit_known) type.kind = Kind::kOther;
}

void ReadDecimal(ThriftReader& in, Field member, LogicalType& type) {
  in.ReadStruct(member, [&](Field field) {
    switch (field.id) {
      case 1:
        type.scale = in.I32(field);
        break;
      case 2:
        type.precision = in.I32(field);
        break;
      default:
        in.Skip(field);
    }
  });
}

void ReadInteger(ThriftReader& in, Field member, LogicalType& type) {
  in.ReadStruct(member, [&](Field field) {
    switch (field.id) {
      case 1:
        type.bit_width = in.I32(field);
        break;
      case 2:
        type.is_signed = in.Bool(field);
        break;
      default:
        in.Skip(field);
    }
  });
}

}  // namespace

LogicalType FromConverted(const ConvertedType& converted) {
  LogicalType type;
  if (!converted.type) return type;
  const int32_t code = *converted.type;
  for (const PlainKind& plain : kPlainKinds) {
    if (plain.converted == code) {
      type.kind = plain.kind;
      return type;
    }
  }
  switch (code) {
    case 2:  // MAP_KEY_VALUE, which some writers put where MAP belongs.
      type.kind = Kind::kMap;
      return type;
    case 5:
      type.kind = Kind::kDecimal;
      type.scale = converted.scale;
      type.precision = converted.precision;
      return type;
    // The old spelling knows instants only.
    case 7:
      return Temporal(Kind::kTime, Unit::kMillis, true);
    case 8:
      return Temporal(Kind::kTime, Unit::kMicros, true);
    case 9:
      return Temporal(Kind::kTimestamp, Unit::kMillis, true);
    case 10:
      return Temporal(Kind::kTimestamp, Unit::kMicros, true);
    case 21:
      type.kind = Kind::kInterval;
      return type;
    default:
      break;
  }
  if (code >= 11 && code <= 14) return Integer(8 << (code - 11), false);
  if (code >= 15 && code <= 18) return Integer(8 << (code - 15), true);
  type.kind = Kind::kOther;
  return type;
}

std::optional<ConvertedType> ToConverted(const LogicalType& logical) {
  const auto of = [](int32_t code) { return ConvertedType{code, 0, 0}; };
  const int32_t coarse = logical.unit == Unit::kMicros ? 1 : 0;
  switch (logical.kind) {
    case Kind::kDecimal:
      return ConvertedType{5, logical.scale, logical.precision};
    case Kind::kInterval:
      return of(21);
    case Kind::kTime:
      if (logical.unit == Unit::kNanos) return {};
      return of(7 + coarse);
    case Kind::kTimestamp:
      if (logical.unit == Unit::kNanos) return {};
      return of(9 + coarse);
    case Kind::kInteger:
      for (int32_t i = 0; i < 4; ++i) {
        if (logical.bit_width == 8 << i) return of((logical.is_signed ? 15 : 11) + i);
      }
      return {};
    default:
      break;
  }
  for (const PlainKind& plain : kPlainKinds) {
    if (plain.kind == logical.kind && plain.converted >= 0) return of(plain.converted);
  }
  return {};
}

LogicalType ReadLogicalType(ThriftReader& in, Field union_field) {
  LogicalType type;
  type.kind = Kind::kOther;
  in.ReadStruct(union_field, [&](Field member) {
    switch (member.id) {
      case kDecimalMember:
        type.kind = Kind::kDecimal;
        return ReadDecimal(in, member, type);
      case kTimeMember:
        type.kind = Kind::kTime;
        return ReadTemporal(in, member, type);
      case kTimestampMember:
        type.kind = Kind::kTimestamp;
        return ReadTemporal(in, member, type);
      case kIntegerMember:
        type.kind = Kind::kInteger;
        return ReadInteger(in, member, type);
      default:
        break;
    }
    for (const PlainKind& plain : kPlainKinds) {
      if (plain.member == member.id) type.kind = plain.kind;
    }
    in.Skip(member);
  });
  return type;
}

void WriteLogicalType(ThriftWriter& out, int32_t id, const LogicalType& logical) {
  int32_t member = 0;
  switch (logical.kind) {
    case Kind::kDecimal:
      member = kDecimalMember;
      break;
    case Kind::kTime:
      member = kTimeMember;
      break;
    case Kind::kTimestamp:
      member = kTimestampMember;
      break;
    case Kind::kInteger:
      member = kIntegerMember;
      break;
    default:
      for (const PlainKind& plain : kPlainKinds) {
        if (plain.kind == logical.kind) member = plain.member;
      }
  }
  if (member == 0) return;
  out.BeginStructField(id);
  out.BeginStructField(member);
  if (logical.kind == Kind::kDecimal) {
    out.I32(1, logical.scale);
    out.I32(2, logical.precision);
  } else if (logical.kind == Kind::kInteger) {
    out.I8(1, static_cast<int8_t>(logical.bit_width));
    out.Bool(2, logical.is_signed);
  } else if (logical.kind == Kind::kTime || logical.kind == Kind::kTimestamp) {
    out.Bool(1, logical.adjusted_to_utc);
    out.BeginStructField(2);
    out.BeginStructField(static_cast<int32_t>(logical.unit) + 1);
    out.EndStruct();
    out.EndStruct();
  }
  out.EndStruct();
  out.EndStruct();
}

}  // namespace weir::parquet
