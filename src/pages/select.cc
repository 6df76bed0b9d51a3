#include "pages/select.h"

#include <algorithm>
#include <numeric>

#include "base/executor.h"
#include "pages/key_leaves.h"
#include "pages/page_layout.h"

namespace weir::pages {

namespace {

using parquet::BoundsDecoder;
using parquet::ValueBounds;

std::vector<BoundsDecoder> MakeDecoders(const parquet::Footer& footer, const std::vector<size_t>& leaves,
                                        const Keys& keys) {
  std::vector<BoundsDecoder> decoders;
  for (size_t c = 0; c < leaves.size(); ++c) decoders.emplace_back(footer, leaves[c], keys.columns()[c].type);
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

void MakePlain(FileChoice& choice, PlainReason reason, std::string detail) {
  choice.access = Access::kPlain;
  choice.reason = reason;
  choice.detail = std::move(detail);
  choice.rows.clear();
  choice.selected_bytes = 0;
  choice.leaves.clear();
  choice.index = {};
}

std::vector<size_t> AllRowGroups(const parquet::Footer& footer) {
  std::vector<size_t> all(footer.row_groups.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

/// Names what keeps the key columns of the choice's row groups from being read by pages; empty if nothing
/// does.
std::pair<PlainReason, std::string> FindObstacle(const parquet::Footer& footer,
                                                 const std::vector<size_t>& groups,
                                                 const std::vector<size_t>& leaves) {
  for (size_t g : groups) {
    for (size_t leaf : leaves) {
      const parquet::ColumnChunk& chunk = footer.row_groups[g].columns[leaf];
      const std::string& name = footer.element(footer.leaves[leaf]).name;
      if (chunk.is_encrypted) return {PlainReason::kEncrypted, fmt::format("column {} is encrypted", name)};
      if (chunk.is_external) {
        return {PlainReason::kUnusualLayout, fmt::format("column {} lies in another file", name)};
      }
    }
  }
  return {PlainReason::kNone, ""};
}

/// One file on its way to a choice.
struct Candidate {
  std::vector<size_t> leaves;
  std::vector<BoundsDecoder> decoders;
};

/// What can be told from the footer alone; fills `candidate` if the page index is needed.
FileChoice ChooseByFooter(const parquet::Footer& footer, const Keys& keys, Candidate& candidate) {
  FileChoice choice;
  choice.row_groups = AllRowGroups(footer);
  KeyLeaves found = FindKeyLeaves(footer, keys.columns());
  if (found.reason != PlainReason::kNone) {
    MakePlain(choice, found.reason, std::move(found.detail));
    return choice;
  }
  if (!found.missing.empty()) {
    choice.access = Access::kMissingColumn;
    choice.missing = std::move(found.missing);
    return choice;
  }
  candidate.leaves = std::move(found.leaves);
  candidate.decoders = MakeDecoders(footer, candidate.leaves, keys);
  choice.row_groups = MatchingRowGroups(footer, keys, candidate.leaves, candidate.decoders);
  choice.access = choice.row_groups.empty() ? Access::kSkip : Access::kPages;
  auto [reason, detail] = FindObstacle(footer, choice.row_groups, candidate.leaves);
  if (reason != PlainReason::kNone) MakePlain(choice, reason, std::move(detail));
  return choice;
}

/// Pages of one key column of one row group, with their bounds.
struct ColumnPages {
  std::vector<PageSpan> pages;
  std::vector<ValueBounds> bounds;
};

ColumnPages PagesOf(const FileIndex& index, const ChunkRef& ref, const BoundsDecoder& decoder) {
  const parquet::RowGroup& group = index.footer->row_groups[ref.row_group];
  const parquet::ColumnChunk& chunk = group.columns[ref.leaf];
  const ChunkIndex* chunk_index = index.Find(ref);
  ColumnPages column;
  column.pages = PageSpans(chunk, chunk_index, group.row_count);
  const ValueBounds of_chunk = decoder.OfChunk(chunk);
  for (size_t page = 0; page < column.pages.size(); ++page) {
    const bool has_bounds = chunk_index != nullptr && chunk_index->bounds;
    ValueBounds bounds = has_bounds ? decoder.OfPage(*chunk_index->bounds, page) : of_chunk;
    if (!bounds.lower) bounds.lower = of_chunk.lower;
    if (!bounds.upper) bounds.upper = of_chunk.upper;
    bounds.may_have_nan = bounds.may_have_nan && of_chunk.may_have_nan;
    column.bounds.push_back(std::move(bounds));
  }
  return column;
}

/// Rows of a row group where some key fits the pages of all key columns at once.
std::vector<RowRange> MatchingRows(const Keys& keys, const std::vector<ColumnPages>& columns,
                                   int64_t row_count) {
  std::vector<RowRange> rows;
  std::vector<size_t> page(columns.size(), 0);
  std::vector<ValueBounds> bounds(columns.size());
  for (size_t c = 0; c < columns.size(); ++c) bounds[c] = columns[c].bounds[0];
  int64_t row = 0;
  while (row < row_count) {
    int64_t end = row_count;
    for (size_t c = 0; c < columns.size(); ++c) end = std::min(end, columns[c].pages[page[c]].rows.end_row());
    if (keys.MayMatch(bounds)) AppendRows(rows, {row, end - row});
    for (size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].pages[page[c]].rows.end_row() == end && page[c] + 1 < columns[c].pages.size()) {
        bounds[c] = columns[c].bounds[++page[c]];
      }
    }
    row = end;
  }
  return rows;
}

/// What one row group adds to a choice.
struct GroupSelection {
  std::vector<RowRange> rows;  ///< Within the row group.
  uint64_t selected_bytes = 0;
};

GroupSelection SelectInGroup(const Keys& keys, const Candidate& candidate, const FileIndex& index, size_t g) {
  const int64_t row_count = index.footer->row_groups[g].row_count;
  std::vector<ColumnPages> columns;
  for (size_t c = 0; c < candidate.leaves.size(); ++c) {
    columns.push_back(PagesOf(index, {g, candidate.leaves[c]}, candidate.decoders[c]));
  }
  std::vector<const std::vector<PageSpan>*> pages;
  for (const ColumnPages& column : columns) pages.push_back(&column.pages);
  GroupSelection selection;
  selection.rows = WidenToPages(MatchingRows(keys, columns, row_count), pages);
  if (selection.rows.empty()) return selection;
  for (size_t c = 0; c < columns.size(); ++c) {
    selection.selected_bytes += BytesOf(*pages[c], selection.rows);
    const parquet::ColumnChunk& chunk = index.footer->row_groups[g].columns[candidate.leaves[c]];
    selection.selected_bytes += DictionaryRange(chunk, *pages[c]).size_bytes;
  }
  return selection;
}

uint64_t KeyBytes(const parquet::RowGroup& group, const std::vector<size_t>& leaves) {
  uint64_t bytes = 0;
  for (size_t leaf : leaves) bytes += static_cast<uint64_t>(group.columns[leaf].compressed_size_bytes);
  return bytes;
}

/// Bytes that a choice avoids, by reason.
struct AvoidedBytes {
  uint64_t row_group = 0, page = 0, column = 0;
};

/// Refines a kPages choice by the page indexes.
AvoidedBytes ChooseByPages(const Keys& keys, const Candidate& candidate, const Options& options,
                           FileIndex index, FileChoice& choice) {
  const parquet::Footer& footer = *index.footer;
  for (const FileIndex::Entry& entry : index.chunks) {
    if (entry.index == nullptr || entry.index->problem.empty()) continue;
    MakePlain(choice, PlainReason::kUnusualLayout, entry.index->problem);
    return {};
  }
  AvoidedBytes avoided;
  uint64_t key_bytes = 0;
  int64_t first_row = 0;
  auto next_group = choice.row_groups.begin();
  for (size_t g = 0; g < footer.row_groups.size(); ++g) {
    const parquet::RowGroup& group = footer.row_groups[g];
    const uint64_t group_key_bytes = KeyBytes(group, candidate.leaves);
    key_bytes += group_key_bytes;
    if (next_group == choice.row_groups.end() || *next_group != g) {
      avoided.row_group += group.size_bytes();
    } else {
      ++next_group;
      const GroupSelection selection = SelectInGroup(keys, candidate, index, g);
      for (const RowRange& rows : selection.rows)
        AppendRows(choice.rows, {first_row + rows.first_row, rows.row_count});
      choice.selected_bytes += selection.selected_bytes;
      avoided.page += group_key_bytes - std::min(group_key_bytes, selection.selected_bytes);
      (selection.rows.empty() ? avoided.page : avoided.column) += group.size_bytes() - group_key_bytes;
    }
    first_row += group.row_count;
  }
  if (choice.rows.empty()) {
    choice.access = Access::kSkip;
    return avoided;
  }
  if (choice.selected_bytes >= options.always_select_bytes &&
      static_cast<double>(choice.selected_bytes) > options.max_share * static_cast<double>(key_bytes)) {
    MakePlain(choice, PlainReason::kMostPagesMatch,
              fmt::format("{} of {} key bytes may match", choice.selected_bytes, key_bytes));
    return {};
  }
  choice.leaves = candidate.leaves;
  choice.index = std::move(index);
  return avoided;
}

struct Chosen {
  FileChoice choice;
  AvoidedBytes avoided;
};

Result<Chosen> Choose(const Store& store, FooterCache& cache, const KeyFile& file, const Options& options) {
  Chosen chosen;
  FileChoice& choice = chosen.choice;
  if (file.keys->size() == 0) {
    choice.access = Access::kSkip;
    return chosen;
  }
  Candidate candidate;
  auto read = cache.Read(store, file.file, [&](const parquet::Footer& footer) {
    choice = ChooseByFooter(footer, *file.keys, candidate);
    std::vector<ChunkRef> chunks;
    if (choice.access != Access::kPages) return chunks;
    for (size_t g : choice.row_groups) {
      for (size_t leaf : candidate.leaves) chunks.push_back({g, leaf});
    }
    return chunks;
  });
  if (!read && read.error().code() == ErrorCode::kUnsupported) {
    MakePlain(choice, PlainReason::kEncrypted, read.error().message());
    return chosen;
  }
  if (!read) return std::move(read).error();
  if (choice.access == Access::kPages) {
    chosen.avoided = ChooseByPages(*file.keys, candidate, options, std::move(read).value(), choice);
  } else if (choice.access == Access::kSkip) {
    for (const parquet::RowGroup& group : read->footer->row_groups)
      chosen.avoided.row_group += group.size_bytes();
  }
  return chosen;
}

void Book(const Account& account, const Chosen& chosen) {
  const AvoidedBytes& avoided = chosen.avoided;
  const bool skipped = chosen.choice.access == Access::kSkip;
  const bool by_page = avoided.page > 0;
  if (avoided.row_group > 0)
    account.Avoid(AvoidReason::kRowGroup, skipped && !by_page ? 1 : 0, avoided.row_group);
  if (by_page) account.Avoid(AvoidReason::kPage, skipped ? 1 : 0, avoided.page);
  if (avoided.column > 0) account.Avoid(AvoidReason::kColumn, 0, avoided.column);
}

}  // namespace

std::string_view ToString(PlainReason reason) {
  switch (reason) {
    case PlainReason::kNone:
      return "none";
    case PlainReason::kEncrypted:
      return "encrypted";
    case PlainReason::kNestedKey:
      return "nested key";
    case PlainReason::kNoFieldIds:
      return "no field ids";
    case PlainReason::kUnusualLayout:
      return "unusual layout";
    case PlainReason::kMostPagesMatch:
      return "most pages match";
    case PlainReason::kMemory:
      return "memory";
  }
  return "unknown";
}

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
  WEIR_DO(ParallelFor(files.size(), store.traits().parallel_requests, [&](size_t i) -> Status {
    WEIR_DO(store.cancellation().Check());
    WEIR_TRY(chosen[i], Choose(store, cache, files[i], options));
    return {};
  }));
  KeySelection selection;
  uint64_t memory_left = options.max_selected_bytes;
  for (Chosen& one : chosen) {
    FileChoice& choice = one.choice;
    if (choice.access == Access::kPages && choice.selected_bytes > memory_left) {
      MakePlain(
          choice, PlainReason::kMemory,
          fmt::format("{} more bytes do not fit in {}", choice.selected_bytes, options.max_selected_bytes));
      one.avoided = {};
    }
    if (choice.access == Access::kPages) {
      memory_left -= choice.selected_bytes;
      for (const RowRange& rows : choice.rows) selection.row_count += static_cast<uint64_t>(rows.row_count);
    }
    Book(store.account(), one);
    selection.files.push_back(std::move(choice));
  }
  return selection;
}

}  // namespace weir::pages
