#include <zlib.h>

#include <algorithm>

#include "table/iceberg/table_metadata_json.h"

namespace weir::iceberg {

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

}  // namespace weir::iceberg
