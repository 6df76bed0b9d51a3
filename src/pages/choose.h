#pragma once

/// What choosing by keys and choosing by row positions have in common: the way from a file to a FileChoice.
/// Thread rule: one thread per file.

#include <span>
#include <vector>

#include "pages/page_layout.h"
#include "pages/select.h"

namespace weir::pages {

/// What one row group contributes to a choice.
struct GroupSelection {
  std::vector<RowRange> rows;  ///< Wanted rows, within the row group; what FileChoice::rows is made of.
  uint64_t selected_bytes = 0;
  int64_t decoded_row_count = 0;
};

/// What is wanted of one file. Calls come in the order of the members.
class Chooser {
 public:
  virtual ~Chooser() = default;
  virtual const std::vector<KeyColumn>& columns() const = 0;
  /// Row groups that may hold wanted rows, ascending. `leaves` has the column index of each of columns().
  virtual Result<std::vector<size_t>> RowGroups(const parquet::Footer& footer,
                                                const std::vector<size_t>& leaves) = 0;
  /// Bytes of the columns that an ordinary reader would read.
  virtual uint64_t PlainBytes(const parquet::Footer& footer, const std::vector<size_t>& leaves) const = 0;
  /// What to read of one of these row groups, whose pages of the columns are `pages`.
  virtual GroupSelection SelectInGroup(const FileIndex& index, size_t group,
                                       const std::vector<size_t>& leaves,
                                       const std::vector<std::vector<PageSpan>>& pages) = 0;
};

/// Bytes that a choice avoids, by reason.
struct AvoidedBytes {
  uint64_t row_group = 0;
  uint64_t page = 0;
  uint64_t column = 0;
};

struct Chosen {
  FileChoice choice;
  AvoidedBytes avoided;
  uint64_t decoded_row_count = 0;
};

/// Reads what is needed of footer and page indexes and decides. Errors: see SelectKeyPages.
Result<Chosen> ChooseFile(const Store& store, FooterCache& cache, const FileRef& file, Chooser& chooser,
                          const Options& options);

/// Applies the memory limit in file order, books what is avoided, and sums up.
KeySelection FinishSelection(const Store& store, std::vector<Chosen> chosen, const Options& options);

std::vector<size_t> AllRowGroups(const parquet::Footer& footer);
/// Compressed bytes of the columns in one row group.
uint64_t BytesOf(const parquet::RowGroup& group, const std::vector<size_t>& leaves);

}  // namespace weir::pages
