#pragma once

/// A store that fails on purpose, for tests. Thread rule: any thread; with a slow fault, as the clock allows.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "storage/storage.h"

namespace weir {

enum class Fault : uint8_t {
  kNone,
  kRefused,    ///< kUnavailable; nothing happened.
  kReplyLost,  ///< It happened, but the caller gets kUnavailable; for a write, WRITE_OUTCOME_UNKNOWN.
  kSlow,       ///< It happens after the clock has moved.
  kDiskFull,   ///< kUnavailable for a write, and nothing happened; reads are not touched.
  kDenied,     ///< kDenied; nothing happened.
};

enum class StoreCall : uint8_t { kList, kHead, kRead, kPut, kStartUpload, kWrite, kFinish, kAbort, kDelete };

/// A call that is about to be made.
struct FaultyCall {
  uint64_t number = 0;  ///< From 1, over all calls of the store and its uploads.
  StoreCall call = StoreCall::kHead;
  std::string path;  ///< The prefix of a listing; the first path of a delete; the path of an upload.
};
using FaultRule = std::function<Fault(const FaultyCall&)>;

/// The n-th call fails, no other.
FaultRule FailNth(uint64_t number, Fault fault);

class FaultyStorage final : public Storage {
 public:
  /// `clock` may be null if no rule says kSlow. The rule is asked once per call, by the calling thread.
  FaultyStorage(std::shared_ptr<Storage> inner, FaultRule rule, Clock* clock = nullptr,
                int64_t slow_us = 60'000'000);

  /// Calls so far: what a test counts in a run without faults, to fail each in turn.
  uint64_t call_count() const { return call_count_; }

  Result<ListPage> List(Io& io, std::string_view prefix, const std::optional<std::string>& page) override;
  Result<ObjectInfo> Head(Io& io, std::string_view path) override;
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override;
  Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) override;
  Result<std::unique_ptr<Upload>> StartUpload(Io& io, std::string_view path, const PutIf& condition) override;
  Status Delete(Io& io, std::span<const std::string> paths) override;
  const StoreTraits& traits() const override { return inner_->traits(); }

 private:
  friend class FaultyUpload;
  /// Makes a call as the rule says.
  template <typename Call>
  auto Make(StoreCall kind, std::string_view path, Call call) -> decltype(call());

  std::shared_ptr<Storage> inner_;
  const FaultRule rule_;
  Clock* const clock_;
  const int64_t slow_us_;
  std::atomic<uint64_t> call_count_{0};
};

}  // namespace weir
