#pragma once

/// Views of bytes, byte ranges, and little-endian loads. Views own nothing. Thread rule: values.

#include <compare>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace weir {

using Bytes = std::span<const uint8_t>;
using MutableBytes = std::span<uint8_t>;

inline Bytes AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A half-open range of a file.
struct ByteRange {
  uint64_t offset_bytes = 0;
  uint64_t size_bytes = 0;
  uint64_t end_bytes() const { return offset_bytes + size_bytes; }
  auto operator<=>(const ByteRange&) const = default;
};

/// Reads a trivially copyable little-endian value. The caller has checked that sizeof(T) bytes are there.
template <typename T>
T LoadLittleEndian(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}
template <typename T>
void AppendLittleEndian(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

inline constexpr uint64_t operator""_KiB(unsigned long long n) { return n << 10; }
inline constexpr uint64_t operator""_MiB(unsigned long long n) { return n << 20; }

}  // namespace weir
