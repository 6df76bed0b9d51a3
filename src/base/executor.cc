#include "base/executor.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace weir {

Status ParallelFor(size_t count, size_t threads, const std::function<Status(size_t)>& body) {
  if (count == 0) return {};
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::optional<Error> first;
  auto work = [&] {
    for (size_t i = next++; i < count && !failed; i = next++) {
      if (Status status = body(i); !status) {
        std::lock_guard lock(mutex);
        if (!first) first = status.error();
        failed = true;
      }
    }
  };
  std::vector<std::thread> helpers;
  for (size_t n = 1; n < std::min(threads, count); ++n) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  if (first) return *std::move(first);
  return {};
}

}  // namespace weir
