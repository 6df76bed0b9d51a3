#include "pages/fetch.h"

#include <algorithm>

#include "codec/parquet/page_index.h"
#include "pages/filler.h"

namespace weir::pages {

namespace {

using parquet::Encoding;
using parquet::PageHeader;
using parquet::PageType;

using Buffer = std::shared_ptr<const std::string>;

/// Byte ranges of a file to read at once, then to look into.
class RangeReader {
 public:
  void Add(const ByteRange& range) {
    if (range.size_bytes > 0) ranges_.push_back(range);
  }

  Status Read(const Store& store, const std::string& path) {
    std::sort(ranges_.begin(), ranges_.end());
    size_t kept = 0;
    for (const ByteRange& range : ranges_) {
      if (kept > 0 && range.offset_bytes <= ranges_[kept - 1].end_bytes()) {
        ByteRange& last = ranges_[kept - 1];
        last.size_bytes = std::max(last.end_bytes(), range.end_bytes()) - last.offset_bytes;
      } else {
        ranges_[kept++] = range;
      }
    }
    ranges_.resize(kept);
    WEIR_TRY(std::vector<std::string> read, store.ReadRanges(path, ranges_));
    for (std::string& bytes : read) buffers_.push_back(std::make_shared<const std::string>(std::move(bytes)));
    return {};
  }

  /// Precondition: the range was added and read.
  Bytes View(const ByteRange& range) const {
    if (range.size_bytes == 0) return {};
    const auto after = std::partition_point(ranges_.begin(), ranges_.end(), [&](const ByteRange& r) {
      return r.offset_bytes <= range.offset_bytes;
    });
    const auto i = static_cast<size_t>(after - ranges_.begin()) - 1;
    return AsBytes(*buffers_[i]).subspan(range.offset_bytes - ranges_[i].offset_bytes, range.size_bytes);
  }

  void MoveBuffersTo(std::vector<Buffer>& to) {
    for (Buffer& buffer : buffers_) to.push_back(std::move(buffer));
  }

 private:
  std::vector<ByteRange> ranges_;
  std::vector<Buffer> buffers_;
};

/// A column of a row group that has wanted rows.
struct ChunkPlan {
  const parquet::ColumnChunk* chunk = nullptr;
  const parquet::SchemaElement* element = nullptr;
  int32_t max_definition_level = 0;
  std::vector<PageSpan> spans;
  std::vector<char> is_read;    // By page: it holds a wanted row.
  ByteRange dictionary;         // Empty: none, or only the walk through the chunk can tell.
  bool dictionary_now = false;  // Read together with the pages.
};

struct GroupPlan {
  size_t group = 0;
  int64_t first_row = 0;
  std::vector<RowRange> wanted;  // Within the row group, as are the parts.
  std::vector<ChunkPlan> columns;
  std::vector<std::vector<RowRange>> parts;  // Each becomes FetchedRows.
};

bool UsesDictionary(Encoding encoding) {
  return encoding == Encoding::kPlainDictionary || encoding == Encoding::kRleDictionary;
}

/// A dictionary is read at once if it is small or if the footer says that every data page uses it. A large
/// one may be of no use to the selected pages: writers give dictionaries up half-way, and pages behind that
/// are plain.
bool WorthReadingNow(const parquet::ColumnChunk& chunk, const ByteRange& dictionary) {
  constexpr uint64_t kSmallBytes = 64_KiB;
  if (dictionary.size_bytes <= kSmallBytes) return true;
  bool all_use_it = !chunk.encoding_counts.empty();
  for (const parquet::EncodingCount& count : chunk.encoding_counts) {
    const bool is_data = count.page_type == PageType::kData || count.page_type == PageType::kDataV2;
    if (is_data && count.count > 0 && !UsesDictionary(count.encoding)) all_use_it = false;
  }
  return all_use_it;
}

/// Packs the rows of all pages that are read into parts of up to about `max_rows`. Cuts only where no page
/// that is read is cut; rows where all columns have pages to be read are cut at the boundaries that these
/// have in common.
std::vector<std::vector<RowRange>> Pack(const GroupPlan& plan, int64_t max_rows) {
  std::vector<const std::vector<PageSpan>*> spans;
  for (const ChunkPlan& column : plan.columns) spans.push_back(&column.spans);
  std::vector<std::vector<RowRange>> parts;
  int64_t rows = 0;
  for (const RowRange& cover : CoverWithPages(plan.wanted, spans)) {
    for (const RowRange& piece : CutBetweenPages(cover, spans)) {
      if (parts.empty() || rows + piece.row_count > max_rows) {
        parts.emplace_back();
        rows = 0;
      }
      AppendRows(parts.back(), piece);
      rows += piece.row_count;
    }
  }
  return parts;
}

ChunkPlan PlanChunk(const FileChoice& choice, size_t g, size_t leaf, const std::vector<RowRange>& wanted) {
  const parquet::Footer& footer = *choice.index.footer;
  const parquet::RowGroup& group = footer.row_groups[g];
  ChunkPlan plan;
  plan.chunk = &group.columns[leaf];
  plan.element = &footer.element(footer.leaves[leaf]);
  plan.max_definition_level = footer.leaves[leaf].max_definition_level;
  plan.spans = PageSpans(*plan.chunk, choice.index.Find({g, leaf}), group.row_count);
  plan.is_read.resize(plan.spans.size());
  for (size_t page : PagesHolding(plan.spans, wanted)) plan.is_read[page] = 1;
  plan.dictionary = DictionaryRange(*plan.chunk, plan.spans);
  plan.dictionary_now = WorthReadingNow(*plan.chunk, plan.dictionary);
  return plan;
}

std::vector<GroupPlan> PlanGroups(const FileChoice& choice, int64_t row_group_rows) {
  const parquet::Footer& footer = *choice.index.footer;
  std::vector<GroupPlan> plans;
  int64_t first_row = 0;
  for (size_t g = 0; g < footer.row_groups.size(); ++g) {
    const int64_t row_count = footer.row_groups[g].row_count;
    std::vector<RowRange> wanted = RowsWithin(choice.rows, {first_row, row_count});
    if (!wanted.empty()) {
      for (RowRange& rows : wanted) rows.first_row -= first_row;
      GroupPlan& plan = plans.emplace_back(GroupPlan{g, first_row, std::move(wanted), {}, {}});
      for (size_t leaf : choice.leaves) plan.columns.push_back(PlanChunk(choice, g, leaf, plan.wanted));
      plan.parts = Pack(plan, row_group_rows);
    }
    first_row += row_count;
  }
  return plans;
}

/// Takes one page from the front of `bytes`.
struct Page {
  PageHeader header;
  Bytes bytes;
};
Result<Page> TakePage(Bytes bytes, uint64_t file_offset) {
  WEIR_TRY(const PageHeader header, parquet::ParsePageHeader(bytes, file_offset));
  const auto size = static_cast<uint64_t>(header.header_size_bytes + header.compressed_size_bytes);
  if (size > bytes.size()) {
    return Corrupt("page at file offset {}: its header says {} bytes, {} are there", file_offset, size,
                   bytes.size());
  }
  return Page{header, bytes.first(size)};
}

bool IsData(const PageHeader& header) {
  return header.type == PageType::kData || header.type == PageType::kDataV2;
}

void AddEncoding(FetchedColumn& column, Encoding encoding) {
  auto& known = column.encodings;
  if (std::find(known.begin(), known.end(), encoding) == known.end()) known.push_back(encoding);
}

void AddPage(FetchedColumn& column, const Page& page) {
  column.pages.push_back(page.bytes);
  column.uncompressed_size_bytes += page.header.header_size_bytes + page.header.uncompressed_size_bytes;
  AddEncoding(column, page.header.encoding);
}

void SetDictionary(FetchedColumn& column, const Page& page) {
  column.dictionary = page.bytes;
  column.uncompressed_size_bytes += page.header.header_size_bytes + page.header.uncompressed_size_bytes;
}

/// Adds a data page that a page index describes.
Status AddIndexedPage(FetchedColumn& column, const PageSpan& span, Bytes bytes) {
  const uint64_t at = span.bytes.offset_bytes;
  WEIR_TRY(const Page page, TakePage(bytes, at));
  if (!IsData(page.header) || page.bytes.size() != bytes.size() ||
      page.header.value_count != span.rows.row_count ||
      page.header.row_count.value_or(span.rows.row_count) != span.rows.row_count) {
    return Corrupt(
        "page at file offset {}: the page index says {} bytes of data and {} rows, the page {} bytes, {} "
        "values",
        at, bytes.size(), span.rows.row_count, page.bytes.size(), page.header.value_count);
  }
  AddPage(column, page);
  return {};
}

/// Adds all pages of a chunk that has no page index.
Status WalkChunk(FetchedColumn& column, const PageSpan& span, Bytes bytes) {
  uint64_t at = span.bytes.offset_bytes;
  int64_t rows_left = span.rows.row_count;
  while (rows_left > 0) {
    WEIR_TRY(const Page page, TakePage(bytes, at));
    if (page.header.type == PageType::kDictionary && column.pages.empty() && !column.dictionary) {
      SetDictionary(column, page);
    } else if (!IsData(page.header) || page.header.value_count > rows_left) {
      return Corrupt("page at file offset {}: not a data page of at most {} rows", at, rows_left);
    } else {
      AddPage(column, page);
      rows_left -= page.header.value_count;
    }
    at += page.bytes.size();
    bytes = bytes.subspan(page.bytes.size());
  }
  return {};
}

bool NeedsDictionary(const FetchedColumn& column) {
  return std::any_of(column.encodings.begin(), column.encodings.end(), UsesDictionary);
}

/// Adds filler for `row_count` rows.
Status AddFiller(FetchedColumn& column, const ChunkPlan& plan, int64_t row_count,
                 std::vector<Buffer>& buffers) {
  WEIR_TRY(std::vector<FillerPage> pages, MakeFiller(*plan.element, plan.max_definition_level, row_count));
  for (FillerPage& page : pages) {
    column.pages.push_back(AsBytes(*page.header));
    if (!page.body.empty()) column.pages.push_back(page.body);
    column.uncompressed_size_bytes += static_cast<int64_t>(page.header->size() + page.body.size());
    buffers.push_back(std::move(page.header));
  }
  if (!pages.empty()) AddEncoding(column, Encoding::kPlain);
  return {};
}

/// Proves the pages of one part of a column, and fills in for those that are not read.
Result<FetchedColumn> TakeColumn(const ChunkPlan& plan, const std::vector<RowRange>& rows,
                                 const RangeReader& reader, std::vector<Buffer>& buffers) {
  FetchedColumn column;
  for (const RowRange& range : rows) {
    const PageRun run = PagesWithin(plan.spans, range);
    int64_t next_row = range.first_row;
    for (size_t i = run.first; i < run.last; ++i) {
      const PageSpan& span = plan.spans[i];
      if (!plan.is_read[i]) continue;
      WEIR_DO(AddFiller(column, plan, span.rows.first_row - next_row, buffers));
      const Bytes bytes = reader.View(span.bytes);
      WEIR_DO(span.is_chunk ? WalkChunk(column, span, bytes) : AddIndexedPage(column, span, bytes));
      next_row = span.rows.end_row();
    }
    WEIR_DO(AddFiller(column, plan, range.end_row() - next_row, buffers));
  }
  return column;
}

/// Sets the dictionary of a column that needs one and has none yet.
Status TakeDictionary(const ChunkPlan& plan, const RangeReader& reader, FetchedColumn& column) {
  const uint64_t at = plan.dictionary.offset_bytes;
  if (plan.dictionary.size_bytes == 0) return Corrupt("pages use a dictionary, and the chunk has none");
  WEIR_TRY(const Page page, TakePage(reader.View(plan.dictionary), at));
  if (page.header.type != PageType::kDictionary) {
    return Corrupt("at file offset {}: expected a dictionary page", at);
  }
  SetDictionary(column, page);
  return {};
}

Result<std::vector<FetchedRows>> TakeParts(const std::vector<GroupPlan>& plans, const RangeReader& reader,
                                           std::vector<Buffer>& buffers) {
  std::vector<FetchedRows> parts;
  for (const GroupPlan& plan : plans) {
    for (const std::vector<RowRange>& rows : plan.parts) {
      FetchedRows& part = parts.emplace_back(FetchedRows{plan.group, {}, {}, {}});
      for (const RowRange& range : rows) {
        part.rows.push_back({plan.first_row + range.first_row, range.row_count});
        for (const RowRange& wanted : RowsWithin(plan.wanted, range)) {
          part.wanted.push_back({plan.first_row + wanted.first_row, wanted.row_count});
        }
      }
      for (const ChunkPlan& chunk : plan.columns) {
        WEIR_TRY(part.columns.emplace_back(), TakeColumn(chunk, rows, reader, buffers));
      }
    }
  }
  return parts;
}

/// Calls `visit(plan, column)` for every column that needs a dictionary and has none yet.
template <typename F>
Status ForEachWithoutDictionary(const std::vector<GroupPlan>& plans, std::vector<FetchedRows>& parts,
                                F&& visit) {
  size_t next = 0;
  for (const GroupPlan& plan : plans) {
    for (size_t i = 0; i < plan.parts.size(); ++i) {
      FetchedRows& part = parts[next++];
      for (size_t c = 0; c < plan.columns.size(); ++c) {
        FetchedColumn& column = part.columns[c];
        if (column.dictionary || !NeedsDictionary(column)) continue;
        WEIR_DO(visit(plan.columns[c], column));
      }
    }
  }
  return {};
}

}  // namespace

Result<std::variant<FetchedFile, PageProblem>> FetchPages(const Store& store, const FileRef& file,
                                                          const FileChoice& choice, int64_t row_group_rows) {
  using Outcome = std::variant<FetchedFile, PageProblem>;
  const Store data_store = store.For(Purpose::kData);
  const std::vector<GroupPlan> plans = PlanGroups(choice, row_group_rows);
  RangeReader pages, dictionaries;
  for (const GroupPlan& plan : plans) {
    for (const ChunkPlan& column : plan.columns) {
      if (column.dictionary_now) pages.Add(column.dictionary);
      for (size_t i = 0; i < column.spans.size(); ++i) {
        if (column.is_read[i]) pages.Add(column.spans[i].bytes);
      }
    }
  }
  WEIR_DO(pages.Read(data_store, file.path));
  FetchedFile fetched;
  auto parts = TakeParts(plans, pages, fetched.buffers);
  if (!parts) return Outcome(PageProblem{parts.error().message()});

  const auto ask = [&](const ChunkPlan& plan, FetchedColumn&) -> Status {
    if (!plan.dictionary_now) dictionaries.Add(plan.dictionary);
    return {};
  };
  WEIR_DO(ForEachWithoutDictionary(plans, *parts, ask));
  WEIR_DO(dictionaries.Read(data_store, file.path));
  const auto take = [&](const ChunkPlan& plan, FetchedColumn& column) {
    return TakeDictionary(plan, plan.dictionary_now ? pages : dictionaries, column);
  };
  const Status taken = ForEachWithoutDictionary(plans, *parts, take);
  if (!taken) return Outcome(PageProblem{taken.error().message()});

  fetched.parts = std::move(parts).value();
  pages.MoveBuffersTo(fetched.buffers);
  dictionaries.MoveBuffersTo(fetched.buffers);
  return Outcome(std::move(fetched));
}

}  // namespace weir::pages
