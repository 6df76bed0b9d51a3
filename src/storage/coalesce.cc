#include "storage/coalesce.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/executor.h"
#include "storage/decorator.h"

namespace weir {
namespace {

/// A merged request is read into a buffer of its own first; this bounds it.
constexpr uint64_t kMostMergedBytes = 32_MiB;

class CoalescingStorage final : public Decorator {
 public:
  using Decorator::Decorator;

  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override {
    if (ranges.size() != buffers.size()) return Internal("{}: ranges and buffers differ in number", path);
    uint64_t asked_bytes = 0;
    for (const ByteRange& range : ranges) {
      if (range.size_bytes > UINT64_MAX - range.offset_bytes)
        return Corrupt("read {}: a range beyond 64 bits", path);
      asked_bytes += range.size_bytes;
    }
    io.account.Charge({.bytes_asked = asked_bytes});
    const std::vector<MergedRead> reads = MergeRanges(ranges, traits().merge_gap_bytes);
    return ParallelFor(reads.size(), traits().parallel_requests, [&](size_t i) -> Status {
      WEIR_DO(io.cancellation.Check());
      return ReadOne(io, path, reads[i], ranges, buffers);
    });
  }

 private:
  Status ReadOne(Io& io, std::string_view path, const MergedRead& read, std::span<const ByteRange> ranges,
                 std::span<const MutableBytes> buffers) {
    if (read.parts.size() == 1) {
      return inner().ReadRanges(io, path, {&read.range, 1}, {&buffers[read.parts[0]], 1});
    }
    const auto memory = std::make_unique_for_overwrite<uint8_t[]>(read.range.size_bytes);
    const MutableBytes merged(memory.get(), read.range.size_bytes);
    WEIR_DO(inner().ReadRanges(io, path, {&read.range, 1}, {&merged, 1}));
    for (size_t part : read.parts) {
      const ByteRange& range = ranges[part];
      if (range.size_bytes == 0) continue;
      std::memcpy(buffers[part].data(), memory.get() + (range.offset_bytes - read.range.offset_bytes),
                  range.size_bytes);
    }
    return {};
  }
};

}  // namespace

std::vector<MergedRead> MergeRanges(std::span<const ByteRange> ranges, uint64_t gap_bytes) {
  std::vector<size_t> order(ranges.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return ranges[i].offset_bytes; });
  std::vector<MergedRead> reads;
  for (size_t i : order) {
    const ByteRange& range = ranges[i];
    if (!reads.empty()) {
      ByteRange& last = reads.back().range;
      const uint64_t end = std::max(last.end_bytes(), range.end_bytes());
      const bool near =
          range.offset_bytes <= last.end_bytes() || range.offset_bytes - last.end_bytes() <= gap_bytes;
      if (near && end - last.offset_bytes <= kMostMergedBytes) {
        last.size_bytes = end - last.offset_bytes;
        reads.back().parts.push_back(i);
        continue;
      }
    }
    reads.push_back({range, {i}});
  }
  return reads;
}

std::shared_ptr<Storage> Coalescing(std::shared_ptr<Storage> inner) {
  return std::make_shared<CoalescingStorage>(std::move(inner));
}

}  // namespace weir
