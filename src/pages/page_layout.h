#pragma once

/// Arithmetic over the pages of a chunk: which pages hold which rows. Thread rule: pure functions.

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "pages/select.h"

namespace weir::pages {

/// One page, or what has to be treated as one.
struct PageSpan {
  ByteRange bytes;
  RowRange rows;          ///< Within the row group.
  bool is_chunk = false;  ///< No page index: all pages of the chunk, dictionary apart where the footer tells.
};

/// The data pages of a chunk by its page index; without one (null), the whole chunk as one span.
/// `row_count` is the row group's and positive; spans cover exactly its rows.
std::vector<PageSpan> PageSpans(const parquet::ColumnChunk& chunk, const ChunkIndex* index,
                                int64_t row_count);

/// Bytes between the chunk's start and its first data page: its dictionary page. Empty if there is none, or
/// if only the page headers can tell.
ByteRange DictionaryRange(const parquet::ColumnChunk& chunk, const std::vector<PageSpan>& pages);

/// Appends behind the last range, joining it if adjacent. Precondition: not before the end of the last.
void AppendRows(std::vector<RowRange>& rows, const RowRange& more);

/// The smallest sorted, disjoint, not adjacent ranges that cover `rows` (sorted, disjoint) and begin and end
/// at page boundaries of every column.
std::vector<RowRange> WidenToPages(std::vector<RowRange> rows,
                                   const std::vector<const std::vector<PageSpan>*>& columns);

/// Cuts `range` at all rows where every column begins a page. Precondition: it begins and ends at such a row,
/// or no page that matters reaches over its ends.
std::vector<RowRange> CutBetweenPages(const RowRange& range,
                                      const std::vector<const std::vector<PageSpan>*>& columns);

/// Indexes [first, last) of the pages that hold rows of `rows`.
struct PageRun {
  size_t first = 0;
  size_t last = 0;
};
PageRun PagesWithin(const std::vector<PageSpan>& pages, const RowRange& rows);

/// Ascending indexes of all pages that hold rows of `rows` (sorted, disjoint).
std::vector<size_t> PagesHolding(const std::vector<PageSpan>& pages, const std::vector<RowRange>& rows);

/// The rows of all pages of any column that hold rows of `rows`: sorted, disjoint, not adjacent.
std::vector<RowRange> CoverWithPages(const std::vector<RowRange>& rows,
                                     const std::vector<const std::vector<PageSpan>*>& columns);

/// The part of sorted, disjoint `rows` within `window`.
std::vector<RowRange> RowsWithin(const std::vector<RowRange>& rows, const RowRange& window);

/// Bytes of all pages that hold rows of `rows`.
uint64_t BytesOf(const std::vector<PageSpan>& pages, const std::vector<RowRange>& rows);

}  // namespace weir::pages
