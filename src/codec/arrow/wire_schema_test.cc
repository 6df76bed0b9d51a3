#include "codec/arrow/wire_schema.h"

#include <flatbuffers/flatbuffers.h>
#include <gtest/gtest.h>

#include "codec/arrow/format.h"

namespace weir::arrow_ipc {
namespace {

using flatbuffers::FieldIndexToOffset;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

/// A schema of structs within structs, each of which refers to the next one so many times.
FlatBufferBuilder Nested(int levels, int references) {
  FlatBufferBuilder buffer;
  std::vector<Offset<void>> children;
  for (int i = 0; i < levels; ++i) {
    const Offset<void> type(buffer.EndTable(buffer.StartTable()));
    const auto list = buffer.CreateVector(children);
    const auto start = buffer.StartTable();
    buffer.AddElement<uint8_t>(FieldIndexToOffset(field::kTypeKind), static_cast<uint8_t>(WireType::kStruct));
    buffer.AddOffset(FieldIndexToOffset(field::kType), type);
    buffer.AddOffset(FieldIndexToOffset(field::kChildren), list);
    children.assign(references, Offset<void>(buffer.EndTable(start)));
  }
  const auto list = buffer.CreateVector(children);
  const auto start = buffer.StartTable();
  buffer.AddOffset(FieldIndexToOffset(schema::kFields), list);
  buffer.Finish(Offset<void>(buffer.EndTable(start)));
  return buffer;
}

Result<std::unique_ptr<const WireColumn>> Read(const FlatBufferBuilder& buffer, size_t limit = 1 << 30) {
  Budget budget(limit);
  WEIR_TRY(const FlatTable table, FlatTable::Root({buffer.GetBufferPointer(), buffer.GetSize()}));
  return ReadSchema(table, budget);
}

TEST(WireSchema, DepthAndCountAreBounded) {
  const auto column = Read(Nested(3, 2));
  ASSERT_TRUE(column) << column.error().ToString();
  EXPECT_EQ((*column)->children[1].children[1].children.size(), 2u);
  EXPECT_TRUE(Read(Nested(60, 1)));
  for (const auto& refused : {Read(Nested(100, 1)), Read(Nested(60, 2))}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::kUnsupported);
  }
  EXPECT_EQ(Read(Nested(10, 2), 10'000).error().code(), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace weir::arrow_ipc
