#pragma once

/// A bar on a terminal for statements that take long. Thread rule: any thread.

#include <chrono>
#include <mutex>
#include <string>

namespace weir::cli {

/// Draws on stderr, and only if that is a terminal; gone without a trace at the end.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// A share in [0, 1], or -1 when unknown. Nothing shows during the first second.
  void Update(double share);
  /// Gone for good.
  void Stop();

 private:
  using Time = std::chrono::steady_clock::time_point;
  std::mutex mutex_;
  const bool enabled_;
  const Time start_;
  Time drawn_;
  bool visible_ = false;
  bool stopped_ = false;
};

/// "[#####     ]  50 %  12 s".
std::string BarText(double share, int64_t seconds);

}  // namespace weir::cli
