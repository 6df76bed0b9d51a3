#include "storage/retry.h"

#include <algorithm>

#include "storage/decorator.h"

namespace weir {
namespace {

constexpr int64_t kCancellationCheckUs = 100'000;

class RetryingStorage final : public Decorator {
 public:
  RetryingStorage(std::shared_ptr<Storage> inner, Clock& clock, Random& random, RetryOptions options)
      : Decorator(std::move(inner)), clock_(clock), random_(random), options_(options) {}

  Result<ListPage> List(Io& io, std::string_view prefix, const std::optional<std::string>& page) override {
    return Repeat(io, [&] { return inner().List(io, prefix, page); });
  }
  Result<ObjectInfo> Head(Io& io, std::string_view path) override {
    return Repeat(io, [&] { return inner().Head(io, path); });
  }
  Status ReadRanges(Io& io, std::string_view path, std::span<const ByteRange> ranges,
                    std::span<const MutableBytes> buffers) override {
    return Repeat(io, [&] { return inner().ReadRanges(io, path, ranges, buffers); });
  }
  Result<ObjectTag> Put(Io& io, std::string_view path, Bytes bytes, const PutIf& condition) override {
    return Repeat(io, [&] { return inner().Put(io, path, bytes, condition); });
  }
  Result<std::unique_ptr<Upload>> StartUpload(Io& io, std::string_view path,
                                              const PutIf& condition) override {
    return Repeat(io, [&] { return inner().StartUpload(io, path, condition); });
  }
  Status Delete(Io& io, std::span<const std::string> paths) override {
    // Deleting twice is deleting once, so here an unknown outcome is as good as none.
    return Repeat(
        io, [&] { return inner().Delete(io, paths); }, /*idempotent=*/true);
  }

 private:
  template <typename Call>
  auto Repeat(Io& io, Call call, bool idempotent = false) -> decltype(call()) {
    int64_t delay_us = options_.first_delay_us;
    for (int attempt = 1;; ++attempt) {
      auto result = call();
      if (result || result.error().code() != ErrorCode::kUnavailable) return result;
      if (OutcomeUnknown(result.error()) && !idempotent) return result;
      if (attempt >= options_.attempts) {
        return std::move(result).error().WithContext(fmt::format("after {} attempts", attempt));
      }
      WEIR_DO(Wait(io, delay_us));
      delay_us = std::min(delay_us * 2, options_.longest_delay_us);
    }
  }

  Status Wait(Io& io, int64_t nominal_us) {
    const auto half = static_cast<uint64_t>(nominal_us / 2);
    auto left_us = static_cast<int64_t>(half + random_.Next() % (half + 1));
    while (left_us > 0) {
      WEIR_DO(io.cancellation.Check());
      const int64_t step_us = std::min(left_us, kCancellationCheckUs);
      clock_.SleepMicros(step_us);
      left_us -= step_us;
    }
    return io.cancellation.Check();
  }

  Clock& clock_;
  Random& random_;
  const RetryOptions options_;
};

}  // namespace

std::shared_ptr<Storage> Retrying(std::shared_ptr<Storage> inner, Clock& clock, Random& random,
                                  RetryOptions options) {
  return std::make_shared<RetryingStorage>(std::move(inner), clock, random, options);
}

}  // namespace weir
