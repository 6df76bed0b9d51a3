#include "codec/parquet/footer.h"

#include <algorithm>

#include "codec/parquet/logical.h"
#include "codec/parquet/thrift.h"

namespace weir::parquet {

namespace {

using Field = ThriftReader::Field;

/// Which required fields of a struct were seen.
class Required {
 public:
  void See(int32_t id) {
    if (id > 0 && id < 64) seen_ |= uint64_t{1} << id;
  }
  void Check(ThriftReader& in, std::string_view structure, std::initializer_list<int> ids) const {
    for (int id : ids) {
      if ((seen_ & (uint64_t{1} << id)) == 0) {
        in.Fail(fmt::format("field {} of {}", id, structure), "the end of the struct");
      }
    }
  }

 private:
  uint64_t seen_ = 0;
};

int64_t NotNegative(ThriftReader& in, int64_t value, std::string_view what) {
  if (value >= 0) return value;
  in.Fail(fmt::format("{} of at least 0", what), fmt::format("{}", value));
  return 0;
}

PhysicalType ReadPhysicalType(ThriftReader& in, Field field) {
  const int32_t type = in.I32(field);
  if (type < 0 || type > 7) in.Fail("a physical type of 0..7", fmt::format("{}", type));
  return static_cast<PhysicalType>(type & 7);
}

Repetition ReadRepetition(ThriftReader& in, Field field) {
  const int32_t repetition = in.I32(field);
  if (repetition < 0 || repetition > 3) in.Fail("a repetition of 0..3", fmt::format("{}", repetition));
  return static_cast<Repetition>(repetition & 3);
}

void ReadSchemaElement(ThriftReader& in, Field list_element, SchemaElement& element) {
  Required required;
  ConvertedType converted;
  std::optional<LogicalType> logical;
  in.ReadStruct(list_element, [&](Field field) {
    required.See(field.id);
    switch (field.id) {
      case 1:
        element.physical = ReadPhysicalType(in, field);
        break;
      case 2:
        element.type_length = in.I32(field);
        break;
      case 3:
        element.repetition = ReadRepetition(in, field);
        break;
      case 4:
        element.name = in.String(field);
        break;
      case 5:
        element.child_count = static_cast<int32_t>(NotNegative(in, in.I32(field), "a child count"));
        break;
      case 6:
        converted.type = in.I32(field);
        break;
      case 7:
        converted.scale = in.I32(field);
        break;
      case 8:
        converted.precision = in.I32(field);
        break;
      case 9:
        element.field_id = FieldId{in.I32(field)};
        break;
      case 10:
        logical = ReadLogicalType(in, field);
        break;
      default:
        in.Skip(field);
    }
  });
  required.Check(in, "SchemaElement", {4});
  element.logical = logical ? *logical : FromConverted(converted);
}

void ReadStatistics(ThriftReader& in, Field struct_field, Statistics& statistics) {
  in.ReadStruct(struct_field, [&](Field field) {
    switch (field.id) {
      case 1:
        statistics.deprecated_max = in.String(field);
        break;
      case 2:
        statistics.deprecated_min = in.String(field);
        break;
      case 3:
        statistics.null_count = NotNegative(in, in.I64(field), "a null count");
        break;
      case 5:
        statistics.max_value = in.String(field);
        break;
      case 6:
        statistics.min_value = in.String(field);
        break;
      case 7:
        statistics.max_is_exact = in.Bool(field);
        break;
      case 8:
        statistics.min_is_exact = in.Bool(field);
        break;
      case 9:
        statistics.nan_count = NotNegative(in, in.I64(field), "a NaN count");
        break;
      default:
        in.Skip(field);
    }
  });
}

void ReadEncodingCount(ThriftReader& in, Field element, ColumnChunk& chunk) {
  EncodingCount count;
  in.ReadStruct(element, [&](Field field) {
    switch (field.id) {
      case 1:
        count.page_type = static_cast<PageType>(in.I32(field));
        break;
      case 2:
        count.encoding = static_cast<Encoding>(in.I32(field));
        break;
      case 3:
        count.count = in.I32(field);
        break;
      default:
        in.Skip(field);
    }
  });
  chunk.encoding_counts.push_back(count);
}

void ReadColumnMetaData(ThriftReader& in, Field struct_field, ColumnChunk& chunk) {
  Required required;
  in.ReadStruct(struct_field, [&](Field field) {
    required.See(field.id);
    switch (field.id) {
      case 1:
        chunk.physical = ReadPhysicalType(in, field);
        break;
      case 2:
        in.ReadList(field, [&](Field e) { chunk.encodings.push_back(static_cast<Encoding>(in.I32(e))); });
        break;
      case 4:
        chunk.codec = static_cast<Codec>(in.I32(field));
        break;
      case 5:
        chunk.value_count = NotNegative(in, in.I64(field), "a value count");
        break;
      case 6:
        chunk.uncompressed_size_bytes = NotNegative(in, in.I64(field), "an uncompressed size");
        break;
      case 7:
        chunk.compressed_size_bytes = NotNegative(in, in.I64(field), "a compressed size");
        break;
      case 9:
        chunk.data_page_offset = NotNegative(in, in.I64(field), "a data page offset");
        break;
      case 11:
        chunk.dictionary_page_offset = in.I64(field);
        break;
      case 12:
        ReadStatistics(in, field, chunk.statistics);
        break;
      case 13:
        in.ReadList(field, [&](Field e) { ReadEncodingCount(in, e, chunk); });
        break;
      default:
        in.Skip(field);
    }
  });
  required.Check(in, "ColumnMetaData", {1, 2, 3, 4, 5, 6, 7, 9});
}

/// Absent unless both halves are there.
std::optional<ByteRange> RangeOf(ThriftReader& in, std::optional<int64_t> offset, std::optional<int64_t> size,
                                 std::string_view what) {
  if (!offset || !size) return {};
  NotNegative(in, *offset, fmt::format("an offset of the {}", what));
  NotNegative(in, *size, fmt::format("a size of the {}", what));
  // Some writers say "none" with zeros.
  if (*offset <= 0 || *size <= 0) return {};
  return ByteRange{static_cast<uint64_t>(*offset), static_cast<uint64_t>(*size)};
}

void ReadColumnChunk(ThriftReader& in, Field element, ColumnChunk& chunk) {
  const uint64_t start = in.position();
  bool has_metadata = false;
  std::optional<int64_t> offset_index, offset_index_size, column_index, column_index_size;
  in.ReadStruct(element, [&](Field field) {
    switch (field.id) {
      case 1:
        chunk.is_external = !in.Binary(field).empty();
        break;
      case 3:
        has_metadata = true;
        ReadColumnMetaData(in, field, chunk);
        break;
      case 4:
        offset_index = in.I64(field);
        break;
      case 5:
        offset_index_size = in.I32(field);
        break;
      case 6:
        column_index = in.I64(field);
        break;
      case 7:
        column_index_size = in.I32(field);
        break;
      case 8:
        chunk.is_encrypted = true;
        in.Skip(field);
        break;
      default:
        in.Skip(field);
    }
  });
  // A column with a key of its own may keep all its metadata encrypted (field 9).
  if (!has_metadata && !chunk.is_encrypted) in.Fail("metadata in ColumnChunk", "none");
  // No real chunk is smaller; hostile input could else make us build many large structs from few bytes.
  constexpr uint64_t kMinChunkBytes = 16;
  if (in.position() - start < kMinChunkBytes) in.Fail("at least 16 bytes of ColumnChunk", "fewer");
  chunk.offset_index = RangeOf(in, offset_index, offset_index_size, "offset index");
  chunk.column_index = RangeOf(in, column_index, column_index_size, "column index");
}

void ReadRowGroup(ThriftReader& in, Field element, RowGroup& group) {
  Required required;
  in.ReadStruct(element, [&](Field field) {
    required.See(field.id);
    switch (field.id) {
      case 1:
        in.ReadList(field, [&](Field e) { ReadColumnChunk(in, e, group.columns.emplace_back()); });
        break;
      case 2:
        group.total_size_bytes = in.I64(field);
        break;
      case 3:
        group.row_count = NotNegative(in, in.I64(field), "a row count");
        break;
      case 6:
        group.compressed_size_bytes = in.I64(field);
        break;
      default:
        in.Skip(field);
    }
  });
  required.Check(in, "RowGroup", {1, 3});
}

ColumnOrder ReadColumnOrder(ThriftReader& in, Field element) {
  ColumnOrder order = ColumnOrder::kUndefined;
  in.ReadStruct(element, [&](Field field) {
    if (field.id == 1) order = ColumnOrder::kTypeDefined;
    if (field.id == 2) order = ColumnOrder::kIeee754;
    in.Skip(field);
  });
  return order;
}

KeyValue ReadKeyValue(ThriftReader& in, Field element) {
  KeyValue pair;
  in.ReadStruct(element, [&](Field field) {
    switch (field.id) {
      case 1:
        pair.key = in.String(field);
        break;
      case 2:
        pair.value = in.String(field);
        break;
      default:
        in.Skip(field);
    }
  });
  return pair;
}

void ReadFileMetaData(ThriftReader& in, Footer& footer) {
  Required required;
  in.ReadStruct([&](Field field) {
    required.See(field.id);
    switch (field.id) {
      case 1:
        footer.version = in.I32(field);
        break;
      case 2:
        in.ReadList(field, [&](Field e) { ReadSchemaElement(in, e, footer.schema.emplace_back()); });
        break;
      case 3:
        footer.row_count = NotNegative(in, in.I64(field), "a row count");
        break;
      case 4:
        in.ReadList(field, [&](Field e) { ReadRowGroup(in, e, footer.row_groups.emplace_back()); });
        break;
      case 5:
        in.ReadList(field, [&](Field e) { footer.key_values.push_back(ReadKeyValue(in, e)); });
        break;
      case 6:
        footer.created_by = in.String(field);
        break;
      case 7:
        in.ReadList(field, [&](Field e) { footer.column_orders.push_back(ReadColumnOrder(in, e)); });
        break;
      case 8:
        footer.has_encrypted_columns = true;
        in.Skip(field);
        break;
      default:
        in.Skip(field);
    }
  });
  required.Check(in, "FileMetaData", {1, 2, 3, 4});
}

/// The checks that need the whole footer.
Status CheckChunk(const ColumnChunk& chunk, const SchemaElement& element, uint64_t file_size_bytes) {
  if (chunk.is_encrypted || chunk.is_external) return {};
  if (chunk.physical != *element.physical) {
    return Corrupt("column {}: its chunk has physical type {}, the schema {}", element.name,
                   static_cast<int>(chunk.physical), static_cast<int>(*element.physical));
  }
  const uint64_t start = chunk.start_bytes();
  if (start > file_size_bytes ||
      static_cast<uint64_t>(chunk.compressed_size_bytes) > file_size_bytes - start) {
    return Corrupt("column {}: its chunk of {} bytes at offset {} does not fit in the file of {} bytes",
                   element.name, chunk.compressed_size_bytes, start, file_size_bytes);
  }
  for (const auto& index : {chunk.offset_index, chunk.column_index}) {
    if (index && (index->offset_bytes > file_size_bytes ||
                  index->size_bytes > file_size_bytes - index->offset_bytes)) {
      return Corrupt(
          "column {}: its page index of {} bytes at offset {} does not fit in the file of {} bytes",
          element.name, index->size_bytes, index->offset_bytes, file_size_bytes);
    }
  }
  return {};
}

Status CheckRowGroups(const Footer& footer, uint64_t file_size_bytes) {
  int64_t row_count = 0;
  for (size_t g = 0; g < footer.row_groups.size(); ++g) {
    const RowGroup& group = footer.row_groups[g];
    const std::string where = fmt::format("row group {}", g);
    if (group.columns.size() != footer.leaves.size()) {
      return Corrupt("{}: has {} columns, the schema {} leaves", where, group.columns.size(),
                     footer.leaves.size());
    }
    if (__builtin_add_overflow(row_count, group.row_count, &row_count)) {
      return Corrupt("{}: the rows of all groups overflow 64 bits", where);
    }
    for (size_t i = 0; i < group.columns.size(); ++i) {
      WEIR_DO_CONTEXT(where, CheckChunk(group.columns[i], footer.element(footer.leaves[i]), file_size_bytes));
    }
  }
  return {};
}

/// A group whose children are being listed, with the levels of a value in it.
struct OpenGroup {
  size_t element = 0;
  int32_t children_left = 0;
  int32_t definition_level = 0;
  int32_t repetition_level = 0;
};

OpenGroup Below(const OpenGroup& parent, size_t index, const SchemaElement& element) {
  OpenGroup group{index, element.child_count, parent.definition_level, parent.repetition_level};
  if (element.repetition != Repetition::kRequired) ++group.definition_level;
  if (element.repetition == Repetition::kRepeated || element.repetition == Repetition::kVector) {
    ++group.repetition_level;
  }
  return group;
}

}  // namespace

uint64_t ColumnChunk::start_bytes() const {
  // 0 means "none" to some writers; a real page lies behind the magic.
  if (dictionary_page_offset && *dictionary_page_offset >= 4 && *dictionary_page_offset < data_page_offset) {
    return static_cast<uint64_t>(*dictionary_page_offset);
  }
  return static_cast<uint64_t>(data_page_offset);
}

uint64_t RowGroup::size_bytes() const {
  uint64_t sum = 0;
  for (const ColumnChunk& chunk : columns) sum += static_cast<uint64_t>(chunk.compressed_size_bytes);
  return sum;
}

bool Footer::has_field_ids() const {
  return std::any_of(schema.begin(), schema.end(),
                     [](const SchemaElement& e) { return e.field_id.has_value(); });
}

std::vector<std::string> Footer::PathOf(const Leaf& leaf) const {
  std::vector<std::string> path;
  for (size_t i = leaf.element; i != 0; i = schema[i].parent) path.push_back(schema[i].name);
  std::reverse(path.begin(), path.end());
  return path;
}

Result<uint64_t> FooterTailSize(Bytes last_bytes, uint64_t file_size_bytes) {
  if (file_size_bytes < kMinFileSizeBytes || last_bytes.size() < kTrailerSizeBytes) {
    return Corrupt("expected at least {} bytes of Parquet, found {}", kMinFileSizeBytes, file_size_bytes);
  }
  const Bytes trailer = last_bytes.last(kTrailerSizeBytes);
  const std::string_view magic = AsText(trailer.last(4));
  const uint64_t offset_bytes = file_size_bytes - 4;
  if (magic == "PARE") {
    return Unsupported("Parquet file with an encrypted footer (magic PARE at file offset {})", offset_bytes);
  }
  if (magic != "PAR1") {
    return Corrupt("at file offset {}: expected the magic PAR1 at the end, found {:?}", offset_bytes, magic);
  }
  const uint64_t footer_bytes = LoadLittleEndian<uint32_t>(trailer.data());
  if (footer_bytes == 0 || footer_bytes > file_size_bytes - kMinFileSizeBytes) {
    return Corrupt("at file offset {}: a footer of {} bytes does not fit in the file of {} bytes",
                   offset_bytes - 4, footer_bytes, file_size_bytes);
  }
  return footer_bytes + kTrailerSizeBytes;
}

Result<Footer> ParseFooter(Bytes bytes, uint64_t file_offset, uint64_t file_size_bytes) {
  Footer footer;
  ThriftReader in(bytes, file_offset);
  ReadFileMetaData(in, footer);
  WEIR_DO_CONTEXT("Parquet footer", in.status());
  WEIR_DO_CONTEXT("Parquet footer", DeriveLeaves(footer));
  // Fewer or more orders than leaves say nothing about any of them.
  if (footer.column_orders.size() != footer.leaves.size()) footer.column_orders.clear();
  footer.column_orders.resize(footer.leaves.size(), ColumnOrder::kUndefined);
  WEIR_DO_CONTEXT("Parquet footer", CheckRowGroups(footer, file_size_bytes));
  return footer;
}

Result<Footer> ParseFooterTail(Bytes tail, uint64_t file_size_bytes) {
  WEIR_TRY(const uint64_t tail_bytes, FooterTailSize(tail, file_size_bytes));
  if (tail.size() < tail_bytes) {
    return Internal("the footer needs the last {} bytes of the file, {} were read", tail_bytes, tail.size());
  }
  const Bytes footer = tail.last(tail_bytes).first(tail_bytes - kTrailerSizeBytes);
  return ParseFooter(footer, file_size_bytes - tail_bytes, file_size_bytes);
}

Status DeriveLeaves(Footer& footer) {
  if (footer.schema.empty()) return Corrupt("the schema has no root");
  footer.leaves.clear();
  std::vector<OpenGroup> open = {{0, footer.schema[0].child_count, 0, 0}};
  for (size_t i = 1; i < footer.schema.size(); ++i) {
    SchemaElement& element = footer.schema[i];
    while (!open.empty() && open.back().children_left == 0) open.pop_back();
    if (open.empty()) return Corrupt("schema element {} ({}) has no parent", i, element.name);
    --open.back().children_left;
    element.parent = open.back().element;
    const OpenGroup below = Below(open.back(), i, element);
    if (!element.physical) {
      open.push_back(below);
    } else if (element.child_count == 0) {
      footer.leaves.push_back({i, below.definition_level, below.repetition_level});
    } else {
      return Corrupt("schema element {} ({}) has a type and children", i, element.name);
    }
  }
  for (const OpenGroup& group : open) {
    if (group.children_left != 0) return Corrupt("the schema lacks {} of its elements", group.children_left);
  }
  return {};
}

}  // namespace weir::parquet
