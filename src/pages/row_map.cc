#include <algorithm>

#include "pages/synthesize.h"

namespace weir::pages {

std::optional<RealRow> RowMap::Find(int64_t virtual_row) const {
  const size_t i = IndexOf(virtual_row);
  if (virtual_row < 0 || i >= runs_.size()) return {};
  const Run& run = runs_[i];
  if (virtual_row < run.virtual_row) return {};
  return RealRow{run.file, RowPos{run.first.value + (virtual_row - run.virtual_row)}};
}

void RowMap::Append(uint32_t file, RowPos first, int64_t row_count) {
  const int64_t virtual_row = row_count_;
  row_count_ += row_count;
  mapped_count_ += row_count;
  if (!runs_.empty()) {
    Run& last = runs_.back();
    const bool continues = last.end_row() == virtual_row && last.first.value + last.row_count == first.value;
    if (last.file == file && continues) {
      last.row_count += row_count;
      return;
    }
  }
  runs_.push_back({virtual_row, row_count, file, first});
}

/// The run that holds `virtual_row`, or the first behind it.
size_t RowMap::IndexOf(int64_t virtual_row) const {
  const auto at = std::partition_point(runs_.begin(), runs_.end(),
                                       [&](const Run& run) { return run.end_row() <= virtual_row; });
  return static_cast<size_t>(at - runs_.begin());
}

}  // namespace weir::pages
