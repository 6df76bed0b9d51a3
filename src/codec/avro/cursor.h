#pragma once

/// Primitive reads and writes of Avro's binary encoding. Thread rule: one thread.
/// Spec: Apache Avro 1.12, "Binary Encoding".

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace weir::avro {

/// A position in bytes. Reads never pass the end: they return false and leave the position undefined.
class Cursor {
 public:
  explicit Cursor(Bytes bytes) : begin_(bytes.data()), at_(begin_), end_(begin_ + bytes.size()) {}

  uint64_t remaining() const { return static_cast<uint64_t>(end_ - at_); }
  uint64_t offset() const { return static_cast<uint64_t>(at_ - begin_); }

  /// A zigzag varint of at most 10 bytes.
  bool ReadLong(int64_t& value) {
    uint64_t bits = 0;
    for (int shift = 0; shift < 70 && at_ != end_; shift += 7) {
      const uint8_t byte = *at_++;
      if (shift == 63 && byte > 1) return false;
      bits |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) {
        value = static_cast<int64_t>(bits >> 1) ^ -static_cast<int64_t>(bits & 1);
        return true;
      }
    }
    return false;
  }
  bool ReadBytes(uint64_t size, std::string_view& bytes) {
    if (size > remaining()) return false;
    bytes = {reinterpret_cast<const char*>(at_), static_cast<size_t>(size)};
    at_ += size;
    return true;
  }
  /// A length and as many bytes.
  bool ReadText(std::string_view& bytes) {
    int64_t size = 0;
    return ReadLong(size) && size >= 0 && ReadBytes(static_cast<uint64_t>(size), bytes);
  }
  template <typename T>
  bool ReadRaw(T& value) {
    if (sizeof(T) > remaining()) return false;
    value = LoadLittleEndian<T>(at_);
    at_ += sizeof(T);
    return true;
  }
  bool Skip(uint64_t size) {
    if (size > remaining()) return false;
    at_ += size;
    return true;
  }

 private:
  const uint8_t* begin_;
  const uint8_t* at_;
  const uint8_t* end_;
};

inline void AppendLong(std::string& to, int64_t value) {
  uint64_t bits = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  for (; bits >= 0x80; bits >>= 7) to.push_back(static_cast<char>(bits | 0x80));
  to.push_back(static_cast<char>(bits));
}
inline void AppendText(std::string& to, std::string_view text) {
  AppendLong(to, static_cast<int64_t>(text.size()));
  to.append(text);
}

}  // namespace weir::avro
