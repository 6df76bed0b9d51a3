#include "pages/synthesize.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/executor.h"
#include "codec/parquet/footer.h"
#include "pages/fetch.h"

namespace weir::pages {

namespace {

using parquet::PhysicalType;
using parquet::SchemaElement;

std::string UniquePath() {
  static std::atomic<uint64_t> next{1};
  return fmt::format("weir-pages:/{}.parquet", next.fetch_add(1));
}

/// What the columns of one synthesized file must have in common with those of every file in it.
std::vector<SchemaElement> ShapeOf(const parquet::Footer& footer, const std::vector<size_t>& leaves,
                                   const std::vector<KeyColumn>& columns) {
  std::vector<SchemaElement> shape;
  for (size_t c = 0; c < leaves.size(); ++c) {
    SchemaElement element = footer.element(footer.leaves[leaves[c]]);
    element.name = columns[c].name;
    element.field_id = columns[c].id;
    shape.push_back(std::move(element));
  }
  return shape;
}

bool SameShape(const std::vector<SchemaElement>& a, const std::vector<SchemaElement>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const SchemaElement& x, const SchemaElement& y) {
                      const bool same_length =
                          x.physical != PhysicalType::kFixedLenByteArray || x.type_length == y.type_length;
                      return x.physical == y.physical && same_length && x.repetition == y.repetition &&
                             x.logical == y.logical;
                    });
}

/// Lays out one synthesized file. Every chunk is its dictionary (if any), then its pages, without gaps: a
/// reader takes the dictionary's offset as the start of the chunk and expects the pages right behind it.
class Builder {
 public:
  explicit Builder(std::vector<SchemaElement> shape) : shape_(std::move(shape)) {
    SchemaElement root;
    root.name = "schema";
    root.child_count = static_cast<int32_t>(shape_.size());
    footer_.schema.push_back(std::move(root));
    footer_.schema.insert(footer_.schema.end(), shape_.begin(), shape_.end());
    footer_.created_by = "weir";
    Append(AsBytes(kMagic));
  }

  const std::vector<SchemaElement>& shape() const { return shape_; }

  void Add(uint32_t file, const FileChoice& choice, FetchedFile fetched) {
    for (const FetchedRows& part : fetched.parts) {
      AddRowGroup(part, choice.index.footer->row_groups[part.row_group], choice.leaves);
      MapRows(file, part);
    }
    for (auto& buffer : fetched.buffers) buffers_.push_back(std::move(buffer));
  }

  Result<std::shared_ptr<const SynthesizedFile>> Finish() && {
    footer_.row_count = rows_.row_count();
    WEIR_DO(parquet::DeriveLeaves(footer_));
    buffers_.push_back(std::make_shared<const std::string>(parquet::SerializeFooterTail(footer_)));
    Append(AsBytes(*buffers_.back()));
    return std::make_shared<const SynthesizedFile>(std::move(buffers_), std::move(segments_),
                                                   std::move(rows_), footer_.row_groups.size());
  }

 private:
  static constexpr std::string_view kMagic = "PAR1";

  void MapRows(uint32_t file, const FetchedRows& part) {
    for (const RowRange& rows : part.rows) {
      int64_t next_row = rows.first_row;
      for (const RowRange& wanted : RowsWithin(part.wanted, rows)) {
        rows_.AppendGap(wanted.first_row - next_row);
        rows_.Append(file, RowPos{wanted.first_row}, wanted.row_count);
        next_row = wanted.end_row();
      }
      rows_.AppendGap(rows.end_row() - next_row);
    }
  }

  void AddRowGroup(const FetchedRows& part, const parquet::RowGroup& source,
                   const std::vector<size_t>& leaves) {
    parquet::RowGroup& group = footer_.row_groups.emplace_back();
    for (const RowRange& rows : part.rows) group.row_count += rows.row_count;
    for (size_t c = 0; c < leaves.size(); ++c) {
      group.columns.push_back(AddChunk(part.columns[c], source.columns[leaves[c]], group.row_count));
      group.total_size_bytes += group.columns.back().uncompressed_size_bytes;
    }
    group.compressed_size_bytes = static_cast<int64_t>(group.size_bytes());
  }

  /// No statistics: the pages were chosen by them already, and a reader believes what it finds.
  parquet::ColumnChunk AddChunk(const FetchedColumn& column, const parquet::ColumnChunk& source,
                                int64_t row_count) {
    parquet::ColumnChunk chunk;
    chunk.physical = source.physical;
    chunk.codec = source.codec;
    chunk.encodings = column.encodings;
    chunk.encodings.push_back(parquet::Encoding::kRle);  // Of the levels.
    chunk.value_count = row_count;
    chunk.uncompressed_size_bytes = column.uncompressed_size_bytes;
    const uint64_t start = size_bytes_;
    if (column.dictionary) {
      chunk.dictionary_page_offset = static_cast<int64_t>(start);
      chunk.encodings.push_back(parquet::Encoding::kPlain);
      Append(*column.dictionary);
    }
    chunk.data_page_offset = static_cast<int64_t>(size_bytes_);
    for (const Bytes& page : column.pages) Append(page);
    chunk.compressed_size_bytes = static_cast<int64_t>(size_bytes_ - start);
    return chunk;
  }

  void Append(Bytes bytes) {
    if (bytes.empty()) return;
    Bytes& last = segments_.empty() ? bytes : segments_.back().bytes;
    if (!segments_.empty() && last.data() + last.size() == bytes.data()) {
      last = {last.data(), last.size() + bytes.size()};
    } else {
      segments_.push_back({size_bytes_, bytes});
    }
    size_bytes_ += bytes.size();
  }

  std::vector<SchemaElement> shape_;
  parquet::Footer footer_;
  std::vector<std::shared_ptr<const std::string>> buffers_;
  std::vector<SynthesizedFile::Segment> segments_;
  uint64_t size_bytes_ = 0;
  RowMap rows_;
};

Builder& BuilderFor(std::vector<Builder>& builders, const FileChoice& choice,
                    const std::vector<KeyColumn>& columns) {
  std::vector<SchemaElement> shape = ShapeOf(*choice.index.footer, choice.leaves, columns);
  for (Builder& builder : builders) {
    if (SameShape(builder.shape(), shape)) return builder;
  }
  return builders.emplace_back(std::move(shape));
}

FileChoice PlainAfterAll(const FileChoice& choice, const PageProblem& problem) {
  FileChoice plain;
  plain.access = Access::kPlain;
  plain.reason = PlainReason::kUnusualLayout;
  plain.detail = problem.detail;
  plain.row_groups = choice.row_groups;
  return plain;
}

/// A file to take pages of.
struct Source {
  uint32_t file = 0;  // As the caller counts.
  const FileRef* ref = nullptr;
  const FileChoice* choice = nullptr;
};

Result<Synthesis> SynthesizeSources(const Store& store, const std::vector<Source>& sources,
                                    const std::vector<KeyColumn>& columns, const Options& options) {
  std::vector<std::variant<FetchedFile, PageProblem>> fetched(sources.size());
  const auto fetch = [&](size_t i) -> Status {
    WEIR_DO(store.cancellation().Check());
    WEIR_TRY(fetched[i], FetchPages(store, *sources[i].ref, *sources[i].choice, options.row_group_rows));
    return {};
  };
  WEIR_DO(ParallelFor(sources.size(), store.traits().parallel_requests, fetch));

  Synthesis synthesis;
  std::vector<Builder> builders;
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto& [file, ref, choice] = sources[i];
    if (const auto* problem = std::get_if<PageProblem>(&fetched[i])) {
      synthesis.plain.push_back({file, PlainAfterAll(*choice, *problem)});
    } else {
      Builder& builder = BuilderFor(builders, *choice, columns);
      builder.Add(file, *choice, std::get<FetchedFile>(std::move(fetched[i])));
    }
  }
  for (Builder& builder : builders) {
    WEIR_TRY(synthesis.files.emplace_back(), std::move(builder).Finish());
  }
  return synthesis;
}

/// The files of a selection that are read by pages.
template <typename File>
std::vector<Source> SourcesOf(std::span<const File> files, const KeySelection& selection) {
  std::vector<Source> sources;
  for (size_t i = 0; i < files.size(); ++i) {
    const FileChoice& choice = selection.files[i];
    if (choice.access == Access::kPages)
      sources.push_back({static_cast<uint32_t>(i), &files[i].file, &choice});
  }
  return sources;
}

}  // namespace

SynthesizedFile::SynthesizedFile(std::vector<std::shared_ptr<const std::string>> buffers,
                                 std::vector<Segment> segments, RowMap rows, size_t row_group_count)
    : path_(UniquePath()),
      buffers_(std::move(buffers)),
      segments_(std::move(segments)),
      rows_(std::move(rows)),
      row_group_count_(row_group_count) {
  if (!segments_.empty()) size_bytes_ = segments_.back().offset_bytes + segments_.back().bytes.size();
}

Status SynthesizedFile::ReadAt(uint64_t offset_bytes, MutableBytes into) const {
  if (offset_bytes > size_bytes_ || into.size() > size_bytes_ - offset_bytes) {
    return Invalid("{}: {} bytes at offset {} end behind the file's {} bytes", path_, into.size(),
                   offset_bytes, size_bytes_);
  }
  auto segment = std::partition_point(segments_.begin(), segments_.end(),
                                      [&](const Segment& s) { return s.offset_bytes <= offset_bytes; });
  while (!into.empty()) {
    const Segment& from = *(segment++ - 1);
    const uint64_t skipped = offset_bytes - from.offset_bytes;
    const size_t count = std::min<uint64_t>(into.size(), from.bytes.size() - skipped);
    std::memcpy(into.data(), from.bytes.data() + skipped, count);
    into = into.subspan(count);
    offset_bytes += count;
  }
  return {};
}

Result<Synthesis> Synthesize(const Store& store, std::span<const KeyFile> files,
                             const KeySelection& selection, const Options& options) {
  if (files.empty()) return Synthesis();
  return SynthesizeSources(store, SourcesOf(files, selection), files.front().keys->columns(), options);
}

Result<Synthesis> Synthesize(const Store& store, std::span<const RowFile> files,
                             const std::vector<KeyColumn>& columns, const KeySelection& selection,
                             const Options& options) {
  return SynthesizeSources(store, SourcesOf(files, selection), columns, options);
}

}  // namespace weir::pages
