#include "codec/parquet/thrift.h"

#include <limits>

namespace weir::parquet {

namespace {

/// Deeper nesting than any Parquet structure has: stops hostile input from exhausting the stack.
constexpr int kMaxDepth = 40;

bool IsInteger(WireType type) { return type >= WireType::kByte && type <= WireType::kI64; }

}  // namespace

void ThriftReader::Fail(std::string_view expected, std::string_view found) {
  if (error_) return;
  error_ = Corrupt("at file offset {}: expected {}, found {} (Spec: Thrift compact protocol)",
                   file_offset_ + position_, expected, found);
}

Status ThriftReader::status() const {
  if (error_) return *error_;
  return {};
}

bool ThriftReader::Bool(Field field) {
  if (field.type == WireType::kTrue) return true;
  if (field.type != WireType::kFalse) {
    Fail("a boolean", fmt::format("wire type {}", static_cast<int>(field.type)));
  }
  return false;
}

int32_t ThriftReader::I32(Field field) {
  const int64_t value = I64(field);
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
    Fail("a 32-bit integer", fmt::format("{}", value));
    return 0;
  }
  return static_cast<int32_t>(value);
}

int64_t ThriftReader::I64(Field field) {
  if (!IsInteger(field.type)) {
    Fail("an integer", fmt::format("wire type {}", static_cast<int>(field.type)));
    return 0;
  }
  if (field.type == WireType::kByte) return static_cast<int8_t>(Byte());
  return ZigZag();
}

std::string_view ThriftReader::Binary(Field field) {
  if (!Expect(field, WireType::kBinary)) return {};
  const uint64_t size_bytes = Varint();
  if (!ok()) return {};
  if (size_bytes > bytes_.size() - position_) {
    Fail(fmt::format("{} bytes of binary", size_bytes), fmt::format("{} left", bytes_.size() - position_));
    return {};
  }
  const std::string_view value = AsText(bytes_.subspan(position_, size_bytes));
  position_ += size_bytes;
  return value;
}

bool ThriftReader::ListBool() {
  const uint8_t value = Byte();
  if (value > 2) Fail("a boolean of 0, 1 or 2", fmt::format("{}", value));
  return value == 1;
}

void ThriftReader::Skip(Field field) {
  if (field.type == WireType::kTrue || field.type == WireType::kFalse) return;
  SkipElement(field.type);
}

void ThriftReader::SkipElement(WireType type) {
  const auto advance = [this](uint64_t size_bytes) {
    if (size_bytes > bytes_.size() - position_) {
      Fail(fmt::format("{} bytes", size_bytes), fmt::format("{} left", bytes_.size() - position_));
    } else {
      position_ += size_bytes;
    }
  };
  switch (type) {
    case WireType::kTrue:
    case WireType::kFalse:
    case WireType::kByte:
      return advance(1);
    case WireType::kI16:
    case WireType::kI32:
    case WireType::kI64:
      Varint();
      return;
    case WireType::kDouble:
      return advance(8);
    case WireType::kUuid:
      return advance(16);
    case WireType::kBinary:
      Binary({0, type});
      return;
    case WireType::kList:
    case WireType::kSet:
      ReadList({0, type}, [this](Field element) { SkipElement(element.type); });
      return;
    case WireType::kMap: {
      const uint64_t count = Varint();
      if (count == 0 || !Enter()) return;
      const uint8_t types = Byte();
      for (uint64_t i = 0; i < count && ok(); ++i) {
        SkipElement(static_cast<WireType>(types >> 4));
        SkipElement(static_cast<WireType>(types & 15));
      }
      return Leave();
    }
    case WireType::kStruct:
      ReadStruct([this](Field inner) { Skip(inner); });
      return;
    case WireType::kStop:
      break;
  }
  Fail("a wire type", fmt::format("{}", static_cast<int>(type)));
}

bool ThriftReader::Enter() {
  if (depth_ >= kMaxDepth) Fail("at most 40 nested values", "more");
  ++depth_;
  if (ok()) return true;
  --depth_;
  return false;
}

bool ThriftReader::NextField(Field& field) {
  const uint8_t header = Byte();
  if (!ok() || header == 0) return false;
  const int32_t delta = header >> 4;
  const int64_t id = delta != 0 ? int64_t{field.id} + delta : ZigZag();
  if (!ok()) return false;
  if (id < std::numeric_limits<int16_t>::min() || id > std::numeric_limits<int16_t>::max()) {
    Fail("a field id of 16 bits", fmt::format("{}", id));
    return false;
  }
  field.id = static_cast<int32_t>(id);
  field.type = static_cast<WireType>(header & 15);
  return true;
}

uint64_t ThriftReader::ListHeader(Field field, Field& element) {
  if (field.type != WireType::kSet && !Expect(field, WireType::kList)) return 0;
  const uint8_t header = Byte();
  uint64_t count = header >> 4;
  if (count == 15) count = Varint();
  if (!ok()) return 0;
  // Every element takes at least one byte, so a longer list cannot be there.
  if (count > bytes_.size() - position_) {
    Fail(fmt::format("a list of {} elements", count),
         fmt::format("{} bytes left", bytes_.size() - position_));
    return 0;
  }
  element.type = static_cast<WireType>(header & 15);
  return count;
}

bool ThriftReader::Expect(Field field, WireType type) {
  if (ok() && field.type != type) {
    Fail(fmt::format("wire type {} in field {}", static_cast<int>(type), field.id),
         fmt::format("{}", static_cast<int>(field.type)));
  }
  return ok();
}

uint8_t ThriftReader::Byte() {
  if (!ok()) return 0;
  if (position_ >= bytes_.size()) {
    Fail("one more byte", "the end");
    return 0;
  }
  return bytes_[position_++];
}

uint64_t ThriftReader::Varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    const uint8_t byte = Byte();
    if (!ok()) return 0;
    if (shift == 63 && byte > 1) break;
    value |= static_cast<uint64_t>(byte & 127) << shift;
    if (byte < 128) return value;
  }
  Fail("a varint of 64 bits", "a longer one");
  return 0;
}

int64_t ThriftReader::ZigZag() {
  const uint64_t value = Varint();
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

void ThriftWriter::BeginStruct() { last_ids_.push_back(0); }

void ThriftWriter::EndStruct() {
  out_.push_back(0);
  last_ids_.pop_back();
}

void ThriftWriter::BeginStructField(int32_t id) {
  FieldHeader(id, WireType::kStruct);
  BeginStruct();
}

void ThriftWriter::Bool(int32_t id, bool value) {
  FieldHeader(id, value ? WireType::kTrue : WireType::kFalse);
}

void ThriftWriter::I8(int32_t id, int8_t value) {
  FieldHeader(id, WireType::kByte);
  out_.push_back(static_cast<char>(value));
}

void ThriftWriter::I32(int32_t id, int32_t value) {
  FieldHeader(id, WireType::kI32);
  ZigZag(value);
}

void ThriftWriter::I64(int32_t id, int64_t value) {
  FieldHeader(id, WireType::kI64);
  ZigZag(value);
}

void ThriftWriter::Binary(int32_t id, std::string_view value) {
  FieldHeader(id, WireType::kBinary);
  ElementBinary(value);
}

void ThriftWriter::BeginList(int32_t id, WireType element, size_t count) {
  FieldHeader(id, WireType::kList);
  const auto type = static_cast<uint8_t>(element);
  if (count < 15) {
    out_.push_back(static_cast<char>(count << 4 | type));
  } else {
    out_.push_back(static_cast<char>(0xf0 | type));
    Varint(count);
  }
}

void ThriftWriter::ElementI32(int32_t value) { ZigZag(value); }

void ThriftWriter::ElementBinary(std::string_view value) {
  Varint(value.size());
  out_ += value;
}

void ThriftWriter::FieldHeader(int32_t id, WireType type) {
  const int32_t delta = id - last_ids_.back();
  if (delta > 0 && delta < 16) {
    out_.push_back(static_cast<char>(delta << 4 | static_cast<uint8_t>(type)));
  } else {
    out_.push_back(static_cast<char>(type));
    ZigZag(id);
  }
  last_ids_.back() = id;
}

void ThriftWriter::Varint(uint64_t value) {
  while (value > 127) {
    out_.push_back(static_cast<char>(value | 128));
    value >>= 7;
  }
  out_.push_back(static_cast<char>(value));
}

void ThriftWriter::ZigZag(int64_t value) {
  Varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
}

}  // namespace weir::parquet
