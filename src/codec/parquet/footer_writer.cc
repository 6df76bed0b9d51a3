#include "codec/parquet/footer.h"
#include "codec/parquet/logical.h"
#include "codec/parquet/thrift.h"

namespace weir::parquet {

namespace {

void WriteSchemaElement(ThriftWriter& out, const SchemaElement& element, bool is_root) {
  out.BeginStruct();
  if (element.physical) out.I32(1, static_cast<int32_t>(*element.physical));
  if (element.physical == PhysicalType::kFixedLenByteArray) out.I32(2, element.type_length);
  if (!is_root) out.I32(3, static_cast<int32_t>(element.repetition));
  out.Binary(4, element.name);
  if (!element.physical) out.I32(5, element.child_count);
  if (const auto converted = ToConverted(element.logical)) {
    out.I32(6, *converted->type);
    if (element.logical.kind == LogicalType::Kind::kDecimal) {
      out.I32(7, converted->scale);
      out.I32(8, converted->precision);
    }
  }
  if (element.field_id) out.I32(9, element.field_id->value);
  WriteLogicalType(out, 10, element.logical);
  out.EndStruct();
}

void WriteColumnChunk(ThriftWriter& out, const ColumnChunk& chunk, const std::vector<std::string>& path) {
  out.BeginStruct();
  out.I64(2, 0);
  out.BeginStructField(3);
  out.I32(1, static_cast<int32_t>(chunk.physical));
  out.BeginList(2, WireType::kI32, chunk.encodings.size());
  for (Encoding encoding : chunk.encodings) out.ElementI32(static_cast<int32_t>(encoding));
  out.BeginList(3, WireType::kBinary, path.size());
  for (const std::string& name : path) out.ElementBinary(name);
  out.I32(4, static_cast<int32_t>(chunk.codec));
  out.I64(5, chunk.value_count);
  out.I64(6, chunk.uncompressed_size_bytes);
  out.I64(7, chunk.compressed_size_bytes);
  out.I64(9, chunk.data_page_offset);
  if (chunk.dictionary_page_offset) out.I64(11, *chunk.dictionary_page_offset);
  out.EndStruct();
  out.EndStruct();
}

void WriteRowGroup(ThriftWriter& out, const RowGroup& group, const Footer& footer) {
  out.BeginStruct();
  out.BeginList(1, WireType::kStruct, group.columns.size());
  for (size_t i = 0; i < group.columns.size(); ++i) {
    WriteColumnChunk(out, group.columns[i], footer.PathOf(footer.leaves[i]));
  }
  out.I64(2, group.total_size_bytes);
  out.I64(3, group.row_count);
  if (group.compressed_size_bytes) out.I64(6, *group.compressed_size_bytes);
  out.EndStruct();
}

}  // namespace

std::string SerializeFooterTail(const Footer& footer) {
  ThriftWriter out;
  out.BeginStruct();
  out.I32(1, footer.version);
  out.BeginList(2, WireType::kStruct, footer.schema.size());
  for (size_t i = 0; i < footer.schema.size(); ++i) WriteSchemaElement(out, footer.schema[i], i == 0);
  out.I64(3, footer.row_count);
  out.BeginList(4, WireType::kStruct, footer.row_groups.size());
  for (const RowGroup& group : footer.row_groups) WriteRowGroup(out, group, footer);
  out.Binary(6, footer.created_by);
  out.EndStruct();
  std::string tail = out.Take();
  AppendLittleEndian(tail, static_cast<uint32_t>(tail.size()));
  tail += "PAR1";
  return tail;
}

}  // namespace weir::parquet
