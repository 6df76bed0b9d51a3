#pragma once

/// Reads the selected pages of one file and proves them against its metadata. Thread rule: one thread per
/// file.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "pages/page_layout.h"
#include "pages/select.h"

namespace weir::pages {

/// A part of a column chunk: some of its pages, in file order. Views live as long as FetchedFile::buffers.
struct FetchedColumn {
  std::optional<Bytes> dictionary;           ///< The dictionary page; always there if a data page needs it.
  std::vector<Bytes> pages;                  ///< Data pages with headers.
  std::vector<parquet::Encoding> encodings;  ///< Of the data pages, distinct.
  int64_t uncompressed_size_bytes = 0;       ///< Headers included, dictionary included.
};

/// Rows of one row group, cut where no page of any column is cut.
struct FetchedRows {
  size_t row_group = 0;
  std::vector<RowRange> rows;    ///< By position in the file, ascending.
  std::vector<RowRange> wanted;  ///< The part of `rows` that FileChoice::rows names; others may hold filler.
  std::vector<FetchedColumn> columns;  ///< One per wanted column; each holds exactly `rows`.
};

struct FetchedFile {
  std::vector<FetchedRows> parts;  ///< In file order.
  std::vector<std::shared_ptr<const std::string>> buffers;
};

/// Why a file's pages cannot be used although its metadata looked right.
struct PageProblem {
  std::string detail;
};

/// Fetches the pages of `choice` (kPages) in at most two rounds of merged reads: pages with small or surely
/// needed dictionaries, then dictionaries that turned out to be needed. Parts hold up to about
/// `row_group_rows` rows. Errors: those of the store. A page that is not what its page index says is a
/// PageProblem.
Result<std::variant<FetchedFile, PageProblem>> FetchPages(const Store& store, const FileRef& file,
                                                          const FileChoice& choice, int64_t row_group_rows);

}  // namespace weir::pages
