/// Any bytes as the end of a Parquet file: a footer, or an error. What is a footer must serialize and parse
/// again.

#include <cstdlib>

#include "codec/parquet/file_stats.h"
#include "codec/parquet/footer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace weir;
  using namespace weir::parquet;
  const Bytes bytes(data, size);
  const uint64_t file_size = uint64_t{1} << 40;
  auto footer = ParseFooter(bytes, 0, file_size);
  if (!footer) return 0;
  Schema schema;
  for (const Leaf& leaf : footer->leaves) {
    const auto& id = footer->element(leaf).field_id;
    const Type types[] = {Type::Boolean(),   Type::Int(),          Type::Long(),
                          Type::Double(),    Type::Decimal(12, 2), Type::Date(),
                          Type::Timestamp(), Type::String(),       Type::Fixed(16)};
    if (id) schema.fields.push_back({*id, "f", types[static_cast<uint32_t>(id->value) % 9], false, ""});
    if (schema.fields.size() > 20) break;
  }
  if (!footer->row_groups.empty()) FileStats(*footer, schema);
  for (const RowGroup& group : footer->row_groups) {
    for (const ColumnChunk& chunk : group.columns) {
      if (chunk.is_encrypted || chunk.is_external) return 0;  // Their metadata is not written.
    }
  }
  const std::string tail = SerializeFooterTail(*footer);
  if (!ParseFooterTail(AsBytes(tail), file_size)) std::abort();
  return 0;
}
