#include <algorithm>

#include "base/executor.h"
#include "pages/choose.h"

namespace weir::pages {

namespace {

class RowChooser final : public Chooser {
 public:
  RowChooser(const std::vector<KeyColumn>& columns, const std::vector<RowRange>& rows)
      : columns_(columns), rows_(rows) {}

  const std::vector<KeyColumn>& columns() const override { return columns_; }

  Result<std::vector<size_t>> RowGroups(const parquet::Footer& footer, const std::vector<size_t>&) override {
    int64_t first_row = 0;
    for (size_t g = 0; g < footer.row_groups.size(); ++g) {
      const int64_t row_count = footer.row_groups[g].row_count;
      first_rows_.push_back(first_row);
      if (!RowsWithin(rows_, {first_row, row_count}).empty()) groups_.push_back(g);
      first_row += row_count;
    }
    if (!rows_.empty() && (rows_.back().end_row() > first_row || rows_.front().first_row < 0)) {
      return Corrupt("rows {} to {} are asked of a file of {} rows", rows_.front().first_row,
                     rows_.back().end_row() - 1, first_row);
    }
    return groups_;
  }

  uint64_t PlainBytes(const parquet::Footer& footer, const std::vector<size_t>& leaves) const override {
    uint64_t bytes = 0;
    for (size_t g : groups_) bytes += BytesOf(footer.row_groups[g], leaves);
    return bytes;
  }

  GroupSelection SelectInGroup(const FileIndex& index, size_t g, const std::vector<size_t>& leaves,
                               const std::vector<std::vector<PageSpan>>& pages) override {
    const parquet::RowGroup& group = index.footer->row_groups[g];
    GroupSelection selection;
    for (const RowRange& rows : RowsWithin(rows_, {first_rows_[g], group.row_count})) {
      selection.rows.push_back({rows.first_row - first_rows_[g], rows.row_count});
    }
    std::vector<const std::vector<PageSpan>*> spans;
    for (size_t c = 0; c < leaves.size(); ++c) {
      spans.push_back(&pages[c]);
      selection.selected_bytes += BytesOf(pages[c], selection.rows);
      selection.selected_bytes += DictionaryRange(group.columns[leaves[c]], pages[c]).size_bytes;
    }
    for (const RowRange& cover : CoverWithPages(selection.rows, spans))
      selection.decoded_row_count += cover.row_count;
    return selection;
  }

 private:
  const std::vector<KeyColumn>& columns_;
  const std::vector<RowRange>& rows_;
  std::vector<size_t> groups_;
  std::vector<int64_t> first_rows_;  // Of each row group.
};

}  // namespace

Result<KeySelection> SelectRows(const Store& store, FooterCache& cache, std::span<const RowFile> files,
                                const std::vector<KeyColumn>& columns, const Options& options) {
  std::vector<Chosen> chosen(files.size());
  const auto choose = [&](size_t i) -> Status {
    WEIR_DO(store.cancellation().Check());
    RowChooser chooser(columns, files[i].rows);
    WEIR_TRY(chosen[i], ChooseFile(store, cache, files[i].file, chooser, options));
    return {};
  };
  WEIR_DO(ParallelFor(files.size(), store.traits().parallel_requests, choose));
  return FinishSelection(store, std::move(chosen), options);
}

}  // namespace weir::pages
