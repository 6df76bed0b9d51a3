#include "pages/page_layout.h"

#include <algorithm>

namespace weir::pages {

namespace {

/// Index of the page that holds `row`.
size_t PageOf(const std::vector<PageSpan>& pages, int64_t row) {
  const auto after = std::partition_point(pages.begin(), pages.end(),
                                          [&](const PageSpan& page) { return page.rows.first_row <= row; });
  return static_cast<size_t>(after - pages.begin()) - 1;
}

/// Widens one range until it begins and ends at page boundaries of every column.
RowRange Widen(RowRange range, const std::vector<const std::vector<PageSpan>*>& columns) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::vector<PageSpan>* pages : columns) {
      const int64_t first = (*pages)[PageOf(*pages, range.first_row)].rows.first_row;
      const int64_t end = (*pages)[PageOf(*pages, range.end_row() - 1)].rows.end_row();
      changed = changed || first != range.first_row || end != range.end_row();
      range = {first, end - first};
    }
  }
  return range;
}

}  // namespace

std::vector<PageSpan> PageSpans(const parquet::ColumnChunk& chunk, const ChunkIndex* index,
                                int64_t row_count) {
  if (index == nullptr) {
    const auto data = static_cast<uint64_t>(chunk.data_page_offset);
    const uint64_t end = chunk.start_bytes() + static_cast<uint64_t>(chunk.compressed_size_bytes);
    return {{{data, end - std::min(data, end)}, {0, row_count}, true}};
  }
  std::vector<PageSpan> spans;
  const std::vector<parquet::PageLocation>& pages = index->pages.pages;
  for (size_t i = 0; i < pages.size(); ++i) {
    const int64_t end = i + 1 < pages.size() ? pages[i + 1].first_row : row_count;
    spans.push_back({{pages[i].offset_bytes, pages[i].size_bytes},
                     {pages[i].first_row, end - pages[i].first_row},
                     false});
  }
  return spans;
}

ByteRange DictionaryRange(const parquet::ColumnChunk& chunk, const std::vector<PageSpan>& pages) {
  const uint64_t start = chunk.start_bytes();
  const uint64_t first_page = pages.front().bytes.offset_bytes;
  if (start >= first_page) return {};
  return {start, first_page - start};
}

void AppendRows(std::vector<RowRange>& rows, const RowRange& more) {
  if (!rows.empty() && rows.back().end_row() == more.first_row) {
    rows.back().row_count += more.row_count;
  } else {
    rows.push_back(more);
  }
}

std::vector<RowRange> WidenToPages(std::vector<RowRange> rows,
                                   const std::vector<const std::vector<PageSpan>*>& columns) {
  std::vector<RowRange> widened;
  for (const RowRange& range : rows) {
    if (!widened.empty() && range.end_row() <= widened.back().end_row()) continue;
    const RowRange wide = Widen(range, columns);
    // Ranges between common boundaries are equal or apart, so that a wider one can only begin at or behind
    // the end of the last, or cover the same rows.
    if (widened.empty() || wide.first_row >= widened.back().end_row()) {
      AppendRows(widened, wide);
    } else {
      const int64_t first = std::min(widened.back().first_row, wide.first_row);
      const int64_t end = std::max(widened.back().end_row(), wide.end_row());
      widened.back() = {first, end - first};
    }
  }
  return widened;
}

std::vector<RowRange> CutBetweenPages(const RowRange& range,
                                      const std::vector<const std::vector<PageSpan>*>& columns) {
  std::vector<RowRange> parts;
  for (int64_t row = range.first_row; row < range.end_row();) {
    const int64_t end = std::min(Widen({row, 1}, columns).end_row(), range.end_row());
    parts.push_back({row, end - row});
    row = end;
  }
  return parts;
}

PageRun PagesWithin(const std::vector<PageSpan>& pages, const RowRange& rows) {
  return {PageOf(pages, rows.first_row), PageOf(pages, rows.end_row() - 1) + 1};
}

std::vector<size_t> PagesHolding(const std::vector<PageSpan>& pages, const std::vector<RowRange>& rows) {
  std::vector<size_t> holding;
  for (const RowRange& range : rows) {
    const PageRun run = PagesWithin(pages, range);
    for (size_t i = run.first; i < run.last; ++i) {
      if (holding.empty() || holding.back() < i) holding.push_back(i);
    }
  }
  return holding;
}

std::vector<RowRange> CoverWithPages(const std::vector<RowRange>& rows,
                                     const std::vector<const std::vector<PageSpan>*>& columns) {
  std::vector<RowRange> parts;
  for (const std::vector<PageSpan>* pages : columns) {
    for (size_t i : PagesHolding(*pages, rows)) parts.push_back((*pages)[i].rows);
  }
  std::sort(parts.begin(), parts.end(),
            [](const RowRange& a, const RowRange& b) { return a.first_row < b.first_row; });
  std::vector<RowRange> cover;
  for (const RowRange& part : parts) {
    if (cover.empty() || part.first_row > cover.back().end_row()) {
      cover.push_back(part);
    } else {
      const int64_t end = std::max(cover.back().end_row(), part.end_row());
      cover.back().row_count = end - cover.back().first_row;
    }
  }
  return cover;
}

std::vector<RowRange> RowsWithin(const std::vector<RowRange>& rows, const RowRange& window) {
  std::vector<RowRange> within;
  auto range = std::partition_point(rows.begin(), rows.end(),
                                    [&](const RowRange& r) { return r.end_row() <= window.first_row; });
  for (; range != rows.end() && range->first_row < window.end_row(); ++range) {
    const int64_t first = std::max(range->first_row, window.first_row);
    within.push_back({first, std::min(range->end_row(), window.end_row()) - first});
  }
  return within;
}

uint64_t BytesOf(const std::vector<PageSpan>& pages, const std::vector<RowRange>& rows) {
  uint64_t bytes = 0;
  for (size_t i : PagesHolding(pages, rows)) bytes += pages[i].bytes.size_bytes;
  return bytes;
}

}  // namespace weir::pages
