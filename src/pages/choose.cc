#include "pages/choose.h"

#include <algorithm>
#include <numeric>

#include "pages/key_leaves.h"

namespace weir::pages {

namespace {

void MakePlain(FileChoice& choice, PlainReason reason, std::string detail) {
  choice.access = Access::kPlain;
  choice.reason = reason;
  choice.detail = std::move(detail);
  choice.rows.clear();
  choice.selected_bytes = 0;
  choice.leaves.clear();
  choice.index = {};
}

/// Makes the choice plain if the columns of its row groups cannot be read by pages.
void CheckChunks(const parquet::Footer& footer, FileChoice& choice) {
  for (size_t g : choice.row_groups) {
    for (size_t leaf : choice.leaves) {
      const parquet::ColumnChunk& chunk = footer.row_groups[g].columns[leaf];
      const std::string& name = footer.element(footer.leaves[leaf]).name;
      if (chunk.is_encrypted) {
        return MakePlain(choice, PlainReason::kEncrypted, fmt::format("column {} is encrypted", name));
      }
      if (chunk.is_external) {
        return MakePlain(choice, PlainReason::kUnusualLayout,
                         fmt::format("column {} lies in another file", name));
      }
    }
  }
}

/// What can be told from the footer alone.
Result<FileChoice> ChooseByFooter(const parquet::Footer& footer, Chooser& chooser) {
  FileChoice choice;
  choice.row_groups = AllRowGroups(footer);
  KeyLeaves found = FindKeyLeaves(footer, chooser.columns());
  if (found.reason != PlainReason::kNone) {
    MakePlain(choice, found.reason, std::move(found.detail));
    return choice;
  }
  if (!found.missing.empty()) {
    choice.access = Access::kMissingColumn;
    choice.missing = std::move(found.missing);
    return choice;
  }
  choice.leaves = std::move(found.leaves);
  WEIR_TRY(choice.row_groups, chooser.RowGroups(footer, choice.leaves));
  choice.access = choice.row_groups.empty() ? Access::kSkip : Access::kPages;
  CheckChunks(footer, choice);
  return choice;
}

/// Goes through the row groups of a kPages choice.
void SelectPages(Chooser& chooser, const FileIndex& index, Chosen& chosen) {
  FileChoice& choice = chosen.choice;
  int64_t first_row = 0;
  auto next_group = choice.row_groups.begin();
  for (size_t g = 0; g < index.footer->row_groups.size(); ++g) {
    const parquet::RowGroup& group = index.footer->row_groups[g];
    const uint64_t column_bytes = BytesOf(group, choice.leaves);
    if (next_group == choice.row_groups.end() || *next_group != g) {
      chosen.avoided.row_group += group.size_bytes();
    } else {
      ++next_group;
      std::vector<std::vector<PageSpan>> pages;
      for (size_t leaf : choice.leaves) {
        pages.push_back(PageSpans(group.columns[leaf], index.Find({g, leaf}), group.row_count));
      }
      const GroupSelection selection = chooser.SelectInGroup(index, g, choice.leaves, pages);
      for (const RowRange& rows : selection.rows) {
        AppendRows(choice.rows, {first_row + rows.first_row, rows.row_count});
      }
      choice.selected_bytes += selection.selected_bytes;
      chosen.decoded_row_count += static_cast<uint64_t>(selection.decoded_row_count);
      chosen.avoided.page += column_bytes - std::min(column_bytes, selection.selected_bytes);
      (selection.rows.empty() ? chosen.avoided.page : chosen.avoided.column) +=
          group.size_bytes() - column_bytes;
    }
    first_row += group.row_count;
  }
}

/// Refines a kPages choice by the page indexes.
void ChooseByPages(Chooser& chooser, const Options& options, FileIndex index, Chosen& chosen) {
  FileChoice& choice = chosen.choice;
  for (const FileIndex::Entry& entry : index.chunks) {
    if (entry.index == nullptr || entry.index->problem.empty()) continue;
    return MakePlain(choice, PlainReason::kUnusualLayout, entry.index->problem);
  }
  SelectPages(chooser, index, chosen);
  if (choice.rows.empty()) {
    choice.access = Access::kSkip;
    return;
  }
  const uint64_t plain_bytes = chooser.PlainBytes(*index.footer, choice.leaves);
  if (choice.selected_bytes >= options.always_select_bytes &&
      static_cast<double>(choice.selected_bytes) > options.max_share * static_cast<double>(plain_bytes)) {
    chosen.avoided = {};
    return MakePlain(choice, PlainReason::kMostPagesMatch,
                     fmt::format("{} of {} bytes may match", choice.selected_bytes, plain_bytes));
  }
  choice.index = std::move(index);
}

void Book(const Account& account, const Chosen& chosen) {
  const AvoidedBytes& avoided = chosen.avoided;
  const bool skipped = chosen.choice.access == Access::kSkip;
  const bool by_page = avoided.page > 0;
  if (avoided.row_group > 0) {
    account.Avoid(AvoidReason::kRowGroup, skipped && !by_page ? 1 : 0, avoided.row_group);
  }
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
      return "nested column";
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

std::vector<size_t> AllRowGroups(const parquet::Footer& footer) {
  std::vector<size_t> all(footer.row_groups.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

uint64_t BytesOf(const parquet::RowGroup& group, const std::vector<size_t>& leaves) {
  uint64_t bytes = 0;
  for (size_t leaf : leaves) bytes += static_cast<uint64_t>(group.columns[leaf].compressed_size_bytes);
  return bytes;
}

Result<Chosen> ChooseFile(const Store& store, FooterCache& cache, const FileRef& file, Chooser& chooser,
                          const Options& options) {
  Chosen chosen;
  Result<FileChoice> by_footer = FileChoice();
  auto read = cache.Read(store, file, [&](const parquet::Footer& footer) {
    by_footer = ChooseByFooter(footer, chooser);
    std::vector<ChunkRef> chunks;
    if (!by_footer || by_footer->access != Access::kPages) return chunks;
    for (size_t g : by_footer->row_groups) {
      for (size_t leaf : by_footer->leaves) chunks.push_back({g, leaf});
    }
    return chunks;
  });
  if (!read && read.error().code() == ErrorCode::kUnsupported) {
    MakePlain(chosen.choice, PlainReason::kEncrypted, read.error().message());
    return chosen;
  }
  if (!read) return std::move(read).error();
  WEIR_TRY_CONTEXT(chosen.choice, file.path, std::move(by_footer));
  if (chosen.choice.access == Access::kPages) {
    ChooseByPages(chooser, options, std::move(read).value(), chosen);
  } else if (chosen.choice.access == Access::kSkip) {
    for (const parquet::RowGroup& group : read->footer->row_groups) {
      chosen.avoided.row_group += group.size_bytes();
    }
  }
  return chosen;
}

KeySelection FinishSelection(const Store& store, std::vector<Chosen> chosen, const Options& options) {
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
      selection.row_count += one.decoded_row_count;
    }
    Book(store.account(), one);
    selection.files.push_back(std::move(choice));
  }
  return selection;
}

}  // namespace weir::pages
