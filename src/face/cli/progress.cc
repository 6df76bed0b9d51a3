#include "face/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "face/cli/tell.h"

namespace weir::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kQuiet{1000};
constexpr milliseconds kBetween{100};
constexpr int kCells = 40;

}  // namespace

ProgressBar::ProgressBar()
    : enabled_(isatty(STDERR_FILENO) != 0), start_(steady_clock::now()), drawn_(start_) {}

ProgressBar::~ProgressBar() { Stop(); }

void ProgressBar::Stop() {
  const std::lock_guard lock(mutex_);
  if (visible_) std::fputs("\r\x1b[K", stderr);
  visible_ = false;
  stopped_ = true;
}

void ProgressBar::Update(double share) {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  const Time now = steady_clock::now();
  if (stopped_ || now - start_ < kQuiet || now - drawn_ < kBetween) return;
  drawn_ = now;
  visible_ = true;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - start_).count();
  Tell("\r\x1b[K{}", BarText(share, seconds));
}

std::string BarText(double share, int64_t seconds) {
  if (share < 0) return fmt::format("running  {} s", seconds);
  share = std::clamp(share, 0.0, 1.0);
  const int full = static_cast<int>(share * kCells);
  return fmt::format("[{}{}] {:>3} %  {} s", std::string(full, '#'), std::string(kCells - full, ' '),
                     static_cast<int>(share * 100), seconds);
}

}  // namespace weir::cli
