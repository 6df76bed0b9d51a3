#pragma once

/// Turns many ranges into few requests. Thread rule: any thread.

#include <memory>
#include <vector>

#include "storage/storage.h"

namespace weir {

/// One request, and the ranges that it serves.
struct MergedRead {
  ByteRange range;
  std::vector<size_t> parts;  ///< Indexes of the ranges that were asked for, by offset.
  bool operator==(const MergedRead&) const = default;
};

/// Merges ranges with at most `gap_bytes` between them, as long as a request stays below 32 MiB. Sorted by
/// offset; every range is a part of exactly one request. Precondition: no range ends beyond 64 bits.
std::vector<MergedRead> MergeRanges(std::span<const ByteRange> ranges, uint64_t gap_bytes);

/// Reads merged ranges, up to traits().parallel_requests at once; passes all other calls on. Charges
/// `bytes_asked`; the requests and the bytes that move are charged below, by the meter.
std::shared_ptr<Storage> Coalescing(std::shared_ptr<Storage> inner);

}  // namespace weir
