#include "table/iceberg/single_value.h"

#include "base/bytes.h"
#include "type/scalar_text.h"

namespace weir::iceberg {

namespace {

template <typename T>
std::string LittleEndian(T value) {
  std::string bytes;
  AppendLittleEndian(bytes, value);
  return bytes;
}

template <typename T>
T Load(std::string_view bytes) {
  return LoadLittleEndian<T>(reinterpret_cast<const uint8_t*>(bytes.data()));
}

Error WrongLength(std::string_view bytes, const Type& type) {
  return Corrupt("a {} value of {} bytes", type.ToString(), bytes.size());
}

Result<Scalar> ReadInteger(std::string_view bytes, const Type& type, bool wide) {
  if (bytes.size() == 4) return Scalar(type, int64_t{Load<int32_t>(bytes)});
  if (wide && bytes.size() == 8) return Scalar(type, Load<int64_t>(bytes));
  return WrongLength(bytes, type);
}

}  // namespace

std::string UnscaledBytes(Int128 unscaled) {
  std::string bytes;
  for (int shift = 120; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(unscaled >> shift));
  size_t skip = 0;
  // A leading byte is superfluous while it only repeats the sign of the next.
  while (skip < 15) {
    const auto first = static_cast<uint8_t>(bytes[skip]);
    const bool next_negative = (static_cast<uint8_t>(bytes[skip + 1]) & 0x80) != 0;
    if (!((first == 0x00 && !next_negative) || (first == 0xff && next_negative))) break;
    ++skip;
  }
  return bytes.substr(skip);
}

Result<Int128> UnscaledFromBytes(std::string_view bytes) {
  if (bytes.empty()) return Corrupt("a decimal value without bytes");
  const bool negative = (static_cast<uint8_t>(bytes[0]) & 0x80) != 0;
  const char filler = negative ? '\xff' : '\0';
  while (bytes.size() > 16) {
    if (bytes[0] != filler || ((static_cast<uint8_t>(bytes[1]) & 0x80) != 0) != negative) {
      return Corrupt("a decimal value of {} bytes", bytes.size());
    }
    bytes.remove_prefix(1);
  }
  UInt128 value = negative ? ~UInt128{0} : UInt128{0};
  for (const char byte : bytes) value = (value << 8) | static_cast<uint8_t>(byte);
  return static_cast<Int128>(value);
}

Result<std::string> UuidBytes(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  std::string bytes;
  for (size_t i = 0; i < text.size();) {
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (text[i] != '-') break;
      ++i;
      continue;
    }
    if (i + 1 >= text.size() || digit(text[i]) < 0 || digit(text[i + 1]) < 0) break;
    bytes.push_back(static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1])));
    i += 2;
  }
  if (text.size() != 36 || bytes.size() != 16) return Invalid("'{}' is not a uuid", text);
  return bytes;
}

std::string ToSingleValue(const Scalar& value) {
  switch (value.type().kind()) {
    case TypeKind::kBoolean:
      return std::string(1, value.boolean() ? '\1' : '\0');
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInt:
    case TypeKind::kDate:
      return LittleEndian(static_cast<int32_t>(value.integer()));
    case TypeKind::kFloat:
      return LittleEndian(value.float32());
    case TypeKind::kDouble:
      return LittleEndian(value.float64());
    case TypeKind::kDecimal:
      return UnscaledBytes(value.unscaled());
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kFixed:
    case TypeKind::kUuid:
      return value.text();
    default:
      return LittleEndian(value.integer());
  }
}

Result<Scalar> FromSingleValue(std::string_view bytes, const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBoolean:
      if (bytes.size() != 1) return WrongLength(bytes, type);
      return Scalar(type, bytes[0] != 0);
    case TypeKind::kInt:
    case TypeKind::kDate:
      return ReadInteger(bytes, type, false);
    case TypeKind::kLong:
      return ReadInteger(bytes, type, true);
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      if (bytes.size() != 8) return WrongLength(bytes, type);
      return Scalar(type, Load<int64_t>(bytes));
    case TypeKind::kFloat:
      if (bytes.size() != 4) return WrongLength(bytes, type);
      return Scalar(type, Load<float>(bytes));
    case TypeKind::kDouble:
      if (bytes.size() == 4) return Scalar(type, double{Load<float>(bytes)});
      if (bytes.size() != 8) return WrongLength(bytes, type);
      return Scalar(type, Load<double>(bytes));
    case TypeKind::kDecimal: {
      WEIR_TRY(const Int128 unscaled, UnscaledFromBytes(bytes));
      return Scalar(type, unscaled);
    }
    case TypeKind::kString:
    case TypeKind::kBinary:
      return Scalar(type, std::string(bytes));
    case TypeKind::kFixed:
      // A bound of a fixed column may be truncated like one of binary.
      return Scalar(type, std::string(bytes));
    case TypeKind::kUuid:
      if (bytes.size() != 16) return WrongLength(bytes, type);
      return Scalar(type, std::string(bytes));
    default:
      return Corrupt("a single value of type {}", type.ToString());
  }
}

Scalar ToSparkValue(Scalar value) {
  if (value.is_null()) return Scalar::Null(SparkType(value.type()));
  if (value.type().kind() == TypeKind::kUuid) return Scalar::String(UuidText(value.text()));
  if (value.type().kind() == TypeKind::kFixed) return Scalar::Binary(value.text());
  return value;
}

}  // namespace weir::iceberg
