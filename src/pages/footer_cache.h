#pragma once

/// Parsed footers and page indexes of immutable files, read once and shared. Thread rule: any thread.

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/lru_cache.h"
#include "codec/parquet/format.h"
#include "storage/storage.h"

namespace weir::pages {

/// A file whose content never changes under its path.
struct FileRef {
  std::string path;  ///< In the store's own form.
  uint64_t size_bytes = 0;
  /// Bytes at the end that hold the footer (and best the page index too), where known; else guessed.
  std::optional<uint64_t> footer_size_bytes;
};

/// One column chunk of a file.
struct ChunkRef {
  size_t row_group = 0;
  size_t leaf = 0;
  auto operator<=>(const ChunkRef&) const = default;
};

/// Where a chunk's data pages lie and what bounds them.
struct ChunkIndex {
  parquet::OffsetIndex pages;
  std::optional<parquet::ColumnIndex> bounds;
  std::string problem;  ///< Not empty: the file has a page index that is not usable, for this reason.
};

/// What a file says of itself, as far as it was asked.
struct FileIndex {
  struct Entry {
    ChunkRef chunk;
    std::shared_ptr<const ChunkIndex> index;  ///< Null: the file has none.
  };
  std::shared_ptr<const parquet::Footer> footer;
  std::vector<Entry> chunks;  ///< Those asked, sorted by `chunk`.

  /// Null if the file has no page index for the chunk, or nobody asked.
  const ChunkIndex* Find(const ChunkRef& chunk) const;
};

/// Least recently used entries go first. Two threads that miss the same file at once both read it.
class FooterCache {
 public:
  explicit FooterCache(uint64_t budget_bytes = 64_MiB) : kept_(budget_bytes) {}

  /// Names the chunks whose page index is wanted, once the footer is known. Called once.
  using ChooseChunks = std::function<std::vector<ChunkRef>(const parquet::Footer&)>;

  /// Returns the footer and the page index of chosen chunks. What is not in memory is read, charged as
  /// kFooter: one tail read of a guessed size, one more if the footer is longer, one more (merged ranges) for
  /// page indexes that the tail does not hold. What is in memory is booked as AvoidReason::kCache. Errors:
  /// kCorrupt, kUnsupported (encrypted footer) naming the file and the offset; those of the store.
  Result<FileIndex> Read(const Store& store, const FileRef& file, const ChooseChunks& choose);
  Result<std::shared_ptr<const parquet::Footer>> ReadFooter(const Store& store, const FileRef& file);

  /// Estimated memory of the entries.
  uint64_t size_bytes() const { return kept_.used_bytes(); }

 private:
  /// Bytes at the end of a file that were read on the way; empty if the footer came from memory.
  struct Tail {
    uint64_t offset_bytes = 0;
    std::string bytes;

    /// An empty range is held by every tail.
    bool Holds(const ByteRange& range) const;
    Bytes View(const ByteRange& range) const;
  };
  struct Kept {
    std::shared_ptr<const void> value;
    uint64_t file_bytes = 0;  // What a hit saves.
  };

  /// Null if absent. A hit is booked.
  std::shared_ptr<const void> Find(const std::string& key, const Account& account);
  Result<std::shared_ptr<const parquet::Footer>> LoadFooter(const Store& store, const FileRef& file,
                                                            Tail& tail);
  Status LoadChunks(const Store& store, const FileRef& file, const Tail& tail, FileIndex& index);

  LruCache<Kept> kept_;
};

}  // namespace weir::pages
