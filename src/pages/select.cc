#include "pages/select.h"

#include <algorithm>

#include "base/executor.h"
#include "pages/choose.h"
#include "pages/key_leaves.h"

namespace weir::pages {

namespace {

using parquet::BoundsDecoder;
using parquet::ValueBounds;

std::vector<BoundsDecoder> MakeDecoders(const parquet::Footer& footer, const std::vector<size_t>& leaves,
                                        const Keys& keys) {
  std::vector<BoundsDecoder> decoders;
  for (size_t c = 0; c < leaves.size(); ++c) {
    decoders.emplace_back(footer, leaves[c], keys.columns()[c].type);
  }
  return decoders;
}

std::vector<size_t> MatchingRowGroups(const parquet::Footer& footer, const Keys& keys,
                                      const std::vector<size_t>& leaves,
                                      const std::vector<BoundsDecoder>& decoders) {
  std::vector<size_t> groups;
  std::vector<ValueBounds> bounds(leaves.size());
  for (size_t g = 0; g < footer.row_groups.size(); ++g) {
    const parquet::RowGroup& group = footer.row_groups[g];
    if (group.row_count == 0) continue;
    for (size_t c = 0; c < leaves.size(); ++c) bounds[c] = decoders[c].OfChunk(group.columns[leaves[c]]);
    if (keys.MayMatch(bounds)) groups.push_back(g);
  }
  return groups;
}

/// Bounds of each page, those of the chunk where the page index does not tell.
std::vector<ValueBounds> BoundsOfPages(const parquet::ColumnChunk& chunk, const ChunkIndex* index,
                                       size_t page_count, const BoundsDecoder& decoder) {
  const ValueBounds of_chunk = decoder.OfChunk(chunk);
  if (index == nullptr || !index->bounds) return std::vector<ValueBounds>(page_count, of_chunk);
  std::vector<ValueBounds> all;
  for (size_t page = 0; page < page_count; ++page) {
    ValueBounds& bounds = all.emplace_back(decoder.OfPage(*index->bounds, page));
    if (!bounds.lower) bounds.lower = of_chunk.lower;
    if (!bounds.upper) bounds.upper = of_chunk.upper;
    bounds.may_have_nan = bounds.may_have_nan && of_chunk.may_have_nan;
  }
  return all;
}

/// Pages of a key column of one row group.
struct ColumnPages {
  const std::vector<PageSpan>* pages = nullptr;
  std::vector<ValueBounds> bounds;
};

/// Rows of a row group where some key fits the pages of all key columns at once.
std::vector<RowRange> MatchingRows(const Keys& keys, const std::vector<ColumnPages>& columns,
                                   int64_t row_count) {
  std::vector<RowRange> rows;
  std::vector<size_t> page(columns.size(), 0);
  std::vector<ValueBounds> bounds;
  for (const ColumnPages& column : columns) bounds.push_back(column.bounds[0]);
  for (int64_t row = 0; row < row_count;) {
    int64_t end = row_count;
    for (size_t c = 0; c < columns.size(); ++c)
      end = std::min(end, (*columns[c].pages)[page[c]].rows.end_row());
    if (keys.MayMatch(bounds)) AppendRows(rows, {row, end - row});
    for (size_t c = 0; c < columns.size(); ++c) {
      const bool ends = (*columns[c].pages)[page[c]].rows.end_row() == end;
      if (ends && page[c] + 1 < columns[c].pages->size()) bounds[c] = columns[c].bounds[++page[c]];
    }
    row = end;
  }
  return rows;
}

class KeyChooser final : public Chooser {
 public:
  explicit KeyChooser(const Keys& keys) : keys_(keys) {}

  const std::vector<KeyColumn>& columns() const override { return keys_.columns(); }

  Result<std::vector<size_t>> RowGroups(const parquet::Footer& footer,
                                        const std::vector<size_t>& leaves) override {
    decoders_ = MakeDecoders(footer, leaves, keys_);
    return MatchingRowGroups(footer, keys_, leaves, decoders_);
  }

  uint64_t PlainBytes(const parquet::Footer& footer, const std::vector<size_t>& leaves) const override {
    uint64_t bytes = 0;
    for (const parquet::RowGroup& group : footer.row_groups) bytes += BytesOf(group, leaves);
    return bytes;
  }

  GroupSelection SelectInGroup(const FileIndex& index, size_t g, const std::vector<size_t>& leaves,
                               const std::vector<std::vector<PageSpan>>& pages) override {
    const parquet::RowGroup& group = index.footer->row_groups[g];
    std::vector<ColumnPages> columns;
    std::vector<const std::vector<PageSpan>*> spans;
    for (size_t c = 0; c < leaves.size(); ++c) {
      const parquet::ColumnChunk& chunk = group.columns[leaves[c]];
      columns.push_back(
          {&pages[c], BoundsOfPages(chunk, index.Find({g, leaves[c]}), pages[c].size(), decoders_[c])});
      spans.push_back(&pages[c]);
    }
    GroupSelection selection;
    selection.rows = WidenToPages(MatchingRows(keys_, columns, group.row_count), spans);
    if (selection.rows.empty()) return selection;
    for (size_t c = 0; c < leaves.size(); ++c) {
      selection.selected_bytes += BytesOf(pages[c], selection.rows);
      selection.selected_bytes += DictionaryRange(group.columns[leaves[c]], pages[c]).size_bytes;
    }
    for (const RowRange& rows : selection.rows) selection.decoded_row_count += rows.row_count;
    return selection;
  }

 private:
  const Keys& keys_;
  std::vector<BoundsDecoder> decoders_;
};

}  // namespace

std::vector<size_t> MatchingRowGroups(const parquet::Footer& footer, const Keys& keys) {
  const KeyLeaves found = FindKeyLeaves(footer, keys.columns());
  if (found.reason == PlainReason::kNone && found.missing.empty()) {
    return MatchingRowGroups(footer, keys, found.leaves, MakeDecoders(footer, found.leaves, keys));
  }
  return AllRowGroups(footer);
}

Result<KeySelection> SelectKeyPages(const Store& store, FooterCache& cache, std::span<const KeyFile> files,
                                    const Options& options) {
  std::vector<Chosen> chosen(files.size());
  const auto choose = [&](size_t i) -> Status {
    WEIR_DO(store.cancellation().Check());
    if (files[i].keys->size() == 0) {
      chosen[i].choice.access = Access::kSkip;
      return {};
    }
    KeyChooser chooser(*files[i].keys);
    WEIR_TRY(chosen[i], ChooseFile(store, cache, files[i].file, chooser, options));
    return {};
  };
  WEIR_DO(ParallelFor(files.size(), store.traits().parallel_requests, choose));
  return FinishSelection(store, std::move(chosen), options);
}

}  // namespace weir::pages
