#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codec/avro/compress.h"
#include "codec/avro/container.h"
#include "codec/avro/cursor.h"
#include "codec/avro/decode.h"
#include "codec/avro/plan.h"

namespace weir::avro {
namespace {

constexpr std::string_view kMagic("Obj\x01", 4);
constexpr size_t kSyncBytes = 16;
/// What a codec may add to a block that it cannot make smaller.
constexpr uint64_t kCodecSlackBytes = 1_MiB;

constexpr std::pair<std::string_view, Codec> kCodecNames[] = {{"null", Codec::kNull},
                                                              {"deflate", Codec::kDeflate},
                                                              {"snappy", Codec::kSnappy},
                                                              {"zstandard", Codec::kZstandard}};

using Metadata = std::map<std::string, std::string, std::less<>>;

Result<Metadata> ReadMetadata(Cursor& cursor) {
  Metadata metadata;
  while (true) {
    int64_t count = 0;
    int64_t ignored_size = 0;
    const auto damaged = [at = cursor.offset()](std::string_view what) {
      return Corrupt("header at byte {}: expected {}", at, what);
    };
    if (!cursor.ReadLong(count)) return damaged("a count of entries");
    if (count == 0) return metadata;
    if (count < 0 && !cursor.ReadLong(ignored_size)) return damaged("a size behind a negative count");
    const uint64_t entries = count < 0 ? 0 - static_cast<uint64_t>(count) : static_cast<uint64_t>(count);
    if (entries > cursor.remaining() / 2)
      return damaged(fmt::format("at most {} entries, found {}", cursor.remaining() / 2, entries));
    for (uint64_t i = 0; i < entries; ++i) {
      std::string_view key, value;
      if (!cursor.ReadText(key) || !cursor.ReadText(value)) return damaged("a key and a value in each entry");
      metadata.insert_or_assign(std::string(key), std::string(value));
    }
  }
}

/// One block of the file, still compressed.
struct Block {
  uint64_t offset = 0;
  uint64_t records = 0;
  std::string_view payload;
};

Result<Block> ReadBlock(Cursor& cursor, std::string_view sync, const Limits& limits) {
  Block block;
  block.offset = cursor.offset();
  int64_t records = 0;
  int64_t size = 0;
  if (!cursor.ReadLong(records) || records < 0) return Corrupt("a damaged record count");
  if (!cursor.ReadLong(size) || size < 0) return Corrupt("a damaged size");
  block.records = static_cast<uint64_t>(records);
  if (static_cast<uint64_t>(size) > limits.block_bytes + kCodecSlackBytes) {
    return Corrupt("{} bytes, more than the {} allowed", size, limits.block_bytes);
  }
  std::string_view marker;
  if (!cursor.ReadBytes(static_cast<uint64_t>(size), block.payload) ||
      !cursor.ReadBytes(kSyncBytes, marker)) {
    return Corrupt("{} bytes and a sync marker expected, found the end of the file", size);
  }
  if (marker != sync) return Corrupt("the sync marker behind it is not the file's");
  return block;
}

}  // namespace

std::string_view ToString(Codec codec) {
  for (const auto& [name, value] : kCodecNames) {
    if (value == codec) return name;
  }
  return "null";
}

Result<Reader> Reader::Open(Bytes file, std::string file_name, Limits limits) {
  Reader reader;
  reader.file_ = file;
  reader.file_name_ = std::move(file_name);
  reader.limits_ = limits;
  Cursor cursor(file);
  std::string_view magic, sync;
  if (!cursor.ReadBytes(kMagic.size(), magic) || magic != kMagic) {
    return Corrupt("{}: not an Avro file: it does not begin with \"Obj\" and 1", reader.file_name_);
  }
  WEIR_TRY_CONTEXT(reader.metadata_, reader.file_name_, ReadMetadata(cursor));
  if (!cursor.ReadBytes(kSyncBytes, sync))
    return Corrupt("{}: no sync marker in the header", reader.file_name_);
  reader.sync_ = AsBytes(sync);
  reader.blocks_offset_ = cursor.offset();
  const auto schema = reader.metadata_.find("avro.schema");
  if (schema == reader.metadata_.end()) return Corrupt("{}: no avro.schema in the header", reader.file_name_);
  WEIR_TRY_CONTEXT(reader.schema_, reader.file_name_, Schema::Parse(schema->second));
  if (const auto codec = reader.metadata_.find("avro.codec"); codec != reader.metadata_.end()) {
    const auto known =
        std::ranges::find(kCodecNames, codec->second, [](const auto& entry) { return entry.first; });
    if (known == std::end(kCodecNames)) {
      return Unsupported("{}: Avro codec \"{}\"", reader.file_name_, codec->second);
    }
    reader.codec_ = known->second;
  }
  return reader;
}

Status Reader::ForEach(const Schema& wanted, const std::function<Status(const Value&)>& sink) const {
  WEIR_TRY_CONTEXT(const PlanSet plans, file_name_, Resolve(wanted, schema_));
  Decoder decoder(limits_.values_per_record);
  std::string buffer;
  // Records that take no bytes are not bounded by the file's size.
  uint64_t empty_records_left = limits_.values_per_record;
  Cursor cursor(file_.subspan(blocks_offset_));
  while (cursor.remaining() > 0) {
    auto where = [&, offset = blocks_offset_ + cursor.offset()] {
      return fmt::format("{}: block at byte {}", file_name_, offset);
    };
    WEIR_TRY_CONTEXT(const Block block, where(), ReadBlock(cursor, AsText(sync_), limits_));
    Bytes payload = AsBytes(block.payload);
    if (codec_ != Codec::kNull) {
      WEIR_DO_CONTEXT(where(), Decompress(codec_, payload, limits_.block_bytes, buffer));
      payload = AsBytes(buffer);
    }
    if (plans.root->min_bytes > 0 ? block.records > payload.size() / plans.root->min_bytes
                                  : block.records > empty_records_left) {
      return Corrupt("{}: {} records in {} bytes", where(), block.records, payload.size());
    }
    if (plans.root->min_bytes == 0) empty_records_left -= block.records;
    Cursor records(payload);
    for (uint64_t i = 0; i < block.records; ++i) {
      WEIR_TRY_CONTEXT(const Value record, where(), decoder.Decode(*plans.root, records));
      WEIR_DO(sink(record));
    }
    if (records.remaining() > 0) {
      return Corrupt("{}: {} bytes behind its {} records", where(), records.remaining(), block.records);
    }
  }
  return {};
}

Result<uint64_t> Reader::CountRecords() const {
  uint64_t count = 0;
  Cursor cursor(file_.subspan(blocks_offset_));
  while (cursor.remaining() > 0) {
    const uint64_t offset = blocks_offset_ + cursor.offset();
    WEIR_TRY_CONTEXT(const Block block, fmt::format("{}: block at byte {}", file_name_, offset),
                     ReadBlock(cursor, AsText(sync_), limits_));
    if (__builtin_add_overflow(count, block.records, &count))
      return Corrupt("{}: too many records", file_name_);
  }
  return count;
}

}  // namespace weir::avro
