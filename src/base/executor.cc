#include "base/executor.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <system_error>
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
  std::vector<std::thread> others;
  try {
    for (size_t n = 1; n < std::min(threads, count); ++n) others.emplace_back(work);
  } catch (const std::system_error&) {
    // The system gives no more threads: those that run, at least this one, do all of the work.
  }
  work();
  for (std::thread& other : others) other.join();
  if (first) return *std::move(first);
  return {};
}

}  // namespace weir
