#include "exec/duckdb/batches.h"

#include <cstring>

#include "duckdb/common/types/vector.hpp"
#include "exec/duckdb/types.h"

namespace weir::exec {

namespace {

using duckdb::idx_t;
using duckdb::Vector;

/// A row that is NULL whatever the vector holds: a member of a NULL struct.
constexpr idx_t kNullRow = ~idx_t{0};

struct Source {
  Vector& vector;
  duckdb::UnifiedVectorFormat format;
  Source(Vector& in_vector, idx_t size) : vector(in_vector) { vector.ToUnifiedFormat(size, format); }
  idx_t At(idx_t row) const { return format.sel->get_index(row); }
  bool Valid(idx_t row) const { return row != kNullRow && format.validity.RowIsValid(At(row)); }
};

template <typename T>
void AppendFixed(ColumnVector& to, const Source& from, std::span<const idx_t> rows) {
  const auto* data = reinterpret_cast<const T*>(from.format.data);
  const size_t at = to.values.size();
  to.values.resize(at + rows.size() * sizeof(T));
  uint8_t* out = to.values.data() + at;
  for (idx_t row : rows) {
    const bool valid = from.Valid(row);
    AppendValidity(to, to.length++, valid);
    const T value = valid ? data[from.At(row)] : T();
    std::memcpy(out, &value, sizeof(T));
    out += sizeof(T);
  }
}

/// Whole numbers and decimals that DuckDB keeps narrower than Arrow does.
template <typename T>
void AppendDecimal(ColumnVector& to, const Source& from, std::span<const idx_t> rows) {
  const auto* data = reinterpret_cast<const T*>(from.format.data);
  for (idx_t row : rows) {
    const bool valid = from.Valid(row);
    AppendValidity(to, to.length++, valid);
    Int128 value = 0;
    if (valid) {
      if constexpr (std::is_same_v<T, duckdb::hugeint_t>) {
        value = FromHugeint(data[from.At(row)]);
      } else {
        value = data[from.At(row)];
      }
    }
    const size_t at = to.values.size();
    to.values.resize(at + sizeof(value));
    std::memcpy(to.values.data() + at, &value, sizeof(value));
  }
}

void AppendText(ColumnVector& to, const Source& from, std::span<const idx_t> rows) {
  const auto* data = reinterpret_cast<const duckdb::string_t*>(from.format.data);
  for (idx_t row : rows) {
    const bool valid = from.Valid(row);
    AppendValidity(to, to.length++, valid);
    if (valid) to.bytes.append(data[from.At(row)].GetData(), data[from.At(row)].GetSize());
    to.offsets.push_back(static_cast<int64_t>(to.bytes.size()));
  }
}

Status AppendRows(ColumnVector& to, Vector& vector, idx_t size, std::span<const idx_t> rows);

Status AppendLists(ColumnVector& to, const Source& from, std::span<const idx_t> rows) {
  const auto* entries = reinterpret_cast<const duckdb::list_entry_t*>(from.format.data);
  std::vector<idx_t> elements;
  for (idx_t row : rows) {
    const bool valid = from.Valid(row);
    AppendValidity(to, to.length++, valid);
    if (valid) {
      const duckdb::list_entry_t& entry = entries[from.At(row)];
      for (idx_t i = 0; i < entry.length; ++i) elements.push_back(entry.offset + i);
    }
    to.offsets.push_back(to.children[0].length + static_cast<int64_t>(elements.size()));
  }
  Vector& child = duckdb::ListVector::GetEntry(from.vector);
  const idx_t size = duckdb::ListVector::GetListSize(from.vector);
  if (to.type.kind() == TypeKind::kArray) return AppendRows(to.children[0], child, size, elements);
  auto& parts = duckdb::StructVector::GetEntries(child);
  for (size_t i = 0; i < 2; ++i) WEIR_DO(AppendRows(to.children[i], *parts[i], size, elements));
  return {};
}

Status AppendStructs(ColumnVector& to, const Source& from, std::span<const idx_t> rows) {
  std::vector<idx_t> members;
  for (idx_t row : rows) {
    const bool valid = from.Valid(row);
    AppendValidity(to, to.length++, valid);
    members.push_back(valid ? from.At(row) : kNullRow);
  }
  // Entries of a dictionary's child, in its own order.
  Vector* structs = &from.vector;
  while (structs->GetVectorType() == duckdb::VectorType::DICTIONARY_VECTOR) {
    structs = &duckdb::DictionaryVector::Child(*structs);
  }
  idx_t size = 0;
  for (idx_t member : members) size = member == kNullRow ? size : std::max(size, member + 1);
  auto& entries = duckdb::StructVector::GetEntries(*structs);
  for (size_t i = 0; i < to.children.size(); ++i)
    WEIR_DO(AppendRows(to.children[i], *entries[i], size, members));
  return {};
}

void AppendNulls(ColumnVector& to, size_t count) {
  for (size_t i = 0; i < count; ++i) ++to.length;
}

void AppendBooleans(ColumnVector& to, const Source& from, std::span<const idx_t> rows) {
  const auto* data = reinterpret_cast<const bool*>(from.format.data);
  for (idx_t row : rows) {
    const bool valid = from.Valid(row);
    AppendBit(to.values, to.length, valid && data[from.At(row)]);
    AppendValidity(to, to.length++, valid);
  }
}

void AppendUuids(ColumnVector& to, const Source& from, std::span<const idx_t> rows) {
  const auto* data = reinterpret_cast<const duckdb::hugeint_t*>(from.format.data);
  for (idx_t row : rows) {
    const bool valid = from.Valid(row);
    AppendValidity(to, to.length++, valid);
    const std::string bytes = valid ? UuidBytes(data[from.At(row)]) : std::string(16, 0);
    to.values.insert(to.values.end(), bytes.begin(), bytes.end());
  }
}

Status AppendFixedBytes(ColumnVector& to, const Source& from, std::span<const idx_t> rows) {
  const auto* data = reinterpret_cast<const duckdb::string_t*>(from.format.data);
  const size_t width = static_cast<size_t>(to.type.length_bytes());
  for (idx_t row : rows) {
    const bool valid = from.Valid(row);
    AppendValidity(to, to.length++, valid);
    std::string bytes = valid ? data[from.At(row)].GetString() : std::string();
    if (valid && bytes.size() != width) return Invalid("{} bytes where {} are needed", bytes.size(), width);
    bytes.resize(width);
    to.values.insert(to.values.end(), bytes.begin(), bytes.end());
  }
  return {};
}

Status AppendRows(ColumnVector& to, Vector& vector, idx_t size, std::span<const idx_t> rows) {
  const Source from(vector, size);
  switch (to.type.kind()) {
    case TypeKind::kVoid:
      AppendNulls(to, rows.size());
      return {};
    case TypeKind::kBoolean:
      AppendBooleans(to, from, rows);
      return {};
    case TypeKind::kString:
    case TypeKind::kBinary:
      AppendText(to, from, rows);
      return {};
    case TypeKind::kFixed:
      return AppendFixedBytes(to, from, rows);
    case TypeKind::kUuid:
      AppendUuids(to, from, rows);
      return {};
    case TypeKind::kArray:
    case TypeKind::kMap:
      return AppendLists(to, from, rows);
    case TypeKind::kStruct:
      return AppendStructs(to, from, rows);
    case TypeKind::kDecimal:
      switch (vector.GetType().InternalType()) {
        case duckdb::PhysicalType::INT16:
          AppendDecimal<int16_t>(to, from, rows);
          return {};
        case duckdb::PhysicalType::INT32:
          AppendDecimal<int32_t>(to, from, rows);
          return {};
        case duckdb::PhysicalType::INT64:
          AppendDecimal<int64_t>(to, from, rows);
          return {};
        default:
          AppendDecimal<duckdb::hugeint_t>(to, from, rows);
          return {};
      }
    default:
      break;
  }
  switch (FixedWidthBytes(to.type)) {
    case 1:
      AppendFixed<uint8_t>(to, from, rows);
      return {};
    case 2:
      AppendFixed<uint16_t>(to, from, rows);
      return {};
    case 4:
      AppendFixed<uint32_t>(to, from, rows);
      return {};
    default:
      AppendFixed<uint64_t>(to, from, rows);
      return {};
  }
}

size_t TextBytes(const ColumnVector& column) {
  size_t bytes = column.bytes.size();
  for (const ColumnVector& child : column.children) bytes += child.values.size() + TextBytes(child);
  return bytes;
}

}  // namespace

BatchBuilder::BatchBuilder(std::vector<Type> types) : types_(std::move(types)) { Reset(); }

void BatchBuilder::Reset() {
  columns_.clear();
  row_count_ = 0;
  for (const Type& type : types_)
    columns_.push_back(std::make_shared<ColumnVector>(ColumnBuilder(type).Finish()));
}

Status BatchBuilder::Append(duckdb::DataChunk& chunk) {
  static const std::vector<idx_t> kAllRows = [] {
    std::vector<idx_t> rows(STANDARD_VECTOR_SIZE);
    for (idx_t i = 0; i < rows.size(); ++i) rows[i] = i;
    return rows;
  }();
  const std::span<const idx_t> rows(kAllRows.data(), chunk.size());
  for (size_t i = 0; i < columns_.size(); ++i) {
    WEIR_DO(AppendRows(*columns_[i], chunk.data[i], chunk.size(), rows));
  }
  row_count_ += static_cast<int64_t>(chunk.size());
  return {};
}

size_t BatchBuilder::text_bytes() const {
  size_t bytes = 0;
  for (const auto& column : columns_) bytes += TextBytes(*column);
  return bytes;
}

Batch BatchBuilder::Finish() {
  Batch batch;
  batch.row_count = row_count_;
  for (auto& column : columns_) batch.columns.push_back(std::move(column));
  Reset();
  return batch;
}

Status FillChunk(const Batch& batch, const std::vector<Type>& types, int64_t first, int64_t count,
                 duckdb::DataChunk& chunk) {
  chunk.Reset();
  for (size_t column = 0; column < types.size(); ++column) {
    for (int64_t row = 0; row < count; ++row) {
      WEIR_TRY(duckdb::Value value, ToDuckValue(batch.At(first + row, column)));
      chunk.SetValue(column, static_cast<idx_t>(row), value);
    }
  }
  chunk.SetCardinality(static_cast<idx_t>(count));
  return {};
}

}  // namespace weir::exec
