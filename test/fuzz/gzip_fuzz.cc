/// Any bytes as a gzip file: never more output than allowed; what was read can be compressed and read again.

#include <cstdint>
#include <cstdlib>

#include "codec/gzip/gzip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace weir;
  constexpr size_t kMaxBytes = 1 << 20;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto text = Gunzip(bytes, kMaxBytes);
  if (!text) return 0;
  if (text->size() > kMaxBytes || !IsGzip(bytes)) std::abort();
  const auto again = Gzip(*text);
  if (!again) std::abort();
  const auto read = Gunzip(*again, kMaxBytes);
  if (!read || *read != *text) std::abort();
  return 0;
}
