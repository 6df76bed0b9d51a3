#pragma once

/// Which rows of which files can hold a key, from footers and page indexes alone. Thread rule: values.
/// Spec: Apache Parquet, "Page Index".

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pages/footer_cache.h"
#include "pages/keys.h"

namespace weir::pages {

/// A file to look into, and the keys that may be in it (after routing by partition, say). Files may share
/// `keys`; all must have the same columns.
struct KeyFile {
  FileRef file;
  std::shared_ptr<const Keys> keys;
};

struct Options {
  /// A file that would be read by more than this share of its key columns' bytes is read plainly ...
  double max_share = 0.6;
  /// ... unless that is fewer bytes than this: then one merged request is cheaper than opening the file
  /// again.
  uint64_t always_select_bytes = 1_MiB;
  /// Selected bytes of all files together are held in memory; files beyond this are read plainly.
  uint64_t max_selected_bytes = 256_MiB;
  /// Row groups of synthesized files hold about this many rows, so that threads can share them.
  int64_t row_group_rows = 128 << 10;
};

/// Rows of a file, by position.
struct RowRange {
  int64_t first_row = 0;
  int64_t row_count = 0;
  int64_t end_row() const { return first_row + row_count; }
  bool operator==(const RowRange&) const = default;
};

/// How to read a file.
enum class Access : uint8_t {
  kSkip,   ///< No row can match.
  kPages,  ///< Read `rows` through Synthesize.
  kPlain,  ///< Read the row groups `row_groups` (or the whole file) with the ordinary reader; see `reason`.
  kMissingColumn,  ///< The file was written before the columns `missing` were added: their value is one
                   ///< constant (the default, or a partition value, or NULL) that only the caller knows.
                   ///< Reading plainly is right.
};
enum class PlainReason : uint8_t {
  kNone,
  kEncrypted,       ///< Footer or key column.
  kNestedKey,       ///< The key is inside a struct, list or map.
  kNoFieldIds,      ///< No field id in the file and no mapped name fits.
  kUnusualLayout,   ///< Chunks in other files, or a page index that contradicts itself: see `detail`.
  kMostPagesMatch,  ///< More than Options::max_share.
  kMemory,          ///< Options::max_selected_bytes is used up.
};
std::string_view ToString(PlainReason reason);

struct FileChoice {
  Access access = Access::kPlain;
  PlainReason reason = PlainReason::kNone;  ///< kPlain only.
  std::string detail;                       ///< For people.
  /// Row groups that can hold a key, or hold asked rows, ascending. Not filled for an encrypted footer (all
  /// groups may).
  std::vector<size_t> row_groups;
  /// kPages: sorted, disjoint, not adjacent. Of SelectKeyPages: whole pages of every key column. Of
  /// SelectRows: the asked rows themselves.
  std::vector<RowRange> rows;
  std::vector<FieldId> missing;  ///< kMissingColumn.
  uint64_t selected_bytes = 0;   ///< kPages: bytes of pages that hold `rows`, and of dictionaries.
  FileIndex index;               ///< kPages: what Synthesize needs.
  std::vector<size_t> leaves;    ///< kPages: column index in the file of each wanted column.
};

struct KeySelection {
  std::vector<FileChoice> files;  ///< One per file asked, in order.
  uint64_t row_count = 0;         ///< Rows of all kPages files that will be decoded, in any column.
};

/// A file of which some rows are wanted, by position.
struct RowFile {
  FileRef file;
  std::vector<RowRange> rows;  ///< Sorted, disjoint.
};

/// Row groups whose statistics admit a key, ascending; for plain reads. All of them if the file's key columns
/// cannot be told, are nested or missing. Cost: no I/O.
std::vector<size_t> MatchingRowGroups(const parquet::Footer& footer, const Keys& keys);

/// Decides for every file. Files are looked at concurrently (StoreTraits::parallel_requests).
/// Books to the store's account, for files that are not read plainly: kRowGroup for all columns of row groups
/// that cannot match, kPage for key bytes of the other groups that are not selected, kColumn for their other
/// columns. Errors: kCorrupt naming the file, if its footer is; those of the store. A bad page index is not
/// an error: it makes the file kPlain. Cost: see FooterCache::Read; page indexes are read for key columns of
/// row groups that can match, only.
Result<KeySelection> SelectKeyPages(const Store& store, FooterCache& cache, std::span<const KeyFile> files,
                                    const Options& options);

/// Decides for every file how to read `columns` (of which `type` does not matter) of given rows: the second
/// step of an operation that has found its rows by key and now needs their other columns. Pages of different
/// columns need not end at the same rows: where a column has no wanted row, Synthesize puts filler in place
/// of its pages, and RowMap leaves those rows out. Books as SelectKeyPages does, with the wanted columns in
/// place of the key columns. Share and bytes count pages of the wanted columns against the row groups that
/// hold wanted rows. Errors: as SelectKeyPages; kCorrupt for a row behind the end of its file.
Result<KeySelection> SelectRows(const Store& store, FooterCache& cache, std::span<const RowFile> files,
                                const std::vector<KeyColumn>& columns, const Options& options);

}  // namespace weir::pages
