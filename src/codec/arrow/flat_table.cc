#include "codec/arrow/flat_table.h"

namespace weir::arrow_ipc {
namespace {

constexpr size_t kOffsetBytes = sizeof(uint32_t);
constexpr size_t kMemberBytes = sizeof(uint16_t);

Status Within(Bytes buffer, size_t at, size_t size_bytes) {
  if (at <= buffer.size() && size_bytes <= buffer.size() - at) return {};
  return Corrupt("metadata of {} bytes refers to {} bytes at {} (FlatBuffers, \"Internals\")", buffer.size(),
                 size_bytes, at);
}

}  // namespace

Result<FlatTable> FlatTable::Root(Bytes buffer) {
  WEIR_TRY(const size_t at, Follow(buffer, 0));
  return At(buffer, at);
}

Result<FlatTable> FlatTable::At(Bytes buffer, size_t at) {
  WEIR_DO(Within(buffer, at, kOffsetBytes));
  // The list of members lies this far before the table, or behind it.
  const int64_t list = static_cast<int64_t>(at) - LoadLittleEndian<int32_t>(buffer.data() + at);
  // Sizes of the list and of the table come before the members.
  WEIR_DO(Within(buffer, static_cast<size_t>(list), 2 * kMemberBytes));
  const auto list_bytes = LoadLittleEndian<uint16_t>(buffer.data() + list);
  WEIR_DO(Within(buffer, static_cast<size_t>(list), list_bytes));
  if (list_bytes < 2 * kMemberBytes) return Corrupt("a table whose list of members has {} bytes", list_bytes);
  return FlatTable(buffer, at, buffer.subspan(list, list_bytes).subspan(2 * kMemberBytes));
}

Result<size_t> FlatTable::Follow(Bytes buffer, size_t at) {
  WEIR_DO(Within(buffer, at, kOffsetBytes));
  return at + LoadLittleEndian<uint32_t>(buffer.data() + at);
}

Result<size_t> FlatTable::Find(uint16_t member, size_t size_bytes) const {
  const size_t entry = member * kMemberBytes;
  if (entry + kMemberBytes > members_.size()) return size_t{0};
  const auto offset = LoadLittleEndian<uint16_t>(members_.data() + entry);
  if (offset == 0) return size_t{0};
  WEIR_DO(Within(buffer_, at_ + offset, size_bytes));
  return at_ + offset;
}

Result<Bytes> FlatTable::Vector(size_t at, size_t element_bytes) const {
  WEIR_TRY(const size_t vector, Follow(buffer_, at));
  WEIR_DO(Within(buffer_, vector, kOffsetBytes));
  const size_t size_bytes = size_t{LoadLittleEndian<uint32_t>(buffer_.data() + vector)} * element_bytes;
  WEIR_DO(Within(buffer_, vector + kOffsetBytes, size_bytes));
  return buffer_.subspan(vector + kOffsetBytes, size_bytes);
}

Result<std::optional<FlatTable>> FlatTable::Table(uint16_t member) const {
  WEIR_TRY(const size_t at, Find(member, kOffsetBytes));
  if (at == 0) return std::optional<FlatTable>();
  WEIR_TRY(const size_t table, Follow(buffer_, at));
  WEIR_TRY(FlatTable found, At(buffer_, table));
  return std::optional<FlatTable>(found);
}

Result<std::string_view> FlatTable::Text(uint16_t member) const {
  WEIR_TRY(const Bytes bytes, Structs(member, 1));
  return AsText(bytes);
}

Result<FlatTableVector> FlatTable::Tables(uint16_t member) const {
  WEIR_TRY(const Bytes offsets, Structs(member, kOffsetBytes));
  return FlatTableVector(buffer_, offsets);
}

Result<Bytes> FlatTable::Structs(uint16_t member, size_t struct_bytes) const {
  WEIR_TRY(const size_t at, Find(member, kOffsetBytes));
  if (at == 0) return Bytes();
  return Vector(at, struct_bytes);
}

Result<FlatTable> FlatTableVector::At(size_t i) const {
  const size_t entry = static_cast<size_t>(offsets_.data() - buffer_.data()) + i * kOffsetBytes;
  WEIR_TRY(const size_t table, FlatTable::Follow(buffer_, entry));
  return FlatTable::At(buffer_, table);
}

}  // namespace weir::arrow_ipc
