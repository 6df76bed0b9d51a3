#include "exec/duckdb/row_filter.h"

#include <algorithm>

namespace weir::exec {

namespace {

using duckdb::SelectionVector;

/// The part of a sorted list within [first, end).
std::span<const int64_t> Within(std::span<const int64_t> sorted, int64_t first, int64_t end) {
  const auto from = std::lower_bound(sorted.begin(), sorted.end(), first);
  const auto to = std::lower_bound(from, sorted.end(), end);
  return {from, to};
}

/// Writes the rows of [from, to) that are not in `dropped`, where row `from` is called `first`.
duckdb::idx_t KeepOthers(std::span<const int64_t> dropped, int64_t first, int64_t from, int64_t to,
                         SelectionVector& kept, duckdb::idx_t written) {
  size_t next = 0;
  for (int64_t i = from; i < to; ++i) {
    if (next < dropped.size() && dropped[next] == first + (i - from)) {
      ++next;
    } else {
      kept.set_index(written++, static_cast<duckdb::idx_t>(i));
    }
  }
  return written;
}

class RowFilter : public duckdb::DeleteFilter {
 public:
  RowFilter(std::shared_ptr<const table::RowDeletes> deletes, std::span<const int64_t> selected,
            bool has_selection)
      : deletes_(std::move(deletes)), selected_(selected), has_selection_(has_selection) {}

  duckdb::idx_t Filter(duckdb::row_t start, duckdb::idx_t count, SelectionVector& kept) override {
    kept.Initialize(count);
    const int64_t end = start + static_cast<int64_t>(count);
    const std::span<const int64_t> dropped =
        deletes_ ? Within(deletes_->positions, start, end) : std::span<const int64_t>();
    if (!has_selection_) return KeepOthers(dropped, start, 0, static_cast<int64_t>(count), kept, 0);
    duckdb::idx_t written = 0;
    for (int64_t row : Within(selected_, start, end)) {
      if (!std::binary_search(dropped.begin(), dropped.end(), row)) {
        kept.set_index(written++, static_cast<duckdb::idx_t>(row - start));
      }
    }
    return written;
  }

 private:
  std::shared_ptr<const table::RowDeletes> deletes_;
  std::span<const int64_t> selected_;
  bool has_selection_;
};

class SynthesizedRowFilter : public duckdb::DeleteFilter {
 public:
  SynthesizedRowFilter(std::shared_ptr<const pages::SynthesizedFile> file,
                       std::vector<std::shared_ptr<const table::RowDeletes>> deletes)
      : file_(std::move(file)), deletes_(std::move(deletes)) {}

  duckdb::idx_t Filter(duckdb::row_t start, duckdb::idx_t count, SelectionVector& kept) override {
    kept.Initialize(count);
    duckdb::idx_t written = 0;
    file_->rows().ForEachRun(start, static_cast<int64_t>(count), [&](const pages::RowMap::Run& run) {
      const int64_t first = run.first.value;
      const auto& deletes = deletes_[run.file];
      const std::span<const int64_t> dropped =
          deletes ? Within(deletes->positions, first, first + run.row_count) : std::span<const int64_t>();
      const int64_t from = run.virtual_row - start;
      written = KeepOthers(dropped, first, from, from + run.row_count, kept, written);
    });
    return written;
  }

 private:
  std::shared_ptr<const pages::SynthesizedFile> file_;
  std::vector<std::shared_ptr<const table::RowDeletes>> deletes_;
};

}  // namespace

duckdb::unique_ptr<duckdb::DeleteFilter> MakeRowFilter(std::shared_ptr<const table::RowDeletes> deletes,
                                                       std::span<const int64_t> selected,
                                                       bool has_selection) {
  if (!has_selection && (!deletes || deletes->positions.empty())) return nullptr;
  return duckdb::make_uniq<RowFilter>(std::move(deletes), selected, has_selection);
}

duckdb::unique_ptr<duckdb::DeleteFilter> MakeSynthesizedRowFilter(
    std::shared_ptr<const pages::SynthesizedFile> file,
    std::vector<std::shared_ptr<const table::RowDeletes>> deletes_by_file, bool has_filler) {
  const bool any = std::any_of(deletes_by_file.begin(), deletes_by_file.end(),
                               [](const auto& deletes) { return deletes && !deletes->positions.empty(); });
  if (!any && !has_filler) return nullptr;
  return duckdb::make_uniq<SynthesizedRowFilter>(std::move(file), std::move(deletes_by_file));
}

}  // namespace weir::exec
