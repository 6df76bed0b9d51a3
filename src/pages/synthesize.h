#pragma once

/// Turns selected pages of many files into few Parquet files in memory, for any Parquet reader.
/// Thread rule: a SynthesizedFile is immutable; any thread may read it.
///
/// How a reader scans one. Serve `path()` from a file system of your own that answers
///   size: size_bytes();  read: ReadAt();  modification time: 0, no version tag;  on disk: false;
/// and close nothing until the scan ends. With DuckDB 1.5.5: its caches go by path and every path() is used
/// only once per process, so keep parquet_metadata_cache off for it and it will never be confused; a true
/// OnDiskFile makes the reader ask for one page at a time. The file has one column per wanted column, in
/// order, named KeyColumn::name with the field id set. Its type is what the data files hold, which may be
/// narrower than the table's (int for long after promotion): cast it. file_row_number of the scan is the
/// virtual row; RowMap gives file and position. Rows of a key selection are candidates: the scan must still
/// compare them with the keys. Rows that RowMap leaves out (only ever after SelectRows; see RowMap::has_gaps)
/// hold filler and MUST be dropped by the scan, with a DeleteFilter in DuckDB: RowMap::ForEachRun names the
/// rows to keep.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pages/select.h"

namespace weir::pages {

/// A row of a data file.
struct RealRow {
  uint32_t file = 0;  ///< Index into the files asked.
  RowPos position;
  bool operator==(const RealRow&) const = default;
};

/// Maps rows of a synthesized file to rows of data files.
class RowMap {
 public:
  /// `row_count` virtual rows from `virtual_row` are the rows from `first` of a file.
  struct Run {
    int64_t virtual_row = 0;
    int64_t row_count = 0;
    uint32_t file = 0;  ///< Index into the files asked.
    RowPos first;
    int64_t end_row() const { return virtual_row + row_count; }
    bool operator==(const Run&) const = default;
  };

  /// By virtual row. Rows between runs have no real row.
  std::span<const Run> runs() const { return runs_; }
  /// Rows of the synthesized file.
  int64_t row_count() const { return row_count_; }
  /// True if some virtual row has no real row. Never for key selections.
  bool has_gaps() const { return mapped_count_ != row_count_; }
  /// Nullopt for rows without a real one and outside [0, row_count). Cost: a binary search.
  std::optional<RealRow> Find(int64_t virtual_row) const;
  /// Calls `on_run(Run)` for the parts of runs within [virtual_row, virtual_row + count), in order: what a
  /// delete filter needs to test a vector of rows.
  template <typename F>
  void ForEachRun(int64_t virtual_row, int64_t count, F&& on_run) const {
    if (count <= 0) return;
    const int64_t end = virtual_row + count;
    for (size_t i = IndexOf(virtual_row); i < runs_.size() && runs_[i].virtual_row < end; ++i) {
      Run part = runs_[i];
      const int64_t skipped = virtual_row > part.virtual_row ? virtual_row - part.virtual_row : 0;
      part.virtual_row += skipped;
      part.first.value += skipped;
      part.row_count = std::min(part.row_count - skipped, end - part.virtual_row);
      on_run(part);
    }
  }

  /// Appends behind the last row; joins runs that continue each other.
  void Append(uint32_t file, RowPos first, int64_t row_count);
  /// Appends rows without a real one.
  void AppendGap(int64_t row_count) { row_count_ += row_count; }

 private:
  size_t IndexOf(int64_t virtual_row) const;
  std::vector<Run> runs_;
  int64_t row_count_ = 0;
  int64_t mapped_count_ = 0;
};

/// A Parquet file made of pages of other files.
class SynthesizedFile {
 public:
  /// A part of the file. Parts are in order and without gaps.
  struct Segment {
    uint64_t offset_bytes = 0;
    Bytes bytes;
  };

  /// `buffers` own what `segments` view.
  SynthesizedFile(std::vector<std::shared_ptr<const std::string>> buffers, std::vector<Segment> segments,
                  RowMap rows, size_t row_group_count);

  /// Unique in this process, such as "weir-pages:/7.parquet".
  const std::string& path() const { return path_; }
  uint64_t size_bytes() const { return size_bytes_; }
  /// Fills `into` from `offset_bytes`. Errors: kInvalid if the range ends behind the file.
  Status ReadAt(uint64_t offset_bytes, MutableBytes into) const;
  const RowMap& rows() const { return rows_; }
  size_t row_group_count() const { return row_group_count_; }

 private:
  std::string path_;
  std::vector<std::shared_ptr<const std::string>> buffers_;
  std::vector<Segment> segments_;
  uint64_t size_bytes_ = 0;
  RowMap rows_;
  size_t row_group_count_ = 0;
};

struct Synthesis {
  /// One per distinct shape (physical type, meaning, nullability of the wanted columns); usually one. Empty
  /// if no page was selected.
  std::vector<std::shared_ptr<const SynthesizedFile>> files;
  /// Files to read plainly after all, by index: their pages are not what their page index says. The choice
  /// has kPlain, reason, detail and row groups.
  struct PlainFile {
    uint32_t file = 0;
    FileChoice choice;
  };
  std::vector<PlainFile> plain;
};

/// Fetches the pages of all kPages choices, concurrently and with near ranges merged (charged as kData),
/// checks every page header against the page index, and lays them out as Parquet. Errors: those of the store;
/// kCancelled. Cost: memory for the fetched bytes, which the result keeps.
Result<Synthesis> Synthesize(const Store& store, std::span<const KeyFile> files,
                             const KeySelection& selection, const Options& options);
/// The same for a selection that SelectRows made for `columns`.
Result<Synthesis> Synthesize(const Store& store, std::span<const RowFile> files,
                             const std::vector<KeyColumn>& columns, const KeySelection& selection,
                             const Options& options);

}  // namespace weir::pages
