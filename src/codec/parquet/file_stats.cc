#include "codec/parquet/file_stats.h"

namespace weir::parquet {

namespace {

void AddCount(std::optional<uint64_t>& sum, const std::optional<uint64_t>& count) {
  if (sum && count) {
    *sum += *count;
  } else {
    sum.reset();
  }
}

/// Widens `sum` to cover `more`. A part without values says nothing about bounds.
void Merge(ValueBounds& sum, const ValueBounds& more) {
  const auto is_void = [](const ValueBounds& b) { return b.all_null || b.value_count == 0; };
  if (is_void(sum)) {
    sum.lower = more.lower;
    sum.upper = more.upper;
    sum.exact = more.exact;
  } else if (!is_void(more)) {
    if (!more.lower || !sum.lower) {
      sum.lower.reset();
    } else if (Compare(*more.lower, *sum.lower) < 0) {
      sum.lower = more.lower;
    }
    if (!more.upper || !sum.upper) {
      sum.upper.reset();
    } else if (Compare(*more.upper, *sum.upper) > 0) {
      sum.upper = more.upper;
    }
    sum.exact = sum.exact && more.exact;
  }
  sum.may_have_nan = sum.may_have_nan || more.may_have_nan;
  AddCount(sum.null_count, more.null_count);
  AddCount(sum.value_count, more.value_count);
  sum.all_null = sum.value_count && sum.value_count == sum.null_count && *sum.value_count > 0;
}

}  // namespace

std::optional<size_t> FindLeaf(const Footer& footer, FieldId id) {
  std::optional<size_t> found;
  for (size_t i = 0; i < footer.leaves.size(); ++i) {
    if (footer.element(footer.leaves[i]).field_id != id) continue;
    if (found) return {};
    found = i;
  }
  return found;
}

std::vector<LeafStats> RowGroupStats(const Footer& footer, size_t row_group, const Schema& schema) {
  std::vector<LeafStats> stats;
  for (size_t i = 0; i < footer.leaves.size(); ++i) {
    const auto& id = footer.element(footer.leaves[i]).field_id;
    const weir::Field* field = id ? schema.Find(*id) : nullptr;
    if (field == nullptr) continue;
    const ColumnChunk& chunk = footer.row_groups[row_group].columns[i];
    stats.push_back({*id, i, BoundsDecoder(footer, i, field->type).OfChunk(chunk),
                     static_cast<uint64_t>(chunk.compressed_size_bytes)});
  }
  return stats;
}

std::vector<LeafStats> FileStats(const Footer& footer, const Schema& schema) {
  std::vector<LeafStats> stats;
  for (size_t group = 0; group < footer.row_groups.size(); ++group) {
    std::vector<LeafStats> more = RowGroupStats(footer, group, schema);
    if (group == 0) {
      stats = std::move(more);
      continue;
    }
    for (size_t i = 0; i < stats.size(); ++i) {
      Merge(stats[i].bounds, more[i].bounds);
      stats[i].size_bytes += more[i].size_bytes;
    }
  }
  return stats;
}

}  // namespace weir::parquet
