#include "codec/avro/compress.h"

#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace weir::avro {
namespace {

constexpr size_t kSnappyChecksumBytes = 4;

uint32_t Checksum(std::string_view bytes) {
  return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Error TooLarge(uint64_t limit_bytes) {
  return Corrupt("a block larger than {} bytes when decompressed", limit_bytes);
}

/// Grows a full buffer whose final size is not known, to one byte more than the limit at most.
Status Grow(std::string& out, uint64_t limit_bytes) {
  if (out.size() > limit_bytes) return TooLarge(limit_bytes);
  out.resize(std::min<uint64_t>(limit_bytes + 1, std::max<uint64_t>(out.size() * 2, 64_KiB)));
  return {};
}

Status Deflate(int level, std::string_view block, std::string& out) {
  if (level < 1 || level > 9) return Invalid("deflate level {}, expected 1 to 9", level);
  z_stream stream = {};
  if (deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return Internal("deflate does not start");
  }
  std::unique_ptr<z_stream, decltype(&deflateEnd)> owner(&stream, deflateEnd);
  out.resize(deflateBound(&stream, block.size()));
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
  stream.avail_in = static_cast<uInt>(block.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) return Internal("deflate does not end");
  out.resize(out.size() - stream.avail_out);
  return {};
}

Status Inflate(Bytes block, uint64_t limit_bytes, std::string& out) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return Internal("inflate does not start");
  std::unique_ptr<z_stream, decltype(&inflateEnd)> owner(&stream, inflateEnd);
  stream.next_in = const_cast<Bytef*>(block.data());
  stream.avail_in = static_cast<uInt>(block.size());
  size_t used = 0;
  out.resize(std::min<uint64_t>(limit_bytes, std::max<uint64_t>(block.size() * 4, 64)));
  while (true) {
    stream.next_out = reinterpret_cast<Bytef*>(out.data()) + used;
    stream.avail_out = static_cast<uInt>(out.size() - used);
    const int code = inflate(&stream, Z_NO_FLUSH);
    used = out.size() - stream.avail_out;
    // Bytes behind the end of the stream are let pass: the reference writer for Python leaves a part of
    // zlib's checksum there.
    if (code == Z_STREAM_END) break;
    if (code != Z_OK && code != Z_BUF_ERROR) return Corrupt("a damaged deflate block");
    if (stream.avail_out != 0) return Corrupt("a truncated deflate block");
    WEIR_DO(Grow(out, limit_bytes));
  }
  out.resize(used);
  return {};
}

void Snap(std::string_view block, std::string& out) {
  snappy::Compress(block.data(), block.size(), &out);
  const uint32_t checksum = Checksum(block);
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(checksum >> shift));
}

Status Unsnap(Bytes block, uint64_t limit_bytes, std::string& out) {
  if (block.size() < kSnappyChecksumBytes) return Corrupt("a snappy block of {} bytes", block.size());
  const size_t size = block.size() - kSnappyChecksumBytes;
  const char* data = AsText(block).data();
  size_t full = 0;
  if (!snappy::GetUncompressedLength(data, size, &full)) return Corrupt("a damaged snappy block");
  if (full > limit_bytes) return TooLarge(limit_bytes);
  // A copy element yields at most 64 bytes from 3, so a larger claim is a lie that must not be allocated for.
  if (full / 64 > size) return Corrupt("a damaged snappy block");
  out.resize(full);
  if (!snappy::RawUncompress(data, size, out.data())) return Corrupt("a damaged snappy block");
  uint32_t expected = 0;
  for (size_t i = size; i < block.size(); ++i) expected = expected << 8 | block[i];
  if (Checksum(out) != expected) return Corrupt("a snappy block whose checksum does not match");
  return {};
}

Status Zstd(int level, std::string_view block, std::string& out) {
  if (level < 1 || level > 19) return Invalid("zstandard level {}, expected 1 to 19", level);
  out.resize(ZSTD_compressBound(block.size()));
  const size_t size = ZSTD_compress(out.data(), out.size(), block.data(), block.size(), level);
  if (ZSTD_isError(size)) return Internal("zstandard: {}", ZSTD_getErrorName(size));
  out.resize(size);
  return {};
}

Status Unzstd(Bytes block, uint64_t limit_bytes, std::string& out) {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context) return Internal("zstandard does not start");
  ZSTD_inBuffer in = {block.data(), block.size(), 0};
  size_t used = 0;
  size_t hint = 1;  // Not 0 until a frame has ended.
  out.resize(std::min<uint64_t>(limit_bytes, std::max<uint64_t>(block.size() * 4, 64)));
  while (in.pos < in.size || hint != 0) {
    ZSTD_outBuffer to = {out.data(), out.size(), used};
    const size_t consumed = in.pos;
    hint = ZSTD_decompressStream(context.get(), &to, &in);
    if (ZSTD_isError(hint)) return Corrupt("a damaged zstandard block: {}", ZSTD_getErrorName(hint));
    const bool moved = to.pos != used || in.pos != consumed;
    used = to.pos;
    if (used == out.size() && hint != 0) {
      WEIR_DO(Grow(out, limit_bytes));
    } else if (!moved) {
      return Corrupt("a truncated zstandard block");
    }
  }
  out.resize(used);
  return {};
}

}  // namespace

Status Compress(Codec codec, int level, std::string_view block, std::string& out) {
  switch (codec) {
    case Codec::kNull:
      out.assign(block);
      return {};
    case Codec::kDeflate:
      return Deflate(level, block, out);
    case Codec::kSnappy:
      Snap(block, out);
      return {};
    case Codec::kZstandard:
      return Zstd(level, block, out);
  }
  return Internal("codec {}", static_cast<int>(codec));
}

Status Decompress(Codec codec, Bytes block, uint64_t limit_bytes, std::string& out) {
  switch (codec) {
    case Codec::kNull:
      out.assign(AsText(block));
      break;
    case Codec::kDeflate:
      WEIR_DO(Inflate(block, limit_bytes, out));
      break;
    case Codec::kSnappy:
      WEIR_DO(Unsnap(block, limit_bytes, out));
      break;
    case Codec::kZstandard:
      WEIR_DO(Unzstd(block, limit_bytes, out));
      break;
  }
  if (out.size() > limit_bytes) return TooLarge(limit_bytes);
  return {};
}

}  // namespace weir::avro
