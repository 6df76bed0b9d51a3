#include "codec/gzip/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>

namespace weir {

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> Gzip(std::string_view bytes) {
  // zlib counts in 32 bits.
  if (bytes.size() > UINT32_MAX / 2) return Unsupported("{} bytes to compress at once", bytes.size());
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    return Internal("zlib could not be started");
  }
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int state = deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  if (state != Z_STREAM_END) return Internal("zlib could not compress {} bytes", bytes.size());
  return out;
}

Result<std::string> Gunzip(std::string_view bytes, size_t max_bytes) {
  z_stream stream = {};
  // 16 asks for the gzip wrapper.
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return Internal("zlib could not be started");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(std::min<size_t>(bytes.size(), UINT32_MAX));
  std::string out;
  std::string chunk(64 << 10, '\0');
  int state = Z_OK;
  while (state == Z_OK && out.size() <= max_bytes) {
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(chunk, 0, chunk.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (out.size() > max_bytes) return Corrupt("gzip data holds more than {} bytes", max_bytes);
  if (state != Z_STREAM_END) return Corrupt("gzip data is broken or cut short");
  return out;
}

}  // namespace weir
