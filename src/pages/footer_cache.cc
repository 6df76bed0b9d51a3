#include "pages/footer_cache.h"

#include <algorithm>

#include "codec/parquet/footer.h"
#include "codec/parquet/page_index.h"

namespace weir::pages {

namespace {

/// Larger ones exist only in broken files and would not serve to save reads.
constexpr uint64_t kMaxFooterBytes = 256_MiB;
constexpr uint64_t kMaxIndexBytes = 64_MiB;

/// Footers and page indexes grow with rows and columns, so with the file; a page index that does not fit is
/// read apart.
uint64_t GuessTailBytes(uint64_t file_size_bytes) {
  return std::clamp<uint64_t>(file_size_bytes / 400, 8_KiB, 64_KiB);
}

std::string FileKey(const FileRef& file) { return fmt::format("{}\n{}", file.path, file.size_bytes); }
std::string ChunkKey(const FileRef& file, const ChunkRef& chunk) {
  return fmt::format("{}\n{}\n{}\n{}", file.path, file.size_bytes, chunk.row_group, chunk.leaf);
}

uint64_t MemoryOf(const parquet::Statistics& statistics) {
  uint64_t bytes = 0;
  for (const auto* text : {&statistics.min_value, &statistics.max_value, &statistics.deprecated_min,
                           &statistics.deprecated_max}) {
    if (*text) bytes += (*text)->capacity();
  }
  return bytes;
}

uint64_t MemoryOf(const parquet::Footer& footer) {
  uint64_t bytes = sizeof(footer) + footer.leaves.size() * sizeof(parquet::Leaf);
  for (const parquet::SchemaElement& element : footer.schema)
    bytes += sizeof(element) + element.name.capacity();
  for (const parquet::KeyValue& pair : footer.key_values) {
    bytes += sizeof(pair) + pair.key.capacity() + (pair.value ? pair.value->capacity() : 0);
  }
  for (const parquet::RowGroup& group : footer.row_groups) {
    bytes += sizeof(group);
    for (const parquet::ColumnChunk& chunk : group.columns) {
      bytes += sizeof(chunk) + chunk.encodings.size() * sizeof(parquet::Encoding) +
               chunk.encoding_counts.size() * sizeof(parquet::EncodingCount) + MemoryOf(chunk.statistics);
    }
  }
  return bytes;
}

uint64_t MemoryOf(const ChunkIndex& index) {
  uint64_t bytes = sizeof(index) + index.pages.pages.size() * sizeof(parquet::PageLocation);
  if (!index.bounds) return bytes;
  for (const std::string& text : index.bounds->min_values) bytes += sizeof(text) + text.capacity();
  for (const std::string& text : index.bounds->max_values) bytes += sizeof(text) + text.capacity();
  return bytes + index.bounds->null_counts.size() * 9;
}

/// The parts of one chunk's page index within the file. Without a column index, `bounds` is empty.
struct IndexParts {
  ByteRange offsets;
  ByteRange bounds;
};

std::optional<IndexParts> PartsOf(const parquet::ColumnChunk& chunk) {
  if (!chunk.offset_index || chunk.is_encrypted || chunk.is_external) return {};
  IndexParts parts{*chunk.offset_index, {}};
  if (chunk.column_index) parts.bounds = *chunk.column_index;
  return parts;
}

/// A chunk whose page index has to be read.
struct Missing {
  FileIndex::Entry* entry = nullptr;
  IndexParts parts;
  int64_t row_count = 0;
};

ChunkIndex ParseIndex(const Missing& missing, Bytes offsets, Bytes bounds, uint64_t file_size_bytes) {
  const auto unusable = [](const Error& error) { return ChunkIndex{{}, {}, error.message()}; };
  ChunkIndex index;
  const IndexParts& parts = missing.parts;
  auto pages =
      parquet::ParseOffsetIndex(offsets, parts.offsets.offset_bytes, file_size_bytes, missing.row_count);
  if (!pages) return unusable(pages.error());
  index.pages = std::move(pages).value();
  if (parts.bounds.size_bytes == 0) return index;
  auto columns = parquet::ParseColumnIndex(bounds, parts.bounds.offset_bytes, index.pages.pages.size());
  if (!columns) return unusable(columns.error());
  index.bounds = std::move(columns).value();
  return index;
}

}  // namespace

const ChunkIndex* FileIndex::Find(const ChunkRef& chunk) const {
  const auto at = std::partition_point(chunks.begin(), chunks.end(),
                                       [&](const Entry& entry) { return entry.chunk < chunk; });
  return at != chunks.end() && at->chunk == chunk ? at->index.get() : nullptr;
}

Result<FileIndex> FooterCache::Read(const Store& store, const FileRef& file, const ChooseChunks& choose) {
  const Store footer_store = store.For(Purpose::kFooter);
  FileIndex index;
  Tail tail;
  WEIR_TRY_CONTEXT(index.footer, file.path, LoadFooter(footer_store, file, tail));
  std::vector<ChunkRef> chosen = choose(*index.footer);
  std::sort(chosen.begin(), chosen.end());
  for (const ChunkRef& chunk : chosen) index.chunks.push_back({chunk, nullptr});
  WEIR_DO_CONTEXT(file.path, LoadChunks(footer_store, file, tail, index));
  return index;
}

Result<std::shared_ptr<const parquet::Footer>> FooterCache::ReadFooter(const Store& store,
                                                                       const FileRef& file) {
  WEIR_TRY(FileIndex index,
           Read(store, file, [](const parquet::Footer&) { return std::vector<ChunkRef>(); }));
  return index.footer;
}

Result<std::shared_ptr<const parquet::Footer>> FooterCache::LoadFooter(const Store& store,
                                                                       const FileRef& file, Tail& tail) {
  const std::string key = FileKey(file);
  if (auto found = Find(key, store.account())) return std::static_pointer_cast<const parquet::Footer>(found);
  if (file.size_bytes < parquet::kMinFileSizeBytes) {
    return Corrupt("expected at least {} bytes of Parquet, found {}", parquet::kMinFileSizeBytes,
                   file.size_bytes);
  }
  const uint64_t hint = file.footer_size_bytes.value_or(GuessTailBytes(file.size_bytes));
  const uint64_t guess = std::clamp<uint64_t>(hint, parquet::kTrailerSizeBytes, file.size_bytes);
  tail.offset_bytes = file.size_bytes - guess;
  WEIR_TRY(tail.bytes, store.Read(file.path, {tail.offset_bytes, guess}));
  WEIR_TRY(const uint64_t needed, parquet::FooterTailSize(AsBytes(tail.bytes), file.size_bytes));
  if (needed > kMaxFooterBytes)
    return Unsupported("a footer of {} bytes, more than {}", needed, kMaxFooterBytes);
  if (needed > guess) {
    WEIR_TRY(std::string head, store.Read(file.path, {file.size_bytes - needed, needed - guess}));
    tail.bytes.insert(0, head);
    tail.offset_bytes = file.size_bytes - needed;
  }
  WEIR_TRY(parquet::Footer parsed, parquet::ParseFooterTail(AsBytes(tail.bytes), file.size_bytes));
  auto footer = std::make_shared<const parquet::Footer>(std::move(parsed));
  kept_.Insert(key, {footer, tail.bytes.size()}, MemoryOf(*footer));
  return footer;
}

Status FooterCache::LoadChunks(const Store& store, const FileRef& file, const Tail& tail, FileIndex& index) {
  std::vector<Missing> missing;
  std::vector<ByteRange> ranges;
  for (FileIndex::Entry& entry : index.chunks) {
    const parquet::RowGroup& group = index.footer->row_groups[entry.chunk.row_group];
    const auto parts = PartsOf(group.columns[entry.chunk.leaf]);
    if (!parts) continue;
    if (auto found = Find(ChunkKey(file, entry.chunk), store.account())) {
      entry.index = std::static_pointer_cast<const ChunkIndex>(found);
    } else if (std::max(parts->offsets.size_bytes, parts->bounds.size_bytes) > kMaxIndexBytes) {
      entry.index = std::make_shared<const ChunkIndex>(ChunkIndex{{}, {}, "a page index of unlikely size"});
    } else {
      missing.push_back({&entry, *parts, group.row_count});
      for (const ByteRange& range : {parts->offsets, parts->bounds}) {
        if (!tail.Holds(range)) ranges.push_back(range);
      }
    }
  }
  WEIR_TRY(const std::vector<std::string> read, store.ReadRanges(file.path, ranges));
  size_t next = 0;
  for (const Missing& one : missing) {
    uint64_t read_bytes = 0;
    const auto bytes_of = [&](const ByteRange& range) {
      if (tail.Holds(range)) return tail.View(range);
      read_bytes += range.size_bytes;
      return AsBytes(read[next++]);
    };
    const Bytes offsets = bytes_of(one.parts.offsets);
    const Bytes bounds = bytes_of(one.parts.bounds);
    auto chunk_index = std::make_shared<const ChunkIndex>(ParseIndex(one, offsets, bounds, file.size_bytes));
    one.entry->index = chunk_index;
    kept_.Insert(ChunkKey(file, one.entry->chunk), {chunk_index, read_bytes}, MemoryOf(*chunk_index));
  }
  return {};
}

bool FooterCache::Tail::Holds(const ByteRange& range) const {
  if (range.size_bytes == 0) return true;
  return range.offset_bytes >= offset_bytes && range.end_bytes() <= offset_bytes + bytes.size();
}

Bytes FooterCache::Tail::View(const ByteRange& range) const {
  if (range.size_bytes == 0) return {};
  return AsBytes(bytes).subspan(range.offset_bytes - offset_bytes, range.size_bytes);
}

std::shared_ptr<const void> FooterCache::Find(const std::string& key, const Account& account) {
  const std::optional<Kept> found = kept_.Find(key);
  if (!found) return nullptr;
  account.Avoid(AvoidReason::kCache, 0, found->file_bytes);
  return found->value;
}

}  // namespace weir::pages
