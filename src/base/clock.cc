#include "base/clock.h"

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <random>
#include <thread>

namespace weir {
namespace {

class RealClock : public Clock {
 public:
  int64_t NowMicros() override {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  void SleepMicros(int64_t micros) override {
    std::this_thread::sleep_for(std::chrono::microseconds(micros));
  }
};

class DeviceRandom : public Random {
 public:
  uint64_t Next() override {
    std::lock_guard lock(mutex_);
    return engine_();
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 engine_{(static_cast<uint64_t>(std::random_device{}()) << 32) ^ std::random_device{}()};
};

}  // namespace

Clock& SystemClock() {
  static RealClock clock;
  return clock;
}

Random& SystemRandom() {
  static DeviceRandom random;
  return random;
}

std::string Random::Uuid() {
  const uint64_t high = (Next() & 0xffffffffffff0fffULL) | 0x4000ULL;
  const uint64_t low = (Next() & 0x3fffffffffffffffULL) | 0x8000000000000000ULL;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff, high & 0xffff,
                     low >> 48, low & 0xffffffffffffULL);
}

uint64_t SeededRandom::Next() {
  // splitmix64: every state gives a well-mixed number.
  uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace weir
