#include "codec/parquet/page_index.h"

#include "codec/parquet/thrift.h"

namespace weir::parquet {

namespace {

using Field = ThriftReader::Field;

PageLocation ReadPageLocation(ThriftReader& in, Field element) {
  int64_t offset = -1, size = -1, first_row = -1;
  in.ReadStruct(element, [&](Field field) {
    switch (field.id) {
      case 1:
        offset = in.I64(field);
        break;
      case 2:
        size = in.I32(field);
        break;
      case 3:
        first_row = in.I64(field);
        break;
      default:
        in.Skip(field);
    }
  });
  if (offset < 0 || size < 0 || first_row < 0) {
    in.Fail("offset, size and first row of a page, none below 0",
            fmt::format("{}, {}, {}", offset, size, first_row));
  }
  return {static_cast<uint64_t>(offset), static_cast<uint64_t>(size), first_row};
}

Status CheckPages(const OffsetIndex& index, uint64_t file_size_bytes, int64_t row_count) {
  uint64_t end_bytes = 0;
  int64_t next_row = 0;
  for (size_t i = 0; i < index.pages.size(); ++i) {
    const PageLocation& page = index.pages[i];
    if (page.offset_bytes < end_bytes || page.size_bytes > file_size_bytes ||
        page.offset_bytes > file_size_bytes - page.size_bytes) {
      return Corrupt(
          "page {} of {} bytes at offset {}: expected it behind offset {} and within the file's {} bytes", i,
          page.size_bytes, page.offset_bytes, end_bytes, file_size_bytes);
    }
    const bool in_order = i == 0 ? page.first_row == 0 : page.first_row >= next_row;
    if (!in_order || page.first_row >= row_count) {
      return Corrupt("page {} starts at row {}: expected {} and below the row group's {} rows", i,
                     page.first_row, i == 0 ? "0" : fmt::format("at least {}", next_row), row_count);
    }
    end_bytes = page.offset_bytes + page.size_bytes;
    next_row = page.first_row + 1;
  }
  if (index.pages.empty() && row_count > 0) return Corrupt("no pages for {} rows", row_count);
  return {};
}

std::vector<std::string> ReadBounds(ThriftReader& in, Field field) {
  std::vector<std::string> bounds;
  in.ReadList(field, [&](Field element) { bounds.push_back(in.String(element)); });
  return bounds;
}

Status CheckLength(std::string_view list, size_t found, size_t page_count) {
  if (found == page_count) return {};
  return Corrupt("{} has {} entries for {} pages", list, found, page_count);
}

void ReadDataPageHeader(ThriftReader& in, Field struct_field, PageHeader& header) {
  in.ReadStruct(struct_field, [&](Field field) {
    switch (field.id) {
      case 1:
        header.value_count = in.I32(field);
        break;
      case 2:
        header.encoding = static_cast<Encoding>(in.I32(field));
        break;
      default:
        in.Skip(field);
    }
  });
}

void ReadDataPageHeaderV2(ThriftReader& in, Field struct_field, PageHeader& header) {
  in.ReadStruct(struct_field, [&](Field field) {
    switch (field.id) {
      case 1:
        header.value_count = in.I32(field);
        break;
      case 3:
        header.row_count = in.I32(field);
        break;
      case 4:
        header.encoding = static_cast<Encoding>(in.I32(field));
        break;
      default:
        in.Skip(field);
    }
  });
}

}  // namespace

Result<OffsetIndex> ParseOffsetIndex(Bytes bytes, uint64_t file_offset, uint64_t file_size_bytes,
                                     int64_t row_count) {
  OffsetIndex index;
  ThriftReader in(bytes, file_offset);
  in.ReadStruct([&](Field field) {
    if (field.id != 1) return in.Skip(field);
    in.ReadList(field, [&](Field element) { index.pages.push_back(ReadPageLocation(in, element)); });
  });
  WEIR_DO_CONTEXT("Parquet offset index", in.status());
  WEIR_DO_CONTEXT(fmt::format("Parquet offset index at file offset {}", file_offset),
                  CheckPages(index, file_size_bytes, row_count));
  return index;
}

Result<ColumnIndex> ParseColumnIndex(Bytes bytes, uint64_t file_offset, size_t page_count) {
  ColumnIndex index;
  bool has_null_counts = false;
  ThriftReader in(bytes, file_offset);
  in.ReadStruct([&](Field field) {
    switch (field.id) {
      case 1:
        in.ReadList(field, [&](Field) { index.null_pages.push_back(in.ListBool() ? 1 : 0); });
        break;
      case 2:
        index.min_values = ReadBounds(in, field);
        break;
      case 3:
        index.max_values = ReadBounds(in, field);
        break;
      case 5:
        has_null_counts = true;
        in.ReadList(field, [&](Field element) { index.null_counts.push_back(in.I64(element)); });
        break;
      default:
        in.Skip(field);
    }
  });
  WEIR_DO_CONTEXT("Parquet column index", in.status());
  const std::string where = fmt::format("Parquet column index at file offset {}", file_offset);
  WEIR_DO_CONTEXT(where, CheckLength("null_pages", index.null_pages.size(), page_count));
  WEIR_DO_CONTEXT(where, CheckLength("min_values", index.min_values.size(), page_count));
  WEIR_DO_CONTEXT(where, CheckLength("max_values", index.max_values.size(), page_count));
  if (has_null_counts)
    WEIR_DO_CONTEXT(where, CheckLength("null_counts", index.null_counts.size(), page_count));
  for (int64_t count : index.null_counts) {
    if (count < 0) return Corrupt("{}: a page with {} NULLs", where, count);
  }
  return index;
}

Result<PageHeader> ParsePageHeader(Bytes bytes, uint64_t file_offset) {
  PageHeader header;
  int64_t type = -1, uncompressed = -1, compressed = -1;
  std::optional<PageType> detail;
  ThriftReader in(bytes, file_offset);
  in.ReadStruct([&](Field field) {
    switch (field.id) {
      case 1:
        type = in.I32(field);
        break;
      case 2:
        uncompressed = in.I32(field);
        break;
      case 3:
        compressed = in.I32(field);
        break;
      case 5:
        detail = PageType::kData;
        ReadDataPageHeader(in, field, header);
        break;
      case 7:
        detail = PageType::kDictionary;
        ReadDataPageHeader(in, field, header);
        break;
      case 8:
        detail = PageType::kDataV2;
        ReadDataPageHeaderV2(in, field, header);
        break;
      default:
        in.Skip(field);
    }
  });
  WEIR_DO_CONTEXT("Parquet page header", in.status());
  const auto page_type = static_cast<PageType>(type);
  if (type < 0 || type > 3 || uncompressed < 0 || compressed < 0 || header.value_count < 0 ||
      header.row_count.value_or(0) < 0 || (page_type != PageType::kIndex && detail != page_type)) {
    return Corrupt(
        "Parquet page header at file offset {}: type {}, sizes {} and {}, {} values do not make a page",
        file_offset, type, uncompressed, compressed, header.value_count);
  }
  header.type = page_type;
  header.uncompressed_size_bytes = uncompressed;
  header.compressed_size_bytes = compressed;
  header.header_size_bytes = static_cast<int64_t>(in.position());
  return header;
}

std::string SerializePageHeader(const PlainPageV2& page) {
  const int32_t size_bytes = page.definition_levels_size_bytes + page.values_size_bytes;
  ThriftWriter out;
  out.BeginStruct();
  out.I32(1, static_cast<int32_t>(PageType::kDataV2));
  out.I32(2, size_bytes);
  out.I32(3, size_bytes);
  out.BeginStructField(8);
  out.I32(1, page.row_count);
  out.I32(2, page.null_count);
  out.I32(3, page.row_count);
  out.I32(4, static_cast<int32_t>(page.encoding));
  out.I32(5, page.definition_levels_size_bytes);
  out.I32(6, 0);
  out.Bool(7, false);
  out.EndStruct();
  out.EndStruct();
  return out.Take();
}

}  // namespace weir::parquet
