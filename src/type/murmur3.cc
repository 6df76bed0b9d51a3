#include "type/murmur3.h"

#include <bit>

#include "base/bytes.h"

namespace weir {
namespace {

uint32_t Scramble(uint32_t block) { return std::rotl(block * 0xCC9E2D51U, 15) * 0x1B873593U; }

}  // namespace

int32_t Murmur3(std::string_view bytes, uint32_t seed) {
  const Bytes data = AsBytes(bytes);
  const size_t whole = data.size() / 4 * 4;
  uint32_t hash = seed;
  for (size_t i = 0; i < whole; i += 4) {
    hash ^= Scramble(LoadLittleEndian<uint32_t>(data.data() + i));
    hash = std::rotl(hash, 13) * 5 + 0xE6546B64U;
  }
  uint32_t tail = 0;
  for (size_t i = data.size(); i > whole; --i) tail = tail << 8 | data[i - 1];
  hash ^= Scramble(tail);
  hash ^= static_cast<uint32_t>(data.size());
  hash = (hash ^ hash >> 16) * 0x85EBCA6BU;
  hash = (hash ^ hash >> 13) * 0xC2B2AE35U;
  return static_cast<int32_t>(hash ^ hash >> 16);
}

}  // namespace weir
