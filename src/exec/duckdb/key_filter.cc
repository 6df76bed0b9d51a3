#include "exec/duckdb/key_filter.h"

#include <bit>

#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "exec/duckdb/errors.h"
#include "exec/duckdb/types.h"

namespace weir::exec {

namespace {

using duckdb::idx_t;

void HashRows(duckdb::DataChunk& chunk, const std::vector<idx_t>& columns, duckdb::Vector& hashes) {
  duckdb::VectorOperations::Hash(chunk.data[columns[0]], hashes, chunk.size());
  for (size_t i = 1; i < columns.size(); ++i) {
    duckdb::VectorOperations::CombineHash(hashes, chunk.data[columns[i]], chunk.size());
  }
  hashes.Flatten(chunk.size());
}

}  // namespace

Result<std::shared_ptr<const KeyFilter>> KeyFilter::Make(const table::KeySet& keys,
                                                         const std::vector<Type>& types) {
  if (!keys.keys || keys.fields.empty()) return std::shared_ptr<const KeyFilter>();
  duckdb::vector<duckdb::LogicalType> duck_types;
  std::vector<idx_t> columns;
  for (const Type& type : types) {
    WEIR_TRY(duckdb::LogicalType duck_type, ToDuckType(type));
    columns.push_back(duck_types.size());
    duck_types.push_back(std::move(duck_type));
  }
  return Guard([&]() -> Result<std::shared_ptr<const KeyFilter>> {
    std::shared_ptr<KeyFilter> filter(new KeyFilter());
    filter->fields_ = keys.fields;
    filter->slots_.resize(std::bit_ceil(2 * keys.keys->size() + 1));
    filter->bits_.resize(std::bit_ceil(keys.keys->size() + 1));
    duckdb::DataChunk chunk;
    chunk.Initialize(duckdb::Allocator::DefaultAllocator(), duck_types);
    duckdb::Vector hashes(duckdb::LogicalType::HASH);
    for (size_t first = 0; first < keys.keys->size(); first += STANDARD_VECTOR_SIZE) {
      const size_t count = std::min<size_t>(STANDARD_VECTOR_SIZE, keys.keys->size() - first);
      chunk.Reset();
      for (size_t row = 0; row < count; ++row) {
        const std::vector<Scalar>& key = (*keys.keys)[first + row];
        for (size_t column = 0; column < types.size(); ++column) {
          WEIR_TRY(duckdb::Value value, ToDuckValue(key[column]));
          chunk.SetValue(column, row, value.DefaultCastAs(duck_types[column]));
        }
      }
      chunk.SetCardinality(count);
      HashRows(chunk, columns, hashes);
      for (size_t row = 0; row < count; ++row) {
        filter->Insert(duckdb::FlatVector::GetData<duckdb::hash_t>(hashes)[row]);
      }
    }
    return std::shared_ptr<const KeyFilter>(std::move(filter));
  });
}

idx_t KeyFilter::Select(duckdb::DataChunk& chunk, const std::vector<idx_t>& columns,
                        duckdb::SelectionVector& kept) const {
  duckdb::Vector hashes(duckdb::LogicalType::HASH);
  HashRows(chunk, columns, hashes);
  const auto* hash = duckdb::FlatVector::GetData<duckdb::hash_t>(hashes);
  idx_t candidates = 0;
  for (idx_t row = 0; row < chunk.size(); ++row) {
    kept.set_index(candidates, row);
    candidates += BitOf(hash[row]);
  }
  idx_t count = 0;
  for (idx_t i = 0; i < candidates; ++i) {
    const idx_t row = kept.get_index(i);
    if (Contains(hash[row])) kept.set_index(count++, row);
  }
  return count;
}

void KeyFilter::Insert(uint64_t hash) {
  bits_[(hash >> 38) & (bits_.size() - 1)] |= uint64_t{1} << ((hash >> 32) & 63);
  if (hash == 0) {
    has_zero_ = true;
    return;
  }
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  while (slots_[slot] != 0 && slots_[slot] != hash) slot = (slot + 1) & mask;
  slots_[slot] = hash;
}

bool KeyFilter::Contains(uint64_t hash) const {
  if (hash == 0) return has_zero_;
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  while (slots_[slot] != 0 && slots_[slot] != hash) slot = (slot + 1) & mask;
  return slots_[slot] == hash;
}

}  // namespace weir::exec
